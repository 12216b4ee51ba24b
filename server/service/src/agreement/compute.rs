//! The statistics of a report: estimates on counts; what is to be resampled for their intervals is left to others.

use super::ground::Ground;
use super::matrix::{Prepared, prepare};
use super::pairs::{confusions, marginals, pair_rows};
use super::questions::named;
use super::resample::{Outcomes, RESAMPLES, Work};
use super::slices::{Slice, count, slices};
use super::types::{
    AgreementQuery, AgreementReport, Facet, Group, RaterLabel, Resampling, StatRow,
};
use stats::{Coefficient, Scale, agreement, difference, kappa, percent};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The statistics read first, of ordered answers and of others.
const OF_ORDERED: [Coefficient; 8] = [
    Coefficient::PercentAgreement,
    Coefficient::Within1Agreement,
    Coefficient::Kappa,
    Coefficient::KappaLinear,
    Coefficient::KappaQuadratic,
    Coefficient::AlphaNominal,
    Coefficient::AlphaOrdinal,
    Coefficient::AlphaInterval,
];
const OF_UNORDERED: [Coefficient; 3] = [
    Coefficient::PercentAgreement,
    Coefficient::Kappa,
    Coefficient::AlphaNominal,
];
/// With more raters the mean over all their pairs is left out.
const MOST_RATERS_FOR_PAIRS: usize = 40;
/// Why an interval is not there yet.
pub(super) const RUNNING: &str = "bootstrap_running";

/// A report, and what its intervals are still to be resampled from.
#[derive(Debug)]
pub(crate) struct Computed {
    pub report: AgreementReport,
    pub works: Vec<Arc<Work>>,
    /// The group of each work.
    of: Vec<usize>,
}

impl Computed {
    /// With all intervals that these outcomes hold.
    pub fn completed(&self, outcomes: &Outcomes) -> Self {
        let mut report = self.report.clone();
        for (work, group) in self.works.iter().zip(&self.of) {
            let rows = &mut report.groups[*group].stats;
            if let Some(outcome) = outcomes.get(work) {
                outcome.fill(rows);
            }
            for row in rows {
                if row.undefined_reason.as_deref() == Some(RUNNING) {
                    row.undefined_reason = Some("interval_not_estimable".to_owned());
                }
            }
        }
        let total = (self.works.len() * RESAMPLES) as u64;
        report.resampling = Resampling { done: total, total };
        Self {
            report,
            works: Vec::new(),
            of: Vec::new(),
        }
    }
}

/// Computes a report from its ground.
pub(crate) fn computed(ground: &Ground, query: &AgreementQuery) -> Computed {
    let scale = ground.scale(&query.question);
    let question = named(&ground.scheme, &query.question);
    let ordered = question.ordered;
    let mut found = Computed {
        report: AgreementReport {
            query: query.clone(),
            scheme_version: ground.scheme_version,
            raters: label_raters(ground),
            n_items: ground.values.items,
            n_units: ground.values.units.len() as u64 + count(&ground.values.waiting),
            groups: Vec::new(),
            resampling: Resampling::default(),
            question,
            labels: scale.labels.clone(),
            names: scale.names,
        },
        works: Vec::new(),
        of: Vec::new(),
    };
    let declared = Declared {
        values: &scale.values,
        labels: &scale.labels,
        letters: &ground.letters,
        ordered,
    };
    for slice in slices(ground, query) {
        let (group, work) = group(slice, declared, query);
        if let Some(work) = work {
            found.works.push(Arc::new(work));
            found.of.push(found.report.groups.len());
        }
        found.report.groups.push(group);
    }
    found
}

fn label_raters(ground: &Ground) -> Vec<RaterLabel> {
    let label = |(at, (_, name)): (usize, &(domain::id::UserId, String))| RaterLabel {
        letter: ground.letters[at].clone(),
        name: Some(name.clone()),
    };
    ground.raters.iter().enumerate().map(label).collect()
}

/// The declared scale and the raters' letters.
#[derive(Clone, Copy)]
pub(super) struct Declared<'a> {
    pub values: &'a [f64],
    pub labels: &'a [String],
    pub letters: &'a [String],
    pub ordered: bool,
}

fn group(slice: Slice<'_>, scale: Declared<'_>, query: &AgreementQuery) -> (Group, Option<Work>) {
    let main: &[Coefficient] = if scale.ordered {
        &OF_ORDERED
    } else {
        &OF_UNORDERED
    };
    let columns = &slice.columns;
    let prepared = prepare(&slice.units, columns, scale.values, query, slice.waiting);
    let mut group = Group {
        facet_value: slice.value,
        title: slice.title,
        stats: Vec::new(),
        confusion: Vec::new(),
        pairs: Vec::new(),
        marginals: Vec::new(),
        far_apart: 0,
    };
    let Ok(prepared) = prepared else {
        // Without raters or a scale there is nothing to compare; each statistic says so.
        let units = slice.units.len() as u64 + slice.waiting;
        let nothing = Tally {
            used: 0,
            dropped: units,
            reasons: &BTreeMap::new(),
        };
        group.stats = main
            .iter()
            .map(|c| nothing.undefined(c.name(), "no_pairs"))
            .collect();
        return (group, None);
    };
    let whole = matches!(query.facet, Facet::None | Facet::RaterPair | Facet::Judge);
    let named = prepared.ratings.n_pairable_items() > 0;
    let wanted = wanted(&prepared, main, scale.ordered, whole && named);
    let (stats, resampled) = statistics(&prepared, &wanted, main);
    group.stats = stats;
    group.confusion = confusions(&prepared, columns, scale);
    group.marginals = marginals(&prepared, columns, scale);
    if whole && named {
        group.stats.extend(extras(&prepared, scale));
        group.pairs = pair_rows(&prepared, columns, scale);
    }
    group.far_apart = prepared.rows().filter(|row| spread(row) > 1.0).count() as u64;
    let work =
        (!resampled.is_empty()).then(|| Work::new(prepared.ratings, prepared.clusters, resampled));
    (group, work)
}

/// The statistics read first, and where the whole set is wanted all others that fit.
fn wanted(
    prepared: &Prepared,
    main: &[Coefficient],
    ordered: bool,
    whole: bool,
) -> Vec<Coefficient> {
    let mut wanted = main.to_vec();
    if whole {
        let scale = if ordered {
            Scale::Ordinal
        } else {
            Scale::Nominal
        };
        let too_many = prepared.ratings.n_raters() > MOST_RATERS_FOR_PAIRS;
        let others = agreement::fitting(&prepared.ratings, scale)
            .into_iter()
            .filter(|c| !(main.contains(c) || too_many && is_light(*c)));
        wanted.extend(others);
    }
    wanted
}

fn is_light(coefficient: Coefficient) -> bool {
    matches!(
        coefficient,
        Coefficient::LightKappa | Coefficient::LightKappaQuadratic
    )
}

fn spread(row: &[Option<f64>]) -> f64 {
    let values = || row.iter().flatten().copied();
    values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
}

/// What entered, and what was left out.
#[derive(Clone, Copy)]
struct Tally<'a> {
    used: u64,
    dropped: u64,
    reasons: &'a BTreeMap<&'static str, u64>,
}

/// The rows, and the coefficients whose intervals are to be resampled.
fn statistics(
    prepared: &Prepared,
    coefficients: &[Coefficient],
    main: &[Coefficient],
) -> (Vec<StatRow>, Vec<Coefficient>) {
    let tally = prepared.tally();
    let mut rows = Vec::with_capacity(coefficients.len());
    let mut resampled = Vec::new();
    for coefficient in coefficients {
        let name = coefficient.name();
        let mut row = if tally.used == 0 {
            // A matrix without rows has no columns either, and would blame the number of raters.
            tally.undefined(name, "no_pairs")
        } else if prepared.ratings.n_raters() != 2 && needs_two(*coefficient) {
            let all = Tally {
                used: 0,
                dropped: tally.used + tally.dropped,
                ..tally
            };
            all.undefined(name, "more_than_two_raters")
        } else {
            match coefficient.compute(&prepared.ratings) {
                Err(why) => tally.undefined(name, why.reason.code()),
                Ok(estimate) => {
                    resampled.push(*coefficient);
                    let tally = tally.of(*coefficient, &estimate);
                    tally.defined(name, &estimate)
                }
            }
        };
        row.main = main.contains(coefficient);
        rows.push(row);
    }
    (rows, resampled)
}

/// What belongs to two raters beside the named coefficients: how high kappa could be, agreement on each category, and
/// the limits between which differences lie.
fn extras(prepared: &Prepared, scale: Declared<'_>) -> Vec<StatRow> {
    let (ratings, tally) = (&prepared.ratings, prepared.tally());
    if ratings.n_raters() != 2 {
        return Vec::new();
    }
    let pair = [0, 1];
    let mut rows = vec![match kappa::maximum(ratings, pair) {
        Ok(most) => StatRow {
            estimate: Some(most),
            ..tally.undefined("kappa_max", "no_interval")
        },
        Err(reason) => tally.undefined("kappa_max", reason.code()),
    }];
    let row = |name: String, found: stats::Statistic| match found {
        Ok(estimate) => tally.defined(&name, &estimate).settled(),
        Err(why) => tally.undefined(&name, why.reason.code()),
    };
    let labels = super::pairs::labels(prepared, scale.labels);
    for (category, label) in labels.iter().enumerate() {
        rows.push(row(
            format!("specific_agreement.{label}"),
            percent::specific(ratings, pair, category),
        ));
    }
    if scale.ordered {
        let limits = difference::bland_altman(ratings, pair);
        rows.push(row("bland_altman".to_owned(), limits));
    }
    rows
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

impl Prepared {
    fn tally(&self) -> Tally<'_> {
        Tally {
            used: self.ratings.n_pairable_items(),
            dropped: self.dropped.values().sum(),
            reasons: &self.dropped,
        }
    }
}

impl Tally<'_> {
    /// ICC takes complete units only, and so may leave out more.
    fn of(self, coefficient: Coefficient, estimate: &stats::Estimate) -> Self {
        let complete = estimate.n_units.min(self.used);
        match coefficient {
            Coefficient::Icc(_) => Self {
                used: complete,
                dropped: self.dropped + (self.used - complete),
                ..self
            },
            _ => self,
        }
    }

    fn defined(self, name: &str, estimate: &stats::Estimate) -> StatRow {
        let interval = estimate.ci.ok();
        StatRow {
            estimate: Some(estimate.value),
            ci_low: interval.map(|interval| interval.low),
            ci_high: interval.map(|interval| interval.high),
            method: interval.map_or_else(String::new, |i| i.method.code().to_owned()),
            undefined_reason: interval.is_none().then(|| RUNNING.to_owned()),
            se: estimate.se,
            se0: estimate.se0,
            z: estimate.z,
            p: estimate.p,
            ..self.undefined(name, "")
        }
    }

    fn undefined(self, name: &str, reason: &str) -> StatRow {
        StatRow {
            name: name.to_owned(),
            estimate: None,
            ci_low: None,
            ci_high: None,
            method: String::new(),
            other: None,
            n_units: self.used,
            n_dropped: self.dropped,
            dropped: self
                .reasons
                .iter()
                .map(|(reason, count)| ((*reason).to_owned(), *count))
                .collect(),
            undefined_reason: Some(reason.to_owned()),
            undefined_resamples: 0,
            main: false,
            se: None,
            se0: None,
            z: None,
            p: None,
        }
    }
}

impl StatRow {
    /// With the interval it has or with none: nothing is resampled for it.
    fn settled(self) -> Self {
        let none = self.method.is_empty();
        Self {
            undefined_reason: none.then(|| "no_interval".to_owned()),
            ..self
        }
    }
}
