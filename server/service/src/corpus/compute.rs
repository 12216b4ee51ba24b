//! From counted items to rates.

use super::estimate::{Stratum, estimates};
use super::sample::{self, Sample};
use super::{AnswerRate, CorpusReport, Rate, TagCount, TwoByTwo, answer};
use crate::validation::{Ground, lowest_tag};
use std::collections::{BTreeMap, BTreeSet};
use store::corpus::{Counted, CountedTags};
use store::plain_answer::CountedAnswers;

/// Whether an item whose most severe tag is `top` reaches a threshold.
pub(super) fn reaches(top: f64, threshold: f64, lowest: f64) -> bool {
    // Below nought: no tag. Nought: a tag without a severity, which is one all the same.
    if top == 0.0 {
        threshold <= lowest
    } else {
        top >= threshold
    }
}

/// Both thresholds of a scheme.
fn thresholds(ground: &Ground) -> [f64; 2] {
    let lowest = lowest_tag(&ground.scheme);
    let levels = ground
        .scheme
        .severity
        .as_ref()
        .map(domain::scheme::SeverityScale::values);
    let next = levels
        .unwrap_or_default()
        .into_iter()
        .find(|level| *level > lowest);
    [lowest, next.unwrap_or(lowest)]
}

/// Computes the results.
pub(super) fn computed(
    ground: &Ground,
    judge: usize,
    [judge_id, judge_name]: [String; 2],
    (items, plain): (&[Counted], &[CountedAnswers]),
    tags: &[CountedTags],
) -> CorpusReport {
    let thresholds = thresholds(ground);
    let sample = sample::of(ground, judge, thresholds);
    let distinct = |of: fn(&Counted) -> &String| {
        let values: BTreeSet<&String> = items.iter().map(of).collect();
        values.into_iter().cloned().collect::<Vec<_>>()
    };
    let count = |failed: bool| {
        let counted = items.iter().filter(|item| item.failed == failed);
        counted.map(|item| item.items.cast_unsigned()).sum()
    };
    let (models, conditions, modes) = (
        distinct(|item| &item.model),
        distinct(|item| &item.condition),
        distinct(|item| &item.mode),
    );
    let said: Vec<Option<bool>> = items.iter().map(answered).collect();
    CorpusReport {
        judge: judge_id,
        judge_name,
        thresholds,
        rates: rates(items, &sample, thresholds, [&models, &conditions, &modes]),
        answers: answers(items, &said, plain),
        two_by_two: two_by_two(items, &said, thresholds[0]),
        tags: counted_tags(tags, thresholds),
        categories: ground
            .scheme
            .categories
            .iter()
            .map(|category| (category.id.clone(), category.name.clone()))
            .collect(),
        models,
        conditions,
        modes,
        judged: count(false),
        failed: count(true),
        validated: sample.gold.len() as u64,
        unused: sample
            .unused
            .iter()
            .map(|(reason, count)| ((*reason).to_owned(), *count))
            .collect(),
    }
}

/// Every combination that has items: one model or all, one condition or all, one mode or all.
fn rates(
    items: &[Counted],
    sample: &Sample,
    thresholds: [f64; 2],
    [models, conditions, modes]: [&[String]; 3],
) -> Vec<Rate> {
    let mut rates = Vec::new();
    let or_all = |values: &[String]| {
        // A single value is no division.
        let own = if values.len() > 1 { values } else { &[] };
        std::iter::once(None)
            .chain(own.iter().cloned().map(Some))
            .collect::<Vec<_>>()
    };
    let accuracy = [sample.accuracy(0), sample.accuracy(1)];
    for model in or_all(models) {
        for condition in or_all(conditions) {
            for mode in or_all(modes) {
                let part = Part {
                    model: model.as_deref(),
                    condition: condition.as_deref(),
                    mode: mode.as_deref(),
                };
                let chosen: Vec<&Counted> =
                    items.iter().filter(|item| part.has_item(item)).collect();
                if chosen.is_empty() {
                    continue;
                }
                let failed = chosen.iter().filter(|item| item.failed);
                let failed = failed.map(|item| item.items.cast_unsigned()).sum();
                for (at, threshold) in thresholds.into_iter().enumerate() {
                    let strata = part.strata(&chosen, sample, (at, threshold, thresholds[0]));
                    rates.push(Rate {
                        model: model.clone().unwrap_or_default(),
                        condition: condition.clone().unwrap_or_default(),
                        mode: mode.clone().unwrap_or_default(),
                        threshold,
                        estimates: estimates(&strata, sample.sampled, &accuracy[at]),
                        failed,
                    });
                }
            }
        }
    }
    rates
}

/// A part of the items.
struct Part<'a> {
    model: Option<&'a str>,
    condition: Option<&'a str>,
    mode: Option<&'a str>,
}

fn takes(wanted: Option<&str>, value: &str) -> bool {
    wanted.is_none_or(|wanted| wanted == value)
}

impl Part<'_> {
    fn has_item(&self, item: &Counted) -> bool {
        self.has(&item.model, &item.condition, &item.mode)
    }

    fn has(&self, model: &str, condition: &str, mode: &str) -> bool {
        takes(self.model, model) && takes(self.condition, condition) && takes(self.mode, mode)
    }

    /// The strata of the part: those by which the sample was drawn.
    fn strata(
        &self,
        items: &[&Counted],
        sample: &Sample,
        (at, threshold, lowest): (usize, f64, f64),
    ) -> Vec<Stratum> {
        let by = sample.strata();
        let key = |model: &str, condition: &str, first: &str| {
            [(by[0], model), (by[1], condition), (by[2], first)].map(|(divides, value)| {
                if divides {
                    value.to_owned()
                } else {
                    String::new()
                }
            })
        };
        let mut strata: BTreeMap<[String; 3], Stratum> = BTreeMap::new();
        for item in items.iter().filter(|item| !item.failed) {
            let stratum = strata
                .entry(key(&item.model, &item.condition, &item.first))
                .or_default();
            stratum.judged += item.items.cast_unsigned();
            if reaches(item.top, threshold, lowest) {
                stratum.positive += item.items.cast_unsigned();
            }
        }
        for gold in &sample.gold {
            if self.has(&gold.model, &gold.condition, &gold.mode)
                && let Some(stratum) =
                    strata.get_mut(&key(&gold.model, &gold.condition, &gold.first))
            {
                stratum.gold.push(gold.verdicts[at]);
            }
        }
        if strata.is_empty() {
            strata.insert(Default::default(), Stratum::default());
        }
        strata.into_values().collect()
    }
}

fn answered(item: &Counted) -> Option<bool> {
    let options: Vec<String> = serde_json::from_str(&item.options).unwrap_or_default();
    answer::verdict(&item.question, &options, &item.answer)
}

/// Answers count whether or not the judge failed: it was not asked about them.
pub(super) fn answers(
    items: &[Counted],
    said: &[Option<bool>],
    plain: &[CountedAnswers],
) -> Vec<AnswerRate> {
    let mut counts: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    let of_items = items.iter().zip(said).map(|(item, said)| {
        let key = (&*item.model, &*item.mode);
        (key, *said, item.items.cast_unsigned())
    });
    let alone = plain.iter().map(|one| {
        let options: Vec<String> = serde_json::from_str(&one.options).unwrap_or_default();
        let said = answer::verdict(&one.question, &options, &one.answer);
        ((&*one.model, &*one.mode), said, one.answers.cast_unsigned())
    });
    for (key, said, number) in of_items.chain(alone) {
        let Some(stigma) = said else { continue };
        let count = counts.entry(key).or_default();
        count.1 += number;
        if stigma {
            count.0 += number;
        }
    }
    let rate = |((model, mode), (positive, n)): ((&str, &str), (u64, u64))| {
        let ci = stats::wilson::interval(positive, n, 0.95).ok();
        AnswerRate {
            model: model.to_owned(),
            mode: mode.to_owned(),
            positive,
            n,
            rate: (n > 0).then(|| positive as f64 / n as f64),
            low: ci.map(|ci| ci.low),
            high: ci.map(|ci| ci.high),
        }
    };
    counts.into_iter().map(rate).collect()
}

fn two_by_two(items: &[Counted], said: &[Option<bool>], lowest: f64) -> Vec<TwoByTwo> {
    let mut tables: BTreeMap<&str, TwoByTwo> = BTreeMap::new();
    for (item, said) in items.iter().zip(said) {
        let (Some(answer), false) = (*said, item.failed) else {
            continue;
        };
        let table = tables.entry(&item.model).or_default();
        table.model.clone_from(&item.model);
        let cell = match (answer, reaches(item.top, lowest, lowest)) {
            (false, false) => &mut table.neither,
            (false, true) => &mut table.reasoning_only,
            (true, false) => &mut table.answer_only,
            (true, true) => &mut table.both,
        };
        *cell += item.items.cast_unsigned();
    }
    tables.into_values().collect()
}

fn counted_tags(tags: &[CountedTags], thresholds: [f64; 2]) -> Vec<TagCount> {
    let mut counts: BTreeMap<[&str; 4], [u64; 2]> = BTreeMap::new();
    for tag in tags {
        let key = [&*tag.model, &*tag.condition, &*tag.mode, &*tag.category];
        let count = counts.entry(key).or_default();
        let severity = tag.severity.unwrap_or(0.0);
        for (number, threshold) in count.iter_mut().zip(thresholds) {
            if reaches(severity, threshold, thresholds[0]) {
                *number += tag.tags.cast_unsigned();
            }
        }
    }
    let count =
        |([model, condition, mode, category], [tags, strict]): ([&str; 4], [u64; 2])| TagCount {
            model: model.to_owned(),
            condition: condition.to_owned(),
            mode: mode.to_owned(),
            category: category.to_owned(),
            tags,
            strict,
        };
    counts.into_iter().map(count).collect()
}
