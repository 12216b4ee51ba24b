//! Units that staff took out of the study's results, with a reason. Versions are appended; the newest counts.

use crate::db::expect_rows;
use crate::error::Result;
use crate::row::flag;
use domain::id::{StudyId, UnitId};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// One version of whether a unit is out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// The unit.
    pub unit: UnitId,
    /// Counted from 1.
    pub version: i64,
    /// Whether the unit is out.
    pub active: bool,
    /// The code of the reason, from the scheme's list.
    pub reason: String,
    /// More about it.
    pub note: String,
    /// Who decided it.
    pub by: String,
    /// Epoch milliseconds.
    pub at: i64,
}

/// Appends a version; tells whether the one before was still the newest.
///
/// # Errors
/// When the database fails.
pub async fn add(connection: &mut AnyConnection, study: &StudyId, new: &Exclusion) -> Result<bool> {
    let newest: i64 =
        sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM exclusions WHERE unit_id = $1")
            .bind(new.unit.as_str())
            .fetch_one(&mut *connection)
            .await?;
    if newest + 1 != new.version {
        return Ok(false);
    }
    let done = sqlx::query("UPDATE exclusions SET latest = 0 WHERE unit_id = $1 AND latest = 1")
        .bind(new.unit.as_str())
        .execute(&mut *connection)
        .await?;
    expect_rows("exclusions", done.rows_affected(), u64::from(newest > 0))?;
    sqlx::query(
        "INSERT INTO exclusions (unit_id, version, latest, study_id, active, reason, note, by_user, at) \
         VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8)",
    )
    .bind(new.unit.as_str())
    .bind(new.version)
    .bind(study.as_str())
    .bind(i64::from(new.active))
    .bind(&new.reason)
    .bind(&new.note)
    .bind(&new.by)
    .bind(new.at)
    .execute(connection)
    .await?;
    Ok(true)
}

/// The newest version of a unit, if it was ever out.
///
/// # Errors
/// When the database fails.
pub async fn of_unit(connection: &mut AnyConnection, unit: &UnitId) -> Result<Option<Exclusion>> {
    let row = sqlx::query(
        "SELECT unit_id, version, active, reason, note, by_user, at FROM exclusions WHERE unit_id = $1 AND latest = 1",
    )
    .bind(unit.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(exclusion).transpose()
}

/// The units of a study that are out now.
///
/// # Errors
/// When the database fails.
pub async fn of_study(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Exclusion>> {
    let rows = sqlx::query(
        "SELECT unit_id, version, active, reason, note, by_user, at FROM exclusions \
         WHERE study_id = $1 AND latest = 1 AND active = 1 ORDER BY unit_id",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(exclusion).collect()
}

fn exclusion(row: &AnyRow) -> Result<Exclusion> {
    Ok(Exclusion {
        unit: UnitId::new(row.try_get::<String, _>(0)?),
        version: row.try_get(1)?,
        active: flag(row, 2)?,
        reason: row.try_get(3)?,
        note: row.try_get(4)?,
        by: row.try_get(5)?,
        at: row.try_get(6)?,
    })
}
