//! What is not settled in a study, and how much counts in it.

use crate::error::Result;
use domain::id::{ItemId, SnapshotId, StudyId, UnitId};
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// Something of a counting round that has no final value yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsettled {
    /// The unit; the item itself where a rater is still expected and the judge proposed nothing.
    pub unit: String,
    /// `candidate`, `missed` or `item`.
    pub kind: String,
    /// Its item.
    pub item: ItemId,
    /// The item's key in its file.
    pub item_key: String,
    /// `open`, `disputed`, `in_discussion` or `stale`.
    pub state: String,
    /// The category it was proposed or added under; empty for an item.
    pub category: String,
    /// The subcategory; may be empty.
    pub subcategory: String,
}

/// What is not settled and was not taken out, in the order of items: units that wait for raters or a ruling, candidates of assigned items that
/// nobody has judged, and assigned items without a tag that a rater has not finished.
///
/// # Errors
/// When the database fails.
pub async fn unsettled(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Unsettled>> {
    let rows = sqlx::query(
        "SELECT u.id AS unit, u.kind AS kind, i.id AS item, i.source_key AS item_key, u.state AS state, \
         u.category AS category, u.subcategory AS subcategory, i.seq AS seq FROM units u JOIN items i ON i.id = u.item_id \
         WHERE u.study_id = $1 AND u.state IN ('open', 'disputed', 'in_discussion', 'stale') \
         AND NOT EXISTS (SELECT 1 FROM exclusions x WHERE x.unit_id = u.id AND x.latest = 1 AND x.active = 1) \
         UNION ALL SELECT c.id, 'candidate', i.id, i.source_key, 'open', c.category, c.subcategory, i.seq FROM candidates c \
         JOIN items i ON i.id = c.item_id WHERE c.study_id = $1 AND NOT EXISTS (SELECT 1 FROM units u WHERE u.id = c.id) \
         AND EXISTS (SELECT 1 FROM assignments a JOIN batches b ON b.id = a.batch_id WHERE a.item_id = c.item_id \
         AND a.state <> 'withdrawn' AND b.round IN ('main', 'imported')) \
         UNION ALL SELECT i.id, 'item', i.id, i.source_key, 'open', '', '', i.seq FROM items i WHERE i.study_id = $1 \
         AND NOT EXISTS (SELECT 1 FROM candidates c WHERE c.item_id = i.id) \
         AND EXISTS (SELECT 1 FROM assignments a JOIN batches b ON b.id = a.batch_id WHERE a.item_id = i.id \
         AND a.state IN ('not_started', 'in_progress') AND b.round IN ('main', 'imported')) ORDER BY 8, 1",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Unsettled {
                unit: row.try_get(0)?,
                kind: row.try_get(1)?,
                item: ItemId::new(row.try_get::<String, _>(2)?),
                item_key: row.try_get(3)?,
                state: row.try_get(4)?,
                category: row.try_get(5)?,
                subcategory: row.try_get(6)?,
            })
        })
        .collect()
}

/// The hash of each scheme version of a study, oldest first, and how many counting annotations were made under it.
///
/// # Errors
/// When the database fails.
pub async fn counting(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<Vec<(i64, String, i64)>> {
    let rows = sqlx::query(
        "SELECT v.version, v.scheme_hash, (SELECT COUNT(*) FROM annotations a JOIN assignments s ON s.id = a.assignment_id \
         JOIN batches b ON b.id = s.batch_id WHERE a.study_id = $1 AND a.latest = 1 AND a.scheme_version = v.version \
         AND b.round IN ('main', 'imported')) FROM study_schemes v WHERE v.study_id = $1 ORDER BY v.version",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?)))
        .collect()
}

/// How many units of a study are taken out, and when that changed last: what a count of the retained set depends on
/// beside the study's revision.
///
/// # Errors
/// When the database fails.
pub async fn exclusions(connection: &mut AnyConnection, study: &StudyId) -> Result<(i64, i64)> {
    let row =
        sqlx::query("SELECT COUNT(*), COALESCE(MAX(at), 0) FROM exclusions WHERE study_id = $1")
            .bind(study.as_str())
            .fetch_one(connection)
            .await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

/// The units that are taken out, each with the code of the reason: of a snapshot, or of the study as it is now.
///
/// # Errors
/// When the database fails.
pub async fn excluded(
    connection: &mut AnyConnection,
    study: &StudyId,
    snapshot: Option<&SnapshotId>,
) -> Result<HashMap<UnitId, String>> {
    let sql = if snapshot.is_some() {
        "SELECT unit_id, excluded FROM snapshot_units WHERE snapshot_id = $1 AND excluded <> ''"
    } else {
        "SELECT unit_id, reason FROM exclusions WHERE study_id = $1 AND latest = 1 AND active = 1"
    };
    let rows = sqlx::query(sql)
        .bind(snapshot.map_or(study.as_str(), SnapshotId::as_str))
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Ok((UnitId::new(row.try_get::<String, _>(0)?), row.try_get(1)?)))
        .collect()
}
