//! The one draft of an assignment: the document that the desk edits.

use crate::error::Result;
use crate::json;
use domain::annotation::Annotation;
use domain::id::AssignmentId;
use sqlx::AnyConnection;

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
    sqlx::query(
        "INSERT INTO drafts (assignment_id, body, last_save, saved_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (assignment_id) DO UPDATE SET body = excluded.body, last_save = excluded.last_save, \
         saved_at = excluded.saved_at",
    )
    .bind(assignment.as_str())
    .bind(json::write(body))
    .bind(save_id)
    .bind(at)
    .execute(connection)
    .await?;
    Ok(())
}
