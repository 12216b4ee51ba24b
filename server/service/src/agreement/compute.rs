//! The statistics of a report: estimates on counts, intervals by resampling items.

use super::matrix::{Prepared, categories, prepare};
use super::{
    AgreementQuery, AgreementReport, Facet, Ground, Group, IntervalRow, Matrix, Question,
    RaterLabel, StatRow,
};
use domain::scheme::Scheme;
use stats::confusion::Confusion;
use stats::{Bootstrap, Coefficient};
use std::collections::BTreeMap;
use store::result::UnitValues;

/// How often items are resampled.
pub const RESAMPLES: usize = 2_000;
/// The seed of the resampling, fixed so that a report says the same every time.
pub const BOOTSTRAP_SEED: u64 = 20_260_101;

/// Severity is ordered; validity is not.
const OF_SEVERITY: [Coefficient; 8] = [
    Coefficient::PercentAgreement,
    Coefficient::Within1Agreement,
    Coefficient::Kappa,
    Coefficient::KappaLinear,
    Coefficient::KappaQuadratic,
    Coefficient::AlphaNominal,
    Coefficient::AlphaOrdinal,
    Coefficient::AlphaInterval,
];
const OF_VALIDITY: [Coefficient; 3] = [
    Coefficient::PercentAgreement,
    Coefficient::Kappa,
    Coefficient::AlphaNominal,
];

/// Computes a report from its ground.
pub(crate) fn report(ground: &Ground, query: AgreementQuery) -> AgreementReport {
    let (declared, labels) = categories(&ground.scheme, query.question);
    let all: Vec<&UnitValues> = ground.units.iter().collect();
    let columns: Vec<usize> = (0..ground.raters.len()).collect();
    let groups = match query.facet {
        Facet::None => vec![(String::new(), String::new(), all.clone(), columns.clone())],
        Facet::Category => by(
            &all,
            &columns,
            |unit| &unit.category,
            |value| name_of(&ground.scheme, value),
        ),
        Facet::Condition => by(&all, &columns, |unit| &unit.condition, str::to_owned),
        Facet::Model => by(&all, &columns, |unit| &unit.model, str::to_owned),
        Facet::RaterPair => pairs(&all, &columns, &ground.letters),
    };
    let mut items: Vec<i64> = ground.units.iter().map(|unit| unit.seq).collect();
    items.dedup();
    AgreementReport {
        query,
        scheme_version: ground.scheme_version,
        raters: label_raters(ground),
        n_items: items.len() as u64,
        n_units: ground.units.len() as u64,
        groups: groups
            .into_iter()
            .map(|(value, title, units, columns)| {
                group(
                    &units,
                    &columns,
                    &declared,
                    [&labels, &ground.letters],
                    query,
                    value,
                    title,
                )
            })
            .collect(),
        labels,
    }
}

fn label_raters(ground: &Ground) -> Vec<RaterLabel> {
    let label = |(at, (_, name)): (usize, &(domain::id::UserId, String))| RaterLabel {
        letter: ground.letters[at].clone(),
        name: Some(name.clone()),
    };
    ground.raters.iter().enumerate().map(label).collect()
}

type Slice<'a> = (String, String, Vec<&'a UnitValues>, Vec<usize>);

fn by<'a>(
    units: &[&'a UnitValues],
    columns: &[usize],
    value: impl Fn(&UnitValues) -> &String,
    title: impl Fn(&str) -> String,
) -> Vec<Slice<'a>> {
    let mut groups: BTreeMap<String, Vec<&UnitValues>> = BTreeMap::new();
    for unit in units {
        groups.entry(value(unit).clone()).or_default().push(unit);
    }
    groups
        .into_iter()
        .map(|(value, units)| (value.clone(), title(&value), units, columns.to_vec()))
        .collect()
}

fn pairs<'a>(units: &[&'a UnitValues], columns: &[usize], letters: &[String]) -> Vec<Slice<'a>> {
    let mut slices = Vec::new();
    for (at, first) in columns.iter().enumerate() {
        for second in &columns[at + 1..] {
            let shared = |unit: &&&UnitValues| {
                [first, second]
                    .into_iter()
                    .all(|column| unit.values.iter().any(|value| value.rater == *column))
            };
            let both: Vec<&UnitValues> = units.iter().filter(shared).copied().collect();
            let name = format!("{}-{}", letters[*first], letters[*second]);
            slices.push((
                name.clone(),
                format!("{} and {}", letters[*first], letters[*second]),
                both,
                vec![*first, *second],
            ));
        }
    }
    slices
}

fn name_of(scheme: &Scheme, code: &str) -> String {
    scheme.name_of(code).unwrap_or(code).to_owned()
}

fn group(
    units: &[&UnitValues],
    columns: &[usize],
    declared: &[f64],
    [labels, letters]: [&[String]; 2],
    query: AgreementQuery,
    facet_value: String,
    title: String,
) -> Group {
    let coefficients: &[Coefficient] = if query.question == Question::Severity {
        &OF_SEVERITY
    } else {
        &OF_VALIDITY
    };
    let prepared = prepare(units, columns, declared, query.question, query.stage);
    let Ok(prepared) = prepared else {
        return nothing(coefficients, units.len() as u64, facet_value, title);
    };
    Group {
        facet_value,
        title,
        stats: statistics(&prepared, coefficients, columns.len()),
        confusion: confusions(&prepared, columns, labels, letters),
        marginals: marginals(&prepared, columns, labels.len(), letters),
        far_apart: prepared.rows.iter().filter(|row| spread(row) > 1.0).count() as u64,
    }
}

/// Without raters or a scale there is nothing to compare; each statistic says so.
fn nothing(coefficients: &[Coefficient], units: u64, facet_value: String, title: String) -> Group {
    let row = |coefficient: &Coefficient| {
        undefined(coefficient.name(), "no_pairs", 0, units, &BTreeMap::new())
    };
    Group {
        facet_value,
        title,
        stats: coefficients.iter().map(row).collect(),
        confusion: Vec::new(),
        marginals: Vec::new(),
        far_apart: 0,
    }
}

fn spread(row: &[Option<f64>]) -> f64 {
    let values = || row.iter().flatten().copied();
    values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
}

fn statistics(prepared: &Prepared, coefficients: &[Coefficient], raters: usize) -> Vec<StatRow> {
    let used = prepared.rows.len() as u64;
    let dropped: u64 = prepared.dropped.values().sum();
    // A matrix without rows has no columns either, and would blame the number of raters.
    if used == 0 {
        return coefficients
            .iter()
            .map(|c| undefined(c.name(), "no_pairs", 0, dropped, &prepared.dropped))
            .collect();
    }
    let defined: Vec<Coefficient> = coefficients
        .iter()
        .copied()
        .filter(|c| raters == 2 || !needs_two(*c))
        .collect();
    let resampled = Bootstrap::new(RESAMPLES, BOOTSTRAP_SEED)
        .clusters(&prepared.ratings, &prepared.clusters, &defined, None)
        .unwrap_or_default();
    coefficients
        .iter()
        .map(|coefficient| {
            let name = coefficient.name();
            let Some(at) = defined.iter().position(|other| other == coefficient) else {
                return undefined(
                    name,
                    "more_than_two_raters",
                    0,
                    used + dropped,
                    &prepared.dropped,
                );
            };
            match coefficient.compute(&prepared.ratings) {
                Err(why) => undefined(name, why.reason.code(), used, dropped, &prepared.dropped),
                Ok(estimate) => {
                    let resampled = resampled.get(at).and_then(|result| result.as_ref().ok());
                    defined_row(name, &estimate, resampled, used, dropped, &prepared.dropped)
                }
            }
        })
        .collect()
}

/// Two columns, pair by pair; the others take any number of raters.
fn needs_two(coefficient: Coefficient) -> bool {
    matches!(
        coefficient,
        Coefficient::Within1Agreement
            | Coefficient::Kappa
            | Coefficient::KappaLinear
            | Coefficient::KappaQuadratic
    )
}

fn defined_row(
    name: &str,
    estimate: &stats::Estimate,
    resampled: Option<&stats::bootstrap::Resampled>,
    n_units: u64,
    n_dropped: u64,
    dropped: &BTreeMap<&'static str, u64>,
) -> StatRow {
    let analytic = estimate.ci.as_ref().ok().map(interval);
    let by_item = resampled
        .and_then(|r| r.percentile.as_ref().ok())
        .map(interval);
    // Proportions have Wilson's interval, which never leaves 0 to 1; chance-corrected coefficients are resampled.
    let wilson = analytic.as_ref().is_some_and(|row| row.method == "wilson");
    let (first, other) = if wilson {
        (analytic, by_item)
    } else {
        (by_item.clone().or(analytic.clone()), analytic)
    };
    let other = other.filter(|other| {
        first
            .as_ref()
            .is_some_and(|first| first.method != other.method)
    });
    StatRow {
        name: name.to_owned(),
        estimate: Some(estimate.value),
        ci_low: first.as_ref().map(|row| row.low),
        ci_high: first.as_ref().map(|row| row.high),
        method: first
            .as_ref()
            .map(|row| row.method.clone())
            .unwrap_or_default(),
        undefined_reason: first.is_none().then(|| "interval_not_estimable".to_owned()),
        other,
        n_units,
        n_dropped,
        dropped: reasons(dropped),
        undefined_resamples: resampled.map_or(0, |r| r.n_undefined as u64),
    }
}

fn interval(from: &stats::Interval) -> IntervalRow {
    IntervalRow {
        low: from.low,
        high: from.high,
        method: from.method.code().to_owned(),
    }
}

fn undefined(
    name: &str,
    reason: &str,
    n_units: u64,
    n_dropped: u64,
    dropped: &BTreeMap<&'static str, u64>,
) -> StatRow {
    StatRow {
        name: name.to_owned(),
        estimate: None,
        ci_low: None,
        ci_high: None,
        method: String::new(),
        other: None,
        n_units,
        n_dropped,
        dropped: reasons(dropped),
        undefined_reason: Some(reason.to_owned()),
        undefined_resamples: 0,
    }
}

fn reasons(dropped: &BTreeMap<&'static str, u64>) -> Vec<(String, u64)> {
    dropped
        .iter()
        .map(|(reason, count)| ((*reason).to_owned(), *count))
        .collect()
}

fn confusions(
    prepared: &Prepared,
    columns: &[usize],
    labels: &[String],
    letters: &[String],
) -> Vec<Matrix> {
    let mut matrices = Vec::new();
    for first in 0..columns.len() {
        for second in first + 1..columns.len() {
            if let Ok(confusion) = Confusion::new(&prepared.ratings, [first, second]) {
                matrices.push(Matrix {
                    row_rater: letters[columns[first]].clone(),
                    column_rater: letters[columns[second]].clone(),
                    labels: shown_labels(prepared, labels),
                    counts: confusion.counts,
                });
            }
        }
    }
    matrices
}

/// The declared labels, or with half points every value that the matrix has a row for.
fn shown_labels(prepared: &Prepared, declared: &[String]) -> Vec<String> {
    let all: Vec<String> = prepared.ratings.categories().labels().to_vec();
    if all.len() == declared.len() {
        declared.to_vec()
    } else {
        all
    }
}

fn marginals(
    prepared: &Prepared,
    columns: &[usize],
    categories: usize,
    letters: &[String],
) -> Vec<(String, Vec<u64>)> {
    (0..columns.len())
        .map(|at| {
            let mut used = prepared.ratings.used_by(at);
            used.resize(used.len().max(categories), 0);
            (letters[columns[at]].clone(), used)
        })
        .collect()
}
