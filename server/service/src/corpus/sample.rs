//! The validated items as a sample of the corpus: what is known of each, and whether it was drawn at random.

use super::estimate::{FEWEST, Sampled};
use crate::validation::{Ground, Reference, lowest_tag, verdict};
use stats::confusion::Binary;
use std::collections::BTreeMap;

/// A validated item.
pub(super) struct Gold {
    pub model: String,
    pub condition: String,
    pub mode: String,
    pub stratify: String,
    /// The category of the judge's first tag.
    pub first: String,
    /// The final verdict and the judge's, at each threshold.
    pub verdicts: [(bool, bool); 2],
}

/// The validated sample.
pub(super) struct Sample {
    pub gold: Vec<Gold>,
    /// Whether it can stand for the others.
    pub sampled: Sampled,
    /// Items left out, by reason.
    pub unused: BTreeMap<&'static str, u64>,
}

/// Collects the sample of a judge.
pub(super) fn of(ground: &Ground, judge: usize, thresholds: [f64; 2]) -> Sample {
    let lowest = lowest_tag(&ground.scheme);
    let mut sample = Sample {
        gold: Vec::new(),
        sampled: Ok(()),
        unused: BTreeMap::new(),
    };
    let (mut drawn, mut unsettled) = (0, 0);
    for item in &ground.items {
        let reason = match item.runs[judge] {
            _ if !item.at.drawn => Some("validation_not_random"),
            None => Some("not_judged"),
            Some(true) => Some("judge_failed"),
            Some(false) if item.few_shot[judge] => Some("few_shot"),
            Some(false) => None,
        };
        if let Some(reason) = reason {
            *sample.unused.entry(reason).or_default() += 1;
            continue;
        }
        drawn += 1;
        let verdict_at = |threshold: f64| {
            let truth = verdict::of_reference(item, Reference::Final, threshold, lowest)?;
            Ok((truth, verdict::of_judge(item, judge, threshold, lowest)))
        };
        match (verdict_at(thresholds[0]), verdict_at(thresholds[1])) {
            (Ok(first), Ok(second)) => sample.gold.push(Gold {
                model: item.at.model.clone(),
                condition: item.at.condition.clone(),
                mode: item.at.mode.clone(),
                stratify: item.at.stratify.clone(),
                first: verdict::first_category(item, judge),
                verdicts: [first, second],
            }),
            (Err(reason), _) | (_, Err(reason)) => {
                unsettled += 1;
                *sample.unused.entry(reason).or_default() += 1;
            }
        }
    }
    // A yes is known as soon as one tag is settled, a no only when all are, so leaving out what is not settled would
    // push the rate up.
    if unsettled * 20 > drawn && drawn >= FEWEST {
        sample.sampled = Err("validation_incomplete");
    } else if drawn == 0 && !ground.items.is_empty() {
        sample.sampled = Err("validation_not_random");
    }
    sample
}

impl Sample {
    /// The judge against the final verdicts.
    pub fn accuracy(&self, at: usize) -> Binary {
        let count = |wanted: (bool, bool)| {
            self.gold
                .iter()
                .filter(|gold| gold.verdicts[at] == wanted)
                .count() as u64
        };
        Binary {
            tp: count((true, true)),
            fp: count((false, true)),
            fn_: count((true, false)),
            tn: count((false, false)),
        }
    }

    /// By what the sample was stratified: model, condition, category of the first tag.
    pub fn strata(&self) -> [bool; 3] {
        ["model", "condition", "category"]
            .map(|word| self.gold.iter().any(|gold| gold.stratify == word))
    }
}
