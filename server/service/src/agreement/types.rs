//! What is asked of agreement, and what is answered.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Before or after reconciliation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The raters' own, independent values.
    #[default]
    Raw,
    /// The same, with both raters' values replaced by the final one where a ruling is in force.
    Reconciled,
}

/// What is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Question {
    /// The first that the scheme asks.
    #[default]
    First,
    /// How severe the tags are.
    Severity,
    /// Whether the tags are right.
    Validity,
    /// A question about the item by its name; `NAME.LEVEL` is one level of a question of which several may be chosen.
    Item(Arc<str>),
}

/// By what the units are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Facet {
    /// All units together.
    #[default]
    None,
    /// By the candidate's category.
    Category,
    /// By the item's condition.
    Condition,
    /// By the item's model.
    Model,
    /// By pair of raters.
    RaterPair,
    /// The judges: raw beside every rater, reconciled beside the final answer. Of questions about the item only.
    Judge,
}

impl Stage {
    /// The word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Reconciled => "reconciled",
        }
    }
}

impl Question {
    /// The word in tables; empty for the first of a scheme.
    pub fn as_str(&self) -> &str {
        match self {
            Self::First => "",
            Self::Severity => "severity",
            Self::Validity => "validity",
            Self::Item(name) => name,
        }
    }

    /// Whether tags are what gets a value.
    pub fn is_of_tags(&self) -> bool {
        matches!(self, Self::Severity | Self::Validity)
    }
}

impl From<String> for Question {
    fn from(word: String) -> Self {
        match word.as_str() {
            "" => Self::First,
            "severity" => Self::Severity,
            "validity" => Self::Validity,
            _ => Self::Item(word.into()),
        }
    }
}

impl From<Question> for String {
    fn from(question: Question) -> Self {
        question.as_str().to_owned()
    }
}

impl Facet {
    /// Every way to divide units.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Category,
        Self::Condition,
        Self::Model,
        Self::RaterPair,
        Self::Judge,
    ];

    /// Whether units of this question are divided so: questions about an item have no category, and judges beside tags
    /// have pages of their own.
    pub fn divides(self, question: &Question) -> bool {
        match self {
            Self::Category => question.is_of_tags(),
            Self::Judge => !question.is_of_tags(),
            _ => true,
        }
    }

    /// The word in tables; empty for all units.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Category => "category",
            Self::Condition => "condition",
            Self::Model => "model",
            Self::RaterPair => "rater_pair",
            Self::Judge => "judge",
        }
    }
}

/// What to compute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct AgreementQuery {
    /// Before or after reconciliation.
    pub stage: Stage,
    /// What is compared.
    pub question: Question,
    /// By what the units are divided.
    pub facet: Facet,
}

/// A question as results name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its word in tables and addresses.
    pub word: String,
    /// The name people read.
    pub title: String,
    /// Whether its answers are ordered.
    pub ordered: bool,
    /// What gets a value.
    pub unit: &'static str,
    /// The same in the plural.
    pub units: &'static str,
}

/// A rater as results name them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RaterLabel {
    /// A, B, ..
    pub letter: String,
    /// The name people read; nothing for a reader, who sees no names.
    pub name: Option<String>,
}

/// One interval and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IntervalRow {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// How it was made, for example `wilson` or `cluster_bootstrap_percentile`.
    pub method: String,
}

/// One statistic with all that must travel with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatRow {
    /// Its name, as in the documentation.
    pub name: String,
    /// The estimate; nothing when undefined.
    pub estimate: Option<f64>,
    /// The lower bound of the 95 % interval.
    pub ci_low: Option<f64>,
    /// The upper bound.
    pub ci_high: Option<f64>,
    /// How the interval was made; empty without one.
    pub method: String,
    /// Another interval for the same estimate, for example kappa's analytic one.
    pub other: Option<IntervalRow>,
    /// Units used.
    pub n_units: u64,
    /// Units left out.
    pub n_dropped: u64,
    /// Why, with counts.
    pub dropped: Vec<(String, u64)>,
    /// Why the estimate or, with an estimate, the interval is not there.
    pub undefined_reason: Option<String>,
    /// Resamples that were undefined, of [`super::RESAMPLES`].
    pub undefined_resamples: u64,
    /// Whether it is one of the few that are read first.
    pub main: bool,
    /// Its standard error by formula.
    pub se: Option<f64>,
    /// The standard error if there were no agreement beyond chance.
    pub se0: Option<f64>,
    /// The estimate over `se0`, or the statistic of the family's own test.
    pub z: Option<f64>,
    /// The two-sided probability of such a value without agreement beyond chance.
    pub p: Option<f64>,
}

/// A test whether two raters use the values equally often.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestRow {
    /// `bowker`, `stuart_maxwell` or `mcnemar`.
    pub name: String,
    /// Chi-squared; nothing where it is undefined.
    pub chi2: Option<f64>,
    /// Its degrees of freedom.
    pub df: u64,
    /// The probability of one as large; for `mcnemar` the exact one.
    pub p: Option<f64>,
    /// Why there is none.
    pub undefined_reason: Option<String>,
}

/// Two raters over the units that both judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairRow {
    /// The first rater's letter.
    pub first: String,
    /// The second rater's letter.
    pub second: String,
    /// Units that both judged.
    pub n_units: u64,
    /// The share of equal answers.
    pub percent: Option<f64>,
    /// Cohen's kappa, unweighted.
    pub kappa: Option<f64>,
    /// Cohen's kappa, quadratic weights; nothing for answers without order.
    pub kappa_quadratic: Option<f64>,
    /// The mean difference, second minus first, and Bland and Altman's limits; nothing for answers without order.
    pub limits: Option<[f64; 3]>,
    /// Whether they use the values equally often.
    pub tests: Vec<TestRow>,
}

/// How far the resampling of a report is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resampling {
    /// Resamples drawn.
    pub done: u64,
    /// Resamples to draw.
    pub total: u64,
}

impl Resampling {
    /// Whether intervals are still to come.
    pub fn is_running(self) -> bool {
        self.done < self.total
    }
}

/// Counts of pairs of answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matrix {
    /// Whose answers are the rows.
    pub row_rater: String,
    /// Whose answers are the columns.
    pub column_rater: String,
    /// The categories, in the declared order.
    pub labels: Vec<String>,
    /// Counts, row by row.
    pub counts: Vec<Vec<u64>>,
}

/// The results for one value of the facet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The value; empty for all units.
    pub facet_value: String,
    /// The name people read.
    pub title: String,
    /// The statistics.
    pub stats: Vec<StatRow>,
    /// For each pair of raters.
    pub confusion: Vec<Matrix>,
    /// For each pair of raters, where all units are taken together.
    pub pairs: Vec<PairRow>,
    /// How often each rater used each category.
    pub marginals: Vec<(String, Vec<u64>)>,
    /// Units with more than one point between two values.
    pub far_apart: u64,
}

/// Agreement, ready to be shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgreementReport {
    /// What was asked.
    pub query: AgreementQuery,
    /// The scheme's version that counts.
    pub scheme_version: i64,
    /// The question by name.
    pub question: Named,
    /// The declared categories.
    pub labels: Vec<String>,
    /// The names of the categories that people read, in the same order.
    pub names: Vec<String>,
    /// The raters.
    pub raters: Vec<RaterLabel>,
    /// Items with a unit.
    pub n_items: u64,
    /// Units.
    pub n_units: u64,
    /// The results.
    pub groups: Vec<Group>,
    /// How far the intervals are that are made by resampling.
    pub resampling: Resampling,
}

impl AgreementReport {
    /// The statistics of its first group: the whole of it where it is not by a facet. None where nothing is compared.
    pub fn stats(&self) -> &[StatRow] {
        self.groups.first().map_or(&[], |group| &group.stats)
    }
}
