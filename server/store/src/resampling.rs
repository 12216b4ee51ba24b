//! Intervals that were resampled already, by the hash of all that they follow from.

use crate::error::Result;
use domain::id::StudyId;
use sqlx::{AnyConnection, Row};

/// What was found for this hash.
///
/// # Errors
/// When the database fails.
pub async fn find(
    connection: &mut AnyConnection,
    study: &StudyId,
    hash: &str,
) -> Result<Option<String>> {
    let row = sqlx::query("SELECT outcome FROM resamplings WHERE hash = $1 AND study_id = $2")
        .bind(hash)
        .bind(study.as_str())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// Keeps an outcome; one that is kept already stays, because equal hashes have equal outcomes. Of a study the newest
/// `most` stay.
///
/// # Errors
/// When the database fails.
pub async fn keep(
    connection: &mut AnyConnection,
    study: &StudyId,
    hash: &str,
    outcome: &str,
    now: i64,
    most: i64,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO resamplings (hash, study_id, outcome, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO NOTHING",
    )
    .bind(hash)
    .bind(study.as_str())
    .bind(outcome)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "DELETE FROM resamplings WHERE study_id = $1 AND hash NOT IN \
         (SELECT hash FROM resamplings WHERE study_id = $1 ORDER BY created_at DESC, hash LIMIT $2)",
    )
    .bind(study.as_str())
    .bind(most)
    .execute(connection)
    .await?;
    Ok(())
}
