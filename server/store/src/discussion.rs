//! Discussions of units: the thread, who has read how far. Messages are appended and never changed.

mod list;
mod message;

use crate::db::expect_rows;
use crate::error::Result;
use crate::row::flag;
use domain::id::{ItemId, StudyId, UnitId, UserId};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

pub use list::{Listed, of_person, of_study};
pub use message::{Message, append, messages};

/// The discussion of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discussion {
    /// The unit.
    pub unit: UnitId,
    /// Its study.
    pub study: StudyId,
    /// Its item.
    pub item: ItemId,
    /// Whether it takes messages.
    pub open: bool,
    /// The person asked to settle it; empty for nobody in particular.
    pub assigned_to: String,
    /// Who opened it.
    pub opened_by: String,
    /// Epoch milliseconds.
    pub opened_at: i64,
    /// How many messages it has.
    pub messages: i64,
}

/// The discussion of a unit, if there ever was one.
///
/// # Errors
/// When the database fails.
pub async fn get(connection: &mut AnyConnection, unit: &UnitId) -> Result<Option<Discussion>> {
    let row = sqlx::query(
        "SELECT unit_id, study_id, item_id, open, assigned_to, opened_by, opened_at, messages FROM discussions WHERE unit_id = $1",
    )
    .bind(unit.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(discussion).transpose()
}

fn discussion(row: &AnyRow) -> Result<Discussion> {
    Ok(Discussion {
        unit: UnitId::new(row.try_get::<String, _>(0)?),
        study: StudyId::new(row.try_get::<String, _>(1)?),
        item: ItemId::new(row.try_get::<String, _>(2)?),
        open: flag(row, 3)?,
        assigned_to: row.try_get(4)?,
        opened_by: row.try_get(5)?,
        opened_at: row.try_get(6)?,
        messages: row.try_get(7)?,
    })
}

/// Opens the discussion of a unit, or opens it again.
///
/// # Errors
/// When the database fails.
pub async fn open(connection: &mut AnyConnection, new: &Discussion) -> Result<()> {
    sqlx::query(
        "INSERT INTO discussions (unit_id, study_id, item_id, open, assigned_to, opened_by, opened_at, messages) \
         VALUES ($1, $2, $3, 1, $4, $5, $6, 0) ON CONFLICT (unit_id) DO UPDATE SET open = 1",
    )
    .bind(new.unit.as_str())
    .bind(new.study.as_str())
    .bind(new.item.as_str())
    .bind(&new.assigned_to)
    .bind(&new.opened_by)
    .bind(new.opened_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Closes a discussion where one is open; what was said stays.
///
/// # Errors
/// When the database fails.
pub async fn close(connection: &mut AnyConnection, unit: &UnitId) -> Result<bool> {
    let done = sqlx::query("UPDATE discussions SET open = 0 WHERE unit_id = $1 AND open = 1")
        .bind(unit.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Asks somebody to settle it; nobody in particular when empty.
///
/// # Errors
/// When the database fails or there is no discussion.
pub async fn assign(connection: &mut AnyConnection, unit: &UnitId, to: &str) -> Result<()> {
    let done = sqlx::query("UPDATE discussions SET assigned_to = $1 WHERE unit_id = $2")
        .bind(to)
        .bind(unit.as_str())
        .execute(connection)
        .await?;
    expect_rows("discussions", done.rows_affected(), 1)
}

/// Whether any unit of the item was ever discussed: its raters may then have seen each other's judgements.
///
/// # Errors
/// When the database fails.
pub async fn begun(connection: &mut AnyConnection, item: &ItemId) -> Result<bool> {
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM discussions WHERE item_id = $1")
        .bind(item.as_str())
        .fetch_one(connection)
        .await?;
    Ok(found > 0)
}

/// The raters whose judgement of the item counts, by their place in the study.
///
/// # Errors
/// When the database fails.
pub async fn raters(connection: &mut AnyConnection, item: &ItemId) -> Result<Vec<UserId>> {
    let rows = sqlx::query(
        "SELECT DISTINCT a.rater_id, COALESCE(m.position, 0) FROM assignments a JOIN batches b ON b.id = a.batch_id \
         LEFT JOIN members m ON m.study_id = a.study_id AND m.user_id = a.rater_id AND m.role = 'rater' \
         WHERE a.item_id = $1 AND a.state IN ('submitted', 'reopened', 'not_ratable') AND b.round IN ('main', 'imported') \
         ORDER BY 2, 1",
    )
    .bind(item.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok(UserId::new(row.try_get::<String, _>(0)?)))
        .collect()
}

/// Notes that somebody has seen the thread up to here. The first time stays.
///
/// # Errors
/// When the database fails.
pub async fn seen(
    connection: &mut AnyConnection,
    unit: &UnitId,
    user: &UserId,
    seq: i64,
    now: i64,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO discussion_reads (unit_id, user_id, first_at, last_at, seq) VALUES ($1, $2, $3, $3, $4) \
         ON CONFLICT (unit_id, user_id) DO UPDATE SET last_at = excluded.last_at, seq = excluded.seq \
         WHERE discussion_reads.seq < excluded.seq",
    )
    .bind(unit.as_str())
    .bind(user.as_str())
    .bind(now)
    .bind(seq)
    .execute(connection)
    .await?;
    Ok(())
}

/// How far somebody has read: 0 when never.
///
/// # Errors
/// When the database fails.
pub async fn read_up_to(
    connection: &mut AnyConnection,
    unit: &UnitId,
    user: &UserId,
) -> Result<Option<i64>> {
    let row = sqlx::query("SELECT seq FROM discussion_reads WHERE unit_id = $1 AND user_id = $2")
        .bind(unit.as_str())
        .bind(user.as_str())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
