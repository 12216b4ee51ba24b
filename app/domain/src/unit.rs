//! Units: what differs under the study's rule, how far, and what follows.

use crate::annotation::{Answer, Judgement, MissedTag};
use crate::ruling::Value;
use crate::scheme::{DisagreementRule, ItemQuestion, QuestionKind, Validity};
use serde::{Deserialize, Serialize};

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitKind {
    /// A tag proposed by the judge.
    Candidate,
    /// A tag added by a rater.
    Missed,
    /// The answer to a question about the item.
    Item,
}

impl UnitKind {
    /// The word in tables and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Missed => "missed",
            Self::Item => "item",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Candidate, Self::Missed, Self::Item]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}

/// Where a unit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitState {
    /// Not every annotation is in.
    Open,
    /// All are in and agree under the study's rule.
    Agreed,
    /// All are in and differ under the study's rule.
    Disputed,
    /// Raters and staff discuss it.
    InDiscussion,
    /// Settled by a ruling.
    Ruled,
    /// Settled once, but what the ruling rested on has changed.
    Stale,
}

/// What has become of the annotations and the ruling of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Every expected annotation is in.
    pub all_in: bool,
    /// They differ under the study's rule.
    pub differ: bool,
    /// A discussion is open.
    pub in_discussion: bool,
    /// The ruling in force, and whether it still rests on what is there now.
    pub ruling: Option<RulingStanding>,
}

/// Whether a ruling still stands on what it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulingStanding {
    /// Nothing changed since.
    Current,
    /// An annotation, the trace or the scheme changed since.
    Outdated,
}

impl UnitState {
    /// Every state.
    pub const ALL: [Self; 6] = [
        Self::Open,
        Self::Agreed,
        Self::Disputed,
        Self::InDiscussion,
        Self::Ruled,
        Self::Stale,
    ];

    /// The stored word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Agreed => "agreed",
            Self::Disputed => "disputed",
            Self::InDiscussion => "in_discussion",
            Self::Ruled => "ruled",
            Self::Stale => "stale",
        }
    }

    /// Reads the stored word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// The state that follows from the facts: a unit's state is derived, so it cannot drift from them.
    pub fn from_facts(facts: Facts) -> Self {
        match facts.ruling {
            Some(RulingStanding::Current) => Self::Ruled,
            Some(RulingStanding::Outdated) => Self::Stale,
            None if !facts.all_in => Self::Open,
            None if facts.in_discussion => Self::InDiscussion,
            None if facts.differ => Self::Disputed,
            None => Self::Agreed,
        }
    }

    /// Whether the unit is work for the people who reconcile.
    pub fn needs_ruling(self) -> bool {
        matches!(self, Self::Disputed | Self::InDiscussion | Self::Stale)
    }
}

/// How the annotations of a unit differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The greatest distance between two severities.
    pub distance: f64,
    /// Severities are further apart than the rule allows.
    pub severity: bool,
    /// Validity differs.
    pub validity: bool,
    /// The better categories differ.
    pub category: bool,
    /// A rater asks to discuss it.
    pub asked: bool,
    /// Answers to a question about the item differ.
    pub answer: bool,
}

impl Difference {
    /// Whether the rule calls this a disagreement.
    pub fn any(&self) -> bool {
        self.severity || self.validity || self.category || self.asked || self.answer
    }

    /// The rank in the queue: the severity distance, with a difference in validity counting as
    /// the width of the scale's half, so that 1 against 5 comes first and a mere request last.
    pub fn weight(&self) -> f64 {
        self.distance
            + if self.validity { 2.0 } else { 0.0 }
            + if self.category { 1.0 } else { 0.0 }
            + if self.asked { 0.5 } else { 0.0 }
            + if self.answer && self.distance == 0.0 {
                1.0
            } else {
                0.0
            }
    }

    /// The kinds of difference in words, for filters and files.
    pub fn kinds(&self) -> Vec<&'static str> {
        [
            (self.severity, "severity"),
            (self.validity, "validity"),
            (self.category, "category"),
            (self.asked, "asked"),
            (self.answer, "answer"),
        ]
        .into_iter()
        .filter_map(|(is, word)| is.then_some(word))
        .collect()
    }
}

/// Compares the judgements of one candidate.
pub fn compare(judgements: &[Judgement], rule: &DisagreementRule) -> Difference {
    let severities: Vec<f64> = judgements.iter().filter_map(|j| j.severity).collect();
    let distance = spread(&severities);
    let validities: Vec<Validity> = judgements.iter().filter_map(|j| j.validity).collect();
    let better: Vec<Vec<&String>> = judgements
        .iter()
        .filter(|j| j.validity.is_some_and(|v| v != Validity::Valid))
        .map(|j| {
            let mut codes: Vec<_> = j.better.iter().collect();
            codes.sort();
            codes
        })
        .collect();
    Difference {
        distance,
        severity: distance > rule.distance_above,
        validity: rule.validity && validities.windows(2).any(|pair| pair[0] != pair[1]),
        category: rule.category && better.windows(2).any(|pair| pair[0] != pair[1]),
        asked: rule.asked && judgements.iter().any(|j| j.discuss),
        answer: false,
    }
}

/// Compares what raters answered to one question; whoever did not answer an optional question says nothing of it, except
/// that ticking no box is an answer.
pub fn compare_answers(answers: &[Option<&Answer>], question: &ItemQuestion) -> Difference {
    if !question.disputed {
        return Difference::default();
    }
    if question.kind == QuestionKind::Ordinal {
        let distance = spread(
            &answers
                .iter()
                .filter_map(|answer| number(*answer))
                .collect::<Vec<_>>(),
        );
        return Difference {
            distance,
            answer: distance > question.distance_above,
            ..Difference::default()
        };
    }
    let chosen = answers
        .iter()
        .filter_map(|answer| chosen(*answer, question));
    let chosen: Vec<Vec<&String>> = chosen.collect();
    Difference {
        answer: chosen.windows(2).any(|pair| pair[0] != pair[1]),
        ..Difference::default()
    }
}

/// The number of an ordinal answer.
pub fn number(answer: Option<&Answer>) -> Option<f64> {
    answer?.values.first()?.parse().ok()
}

/// The chosen values in one order; no box ticked is an answer, no answer to another kind of question is none.
pub fn chosen<'a>(answer: Option<&'a Answer>, question: &ItemQuestion) -> Option<Vec<&'a String>> {
    let values = answer.map_or(&[][..], |answer| &answer.values);
    chosen_values(values, question)
}

/// The same of the values alone.
pub fn chosen_values<'a>(values: &'a [String], question: &ItemQuestion) -> Option<Vec<&'a String>> {
    let mut values: Vec<&String> = values.iter().collect();
    if values.is_empty() && question.kind != QuestionKind::Multi {
        return None;
    }
    values.sort();
    Some(values)
}

/// Compares what raters said of one missed tag; a rater who did not add it makes a difference in validity.
pub fn compare_missed(tags: &[Option<&MissedTag>], rule: &DisagreementRule) -> Difference {
    let severities: Vec<f64> = tags
        .iter()
        .flatten()
        .filter_map(|tag| tag.severity)
        .collect();
    let distance = spread(&severities);
    Difference {
        distance,
        severity: distance > rule.distance_above,
        validity: rule.validity && tags.iter().any(Option::is_none),
        category: false,
        asked: false,
        answer: false,
    }
}

/// The value that annotations agree on where no ruling is needed: shared validity, mean severity.
pub fn agreed_value(values: &[Value]) -> Value {
    let severities: Vec<f64> = values.iter().filter_map(|value| value.severity).collect();
    let mean =
        (!severities.is_empty()).then(|| severities.iter().sum::<f64>() / severities.len() as f64);
    let first = values.iter().find_map(|value| value.validity);
    let shared = first.filter(|first| {
        values
            .iter()
            .filter_map(|value| value.validity)
            .all(|v| v == *first)
    });
    Value {
        validity: shared,
        severity: mean,
    }
}

fn spread(values: &[f64]) -> f64 {
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    if values.len() < 2 { 0.0 } else { high - low }
}

#[cfg(test)]
mod tests;
