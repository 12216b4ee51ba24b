//! What staff reach: states and counts, never what was said.

use super::row::{Held, held, read, state};
use crate::error::Result;
use crate::row::flag;
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, BatchId, ItemId, UserId};
use domain::study::Blinding;
use sqlx::{AnyConnection, Row};

/// One assignment of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffRow {
    /// Its identity.
    pub id: AssignmentId,
    /// The item's key in its file.
    pub item_key: String,
    /// Whose it is.
    pub rater: UserId,
    /// The rater's name as people read it.
    pub rater_name: String,
    /// Where it stands.
    pub state: AssignmentState,
    /// Whether the judge's tags are hidden until the rater has given their own.
    pub judge_hidden: bool,
}

/// The assignment with this id, whoever rates it.
///
/// # Errors
/// When the database fails.
pub async fn get(connection: &mut AnyConnection, id: &AssignmentId) -> Result<Option<Held>> {
    let row = sqlx::query(concat!(
        "SELECT ",
        held!(),
        " FROM assignments a JOIN studies s ON s.id = a.study_id WHERE a.id = $1"
    ))
    .bind(id.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read).transpose()
}

/// The assignments of a batch, item by item.
///
/// # Errors
/// When the database fails.
pub async fn of_batch(connection: &mut AnyConnection, batch: &BatchId) -> Result<Vec<StaffRow>> {
    let rows = sqlx::query(
        "SELECT a.id, i.source_key, a.rater_id, u.display_name, a.state, a.judge_hidden FROM assignments a \
         JOIN items i ON i.id = a.item_id JOIN users u ON u.id = a.rater_id \
         WHERE a.batch_id = $1 ORDER BY i.seq, u.display_name, a.id",
    )
    .bind(batch.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let id: String = row.try_get(0)?;
            Ok(StaffRow {
                item_key: row.try_get(1)?,
                rater: UserId::new(row.try_get::<String, _>(2)?),
                rater_name: row.try_get(3)?,
                state: state(row.try_get(4)?, &id)?,
                judge_hidden: row.try_get::<i64, _>(5)? == 1,
                id: AssignmentId::new(id),
            })
        })
        .collect()
}

/// The assignment by which this person still has the item to judge, and what the study hides from its raters.
///
/// # Errors
/// When the database fails.
pub async fn to_judge(
    connection: &mut AnyConnection,
    item: &ItemId,
    person: &UserId,
) -> Result<Option<(AssignmentId, Blinding)>> {
    let row = sqlx::query(
        "SELECT a.id, s.blind_model, s.blind_condition, s.blind_judge_severity FROM assignments a \
         JOIN studies s ON s.id = a.study_id WHERE a.item_id = $1 AND a.rater_id = $2 \
         AND a.state IN ('not_started', 'in_progress', 'reopened') ORDER BY a.id LIMIT 1",
    )
    .bind(item.as_str())
    .bind(person.as_str())
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        let hidden = Blinding {
            model: flag(&row, 1)?,
            condition: flag(&row, 2)?,
            judge_severity: flag(&row, 3)?,
        };
        Ok((AssignmentId::new(row.try_get::<String, _>(0)?), hidden))
    })
    .transpose()
}

/// Whether a ruling rests on one of the item's units.
///
/// # Errors
/// When the database fails.
pub async fn any_ruling(connection: &mut AnyConnection, item: &ItemId) -> Result<bool> {
    let rulings: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM units u JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 WHERE u.item_id = $1",
    )
    .bind(item.as_str())
    .fetch_one(connection)
    .await?;
    Ok(rulings > 0)
}

/// Gives what was withdrawn to another rater, at the end of their list; the old rater can resume it no longer.
///
/// # Errors
/// When the database fails; a uniqueness violation when the other rater has the item already.
pub async fn reassigned(
    connection: &mut AnyConnection,
    from: &Held,
    id: &AssignmentId,
    to: &UserId,
) -> Result<()> {
    let done = sqlx::query(
        "UPDATE assignments SET withdrawn_by = 'replaced', version = version + 1 \
         WHERE id = $1 AND version = $2 AND state = 'withdrawn' AND withdrawn_by <> 'replaced'",
    )
    .bind(from.id.as_str())
    .bind(from.version)
    .execute(&mut *connection)
    .await?;
    crate::db::expect_rows("assignments", done.rows_affected(), 1)?;
    sqlx::query(
        "INSERT INTO assignments (id, study_id, batch_id, item_id, rater_id, position, state, version, judge_hidden, \
         withdrawn_by) SELECT $1, a.study_id, a.batch_id, a.item_id, $2, (SELECT COALESCE(MAX(p.position), 0) + 1 \
         FROM assignments p WHERE p.rater_id = $2 AND p.batch_id = a.batch_id), 'not_started', 0, a.judge_hidden, '' \
         FROM assignments a WHERE a.id = $3",
    )
    .bind(id.as_str())
    .bind(to.as_str())
    .bind(from.id.as_str())
    .execute(&mut *connection)
    .await?;
    crate::batch::expect_progress(connection, &from.batch, to).await?;
    sqlx::query(
        "UPDATE batch_progress SET assignments = assignments + 1 \
         WHERE batch_id = $1 AND rater_id = $2 AND state = 'not_started'",
    )
    .bind(from.batch.as_str())
    .bind(to.as_str())
    .execute(connection)
    .await?;
    Ok(())
}
