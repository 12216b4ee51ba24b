//! Changing an assignment: only from the state and version that the writer saw.

use super::row::Held;
use crate::error::Result;
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, BatchId, UserId};
use sqlx::AnyConnection;

/// What a step writes beside the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// A draft was saved at this time.
    pub saved_at: Option<i64>,
    /// A judgement was given at this time.
    pub submitted_at: Option<i64>,
    /// `rater` or `staff` for a withdrawal.
    pub withdrawn_by: &'static str,
}

/// Takes a step and counts it in the batch's progress; false when somebody else took one since `held` was read.
///
/// # Errors
/// When the database fails.
pub async fn step(
    connection: &mut AnyConnection,
    held: &Held,
    to: AssignmentState,
    step: Step,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE assignments SET version = version + 1, state = $1, saved_at = COALESCE($2, saved_at), \
         submitted_at = COALESCE($3, submitted_at), withdrawn_by = $4 \
         WHERE id = $5 AND rater_id = $6 AND version = $7 AND state = $8",
    )
    .bind(to.as_str())
    .bind(step.saved_at)
    .bind(step.submitted_at)
    .bind(step.withdrawn_by)
    .bind(held.id.as_str())
    .bind(held.rater.as_str())
    .bind(held.version)
    .bind(held.state.as_str())
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() != 1 {
        return Ok(false);
    }
    if held.state != to {
        moved(connection, &held.batch, &held.rater, held.state, to).await?;
    }
    Ok(true)
}

/// Counts a step in the batch's progress.
pub(crate) async fn moved(
    connection: &mut AnyConnection,
    batch: &BatchId,
    rater: &UserId,
    from: AssignmentState,
    to: AssignmentState,
) -> Result<()> {
    let done = sqlx::query(
        "UPDATE batch_progress SET assignments = assignments + CASE WHEN state = $1 THEN -1 ELSE 1 END \
         WHERE batch_id = $2 AND rater_id = $3 AND state IN ($1, $4)",
    )
    .bind(from.as_str())
    .bind(batch.as_str())
    .bind(rater.as_str())
    .bind(to.as_str())
    .execute(connection)
    .await?;
    crate::db::expect_rows("batch_progress", done.rows_affected(), 2)
}

/// Records when the rater first saw the item; false when it was recorded before.
///
/// # Errors
/// When the database fails.
pub async fn first_opened(
    connection: &mut AnyConnection,
    id: &AssignmentId,
    rater: &UserId,
    at: i64,
) -> Result<bool> {
    let done = sqlx::query("UPDATE assignments SET opened_at = $1 WHERE id = $2 AND rater_id = $3 AND opened_at IS NULL")
        .bind(at)
        .bind(id.as_str())
        .bind(rater.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}
