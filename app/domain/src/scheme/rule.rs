//! The rules of a study: when annotations differ, what is retained, what counts as a correct tag.

use serde::{Deserialize, Serialize};

/// When two annotations of a unit differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DisagreementRule {
    /// Severities further apart than this differ.
    pub distance_above: f64,
    /// Different validity differs.
    pub validity: bool,
    /// Different better categories differ.
    pub category: bool,
    /// A rater who asks for discussion makes a disagreement.
    pub asked: bool,
}

impl Default for DisagreementRule {
    fn default() -> Self {
        Self {
            distance_above: 1.0,
            validity: true,
            category: false,
            asked: true,
        }
    }
}

/// What stays in the retained set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetentionRule {
    /// Units with a final severity below this leave the retained set.
    pub min_mean_severity: Option<f64>,
    /// Reasons for which staff may exclude a unit.
    pub excluded_reasons: Vec<ReasonCode>,
}

/// A closed reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonCode {
    /// The word in files.
    pub code: String,
    /// What people read.
    pub name: String,
}

/// What counts as a correct tag of the judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgeRule {
    /// `exact`, `top_level` or `any`.
    pub category: String,
    /// `exact`, `within_half`, `within_one` or `ignored`.
    pub severity: String,
}

impl Default for JudgeRule {
    fn default() -> Self {
        Self {
            category: "top_level".into(),
            severity: "exact".into(),
        }
    }
}
