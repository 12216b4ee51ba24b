//! A validation report from its ground.

use super::anchoring::anchoring;
use super::count::{Entry, Predictor, Reference, SEVERITY_MISSING, Scored, score, took_part};
use super::failures::{confusion, overlap, worst};
use super::figure::{Counts, Figure, Intervals, figures, figures_by_rule};
use super::ground::{Ground, Item};
use super::rule::Rule;
use super::severity::{self, STATISTICS};
use super::{CeilingRow, Cell, Facet, Part, ValidationQuery, ValidationReport};
use crate::judge::in_dev;
use stats::Coefficient;
use std::collections::BTreeMap;

/// The items that count for a judge, and how many do not, by reason.
pub(super) struct Chosen<'a> {
    pub items: Vec<&'a Item>,
    pub few_shot_excluded: u64,
    pub few_shot_included: u64,
    pub failed: u64,
    pub not_judged: u64,
    pub other_part: u64,
}

/// Chooses the items for a judge.
pub(super) fn choose<'a>(ground: &'a Ground, judge: usize, query: &ValidationQuery) -> Chosen<'a> {
    let mut chosen = Chosen {
        items: Vec::new(),
        few_shot_excluded: 0,
        few_shot_included: 0,
        failed: 0,
        not_judged: 0,
        other_part: 0,
    };
    for item in &ground.items {
        match item.runs[judge] {
            None => chosen.not_judged += 1,
            Some(true) => chosen.failed += 1,
            Some(false) if !in_part(ground, item, query.part) => chosen.other_part += 1,
            Some(false) if item.few_shot[judge] && !query.few_shot => chosen.few_shot_excluded += 1,
            Some(false) => {
                chosen.few_shot_included += u64::from(item.few_shot[judge]);
                chosen.items.push(item);
            }
        }
    }
    chosen
}

fn in_part(ground: &Ground, item: &Item, part: Part) -> bool {
    match (part, &ground.split) {
        (Part::All, _) => true,
        (_, None) => false,
        (Part::Dev, Some(split)) => in_dev(split, &item.at.key),
        (Part::Test, Some(split)) => !in_dev(split, &item.at.key),
    }
}

/// Computes a report; nothing for a judge, a rater or a rule that is none.
pub(crate) fn computed(
    ground: &Ground,
    query: &ValidationQuery,
    intervals: Intervals,
) -> Option<ValidationReport> {
    report(ground, query, intervals, intervals)
}

/// Computes a report; `beside` says when the intervals of what no table has are resampled.
fn report(
    ground: &Ground,
    query: &ValidationQuery,
    intervals: Intervals,
    beside: Intervals,
) -> Option<ValidationReport> {
    let judge = if query.judge.is_empty() {
        first_judge(ground)?
    } else {
        let found = |judge: &store::judge::Judge| judge.id.as_str() == query.judge;
        ground.judges.iter().position(found)?
    };
    let reference = match query.against.as_str() {
        "" | "final" => Reference::Final,
        letter => Reference::Rater(ground.raters.iter().position(|(_, l)| l == letter)?),
    };
    let scheme_rule = Rule::of_scheme(&ground.scheme.judge_rule);
    let rule = if query.rule.is_empty() {
        scheme_rule
    } else {
        Rule::parse(&query.rule)?
    };
    let chosen = choose(ground, judge, query);
    let items = &chosen.items;
    let predictor = Predictor::Judge(judge);
    let scored: Vec<Scored> = items
        .iter()
        .map(|item| score(item, predictor, reference, rule))
        .collect();
    let covered = scored.iter().filter(|scored| scored.covered).count() as u64;
    let mut dropped: BTreeMap<&str, u64> = BTreeMap::new();
    for why in scored.iter().flat_map(|scored| &scored.dropped) {
        *dropped.entry(why).or_default() += 1;
    }
    let of_severity = severity::pairs(items, predictor, reference);
    let mut severity = severity::figures(&ground.scheme, &of_severity, &STATISTICS, intervals);
    severity.push(severity::bland_altman(&ground.scheme, &of_severity));
    let letters: Vec<&str> = ground.raters.iter().map(|(_, letter)| &**letter).collect();
    let (categories, confusion) = confusion(ground, items, predictor, reference);
    Some(ValidationReport {
        judge: ground.judges[judge].name.clone(),
        query: ValidationQuery {
            judge: ground.judges[judge].id.to_string(),
            against: against(ground, reference),
            rule: rule.word(),
            ..query.clone()
        },
        scheme_rule,
        rule,
        scheme_version: ground.scheme_version,
        raters: letters.iter().map(|letter| (*letter).to_owned()).collect(),
        items: items.len() as u64,
        covered,
        few_shot_excluded: chosen.few_shot_excluded,
        few_shot_included: chosen.few_shot_included,
        failed: chosen.failed,
        not_judged: chosen.not_judged,
        other_part: chosen.other_part,
        dropped: dropped
            .into_iter()
            .map(|(why, n)| (why.to_owned(), n))
            .collect(),
        grid: grid(items, predictor, reference, intervals),
        facets: facets(ground, items, &scored, intervals),
        severity,
        reliability: severity::reliability(items, judge, reference),
        categories,
        confusion,
        ceiling: ceiling(ground, items, (judge, rule), beside),
        alt_test: severity::alt_test(&ground.scheme, &letters, items, judge),
        worst: worst(ground, items, predictor, reference),
        overlap: overlap(items, judge, reference),
        anchoring: anchoring(ground, items, judge, beside),
        resampling: intervals == Intervals::Later,
    })
}

/// The judge with the most validated items, so that the page opens on the one the raters saw.
pub(super) fn first_judge(ground: &Ground) -> Option<usize> {
    let ran = |judge: &usize| {
        let runs = ground
            .items
            .iter()
            .filter(|item| item.runs[*judge].is_some());
        (runs.count(), std::cmp::Reverse(*judge))
    };
    (0..ground.judges.len()).max_by_key(ran)
}

fn against(ground: &Ground, reference: Reference) -> String {
    match reference {
        Reference::Final => "final".to_owned(),
        Reference::Rater(at) => ground.raters[at].1.clone(),
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// Every rule.
fn grid(
    items: &[&Item],
    predictor: Predictor,
    reference: Reference,
    intervals: Intervals,
) -> Vec<Cell> {
    let rules = Rule::all();
    let mut covered = 0;
    let mut unscored = vec![false; rules.len()];
    let mut rows: Vec<Vec<Counts>> = Vec::with_capacity(items.len());
    for item in items {
        covered += usize::from(reference.unlisted(item).is_some());
        let mut row = Vec::with_capacity(rules.len());
        for (rule, unscored) in rules.iter().zip(&mut unscored) {
            let scored = score(item, predictor, reference, *rule);
            *unscored |= scored.dropped.contains(&SEVERITY_MISSING);
            row.push(Counts::of(&scored, |_| true));
        }
        rows.push(row);
    }
    let mut figures = figures_by_rule(&rows, rules.len(), share(covered, items.len()), intervals);
    for (figures, unscored) in figures.iter_mut().zip(unscored) {
        for figure in figures
            .iter_mut()
            .filter(|figure| unscored && figure.n == 0)
        {
            figure.undefined = Some(SEVERITY_MISSING.to_owned());
        }
    }
    rules
        .into_iter()
        .zip(figures)
        .map(|(rule, figures)| Cell { rule, figures })
        .collect()
}

/// The rule in front by part. Precision goes by the judge's category and severity, recall by those of the reference.
fn facets(ground: &Ground, items: &[&Item], scored: &[Scored], intervals: Intervals) -> Vec<Facet> {
    let mut facets = Vec::new();
    let name = |code: &str| ground.scheme.name_of(code).unwrap_or(code).to_owned();
    let entries = || {
        scored
            .iter()
            .flat_map(|scored| scored.predicted.iter().chain(&scored.reference))
    };
    let mut of_entries = |facet, key: &dyn Fn(&Entry) -> String, title: &dyn Fn(&str) -> String| {
        let mut values: Vec<String> = entries()
            .map(key)
            .filter(|value| !value.is_empty())
            .collect();
        values.sort();
        values.dedup();
        for value in values {
            let taken: Vec<(Counts, bool)> = scored
                .iter()
                .map(|scored| (Counts::of(scored, |e| key(e) == value), scored.covered))
                .collect();
            facets.push(part((facet, &value), title(&value), &taken, intervals));
        }
    };
    of_entries("category", &|entry| entry.category.clone(), &name);
    of_entries(
        "severity_band",
        &|entry| band(entry.severity),
        &str::to_owned,
    );
    for (facet, key) in [
        (
            "condition",
            (|item: &Item| item.at.condition.clone()) as fn(&Item) -> String,
        ),
        ("model", |item| item.at.model.clone()),
    ] {
        let mut values: Vec<String> = items.iter().map(|item| key(item)).collect();
        values.sort();
        values.dedup();
        for value in values {
            let taken: Vec<(Counts, bool)> = items
                .iter()
                .zip(scored)
                .filter(|(item, _)| key(item) == value)
                .map(|(_, scored)| (Counts::of(scored, |_| true), scored.covered))
                .collect();
            let title = if value.is_empty() {
                "(not given)".to_owned()
            } else {
                value.clone()
            };
            facets.push(part((facet, &value), title, &taken, intervals));
        }
    }
    facets
}

fn part(
    (facet, value): (&'static str, &str),
    title: String,
    taken: &[(Counts, bool)],
    intervals: Intervals,
) -> Facet {
    let counts: Vec<Counts> = taken.iter().map(|(counts, _)| *counts).collect();
    let covered = taken.iter().filter(|(_, covered)| *covered).count();
    Facet {
        facet,
        value: value.to_owned(),
        title,
        figures: figures(&counts, share(covered, taken.len()), intervals),
    }
}

fn band(severity: Option<f64>) -> String {
    let word = match severity {
        None => "",
        Some(value) if value < 2.0 => "below 2",
        Some(value) if value < 3.0 => "2 to below 3",
        Some(value) if value < 4.0 => "3 to below 4",
        Some(_) => "4 and above",
    };
    word.to_owned()
}

/// Humans against each other, then the judge against each of them and the final labels.
fn ceiling(
    ground: &Ground,
    items: &[&Item],
    (judge, rule): (usize, Rule),
    intervals: Intervals,
) -> Vec<CeilingRow> {
    let raters = ground.raters.len();
    let mut rows = Vec::new();
    for first in 0..raters {
        for second in first + 1..raters {
            let pair = (Predictor::Rater(first), Reference::Rater(second));
            rows.push(ceiling_row(ground, items, pair, rule, intervals));
        }
    }
    for rater in 0..raters {
        let pair = (Predictor::Judge(judge), Reference::Rater(rater));
        rows.push(ceiling_row(ground, items, pair, rule, intervals));
    }
    rows.push(ceiling_row(
        ground,
        items,
        (Predictor::Judge(judge), Reference::Final),
        rule,
        intervals,
    ));
    rows
}

fn ceiling_row(
    ground: &Ground,
    items: &[&Item],
    (predictor, reference): (Predictor, Reference),
    rule: Rule,
    intervals: Intervals,
) -> CeilingRow {
    let scored: Vec<Scored> = items
        .iter()
        .filter(|item| took_part(item, predictor))
        .map(|item| score(item, predictor, reference, rule))
        .collect();
    let covered = scored.iter().filter(|scored| scored.covered).count();
    let counts: Vec<Counts> = scored.iter().map(|s| Counts::of(s, |_| true)).collect();
    let statistics = [
        Coefficient::PercentAgreement,
        Coefficient::Within1Agreement,
        Coefficient::KappaQuadratic,
    ];
    CeilingRow {
        who: match predictor {
            Predictor::Judge(at) => ground.judges[at].name.clone(),
            Predictor::Rater(at) => ground.raters[at].1.clone(),
        },
        against: against(ground, reference),
        tags: figures(&counts, share(covered, scored.len()), intervals),
        severity: severity::figures(
            &ground.scheme,
            &severity::pairs(items, predictor, reference),
            &statistics,
            intervals,
        ),
    }
}

/// Every judge against the final labels and each rater, for the export.
pub(crate) fn all(ground: &Ground) -> Vec<ValidationReport> {
    let mut reports = Vec::new();
    for judge in &ground.judges {
        let letters = ground.raters.iter().map(|(_, letter)| letter.as_str());
        for against in ["final"].into_iter().chain(letters) {
            let query = ValidationQuery {
                judge: judge.id.to_string(),
                against: against.to_owned(),
                ..ValidationQuery::default()
            };
            reports.extend(report(ground, &query, Intervals::Now, Intervals::Later));
        }
    }
    reports
}

/// The figures of one rule on some items, for whoever compares.
pub(super) fn rows_of(
    items: &[&Item],
    predictor: Predictor,
    reference: Reference,
    rule: Rule,
) -> (Vec<Counts>, Vec<Figure>) {
    let scored: Vec<Scored> = items
        .iter()
        .map(|item| score(item, predictor, reference, rule))
        .collect();
    let covered = scored.iter().filter(|scored| scored.covered).count();
    let counts: Vec<Counts> = scored.iter().map(|s| Counts::of(s, |_| true)).collect();
    let figures = figures(&counts, share(covered, items.len()), Intervals::Now);
    (counts, figures)
}
