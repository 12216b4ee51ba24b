//! Snapshots: what a study's labels were when somebody answered for them.

mod freeze;
mod frozen;
mod labelled;
mod open;
mod values;

pub use freeze::{Labels, freeze};
pub use frozen::{facts, rulings};
pub use labelled::{Labelled, Ruled, labelled};
pub use open::{Unsettled, counting, excluded, exclusions, unsettled};
pub use values::{raters, values};

use crate::db::expect_rows;
use crate::error::Result;
use domain::id::{SnapshotId, StudyId};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A snapshot without its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The snapshot.
    pub id: SnapshotId,
    /// Its study.
    pub study: StudyId,
    /// Counted from 1 within the study.
    pub number: i64,
    /// SHA-256 of its content.
    pub content_hash: String,
    /// Canonical JSON of all but the labels.
    pub manifest: String,
    /// How many labels it holds.
    pub labels: i64,
    /// The place of the last item there was.
    pub last_seq: i64,
    /// The hash of the scheme in force.
    pub scheme_hash: String,
    /// The version under which it counted.
    pub scheme_version: i64,
    /// The account that signed.
    pub signed_by: String,
    /// The name that was typed.
    pub attested_as: String,
    /// What was stated.
    pub statement: String,
    /// Epoch milliseconds.
    pub signed_at: i64,
    /// When, by whom and why the study was opened again.
    pub reopened: Option<Reopened>,
}

/// That a signed-off study was opened again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reopened {
    /// Epoch milliseconds.
    pub at: i64,
    /// The account.
    pub by: String,
    /// Why.
    pub reason: String,
}

const COLUMNS: &str = "SELECT id, study_id, number, content_hash, manifest, labels, last_seq, scheme_hash, scheme_version, \
     signed_by, attested_as, statement, signed_at, reopened_at, reopened_by, reopened_reason FROM snapshots WHERE ";

/// Writes the head of a snapshot.
///
/// # Errors
/// When the database fails or the number is taken.
pub async fn insert(connection: &mut AnyConnection, head: &Head) -> Result<()> {
    sqlx::query(
        "INSERT INTO snapshots (id, study_id, number, content_hash, manifest, labels, last_seq, scheme_hash, scheme_version, \
         signed_by, attested_as, statement, signed_at, reopened_at, reopened_by, reopened_reason) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL, '', '')",
    )
    .bind(head.id.as_str())
    .bind(head.study.as_str())
    .bind(head.number)
    .bind(&head.content_hash)
    .bind(&head.manifest)
    .bind(head.labels)
    .bind(head.last_seq)
    .bind(&head.scheme_hash)
    .bind(head.scheme_version)
    .bind(&head.signed_by)
    .bind(&head.attested_as)
    .bind(&head.statement)
    .bind(head.signed_at)
    .execute(connection)
    .await?;
    Ok(())
}

impl Head {
    /// When missed tags of different raters were one unit, in the study's word; `exact` before that could be chosen.
    pub fn missed_match(&self) -> String {
        let manifest: serde_json::Value = serde_json::from_str(&self.manifest).unwrap_or_default();
        let word = manifest["rules"]["missed_tags"].as_str();
        word.unwrap_or("exact").to_owned()
    }
}

/// Names the content of a snapshot that is being made, once all of it is written.
///
/// # Errors
/// When the database fails.
pub async fn seal(connection: &mut AnyConnection, head: &Head) -> Result<()> {
    let done = sqlx::query(
        "UPDATE snapshots SET content_hash = $1, manifest = $2, labels = $3 WHERE id = $4 AND content_hash = ''",
    )
    .bind(&head.content_hash)
    .bind(&head.manifest)
    .bind(head.labels)
    .bind(head.id.as_str())
    .execute(connection)
    .await?;
    expect_rows("snapshots", done.rows_affected(), 1)
}

/// Notes on the latest snapshot that the study was opened again; nothing on one that was before.
///
/// # Errors
/// When the database fails.
pub async fn reopen(
    connection: &mut AnyConnection,
    study: &StudyId,
    reopened: &Reopened,
) -> Result<()> {
    sqlx::query(
        "UPDATE snapshots SET reopened_at = $1, reopened_by = $2, reopened_reason = $3 WHERE study_id = $4 \
         AND reopened_at IS NULL AND number = (SELECT MAX(number) FROM snapshots WHERE study_id = $4)",
    )
    .bind(reopened.at)
    .bind(&reopened.by)
    .bind(&reopened.reason)
    .bind(study.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// The snapshots of a study, the latest first.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Head>> {
    let sql = format!("{COLUMNS} study_id = $1 ORDER BY number DESC");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(study.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The snapshot of this number.
///
/// # Errors
/// When the database fails.
pub async fn get(
    connection: &mut AnyConnection,
    study: &StudyId,
    number: i64,
) -> Result<Option<Head>> {
    let sql = format!("{COLUMNS} study_id = $1 AND number = $2");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(study.as_str())
        .bind(number)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// The snapshot of this identity.
///
/// # Errors
/// When the database fails.
pub async fn find(connection: &mut AnyConnection, id: &SnapshotId) -> Result<Option<Head>> {
    let sql = format!("{COLUMNS} id = $1");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// The snapshot that a signed-off study stands on; nothing while the study is open.
///
/// # Errors
/// When the database fails.
pub async fn in_force(connection: &mut AnyConnection, study: &StudyId) -> Result<Option<Head>> {
    let sql = format!(
        "{COLUMNS} study_id = $1 AND reopened_at IS NULL \
         AND EXISTS (SELECT 1 FROM studies s WHERE s.id = $1 AND s.state = 'signed_off') ORDER BY number DESC LIMIT 1"
    );
    let row = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(study.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// The labels after a place, each with its own, as they were written.
///
/// # Errors
/// When the database fails.
pub async fn bodies(
    connection: &mut AnyConnection,
    snapshot: &SnapshotId,
    after: i64,
    limit: i64,
) -> Result<Vec<(i64, String)>> {
    let rows = sqlx::query(
        "SELECT place, body FROM snapshot_labels WHERE snapshot_id = $1 AND place > $2 ORDER BY place LIMIT $3",
    )
    .bind(snapshot.as_str())
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}

fn read(row: &AnyRow) -> Result<Head> {
    let reopened_at: Option<i64> = row.try_get(13)?;
    let (by, reason) = (row.try_get(14)?, row.try_get(15)?);
    Ok(Head {
        id: SnapshotId::new(row.try_get::<String, _>(0)?),
        study: StudyId::new(row.try_get::<String, _>(1)?),
        number: row.try_get(2)?,
        content_hash: row.try_get(3)?,
        manifest: row.try_get(4)?,
        labels: row.try_get(5)?,
        last_seq: row.try_get(6)?,
        scheme_hash: row.try_get(7)?,
        scheme_version: row.try_get(8)?,
        signed_by: row.try_get(9)?,
        attested_as: row.try_get(10)?,
        statement: row.try_get(11)?,
        signed_at: row.try_get(12)?,
        reopened: reopened_at.map(|at| Reopened { at, by, reason }),
    })
}
