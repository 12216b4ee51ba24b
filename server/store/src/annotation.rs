//! Submitted annotations: append-only versions, of which the latest counts.

mod read;
mod write;

pub use read::{
    calibrated, frozen_of_range, latest_of_assignment, latest_of_item, latest_of_range, shown_to,
};
pub use write::{NewAnnotation, content_hash, submit};

use domain::annotation::Annotation;
use domain::id::{AnnotationId, AssignmentId, BatchId, ItemId, UserId};

/// One submitted annotation as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredAnnotation {
    /// Its identity.
    pub id: AnnotationId,
    /// The assignment it answers.
    pub assignment: AssignmentId,
    /// The batch of the assignment.
    pub batch: BatchId,
    /// The round of the batch: `calibration`, `main`, `cross_check` or `imported`.
    pub round: String,
    /// Its item.
    pub item: ItemId,
    /// Who made it.
    pub rater: UserId,
    /// The rater's place among the raters of the study, by which they are lettered.
    pub rater_position: i64,
    /// Counted from 1 within the assignment.
    pub version: i64,
    /// The scheme version it was made under.
    pub scheme_version: i64,
    /// Whether the rater could rate the item.
    pub ratable: bool,
    /// The code of the reason why not; the note stands in the comment.
    pub not_ratable_reason: String,
    /// Epoch milliseconds.
    pub submitted_at: i64,
    /// Names the content.
    pub content_hash: String,
    /// What was said.
    pub body: Annotation,
}
