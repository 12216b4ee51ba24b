//! Units divided by a facet.

use super::ground::Ground;
use super::types::{AgreementQuery, Facet, Stage};
use domain::scheme::Scheme;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::result::{UnitValues, Waiting};

/// Some units under one value of the facet.
pub(super) struct Slice<'a> {
    pub value: String,
    pub title: String,
    pub units: Vec<&'a UnitValues>,
    pub waiting: u64,
    pub columns: Vec<usize>,
}

/// The units by the values of the facet.
pub(super) fn slices<'a>(ground: &'a Ground, query: &AgreementQuery) -> Vec<Slice<'a>> {
    if !query.facet.divides(&query.question) {
        return Vec::new();
    }
    let all: Vec<&UnitValues> = ground.values.units.iter().collect();
    let waiting = &ground.values.waiting;
    let columns: Vec<usize> = (0..ground.raters.len()).collect();
    match query.facet {
        Facet::None => vec![Slice {
            value: String::new(),
            title: String::new(),
            units: all,
            waiting: count(waiting),
            columns,
        }],
        Facet::Category => by(
            &all,
            waiting,
            &columns,
            |unit| &unit.category,
            |waiting| &waiting.category,
        )
        .into_iter()
        .map(|slice| Slice {
            title: name_of(&ground.scheme, &slice.value),
            ..slice
        })
        .collect(),
        Facet::Condition => by(
            &all,
            waiting,
            &columns,
            |unit| &unit.condition,
            |waiting| &waiting.condition,
        ),
        Facet::Model => by(
            &all,
            waiting,
            &columns,
            |unit| &unit.model,
            |waiting| &waiting.model,
        ),
        Facet::RaterPair => by_pair(&all, &columns, &ground.letters),
        Facet::Judge => judged(ground, query.stage)
            .into_iter()
            .map(|(value, title, columns)| Slice {
                value,
                title,
                units: all.clone(),
                waiting: count(waiting),
                columns: columns.to_vec(),
            })
            .collect(),
    }
}

/// The pairs of columns by judge: each with every rater before reconciliation, with the final answer after it.
pub(super) fn judged(ground: &Ground, stage: Stage) -> Vec<(String, String, [usize; 2])> {
    let people = ground.raters.len();
    let mut pairs = Vec::new();
    for judge in people..people + ground.judges {
        let name = &ground.letters[judge];
        match stage {
            Stage::Reconciled => {
                let title = format!("{name} and the final answer");
                pairs.push((name.clone(), title, [judge, people + ground.judges]));
            }
            Stage::Raw => pairs.extend((0..people).map(|rater| {
                let letter = &ground.letters[rater];
                let value = format!("{name}-{letter}");
                (value, format!("{name} and rater {letter}"), [judge, rater])
            })),
        }
    }
    pairs
}

/// How many units wait.
pub(super) fn count(waiting: &[Waiting]) -> u64 {
    waiting.iter().map(|waiting| waiting.units).sum()
}

fn by<'a>(
    units: &[&'a UnitValues],
    waiting: &[Waiting],
    columns: &[usize],
    value: impl Fn(&UnitValues) -> &Arc<str>,
    of_waiting: impl Fn(&Waiting) -> &Arc<str>,
) -> Vec<Slice<'a>> {
    let mut groups: BTreeMap<Arc<str>, (Vec<&UnitValues>, u64)> = BTreeMap::new();
    for unit in units {
        groups.entry(value(unit).clone()).or_default().0.push(unit);
    }
    for waiting in waiting {
        groups.entry(of_waiting(waiting).clone()).or_default().1 += waiting.units;
    }
    groups
        .into_iter()
        .map(|(value, (units, waiting))| Slice {
            value: value.to_string(),
            title: value.to_string(),
            units,
            waiting,
            columns: columns.to_vec(),
        })
        .collect()
}

fn by_pair<'a>(units: &[&'a UnitValues], columns: &[usize], letters: &[String]) -> Vec<Slice<'a>> {
    let mut slices = Vec::new();
    for (at, first) in columns.iter().enumerate() {
        for second in &columns[at + 1..] {
            let shared = |unit: &&&UnitValues| {
                [first, second]
                    .into_iter()
                    .all(|column| unit.values.iter().any(|value| value.rater == *column))
            };
            slices.push(Slice {
                value: format!("{}-{}", letters[*first], letters[*second]),
                title: format!("{} and {}", letters[*first], letters[*second]),
                units: units.iter().filter(shared).copied().collect(),
                waiting: 0,
                columns: vec![*first, *second],
            });
        }
    }
    slices
}

fn name_of(scheme: &Scheme, code: &str) -> String {
    scheme.name_of(code).unwrap_or(code).to_owned()
}
