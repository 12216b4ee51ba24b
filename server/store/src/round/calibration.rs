//! What a calibration batch is measured against.

use crate::bind::real;
use crate::error::Result;
use domain::id::{AssignmentId, BatchId, UserId};
use sqlx::{AnyConnection, Row};

/// What a calibration batch is measured against.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// The rater whose judgements are the reference; nobody when raters are compared with each other.
    pub reference: Option<UserId>,
    /// The share of labels that must agree; nothing when nobody has to pass.
    pub pass_share: Option<f64>,
}

/// Says what a batch is measured against.
///
/// # Errors
/// When the database fails.
pub async fn put(
    connection: &mut AnyConnection,
    batch: &BatchId,
    calibration: &Calibration,
) -> Result<()> {
    sqlx::query("DELETE FROM calibrations WHERE batch_id = $1")
        .bind(batch.as_str())
        .execute(&mut *connection)
        .await?;
    let query = sqlx::query(
        "INSERT INTO calibrations (batch_id, reference_id, pass_share) VALUES ($1, $2, $3)",
    )
    .bind(batch.as_str())
    .bind(calibration.reference.as_ref().map_or("", UserId::as_str));
    real(query, calibration.pass_share)
        .execute(connection)
        .await?;
    Ok(())
}

/// What a batch is measured against; raters against each other when nothing was said.
///
/// # Errors
/// When the database fails.
pub async fn calibration(connection: &mut AnyConnection, batch: &BatchId) -> Result<Calibration> {
    let row = sqlx::query("SELECT reference_id, pass_share FROM calibrations WHERE batch_id = $1")
        .bind(batch.as_str())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else {
        return Ok(Calibration::default());
    };
    let reference: String = row.try_get(0)?;
    Ok(Calibration {
        reference: (!reference.is_empty()).then(|| UserId::new(reference)),
        pass_share: row.try_get(1)?,
    })
}

/// The batch of a rater's own assignment, when it is one of a calibration.
///
/// # Errors
/// When the database fails.
pub async fn of_assignment(
    connection: &mut AnyConnection,
    assignment: &AssignmentId,
    rater: &UserId,
) -> Result<Option<BatchId>> {
    let row = sqlx::query(
        "SELECT b.id FROM assignments a JOIN batches b ON b.id = a.batch_id \
         WHERE a.id = $1 AND a.rater_id = $2 AND b.round = 'calibration'",
    )
    .bind(assignment.as_str())
    .bind(rater.as_str())
    .fetch_optional(connection)
    .await?;
    row.map(|row| Ok(BatchId::new(row.try_get::<String, _>(0)?)))
        .transpose()
}

/// A rater's own calibration items that they have given: the batch's name, the assignment, its place.
///
/// # Errors
/// When the database fails.
pub async fn given(
    connection: &mut AnyConnection,
    rater: &UserId,
) -> Result<Vec<(String, AssignmentId, i64)>> {
    let rows = sqlx::query(
        "SELECT b.name, a.id, a.position FROM assignments a JOIN batches b ON b.id = a.batch_id \
         LEFT JOIN calibrations c ON c.batch_id = b.id JOIN members m ON m.study_id = a.study_id \
         AND m.user_id = a.rater_id AND m.role = 'rater' AND m.active = 1 WHERE a.rater_id = $1 \
         AND b.round = 'calibration' AND a.state IN ('submitted', 'not_ratable') AND COALESCE(c.reference_id, '') <> $1 \
         ORDER BY b.created_at, b.id, a.position",
    )
    .bind(rater.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok((
                row.try_get(0)?,
                AssignmentId::new(row.try_get::<String, _>(1)?),
                row.try_get(2)?,
            ))
        })
        .collect()
}
