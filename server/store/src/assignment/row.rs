//! What of an assignment decides about its next step.

use crate::error::{Error, Result};
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, BatchId, ItemId, StudyId, UserId};
use domain::study::StudyState;
use sqlx::Row;
use sqlx::any::AnyRow;

/// What of an assignment decides about its next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its identity.
    pub id: AssignmentId,
    /// Its study.
    pub study: StudyId,
    /// Where the study stands.
    pub study_state: StudyState,
    /// Its batch.
    pub batch: BatchId,
    /// Its item.
    pub item: ItemId,
    /// Whose it is.
    pub rater: UserId,
    /// Where it stands.
    pub state: AssignmentState,
    /// Counts its changes.
    pub version: i64,
    /// Its place among the rater's assignments of the batch, counted from 1.
    pub position: i64,
    /// `rater` or `staff` when it is withdrawn.
    pub withdrawn_by: String,
    /// When the draft was saved last.
    pub saved_at: Option<i64>,
    /// When it was submitted last.
    pub submitted_at: Option<i64>,
}

/// The columns that [`read`] expects, first in a select from `assignments a JOIN studies s`.
macro_rules! held {
    () => {
        "a.id, a.study_id, s.state AS study_state, a.batch_id, a.item_id, a.rater_id, a.state, a.version, a.position, \
         a.withdrawn_by, a.saved_at, a.submitted_at"
    };
}
pub(super) use held;

/// How many columns [`held`] names.
pub(super) const HELD: usize = 12;

pub(super) fn read(row: &AnyRow) -> Result<Held> {
    let id: String = row.try_get(0)?;
    let study_state = StudyState::parse(row.try_get(2)?);
    Ok(Held {
        study: StudyId::new(row.try_get::<String, _>(1)?),
        study_state: study_state.ok_or_else(|| Error::inconsistent("studies", "state", &id))?,
        batch: BatchId::new(row.try_get::<String, _>(3)?),
        item: ItemId::new(row.try_get::<String, _>(4)?),
        rater: UserId::new(row.try_get::<String, _>(5)?),
        state: state(row.try_get(6)?, &id)?,
        version: row.try_get(7)?,
        position: row.try_get(8)?,
        withdrawn_by: row.try_get(9)?,
        saved_at: row.try_get(10)?,
        submitted_at: row.try_get(11)?,
        id: AssignmentId::new(id),
    })
}

pub(super) fn state(word: &str, id: &str) -> Result<AssignmentState> {
    AssignmentState::parse(word).ok_or_else(|| Error::inconsistent("assignments", "state", id))
}
