//! The one draft of an assignment: the document that the desk edits.

use crate::assignment::{Held, moved};
use crate::bulk::Bulk;
use crate::error::Result;
use crate::json;
use domain::annotation::Annotation;
use domain::assignment::AssignmentState;
use domain::id::AssignmentId;
use sqlx::{AnyConnection, Row};
use std::collections::HashSet;

/// A draft to keep.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The assignment as the writer saw it.
    pub held: Held,
    /// Where a save leads from there.
    pub to: AssignmentState,
    /// What is said.
    pub body: Annotation,
    /// The id of the save.
    pub save_id: String,
    /// Epoch milliseconds.
    pub at: i64,
}

/// The statement of [`put`] and [`keep`] in front of its rows, and after them.
const PUT: [&str; 2] = [
    "INSERT INTO drafts (assignment_id, body, last_save, saved_at)",
    " ON CONFLICT (assignment_id) DO UPDATE SET body = excluded.body, last_save = excluded.last_save, \
     saved_at = excluded.saved_at",
];

/// Keeps the draft and the id of the save it came with.
///
/// # Errors
/// When the database fails.
pub async fn put(
    connection: &mut AnyConnection,
    assignment: &AssignmentId,
    body: &Annotation,
    save_id: &str,
    at: i64,
) -> Result<()> {
    let mut bulk = Bulk::<4>::within(PUT[0], PUT[1]);
    bulk.push([
        assignment.as_str().into(),
        json::write(body).into(),
        save_id.into(),
        at.into(),
    ]);
    bulk.flush(connection).await
}

/// Takes the step of a save for each of these drafts, of which no two may be of one assignment, and keeps those whose
/// assignment still is as the writer saw it: their ids.
///
/// # Errors
/// When the database fails.
pub async fn keep(
    connection: &mut AnyConnection,
    drafts: &[&Draft],
) -> Result<HashSet<AssignmentId>> {
    let mut steps = Bulk::<6>::within(
        "WITH seen (assignment, rater, version_seen, state_seen, state_next, at) AS (",
        ") UPDATE assignments SET version = assignments.version + 1, state = seen.state_next, saved_at = seen.at, \
         withdrawn_by = '' FROM seen WHERE assignments.id = seen.assignment AND assignments.rater_id = seen.rater \
         AND assignments.version = seen.version_seen AND assignments.state = seen.state_seen RETURNING id",
    );
    for draft in drafts {
        steps.push([
            draft.held.id.as_str().into(),
            draft.held.rater.as_str().into(),
            draft.held.version.into(),
            draft.held.state.as_str().into(),
            draft.to.as_str().into(),
            draft.at.into(),
        ]);
    }
    let kept = steps.returning(connection).await?;
    let kept = kept
        .iter()
        .map(|row| Ok(AssignmentId::new(row.try_get::<String, _>(0)?)))
        .collect::<Result<HashSet<_>>>()?;
    let mut bodies = Bulk::<4>::within(PUT[0], PUT[1]);
    for draft in drafts.iter().filter(|draft| kept.contains(&draft.held.id)) {
        let held = &draft.held;
        if held.state != draft.to {
            moved(connection, &held.batch, &held.rater, held.state, draft.to).await?;
        }
        bodies.push([
            held.id.as_str().into(),
            json::write(&draft.body).into(),
            draft.save_id.as_str().into(),
            draft.at.into(),
        ]);
    }
    bodies.flush(connection).await?;
    Ok(kept)
}
