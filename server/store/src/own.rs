//! What raters gave before they saw the judge's tags, on the items where these are hidden at first.

use crate::annotation::content_hash;
use crate::error::Result;
use crate::json;
use domain::annotation::{Annotation, MissedTag};
use domain::id::{AssignmentId, ItemId, StudyId, UserId};
use sqlx::{AnyConnection, Row};

/// What a rater gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// The document that the desk sent.
    pub body: Annotation,
    /// The id of the submission, so that a retry is known for one.
    pub save_id: String,
    /// Epoch milliseconds.
    pub submitted_at: i64,
}

/// What is written, once an assignment.
#[derive(Clone, Copy, Debug)]
pub struct NewOwn<'a> {
    /// Its identity.
    pub id: &'a str,
    /// Its study.
    pub study: &'a StudyId,
    /// The assignment it answers.
    pub assignment: &'a AssignmentId,
    /// Its item.
    pub item: &'a ItemId,
    /// Who gave it.
    pub rater: &'a UserId,
    /// The scheme version it was made under.
    pub scheme_version: i64,
    /// What is said.
    pub body: &'a Annotation,
    /// The id of the submission.
    pub save_id: &'a str,
    /// Epoch milliseconds.
    pub at: i64,
}

/// Writes what a rater gave. There is no way to change it.
///
/// # Errors
/// When the database fails; a uniqueness violation when the rater gave something before.
pub async fn insert(connection: &mut AnyConnection, new: &NewOwn<'_>) -> Result<()> {
    sqlx::query(
        "INSERT INTO own_annotations (id, study_id, assignment_id, item_id, rater_id, scheme_version, body, save_id, \
         submitted_at, content_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(new.id)
    .bind(new.study.as_str())
    .bind(new.assignment.as_str())
    .bind(new.item.as_str())
    .bind(new.rater.as_str())
    .bind(new.scheme_version)
    .bind(json::write(new.body))
    .bind(new.save_id)
    .bind(new.at)
    .bind(content_hash(new.body, None))
    .execute(connection)
    .await?;
    Ok(())
}

/// An item of a batch in which some have the judge's tags hidden at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InArm {
    /// The item.
    pub item: ItemId,
    /// Whether it is one of those.
    pub hidden: bool,
}

/// The items of such batches. No item is in two of them.
///
/// # Errors
/// When the database fails.
pub async fn arms(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<InArm>> {
    let rows = sqlx::query(
        "SELECT a.item_id, MAX(a.judge_hidden) FROM assignments a JOIN batches b ON b.id = a.batch_id \
         WHERE b.study_id = $1 AND b.hidden_percent > 0 GROUP BY a.item_id",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(InArm {
                item: ItemId::new(row.try_get::<String, _>(0)?),
                hidden: row.try_get::<i64, _>(1)? == 1,
            })
        })
        .collect()
}

/// The tags that each rater gave on hidden items, for those items only whose raters have all answered.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn tags(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<Vec<(ItemId, UserId, Vec<MissedTag>)>> {
    let rows = sqlx::query(
        "SELECT o.item_id, o.rater_id, o.body FROM own_annotations o WHERE o.study_id = $1 AND NOT EXISTS \
         (SELECT 1 FROM assignments w JOIN batches v ON v.id = w.batch_id WHERE w.item_id = o.item_id \
         AND v.round IN ('main', 'imported') AND w.state IN ('not_started', 'in_progress'))",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let item: String = row.try_get(0)?;
            let body: Annotation = json::read("own_annotations", "body", &item, row.try_get(2)?)?;
            Ok((
                ItemId::new(item),
                UserId::new(row.try_get::<String, _>(1)?),
                body.missed,
            ))
        })
        .collect()
}
