//! Samples: drawn by a recorded seed, handed to raters in balanced combinations, each in an order of their own.

mod create;
pub(crate) mod sample;
mod staff;

pub use create::{create, plan};
pub use staff::{assignments, list, reassign, take_back};

use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, BatchId, UserId};
use serde::{Deserialize, Serialize};

/// What a new batch is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Round {
    /// Practice; never part of a statistic of the main round.
    Calibration,
    /// The study itself.
    Main,
}

impl Round {
    /// The stored word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Calibration => "calibration",
            Self::Main => "main",
        }
    }
}

/// By what a sample is stratified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stratify {
    /// A simple random sample.
    #[default]
    None,
    /// By the model that wrote the trace.
    Model,
    /// By the condition of the person in the vignette.
    Condition,
    /// By the category of the item's first candidate.
    Category,
}

impl Stratify {
    /// The stored word; empty for a simple sample.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Model => "model",
            Self::Condition => "condition",
            Self::Category => "category",
        }
    }
}

/// What somebody wants drawn and handed out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewBatch {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub round: Round,
    /// How many items.
    pub size: u32,
    /// The seed; drawn when not given.
    #[serde(default)]
    pub seed: Option<i64>,
    /// By what it is stratified.
    #[serde(default)]
    pub stratify: Stratify,
    /// Who rates.
    pub raters: Vec<UserId>,
    /// How many raters each item gets.
    pub raters_per_item: u32,
    /// On how many of a hundred items raters give their own tags before they see the judge's.
    #[serde(default)]
    pub hidden_percent: u32,
}

/// What a batch would be, before it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BatchPlan {
    /// The seed that would be used: give it back to get this very batch.
    pub seed: i64,
    /// Items that may be drawn.
    pub available: u64,
    /// What each stratum has and gives.
    pub strata: Vec<Stratum>,
    /// How many items each rater would get.
    pub raters: Vec<(UserId, u64)>,
    /// On how many items the judge's tags would be hidden at first.
    pub hidden: u64,
}

/// What a stratum has and gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stratum {
    /// The value that its items share; empty in a simple sample.
    pub value: String,
    /// Items in it.
    pub available: u64,
    /// Items drawn from it.
    pub drawn: u64,
}

/// One batch and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BatchRow {
    /// The batch.
    pub id: BatchId,
    /// Its name.
    pub name: String,
    /// `calibration`, `main`, `cross_check` or `imported`.
    pub round: String,
    /// The seed it was drawn with.
    pub seed: i64,
    /// Empty, `model`, `condition` or `category`.
    pub stratify: String,
    /// How many items it holds.
    pub items: u64,
    /// How many raters each item was given.
    pub raters_per_item: u64,
    /// The share of items whose tags of the judge are hidden at first, in percent.
    pub hidden_percent: u32,
    /// How many items that is.
    pub hidden: u64,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// How far each rater is.
    pub progress: Vec<RaterProgress>,
}

/// How far a rater is in a batch: counts, never judgements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RaterProgress {
    /// The rater.
    pub user: UserId,
    /// The name people read.
    pub display_name: String,
    /// All that was assigned and not withdrawn.
    pub total: u64,
    /// Submitted, or reported as not ratable.
    pub done: u64,
    /// Begun or open again.
    pub in_progress: u64,
    /// Reported as not ratable; part of `done`.
    pub not_ratable: u64,
    /// Handed or taken back.
    pub withdrawn: u64,
}

/// One assignment as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AssignmentRow {
    /// The assignment.
    pub id: AssignmentId,
    /// The item's key in its file.
    pub item_key: String,
    /// The rater.
    pub rater: UserId,
    /// The name people read.
    pub rater_name: String,
    /// Where it stands.
    pub state: AssignmentState,
    /// Whether the judge's tags are hidden until the rater has given their own.
    pub judge_hidden: bool,
}
