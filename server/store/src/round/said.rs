//! What cross-checks say: every review with its verdicts.

use super::Verdict;
use crate::error::Result;
use domain::id::{ItemId, StudyId, UserId};
use sqlx::{AnyConnection, Row};

/// One review with what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// Its identity.
    pub id: String,
    /// Its item.
    pub item: ItemId,
    /// The item's model.
    pub model: String,
    /// The cross-check's name.
    pub batch_name: String,
    /// Who reads.
    pub reviewer: UserId,
    /// Whose judgement they read.
    pub rater: UserId,
    /// The version of the judgement that they read.
    pub version: i64,
    /// When it was given.
    pub done_at: Option<i64>,
    /// What it says of each label, in the order of their names; nothing before it is given.
    pub verdicts: Vec<Verdict>,
}

/// The reviews of the items whose `seq` is above `after` and at most `up_to`, item by item.
///
/// # Errors
/// When the database fails.
pub async fn reviewed(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<Vec<Reviewed>> {
    let rows = sqlx::query(
        "SELECT v.id, v.item_id, i.model, b.name, v.reviewer_id, a.rater_id, a.version, v.done_at, d.label, d.agrees, d.note \
         FROM reviews v JOIN items i ON i.id = v.item_id JOIN batches b ON b.id = v.batch_id \
         JOIN annotations a ON a.id = v.annotation_id LEFT JOIN verdicts d ON d.review_id = v.id \
         WHERE v.study_id = $1 AND i.seq > $2 AND i.seq <= $3 ORDER BY i.seq, b.ordinal, v.reviewer_id, v.id, d.label",
    )
    .bind(study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    let mut all: Vec<Reviewed> = Vec::new();
    for row in &rows {
        let id: String = row.try_get(0)?;
        if all.last().is_none_or(|last| last.id != id) {
            all.push(Reviewed {
                id,
                item: ItemId::new(row.try_get::<String, _>(1)?),
                model: row.try_get(2)?,
                batch_name: row.try_get(3)?,
                reviewer: UserId::new(row.try_get::<String, _>(4)?),
                rater: UserId::new(row.try_get::<String, _>(5)?),
                version: row.try_get(6)?,
                done_at: row.try_get(7)?,
                verdicts: Vec::new(),
            });
        }
        let label: Option<String> = row.try_get(8)?;
        if let (Some(last), Some(label)) = (all.last_mut(), label) {
            last.verdicts.push(Verdict {
                label,
                agrees: row.try_get::<i64, _>(9)? != 0,
                note: row.try_get(10)?,
            });
        }
    }
    Ok(all)
}
