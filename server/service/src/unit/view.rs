//! What staff see of units. Nothing of a rater's judgement is in it before every annotation of the item is in.

use crate::desk::{DeskItem, JudgeAnswer};
use crate::ruling::Change;
use domain::id::{ItemId, StudyId, UnitId, UserId};
use domain::ruling::{Cause, Outcome};
use domain::scheme::{Scheme, Validity};
use domain::unit::{UnitKind, UnitState};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which units a queue shows; an empty text is any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct QueueFilter {
    /// By state.
    pub state: QueueState,
    /// By the code of the category.
    pub category: String,
    /// By the item's condition.
    pub condition: String,
    /// By the item's model.
    pub model: String,
    /// `candidate`, `missed` or `item`.
    pub unit_kind: String,
    /// By a kind of difference: severity, validity, category, answer or asked; `unanimous` or `within` for units that agree.
    pub kind: String,
    /// By the batch of the item.
    pub batch: String,
    /// By the person whose discussion waits for them.
    pub assigned: String,
    /// Only units that staff took out.
    pub excluded: bool,
}

/// Which states a queue shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueueState {
    /// What waits for a ruling: disputed, in discussion, stale.
    #[default]
    Work,
    /// Every unit.
    All,
    /// Units of items that are not all in.
    Open,
    /// Units that agree.
    Agreed,
    /// Units that differ.
    Disputed,
    /// Units under discussion.
    InDiscussion,
    /// Settled units.
    Ruled,
    /// Units whose ruling rests on something that changed.
    Stale,
}

impl QueueState {
    /// Every choice, in the order of the page.
    pub const ALL: [Self; 8] = [
        Self::Work,
        Self::All,
        Self::Open,
        Self::Agreed,
        Self::Disputed,
        Self::InDiscussion,
        Self::Ruled,
        Self::Stale,
    ];

    /// The word in addresses.
    pub fn as_str(self) -> &'static str {
        match self.only() {
            Some(state) => state.as_str(),
            None if self == Self::Work => "work",
            None => "all",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    fn only(self) -> Option<UnitState> {
        match self {
            Self::Work | Self::All => None,
            Self::Open => Some(UnitState::Open),
            Self::Agreed => Some(UnitState::Agreed),
            Self::Disputed => Some(UnitState::Disputed),
            Self::InDiscussion => Some(UnitState::InDiscussion),
            Self::Ruled => Some(UnitState::Ruled),
            Self::Stale => Some(UnitState::Stale),
        }
    }

    /// Whether a unit in this state is shown.
    pub fn shows(self, state: UnitState) -> bool {
        match self {
            Self::Work => state.needs_ruling(),
            Self::All => true,
            _ => self.only() == Some(state),
        }
    }
}

/// A page of a list, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Page {
    /// Which page.
    pub number: u32,
    /// How many rows a page has, at most 500.
    pub size: u32,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            number: 1,
            size: 50,
        }
    }
}

/// A page of the queue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Queue {
    /// How many units the filter finds.
    pub total: i64,
    /// How many units each state holds under the rest of the filter.
    pub states: Vec<(UnitState, i64)>,
    /// The page shown.
    pub page: Page,
    /// The units.
    pub rows: Vec<QueueRow>,
}

/// One unit in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueueRow {
    /// The unit.
    pub unit: UnitId,
    /// Its item.
    pub item: ItemId,
    /// The item's key in its file.
    pub item_key: String,
    /// The item's condition.
    pub condition: String,
    /// The item's model.
    pub model: String,
    /// What it is.
    pub unit_kind: UnitKind,
    /// The code of its category or subcategory.
    pub code: String,
    /// The category's name.
    pub category_name: String,
    /// The subcategory's name; empty without one.
    pub subcategory_name: String,
    /// Where it stands.
    pub state: UnitState,
    /// Which parts differ: severity, validity, category, answer, asked.
    pub kinds: Vec<String>,
    /// The greatest distance between two severities, or between two answers on an ordered scale.
    pub distance: f64,
    /// Answers to the question about the item differ, whether or not the rule counts it.
    pub answers_differ: bool,
    /// The rank.
    pub weight: f64,
    /// What each rater said; empty until every annotation of the item is in.
    pub values: Vec<RaterValue>,
    /// How the ruling in force was reached.
    pub outcome: Option<Outcome>,
    /// What a ruling must name as its basis.
    pub basis: String,
    /// The unit agrees and every rater gave the same value, so it may be confirmed with others.
    pub unanimous: bool,
}

/// One rater's value of a unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaterValue {
    /// The rater's letter.
    pub letter: String,
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
    /// The rater found the item not ratable.
    pub not_ratable: bool,
    /// The rater looked for missed tags and did not mark this one.
    pub not_marked: bool,
    /// The values chosen in answer to a question about the item.
    pub values: Vec<String>,
}

/// All that staff see of one unit.
#[derive(Clone, Debug, Serialize)]
pub struct UnitView {
    /// Its study.
    pub study: StudyId,
    /// As a list shows it.
    pub row: QueueRow,
    /// What a ruling must name as its basis.
    pub basis: String,
    /// The version of the ruling in force; 0 without one. A new ruling names it.
    pub ruling_version: i64,
    /// Every annotation of the item is in.
    pub all_in: bool,
    /// What was judged.
    pub item: DeskItem,
    /// The tag it is about.
    pub tag: UnitTag,
    /// What judges answered to the question that it answers; empty for a tag, and until every annotation is in.
    pub judges: Vec<JudgeAnswer>,
    /// The raters' sides in order; empty until every annotation is in.
    pub raters: Vec<RaterSide>,
    /// The ruling in force.
    pub ruling: Option<RulingView>,
    /// Every version of the ruling, the newest first.
    pub history: Vec<RulingView>,
    /// The unit before it in the queue of work.
    pub previous: Option<UnitId>,
    /// The unit after it in the queue of work.
    pub next: Option<UnitId>,
    /// Whoever asks was given the item to rate, so cannot be its adjudicator.
    pub ruler_rated_item: bool,
    /// The other units of the item that a missed tag may be folded into.
    pub siblings: Vec<QueueRow>,
    /// Staff took the unit out.
    pub exclusion: Option<ExclusionView>,
    /// The scheme in force.
    #[serde(skip)]
    pub scheme: Arc<Scheme>,
}

/// Why a unit is out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExclusionView {
    /// What putting it back must name.
    pub version: i64,
    /// Whether it is out now.
    pub active: bool,
    /// The code of the reason.
    pub reason: String,
    /// The reason in words.
    pub reason_name: String,
    /// More about it.
    pub note: String,
    /// Epoch milliseconds.
    pub at: i64,
}

/// The tag or question a unit is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UnitTag {
    /// Its place among the item's candidates, counted from 1; 0 for a missed tag.
    pub number: u32,
    /// The code of its category, or of its question.
    pub category: String,
    /// The code of its subcategory.
    pub subcategory: Option<String>,
    /// The judge's severity.
    pub severity: Option<f64>,
    /// Why the judge proposed it.
    pub explanation: String,
    /// How the evidence was found in the trace: verbatim, normalised, elided, unanchored; empty for a missed tag.
    pub anchor: String,
    /// The evidence as the judge wrote it.
    pub evidence: Vec<String>,
    /// Where it stands: start, end, words.
    pub spans: Vec<(u32, u32, String)>,
    /// The letters of the raters who added it; empty for a candidate.
    pub missed_by: Vec<String>,
}

/// One rater's side of a unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaterSide {
    /// The rater's letter.
    pub letter: String,
    /// The account.
    pub user: UserId,
    /// The name people read.
    pub display_name: String,
    /// Whether they still rate in the study.
    pub active: bool,
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
    /// Codes that fit better.
    pub better: Vec<String>,
    /// What they wrote about the tag.
    pub comment: String,
    /// They ask to discuss it.
    pub discuss: bool,
    /// When they submitted, in epoch milliseconds.
    pub submitted_at: i64,
    /// What they wrote about the item.
    pub item_comment: String,
    /// The code of the reason why they could not rate the item; empty when they could.
    pub not_ratable_reason: String,
    /// They looked for missed tags and did not mark this one.
    pub not_marked: bool,
    /// The values chosen in answer to a question about the item.
    pub values: Vec<String>,
}

/// One version of a ruling.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulingView {
    /// Counted from 1.
    pub version: i64,
    /// How it was reached.
    pub outcome: Outcome,
    /// The final validity.
    pub validity: Option<Validity>,
    /// The code of the final category; empty where there is none.
    pub category: String,
    /// The code of the final subcategory; empty where there is none.
    pub subcategory: String,
    /// The final severity.
    pub severity: Option<f64>,
    /// Why the raters differed.
    pub cause: Option<Cause>,
    /// `low`, `medium`, `high` or empty.
    pub confidence: String,
    /// The reasoning.
    pub note: String,
    /// The manual needs work here.
    pub guideline_needs_work: bool,
    /// Both raters are on record as agreeing.
    pub agreed_by_raters: bool,
    /// The letter of the rater whose value was adopted; empty when none was.
    pub adopted_from: String,
    /// The name of who ruled.
    pub ruled_by: String,
    /// Epoch milliseconds.
    pub ruled_at: i64,
    /// It rests on what is there now.
    pub current: bool,
    /// The final span where it was moved: start, end, words.
    pub span: Option<(u32, u32, String)>,
    /// The unit that this missed tag was folded into; empty otherwise.
    pub merged_into: String,
    /// What is not as it saw it; empty while it is current.
    pub changes: Vec<Change>,
}
