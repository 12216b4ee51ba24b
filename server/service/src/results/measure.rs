//! The measures of a scheme over its items, source by source and facet by facet.

use super::ResultRow;
use super::interval::{bootstrap, wilson};
use super::load::{Item, Source};
use super::take::{is_true, is_zeroed, level_share, value};
use domain::scheme::{ItemQuestion, Level, Measure, MeasureKind, Scheme};
use std::collections::{BTreeMap, BTreeSet};

/// A slice of the study.
struct Slice<'a> {
    facet: &'a str,
    value: String,
    items: Vec<&'a Item>,
    /// Items that would count as zero are left out instead.
    conditioned: bool,
}

/// Every figure.
pub(super) fn all(scheme: &Scheme, items: &[Item]) -> Vec<ResultRow> {
    let mut sources: BTreeSet<&Source> = items.iter().flat_map(|item| item.said.keys()).collect();
    // Disagreements are counted also where not one label is final.
    sources.insert(&Source::Final);
    let slices = slices(scheme, items);
    let mut rows = Vec::new();
    for source in sources {
        for measure in &scheme.measures {
            for slice in &slices {
                // What is left out there is what this kind counts.
                if slice.conditioned && measure.kind == MeasureKind::FactRate {
                    continue;
                }
                rows.extend(of(scheme, measure, source, slice));
            }
        }
    }
    rows
}

/// All items, then model by model; where a measure zeroes items, the same without them.
fn slices<'a>(scheme: &Scheme, items: &'a [Item]) -> Vec<Slice<'a>> {
    let mut by_model: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in items.iter().filter(|item| !item.model.is_empty()) {
        by_model.entry(&item.model).or_default().push(item);
    }
    let mut slices = Vec::new();
    let zeroing = scheme
        .measures
        .iter()
        .any(|measure| !measure.zero_unless.is_empty());
    for conditioned in [false, true].into_iter().take(1 + usize::from(zeroing)) {
        slices.push(Slice {
            facet: if conditioned { "conditioned" } else { "" },
            value: String::new(),
            items: items.iter().collect(),
            conditioned,
        });
        slices.extend(by_model.iter().map(|(model, items)| Slice {
            facet: if conditioned {
                "model_conditioned"
            } else {
                "model"
            },
            value: (*model).to_owned(),
            items: items.clone(),
            conditioned,
        }));
    }
    slices
}

fn of(scheme: &Scheme, measure: &Measure, source: &Source, slice: &Slice<'_>) -> Vec<ResultRow> {
    let row = |facet: &str, facet_value: &str, figure: Figure| ResultRow {
        source: name(source).to_owned(),
        facet: facet.to_owned(),
        facet_value: facet_value.to_owned(),
        statistic: measure.name.clone(),
        estimate: figure.estimate,
        ci_low: figure.interval.map(|(low, _)| low),
        ci_high: figure.interval.map(|(_, high)| high),
        n: figure.n,
    };
    let kept: Vec<&Item> = slice
        .items
        .iter()
        .filter(|item| {
            // What a judge had before it as an example shows nothing of how it judges.
            if item.few_shot.contains(source) {
                return false;
            }
            let mut measures = scheme.measures.iter();
            !(slice.conditioned && measures.any(|measure| is_zeroed(item, measure)))
        })
        .copied()
        .collect();
    if measure.kind == MeasureKind::LevelRate {
        let Some(question) = scheme.question(&measure.question) else {
            return Vec::new();
        };
        let levels = question.levels.iter().filter(|level| {
            measure.level.is_empty() || question.level(&measure.level) == Some(*level)
        });
        let of_level = |level: &Level| share_of(&kept, source, question, &question.word(level));
        if slice.facet.is_empty() {
            let row = |level: &Level| row(&question.id, level.word(), of_level(level));
            return levels.map(row).collect();
        }
        // One facet a row: where it is the model, the level stands in the name.
        let named = |level: &Level| {
            let figure = of_level(level);
            let mut row = row(slice.facet, &slice.value, figure);
            if measure.level.is_empty() {
                row.statistic = format!("{}.{}", measure.name, level.word());
            }
            (row.n > 0).then_some(row)
        };
        return levels.filter_map(named).collect();
    }
    let figure = figure(scheme, measure, source, &kept);
    // A source that says nothing here has no row: nobody is to take silence for a result.
    if figure.n == 0 {
        return Vec::new();
    }
    vec![row(slice.facet, &slice.value, figure)]
}

fn name(source: &Source) -> &str {
    match source {
        Source::Judge(name) | Source::Rater(_, name) => name,
        Source::Final => "final",
    }
}

/// An estimate with its interval.
#[derive(Default)]
struct Figure {
    estimate: Option<f64>,
    interval: Option<(f64, f64)>,
    n: u64,
}

fn share(of_it: usize, n: usize) -> Figure {
    Figure {
        estimate: (n > 0).then(|| of_it as f64 / n as f64),
        interval: wilson(of_it, n),
        n: n as u64,
    }
}

fn share_of(items: &[&Item], source: &Source, question: &ItemQuestion, word: &str) -> Figure {
    let found: Vec<bool> = items
        .iter()
        .filter_map(|item| level_share(item, source, question, word))
        .collect();
    share(found.iter().filter(|is| **is).count(), found.len())
}

fn figure(scheme: &Scheme, measure: &Measure, source: &Source, items: &[&Item]) -> Figure {
    if measure.kind == MeasureKind::Disagreements {
        // A matter between raters: it belongs to the final labels alone.
        if *source != Source::Final {
            return Figure::default();
        }
        let compared: Vec<bool> = items
            .iter()
            .filter_map(|item| item.differ.get(&measure.question).copied())
            .collect();
        return Figure {
            estimate: Some(compared.iter().filter(|differs| **differs).count() as f64),
            interval: None,
            n: compared.len() as u64,
        };
    }
    if measure.kind == MeasureKind::FactRate {
        let said = items.iter().filter(|item| item.said.contains_key(source));
        let facts: Vec<bool> = said
            .filter_map(|item| is_true(item, &measure.group))
            .collect();
        return share(facts.iter().filter(|is| **is).count(), facts.len());
    }
    let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut apart: Vec<f64> = Vec::new();
    for item in items {
        let Some(value) = value(scheme, measure, source, item) else {
            continue;
        };
        match item
            .facts
            .get(&measure.group)
            .filter(|_| grouped(measure.kind))
        {
            Some(group) => groups.entry(group).or_default().push(value),
            None if grouped(measure.kind) && !measure.group.is_empty() => apart.push(value),
            None => groups.entry("").or_default().push(value),
        }
    }
    // An item without the fact is a group of its own.
    let values: Vec<Vec<f64>> = groups
        .into_values()
        .chain(apart.into_iter().map(|value| vec![value]))
        .collect();
    if !grouped(measure.kind) {
        let values = values.into_iter().flatten().collect::<Vec<_>>();
        return over(&values, mean);
    }
    let at = measure.at.unwrap_or_default();
    if measure.kind == MeasureKind::GroupAny {
        let with = values
            .iter()
            .filter(|group| group.iter().any(|value| *value >= at))
            .count();
        return share(with, values.len());
    }
    let means: Vec<f64> = values.iter().filter_map(|group| mean(group)).collect();
    if measure.kind == MeasureKind::GroupQuantile {
        over(&means, |means| nearest_rank(means, at))
    } else {
        over(&means, mean)
    }
}

fn grouped(kind: MeasureKind) -> bool {
    matches!(
        kind,
        MeasureKind::GroupMean | MeasureKind::GroupQuantile | MeasureKind::GroupAny
    )
}

fn over(values: &[f64], statistic: impl Fn(&[f64]) -> Option<f64>) -> Figure {
    Figure {
        estimate: statistic(values),
        interval: bootstrap(values, &statistic),
        n: values.len() as u64,
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The value at rank `ceil(share * n)`, counted from 1.
fn nearest_rank(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::{mean, nearest_rank};

    #[test]
    fn the_nearest_rank_is_a_value_that_occurs() {
        let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(nearest_rank(&hundred, 0.99), Some(99.0));
        assert_eq!(nearest_rank(&hundred, 1.0), Some(100.0));
        assert_eq!(
            nearest_rank(&[5.0 / 3.0, 5.5], 0.99),
            Some(5.5),
            "ceil(1.98) is the second of two"
        );
        assert_eq!(nearest_rank(&[], 0.99), None);
    }

    #[test]
    fn nothing_has_no_mean() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, 2.0]), Some(1.5));
    }
}
