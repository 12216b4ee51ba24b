//! Precision, recall and F1 of counts, with Wilson's interval and one by resampling items.

use super::count::{Entry, Scored};
use serde::Serialize;
use std::collections::HashMap;

/// What is counted of an item or of all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Counts {
    /// Predicted and right.
    pub tp: u64,
    /// Predicted and wrong.
    pub fp: u64,
    /// In the reference and found, on items where it is on record what was missed.
    pub found: u64,
    /// In the reference and not found, on these items.
    pub missed: u64,
    /// Predicted and right on these items.
    pub covered_tp: u64,
    /// Predicted and wrong on these items.
    pub covered_fp: u64,
}

impl Counts {
    /// Counts those entries of an item that a facet takes.
    pub(crate) fn of(scored: &Scored, takes: impl Fn(&Entry) -> bool) -> Self {
        let count = |entries: &[Entry], right: bool| {
            entries
                .iter()
                .filter(|entry| entry.right == right && takes(entry))
                .count() as u64
        };
        let (tp, fp) = (
            count(&scored.predicted, true),
            count(&scored.predicted, false),
        );
        let on = |number| if scored.covered { number } else { 0 };
        Self {
            tp,
            fp,
            found: on(count(&scored.reference, true)),
            missed: on(count(&scored.reference, false)),
            covered_tp: on(tp),
            covered_fp: on(fp),
        }
    }

    pub(crate) fn add(&mut self, other: Self, times: u64) {
        self.tp += times * other.tp;
        self.fp += times * other.fp;
        self.found += times * other.found;
        self.missed += times * other.missed;
        self.covered_tp += times * other.covered_tp;
        self.covered_fp += times * other.covered_fp;
    }

    pub(crate) fn sum(counts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for one in counts {
            all.add(one, 1);
        }
        all
    }

    pub(crate) fn value(&self, measure: Measure) -> Option<f64> {
        let share =
            |part: u64, rest: u64| (part + rest > 0).then(|| part as f64 / (part + rest) as f64);
        match measure {
            Measure::Precision => share(self.tp, self.fp),
            Measure::Recall => share(self.found, self.missed),
            Measure::F1 => {
                let precision = share(self.covered_tp, self.covered_fp);
                let recall = share(self.found, self.missed);
                match (precision, recall) {
                    (None, None) => None,
                    (Some(p), Some(r)) if p + r > 0.0 => Some(2.0 * p * r / (p + r)),
                    _ => Some(0.0),
                }
            }
        }
    }
}

/// A measure of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// How many of the predicted tags are right.
    Precision,
    /// How many of the tags of the reference are found.
    Recall,
    /// The harmonic mean of both, on the items where both are known.
    F1,
}

impl Measure {
    /// Every measure.
    pub const ALL: [Self; 3] = [Self::Precision, Self::Recall, Self::F1];

    /// The word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F1 => "f1",
        }
    }
}

/// An interval and how it was made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// How it was made.
    pub method: &'static str,
}

/// An estimate with all that must travel with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// The estimate, unless it is undefined.
    pub estimate: Option<f64>,
    /// The interval that counts: by resampling items, where that was possible.
    pub ci: Option<Bounds>,
    /// Wilson's interval, which takes the tags of a trace for independent.
    pub other: Option<Bounds>,
    /// What it was computed from: tags, or pairs of severities.
    pub n: u64,
    /// Predicted and right.
    pub tp: Option<u64>,
    /// Predicted and wrong.
    pub fp: Option<u64>,
    /// Not found.
    pub fn_: Option<u64>,
    /// The share of items where it is on record what was missed.
    pub coverage: Option<f64>,
    /// Why there is no estimate.
    pub undefined: Option<String>,
}

/// How often items are resampled.
pub const RESAMPLES: usize = crate::agreement::RESAMPLES;
const SEED: u64 = crate::agreement::BOOTSTRAP_SEED;

/// When intervals are resampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intervals {
    /// Together with the estimates.
    Now,
    /// In the background: until then Wilson's interval stands in their place.
    Later,
}

/// The three figures of some items, one entry of `counts` an item.
pub(crate) fn figures(counts: &[Counts], coverage: f64, intervals: Intervals) -> Vec<Figure> {
    let all = Counts::sum(counts.iter().copied());
    let rows: Vec<Vec<Counts>> = counts.iter().map(|one| vec![*one]).collect();
    let resampled = resample(&rows, Measure::ALL.len(), intervals, |sum, at| {
        sum[0].value(Measure::ALL[at])
    });
    of_counts(&all, resampled, coverage)
}

/// The three figures under several rules, the items drawn once for all of them: each row has one entry a rule.
pub(crate) fn figures_by_rule(
    rows: &[Vec<Counts>],
    rules: usize,
    coverage: f64,
    intervals: Intervals,
) -> Vec<Vec<Figure>> {
    let measures = Measure::ALL.len();
    let resampled = resample(rows, rules * measures, intervals, |sum, at| {
        sum[at / measures].value(Measure::ALL[at % measures])
    });
    resampled
        .chunks(measures)
        .enumerate()
        .map(|(rule, intervals)| {
            let all = Counts::sum(rows.iter().map(|row| row[rule]));
            of_counts(&all, intervals.to_vec(), coverage)
        })
        .collect()
}

fn of_counts(all: &Counts, resampled: Vec<Option<(f64, f64)>>, coverage: f64) -> Vec<Figure> {
    Measure::ALL
        .into_iter()
        .zip(resampled)
        .map(|(measure, interval)| figure(all, measure, interval, coverage))
        .collect()
}

fn figure(all: &Counts, measure: Measure, by_item: Option<(f64, f64)>, coverage: f64) -> Figure {
    let estimate = all.value(measure);
    let (part, whole) = match measure {
        Measure::Precision => (all.tp, all.tp + all.fp),
        Measure::Recall => (all.found, all.found + all.missed),
        Measure::F1 => (0, all.covered_tp + all.covered_fp + all.missed),
    };
    let covered = coverage > 0.0;
    let undefined = match (estimate, measure) {
        (_, Measure::Recall | Measure::F1) if !covered => Some("missed_not_recorded"),
        (Some(_), _) => None,
        (None, Measure::Precision) => Some("nothing_predicted"),
        (None, Measure::Recall) => Some("no_gold_positive"),
        (None, Measure::F1) => Some("class_absent"),
    };
    let wilson = (measure != Measure::F1)
        .then(|| stats::wilson::interval(part, whole, 0.95).ok())
        .flatten()
        .map(|ci| Bounds {
            low: ci.low,
            high: ci.high,
            method: ci.method.code(),
        });
    let by_item = by_item.map(|(low, high)| Bounds {
        low,
        high,
        method: "cluster_bootstrap_percentile",
    });
    // At the ends of the scale every resample says the same, which is no certainty; Wilson's bound is one.
    let flat = by_item.is_some_and(|ci| ci.low == ci.high);
    let ci = if flat { wilson } else { by_item.or(wilson) };
    let known = undefined.is_none();
    Figure {
        name: measure.as_str().to_owned(),
        estimate: estimate.filter(|_| known),
        ci: ci.filter(|_| known),
        other: wilson.filter(|other| known && ci.is_some_and(|ci| ci.method != other.method)),
        n: whole,
        tp: Some(match measure {
            Measure::Precision => all.tp,
            Measure::Recall => all.found,
            Measure::F1 => all.covered_tp,
        }),
        fp: match measure {
            Measure::Precision => Some(all.fp),
            Measure::Recall => None,
            Measure::F1 => Some(all.covered_fp),
        },
        fn_: (measure != Measure::Precision).then_some(all.missed),
        coverage: (measure != Measure::Precision).then_some(coverage),
        undefined: undefined.map(str::to_owned),
    }
}

/// Percentile intervals of statistics of the summed counts, items drawn with replacement. Equal items are drawn
/// together, so a resample costs one number and one sum a pattern.
pub(crate) fn resample(
    rows: &[Vec<Counts>],
    statistics: usize,
    intervals: Intervals,
    value: impl Fn(&[Counts], usize) -> Option<f64>,
) -> Vec<Option<(f64, f64)>> {
    if rows.len() < 2 || intervals == Intervals::Later {
        return vec![None; statistics];
    }
    let (patterns, place) = patterns(rows);
    let mut weights = vec![0; patterns.len()];
    for &pattern in &place {
        weights[pattern as usize] += 1;
    }
    let mut drawn = vec![0; patterns.len()];
    let mut values = vec![Vec::with_capacity(RESAMPLES); statistics];
    for stream in 0..RESAMPLES {
        stats::resample_counts(&place, &weights, (SEED, stream as u64), &mut drawn);
        let mut sums = vec![Counts::default(); rows[0].len()];
        for (pattern, times) in patterns.iter().zip(&drawn) {
            for (sum, one) in sums.iter_mut().zip(*pattern) {
                sum.add(*one, *times);
            }
        }
        for (at, kept) in values.iter_mut().enumerate() {
            kept.extend(value(&sums, at));
        }
    }
    values.into_iter().map(percentiles).collect()
}

/// The distinct values, and for each item which one it has.
pub(crate) fn patterns<T: Eq + std::hash::Hash>(items: &[T]) -> (Vec<&T>, Vec<u32>) {
    let mut known: HashMap<&T, u32> = HashMap::new();
    let mut patterns = Vec::new();
    let place = items
        .iter()
        .map(|item| {
            *known.entry(item).or_insert_with(|| {
                patterns.push(item);
                patterns.len() as u32 - 1
            })
        })
        .collect();
    (patterns, place)
}

/// The 2.5 and 97.5 percentiles with linear interpolation; nothing when more than one in twenty has no value.
pub(crate) fn percentiles(mut values: Vec<f64>) -> Option<(f64, f64)> {
    if values.len() * 20 < RESAMPLES * 19 {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| {
        let place = share * (values.len() - 1) as f64;
        let (low, part) = (place.floor() as usize, place.fract());
        let next = values.get(low + 1).unwrap_or(&values[low]);
        values[low] + part * (next - values[low])
    };
    Some((at(0.025), at(0.975)))
}

#[cfg(test)]
mod tests {
    use super::{Counts, Intervals, Measure, figures, resample};

    fn precise(tp: u64, fp: u64) -> Counts {
        Counts {
            tp,
            fp,
            ..Counts::default()
        }
    }

    #[test]
    fn tags_that_stand_or_fall_together_make_the_interval_wider() {
        // 60 traces of four tags each: all four right, or all four wrong. The same 240 tags taken for independent
        // have a standard error of half the size, for a cluster of four carries the information of one.
        let traces: Vec<Counts> = (0..60)
            .map(|at| {
                if at % 3 == 0 {
                    precise(0, 4)
                } else {
                    precise(4, 0)
                }
            })
            .collect();
        let tags: Vec<Counts> = (0..240)
            .map(|at| {
                if at % 3 == 0 {
                    precise(0, 1)
                } else {
                    precise(1, 0)
                }
            })
            .collect();
        let width = |counts: &[Counts]| {
            let rows: Vec<Vec<Counts>> = counts.iter().map(|one| vec![*one]).collect();
            let (low, high) = resample(&rows, 1, Intervals::Now, |sum, _| {
                sum[0].value(Measure::Precision)
            })[0]
                .expect("an interval");
            high - low
        };
        let ratio = width(&traces) / width(&tags);
        assert!((1.7..2.3).contains(&ratio), "{ratio}");
    }

    #[test]
    fn recall_is_refused_where_nobody_looked() {
        let found = figures(&[precise(3, 1), precise(2, 0)], 0.0, Intervals::Now);
        assert_eq!(found[0].estimate, Some(5.0 / 6.0));
        for figure in &found[1..] {
            assert_eq!(
                (figure.estimate, figure.undefined.as_deref()),
                (None, Some("missed_not_recorded"))
            );
        }
    }

    #[test]
    fn estimates_do_not_wait_for_their_intervals() {
        let counts: Vec<Counts> = (1..40).map(|n| precise(n % 5, n % 3)).collect();
        let [now, later] =
            [Intervals::Now, Intervals::Later].map(|when| figures(&counts, 0.0, when));
        assert_eq!((now[0].estimate, now[0].n), (later[0].estimate, later[0].n));
        let methods = [&now, &later].map(|figures| figures[0].ci.map(|ci| ci.method));
        assert_eq!(
            methods,
            [Some("cluster_bootstrap_percentile"), Some("wilson")]
        );
    }

    #[test]
    fn one_item_or_no_variation_leaves_wilson() {
        let one = figures(&[precise(2, 1)], 0.0, Intervals::Now);
        assert_eq!(one[0].ci.map(|ci| ci.method), Some("wilson"));
        let all_right = figures(&vec![precise(1, 0); 20], 0.0, Intervals::Now);
        let ci = all_right[0].ci.expect("an interval");
        assert_eq!((ci.method, ci.high), ("wilson", 1.0));
        assert!(ci.low < 0.9, "twenty of twenty is no proof: {}", ci.low);
    }
}
