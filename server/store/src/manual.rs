//! The versions of a study's coding manual.

use crate::db::expect_rows;
use crate::error::Result;
use domain::id::{StudyId, UnitId};
use sqlx::{AnyConnection, Row};

/// A version of the manual in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Counted from 1.
    pub version: i64,
    /// The hash that names the scheme.
    pub hash: String,
    /// What changed and why.
    pub note: String,
    /// Epoch milliseconds.
    pub at: i64,
    /// The name of whoever made it; empty for the operator.
    pub by: String,
    /// How many annotations that count were made under it.
    pub annotations: i64,
    /// The units whose discussion it grew from.
    pub units: Vec<UnitId>,
}

/// Every version of a study's manual, the newest first.
///
/// # Errors
/// When the database fails.
pub async fn versions(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Version>> {
    let rows = sqlx::query(
        "SELECT v.version, v.scheme_hash, v.note, v.created_at, COALESCE(u.display_name, ''), \
         (SELECT COUNT(*) FROM annotations n WHERE n.study_id = v.study_id AND n.latest = 1 AND n.scheme_version = v.version) \
         FROM study_schemes v LEFT JOIN users u ON u.id = v.created_by WHERE v.study_id = $1 ORDER BY v.version DESC",
    )
    .bind(study.as_str())
    .fetch_all(&mut *connection)
    .await?;
    let mut versions = rows
        .iter()
        .map(|row| {
            Ok(Version {
                version: row.try_get(0)?,
                hash: row.try_get(1)?,
                note: row.try_get(2)?,
                at: row.try_get(3)?,
                by: row.try_get(4)?,
                annotations: row.try_get(5)?,
                units: Vec::new(),
            })
        })
        .collect::<Result<Vec<_>>>()?;
    let rows = sqlx::query(
        "SELECT version, unit_id FROM scheme_units WHERE study_id = $1 ORDER BY version, unit_id",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    for row in &rows {
        let version: i64 = row.try_get(0)?;
        let unit = UnitId::new(row.try_get::<String, _>(1)?);
        if let Some(found) = versions.iter_mut().find(|v| v.version == version) {
            found.units.push(unit);
        }
    }
    Ok(versions)
}

/// Lets a version count from now on; the one before is the one the caller saw.
///
/// # Errors
/// When the database fails or another version counts already.
pub async fn adopt(
    connection: &mut AnyConnection,
    study: &StudyId,
    version: i64,
    units: &[UnitId],
) -> Result<()> {
    let done = sqlx::query(
        "UPDATE studies SET scheme_version = $1 WHERE id = $2 AND scheme_version = $1 - 1",
    )
    .bind(version)
    .bind(study.as_str())
    .execute(&mut *connection)
    .await?;
    expect_rows("studies", done.rows_affected(), 1)?;
    for unit in units {
        sqlx::query(
            "INSERT INTO scheme_units (study_id, version, unit_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(study.as_str())
        .bind(version)
        .bind(unit.as_str())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// The hash of one version of a study's manual.
///
/// # Errors
/// When the database fails.
pub async fn hash_of(
    connection: &mut AnyConnection,
    study: &StudyId,
    version: i64,
) -> Result<Option<String>> {
    let row =
        sqlx::query("SELECT scheme_hash FROM study_schemes WHERE study_id = $1 AND version = $2")
            .bind(study.as_str())
            .bind(version)
            .fetch_optional(connection)
            .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// The last place of an item in the study; 0 without items.
///
/// # Errors
/// When the database fails.
pub async fn last_seq(connection: &mut AnyConnection, study: &StudyId) -> Result<i64> {
    let seq: i64 =
        sqlx::query_scalar("SELECT COALESCE(MAX(seq), 0) FROM items WHERE study_id = $1")
            .bind(study.as_str())
            .fetch_one(connection)
            .await?;
    Ok(seq)
}

/// Changes when missed tags of different raters are one unit.
///
/// # Errors
/// When the database fails or there is no such study.
pub async fn set_missed_match(
    connection: &mut AnyConnection,
    study: &StudyId,
    rule: &str,
) -> Result<()> {
    let done = sqlx::query("UPDATE studies SET missed_match = $1 WHERE id = $2")
        .bind(rule)
        .bind(study.as_str())
        .execute(connection)
        .await?;
    expect_rows("studies", done.rows_affected(), 1)
}

/// When missed tags of different raters are one unit, in the stored word.
///
/// # Errors
/// When the database fails or there is no such study.
pub async fn missed_match(connection: &mut AnyConnection, study: &StudyId) -> Result<String> {
    let word: String = sqlx::query_scalar("SELECT missed_match FROM studies WHERE id = $1")
        .bind(study.as_str())
        .fetch_one(connection)
        .await?;
    Ok(word)
}
