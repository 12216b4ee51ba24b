//! Cross-check: one rater reads another's judgement and says where they agree.

use crate::bulk::Bulk;
use crate::error::Result;
use domain::id::{AnnotationId, BatchId, ItemId, StudyId, UserId};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashSet;

/// An annotation that may be cross-checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The item.
    pub item: ItemId,
    /// The item's model.
    pub model: String,
    /// Who judged it.
    pub rater: UserId,
    /// Whether they still rate in the study.
    pub active: bool,
    /// The version that counts now.
    pub annotation: AnnotationId,
    /// How many raters were given the item in rounds that count.
    pub given: i64,
    /// A cross-check has taken the item already.
    pub checked: bool,
}

/// One review to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReview {
    /// Its identity.
    pub id: String,
    /// Its item.
    pub item: ItemId,
    /// Who reads.
    pub reviewer: UserId,
    /// What they read.
    pub annotation: AnnotationId,
    /// Its place in the reviewer's order, counted from 1.
    pub position: i64,
}

/// A review of the person asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Its identity.
    pub id: String,
    /// Its study.
    pub study: StudyId,
    /// Its batch.
    pub batch: BatchId,
    /// The batch's name.
    pub batch_name: String,
    /// Its item.
    pub item: ItemId,
    /// What is read.
    pub annotation: AnnotationId,
    /// Its place.
    pub position: i64,
    /// When it was given.
    pub done_at: Option<i64>,
    /// Whether they judged the item themselves.
    pub judged: bool,
}

/// What somebody said of one label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The label.
    pub label: String,
    /// Whether they agree.
    pub agrees: bool,
    /// Why, or why not.
    pub note: String,
}

/// The annotations that count of items of which all are in, in the order of items and raters; also of items that a
/// cross-check has taken, which say so.
///
/// # Errors
/// When the database fails.
pub async fn eligible(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Drawn>> {
    let rows = sqlx::query(
        "SELECT i.id, i.model, a.rater_id, a.id, (SELECT COUNT(*) FROM members m WHERE m.study_id = i.study_id \
         AND m.user_id = a.rater_id AND m.role = 'rater' AND m.active = 1), \
         (SELECT COUNT(DISTINCT p.rater_id) FROM assignments p JOIN batches q ON q.id = p.batch_id \
         WHERE p.item_id = i.id AND p.state <> 'withdrawn' AND q.round IN ('main', 'imported')), \
         (SELECT COUNT(*) FROM reviews v WHERE v.item_id = i.id) \
         FROM items i JOIN annotations a ON a.item_id = i.id AND a.latest = 1 \
         JOIN assignments s ON s.id = a.assignment_id JOIN batches b ON b.id = s.batch_id \
         LEFT JOIN members r ON r.study_id = i.study_id AND r.user_id = a.rater_id AND r.role = 'rater' \
         WHERE i.study_id = $1 AND a.ratable = 1 AND b.round IN ('main', 'imported') \
         AND NOT EXISTS (SELECT 1 FROM assignments p JOIN batches q ON q.id = p.batch_id WHERE p.item_id = i.id \
         AND p.state IN ('not_started', 'in_progress', 'reopened') AND q.round IN ('main', 'imported')) \
         ORDER BY i.seq, r.position, b.ordinal DESC, a.id",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Drawn {
                item: ItemId::new(row.try_get::<String, _>(0)?),
                model: row.try_get(1)?,
                rater: UserId::new(row.try_get::<String, _>(2)?),
                annotation: AnnotationId::new(row.try_get::<String, _>(3)?),
                active: row.try_get::<i64, _>(4)? > 0,
                given: row.try_get(5)?,
                checked: row.try_get::<i64, _>(6)? > 0,
            })
        })
        .collect()
}

/// Who has which item of the study to judge, in whatever round, or could take up again what they handed back: they must
/// not read another's judgement of it first.
///
/// # Errors
/// When the database fails.
pub async fn to_judge(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<HashSet<(ItemId, UserId)>> {
    let rows = sqlx::query(
        "SELECT DISTINCT a.item_id, a.rater_id FROM assignments a WHERE a.study_id = $1 \
         AND (a.state IN ('not_started', 'in_progress', 'reopened') \
         OR (a.state = 'withdrawn' AND a.withdrawn_by = 'rater'))",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let (item, rater): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            Ok((ItemId::new(item), UserId::new(rater)))
        })
        .collect()
}

/// Whether somebody is to read another's judgement of an item in a cross-check, or has read it.
///
/// # Errors
/// When the database fails.
pub async fn reviews_item(
    connection: &mut AnyConnection,
    item: &ItemId,
    person: &UserId,
) -> Result<bool> {
    let row = sqlx::query("SELECT COUNT(*) FROM reviews WHERE item_id = $1 AND reviewer_id = $2")
        .bind(item.as_str())
        .bind(person.as_str())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>(0)? > 0)
}

/// Writes the reviews of a batch.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut AnyConnection,
    study: &StudyId,
    batch: &BatchId,
    reviews: &[NewReview],
) -> Result<()> {
    let mut bulk = Bulk::<7>::new(
        "INSERT INTO reviews (id, study_id, batch_id, item_id, reviewer_id, annotation_id, position)",
    );
    for review in reviews {
        bulk.push([
            review.id.as_str().into(),
            study.as_str().into(),
            batch.as_str().into(),
            review.item.as_str().into(),
            review.reviewer.as_str().into(),
            review.annotation.as_str().into(),
            review.position.into(),
        ]);
    }
    bulk.flush(connection).await
}

/// A review, if it is this person's and they still rate in the study.
///
/// # Errors
/// When the database fails.
pub async fn mine(
    connection: &mut AnyConnection,
    id: &str,
    reviewer: &UserId,
) -> Result<Option<Review>> {
    let row = sqlx::query(
        "SELECT v.id, v.study_id, v.batch_id, b.name, v.item_id, v.annotation_id, v.position, v.done_at, \
         (SELECT COUNT(*) FROM annotations o WHERE o.item_id = v.item_id AND o.rater_id = v.reviewer_id AND o.latest = 1) \
         FROM reviews v JOIN batches b ON b.id = v.batch_id JOIN members m ON m.study_id = v.study_id AND m.user_id = v.reviewer_id \
         AND m.role = 'rater' AND m.active = 1 WHERE v.id = $1 AND v.reviewer_id = $2",
    )
    .bind(id)
    .bind(reviewer.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read).transpose()
}

fn read(row: &AnyRow) -> Result<Review> {
    Ok(Review {
        id: row.try_get(0)?,
        study: StudyId::new(row.try_get::<String, _>(1)?),
        batch: BatchId::new(row.try_get::<String, _>(2)?),
        batch_name: row.try_get(3)?,
        item: ItemId::new(row.try_get::<String, _>(4)?),
        annotation: AnnotationId::new(row.try_get::<String, _>(5)?),
        position: row.try_get(6)?,
        done_at: row.try_get(7)?,
        judged: row.try_get::<i64, _>(8)? > 0,
    })
}

/// The reviewer's next review of the batch that is not given.
///
/// # Errors
/// When the database fails.
pub async fn next(
    connection: &mut AnyConnection,
    batch: &BatchId,
    reviewer: &UserId,
) -> Result<Option<String>> {
    let row = sqlx::query(
        "SELECT id FROM reviews WHERE batch_id = $1 AND reviewer_id = $2 AND done_at IS NULL ORDER BY position LIMIT 1",
    )
    .bind(batch.as_str())
    .bind(reviewer.as_str())
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// The cross-checks in which somebody reviews: batch, its name, its study's name, how many, how many are given.
///
/// # Errors
/// When the database fails.
pub async fn work(
    connection: &mut AnyConnection,
    reviewer: &UserId,
) -> Result<Vec<(BatchId, String, String, i64, i64)>> {
    let rows = sqlx::query(
        "SELECT b.id, b.name, s.name, COUNT(*), COUNT(v.done_at) FROM reviews v JOIN batches b ON b.id = v.batch_id \
         JOIN studies s ON s.id = v.study_id JOIN members m ON m.study_id = v.study_id AND m.user_id = v.reviewer_id \
         AND m.role = 'rater' AND m.active = 1 WHERE v.reviewer_id = $1 GROUP BY b.id, b.name, s.name, b.created_at \
         ORDER BY b.created_at, b.id",
    )
    .bind(reviewer.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok((
                BatchId::new(row.try_get::<String, _>(0)?),
                row.try_get(1)?,
                row.try_get(2)?,
                row.try_get(3)?,
                row.try_get(4)?,
            ))
        })
        .collect()
}

/// Gives a review; false when it was given before.
///
/// # Errors
/// When the database fails.
pub async fn give(
    connection: &mut AnyConnection,
    review: &str,
    said: &[Verdict],
    at: i64,
) -> Result<bool> {
    let done = sqlx::query("UPDATE reviews SET done_at = $1 WHERE id = $2 AND done_at IS NULL")
        .bind(at)
        .bind(review)
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() != 1 {
        return Ok(false);
    }
    let mut bulk = Bulk::<4>::new("INSERT INTO verdicts (review_id, label, agrees, note)");
    for one in said {
        bulk.push([
            review.into(),
            one.label.as_str().into(),
            i64::from(one.agrees).into(),
            one.note.as_str().into(),
        ]);
    }
    bulk.flush(connection).await?;
    Ok(true)
}

/// What a review says.
///
/// # Errors
/// When the database fails.
pub async fn verdicts(connection: &mut AnyConnection, review: &str) -> Result<Vec<Verdict>> {
    let rows =
        sqlx::query("SELECT label, agrees, note FROM verdicts WHERE review_id = $1 ORDER BY label")
            .bind(review)
            .fetch_all(connection)
            .await?;
    rows.iter()
        .map(|row| {
            Ok(Verdict {
                label: row.try_get(0)?,
                agrees: row.try_get::<i64, _>(1)? != 0,
                note: row.try_get(2)?,
            })
        })
        .collect()
}
