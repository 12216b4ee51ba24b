//! Whether seeing the judge's tags pulls raters towards them: items on which they were shown from the start against a random
//! share of items on which raters gave their own tags first.

use super::figure::{Bounds, Counts, Figure, Intervals, Measure, figures, resample};
use super::ground::{Ground, Item, Stand, Unit};
use domain::id::CandidateId;
use domain::own::{Proposed, same};
use domain::scheme::CategoryRef;
use serde::Serialize;

/// Both arms beside each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Anchoring {
    /// Items whose tags of the judge were shown from the start.
    pub shown: u64,
    /// Items on which raters gave their own first.
    pub hidden: u64,
    /// The figures.
    pub rows: Vec<ArmRow>,
}

/// One share in both arms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmRow {
    /// `accepted`, `same_verdict`, `raters_within_one`, `judge_within_half` or `found_alone`.
    pub name: &'static str,
    /// Where the judge's tags were shown from the start.
    pub shown: Figure,
    /// Where they were hidden at first.
    pub hidden: Figure,
    /// Hidden minus shown.
    pub difference: Option<f64>,
    /// Its interval.
    pub ci: Option<Bounds>,
    /// Why there is no difference, or no interval of it.
    pub undefined: Option<&'static str>,
}

/// What is counted of a judge's tags on an item: how many of how many.
const NAMES: [&str; 5] = [
    "accepted",
    "same_verdict",
    "raters_within_one",
    "judge_within_half",
    "found_alone",
];

/// Compares the arms on these items; nothing where no batch of them hid anything.
pub(super) fn anchoring(
    ground: &Ground,
    items: &[&Item],
    judge: usize,
    when: Intervals,
) -> Option<Anchoring> {
    let mut numbers = [0, 0];
    let mut rows = Vec::new();
    for item in items {
        let Some(hidden) = ground.arms.get(&item.at.id) else {
            continue;
        };
        let arm = usize::from(*hidden);
        numbers[arm] += 1;
        let mut row = vec![Counts::default(); 2 * NAMES.len()];
        for (at, counts) in counted(ground, item, judge).into_iter().enumerate() {
            row[2 * at + arm] = counts;
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return None;
    }
    let value = |sums: &[Counts], at: usize| sums[at].value(Measure::Precision);
    let difference =
        |sums: &[Counts], at: usize| Some(value(sums, 2 * at + 1)? - value(sums, 2 * at)?);
    let intervals = resample(&rows, NAMES.len(), when, difference);
    let sums: Vec<Counts> = (0..2 * NAMES.len())
        .map(|at| Counts::sum(rows.iter().map(|row| row[at])))
        .collect();
    let row = |(at, interval): (usize, Option<(f64, f64)>)| {
        let arm = |arm: usize| share(NAMES[at], rows.iter().map(|row| row[2 * at + arm]), when);
        let estimate = difference(&sums, at);
        // Where nothing varies every resample says the same, which is no certainty.
        let ci = interval.filter(|(low, high)| estimate.is_some() && low < high);
        ArmRow {
            name: NAMES[at],
            shown: arm(0),
            hidden: arm(1),
            difference: estimate,
            ci: ci.map(|(low, high)| Bounds {
                low,
                high,
                method: "cluster_bootstrap_percentile",
            }),
            undefined: match (estimate, ci, NAMES[at]) {
                (None, _, "found_alone") => Some("not_hidden"),
                (None, ..) => Some("arm_empty"),
                (_, None, _) if when == Intervals::Later => Some("resampling"),
                (_, None, _) => Some("no_variation"),
                _ => None,
            },
        }
    };
    Some(Anchoring {
        shown: numbers[0],
        hidden: numbers[1],
        rows: intervals.into_iter().enumerate().map(row).collect(),
    })
}

fn share(name: &str, counts: impl Iterator<Item = Counts>, when: Intervals) -> Figure {
    // Items that say nothing are left out: they would only thin the resamples.
    let counts: Vec<Counts> = counts.filter(|one| one.tp + one.fp > 0).collect();
    let mut figure = figures(&counts, 0.0, when).swap_remove(0);
    name.clone_into(&mut figure.name);
    if figure.undefined.is_some() {
        figure.undefined = Some("arm_empty".to_owned());
    }
    figure
}

fn counted(ground: &Ground, item: &Item, judge: usize) -> [Counts; NAMES.len()] {
    let mut counts = [Counts::default(); NAMES.len()];
    for unit in item.units.iter().filter(|unit| unit.judge == Some(judge)) {
        let said: Vec<(bool, Option<f64>)> = (0..unit.raters.len())
            .filter_map(|rater| Some((accepts(unit, rater)?, unit.raters[rater].severity)))
            .collect();
        for (at, (accepted, severity)) in said.iter().enumerate() {
            add(&mut counts[0], *accepted);
            if let (Some(own), Some(proposed)) = (severity, unit.tag.severity) {
                add(&mut counts[3], (own - proposed).abs() <= 0.5);
            }
            for (other, of_other) in &said[..at] {
                add(&mut counts[1], accepted == other);
                if let (Some(own), Some(theirs)) = (severity, of_other) {
                    add(&mut counts[2], (own - theirs).abs() <= 1.0);
                }
            }
        }
        for found in alone(ground, item, unit) {
            add(&mut counts[4], found);
        }
    }
    counts
}

fn add(counts: &mut Counts, yes: bool) {
    counts.tp += u64::from(yes);
    counts.fp += u64::from(!yes);
}

/// Whether a rater finds a tag of the judge's category there; nothing where they said neither.
fn accepts(unit: &Unit, rater: usize) -> Option<bool> {
    match &unit.raters[rater].stand {
        Stand::Unknown(_) => None,
        Stand::No => Some(false),
        Stand::Yes(tag) => Some(tag.category == unit.tag.category),
    }
}

/// For each rater who gave their own tags first, whether one of these is the judge's.
fn alone(ground: &Ground, item: &Item, unit: &Unit) -> Vec<bool> {
    let id = CandidateId::new(unit.id.as_str());
    let category = CategoryRef {
        category: unit.tag.category.clone(),
        subcategory: None,
    };
    let proposed = Proposed {
        id: &id,
        category: &category,
        spans: &unit.tag.spans,
    };
    let own = ground.own.get(&item.at.id).into_iter().flatten();
    own.map(|tags| tags.iter().any(|tag| same(&proposed, tag, &ground.scheme)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::compute::computed;
    use super::super::figure::Intervals;
    use super::super::ground::{Ground, Item, Said, Stand};
    use super::super::tests::{item, study, tag, unit, yes};
    use super::super::{ValidationQuery, ValidationReport};
    use super::Anchoring;
    use domain::annotation::MissedTag;
    use domain::id::MissedTagId;

    fn report(ground: &Ground) -> ValidationReport {
        computed(ground, &ValidationQuery::default(), Intervals::Now).expect("a report")
    }

    fn shares(anchoring: &Anchoring) -> Vec<(&str, [(Option<u64>, u64); 2])> {
        let row = |row: &super::ArmRow| {
            let arm = [&row.shown, &row.hidden].map(|figure| (figure.tp, figure.n));
            (row.name, arm)
        };
        anchoring.rows.iter().map(row).collect()
    }

    /// Both raters accept at the judge's own severity where its tags are shown. Where they are hidden A rejects the tag and
    /// B accepts it two points lower; only B had marked it before.
    fn arms(each: i64) -> Ground {
        let rejects = Said {
            stand: Stand::No,
            severity: None,
            invalid: true,
        };
        let one = |seq: i64, hidden: bool| -> Item {
            let mut candidate = unit("c", Some(tag("1.1", 4.0)), &yes("1.1", 4.0));
            if hidden {
                candidate.raters = vec![rejects.clone(), yes("1.1", 2.0)];
            }
            item(seq, true, vec![candidate])
        };
        let mut ground = study();
        ground.items = (0..2 * each).map(|seq| one(seq, seq % 2 == 1)).collect();
        for (at, item) in ground.items.iter().enumerate() {
            let id = item.at.id.clone();
            ground.arms.insert(id.clone(), at % 2 == 1);
            if at % 2 == 1 {
                let own = MissedTag {
                    id: MissedTagId::new("m"),
                    code: "1.2".into(),
                    severity: Some(2.0),
                    span: Some((9, 12)),
                    quote: String::new(),
                    comment: String::new(),
                };
                ground.own.insert(id, vec![Vec::new(), vec![own]]);
            }
        }
        ground
    }

    #[test]
    fn each_share_is_counted_in_its_own_arm() {
        let anchoring = report(&arms(3)).anchoring.expect("an arm");
        assert_eq!((anchoring.shown, anchoring.hidden), (3, 3));
        assert_eq!(
            shares(&anchoring),
            [
                ("accepted", [(Some(6), 6), (Some(3), 6)]),
                ("same_verdict", [(Some(3), 3), (Some(0), 3)]),
                ("raters_within_one", [(Some(3), 3), (Some(0), 0)]),
                ("judge_within_half", [(Some(6), 6), (Some(0), 3)]),
                ("found_alone", [(Some(0), 0), (Some(3), 6)]),
            ]
        );
        let differences: Vec<_> = anchoring.rows.iter().map(|row| row.difference).collect();
        assert_eq!(
            differences,
            [Some(-0.5), Some(-1.0), None, Some(-1.0), None]
        );
        // Every item of an arm says the same, so no resample differs.
        assert!(anchoring.rows.iter().all(|row| row.ci.is_none()));
        let why: Vec<_> = anchoring.rows.iter().map(|row| row.undefined).collect();
        let (flat, empty) = (Some("no_variation"), Some("arm_empty"));
        assert_eq!(why, [flat, flat, empty, flat, Some("not_hidden")]);
    }

    #[test]
    fn the_interval_of_a_difference_holds_it_and_stays_off_zero() {
        let mut ground = arms(30);
        // Two in three of the hidden items, and one in ten of the others, go against what the rest of their arm says.
        for at in (0..60).filter(|at| at % 20 == 0 || at % 2 == 1 && at % 3 == 0) {
            let unit = &mut ground.items[at].units[0];
            let accepted = yes("1.1", 4.0);
            unit.raters = if at % 2 == 1 {
                vec![accepted.clone(), accepted]
            } else {
                vec![
                    Said::unknown("x"),
                    Said {
                        stand: Stand::No,
                        severity: None,
                        invalid: true,
                    },
                ]
            };
        }
        let anchoring = report(&ground).anchoring.expect("an arm");
        let row = &anchoring.rows[0];
        let (difference, ci) = (row.difference.unwrap(), row.ci.expect("an interval"));
        assert!(
            ci.low < difference && difference < ci.high && ci.high < 0.0,
            "{ci:?}"
        );
    }

    #[test]
    fn a_study_that_hides_nothing_has_no_arms() {
        assert_eq!(report(&study()).anchoring, None);
    }
}
