//! What raters wrote, and what staff did about it. A comment is read from the annotation that counts; what was done
//! is appended beside it.

use crate::db::expect_rows;
use crate::error::{Error, Result};
use domain::id::{AnnotationId, ItemId, StudyId, UserId};
use domain::triage::TriageState;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// Which comments an inbox shows; an empty text is any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InboxFilter {
    /// By state.
    pub state: String,
    /// By rater.
    pub rater: String,
    /// By the category of the tag it is about.
    pub category: String,
    /// By a part of the item's key.
    pub item: String,
    /// `comment`, `asked` or `not_ratable`.
    pub kind: String,
}

/// Something a rater wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The annotation.
    pub annotation: AnnotationId,
    /// The candidate or missed tag it is about; empty for the item as a whole.
    pub subject: String,
    /// The item.
    pub item: ItemId,
    /// The item's key.
    pub item_key: String,
    /// Who wrote it.
    pub rater: UserId,
    /// The words; may be empty when the rater only asks to discuss.
    pub text: String,
    /// The rater asks to discuss it.
    pub asked: bool,
    /// The code of the reason why the item could not be rated; empty otherwise.
    pub not_ratable: String,
    /// The code of the tag's category; empty for the item as a whole.
    pub category: String,
    /// The code of its subcategory; may be empty.
    pub subcategory: String,
    /// When it was submitted, in epoch milliseconds.
    pub at: i64,
    /// Where it stands.
    pub state: TriageState,
    /// The newest entry about it; 0 when nobody did anything yet.
    pub seq: i64,
    /// What staff answered.
    pub answer: String,
}

/// What staff did about a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The annotation.
    pub annotation: &'a AnnotationId,
    /// The candidate or missed tag; empty for the item as a whole.
    pub subject: &'a str,
    /// The newest entry the writer saw.
    pub expected: i64,
    /// Where it stands now.
    pub state: TriageState,
    /// What staff answered.
    pub answer: &'a str,
    /// Who did it.
    pub by: &'a str,
    /// Epoch milliseconds.
    pub at: i64,
}

/// Comments on the item, on candidates and on missed tags, of annotations that count and of items that are all in.
/// That an item cannot be rated is said at once, as it holds no judgement.
const WRITTEN: &str = "SELECT n.id AS annotation_id, '' AS subject, n.item_id, n.rater_id, n.comment AS text, 0 AS asked, \
       n.not_ratable_reason AS reason, '' AS category, '' AS subcategory, n.submitted_at, n.study_id \
     FROM annotations n WHERE n.latest = 1 AND (n.comment <> '' OR n.ratable = 0) \
     UNION ALL \
     SELECT n.id, j.candidate_id, n.item_id, n.rater_id, j.comment, j.discuss, '', c.category, c.subcategory, n.submitted_at, n.study_id \
     FROM annotations n JOIN judgements j ON j.annotation_id = n.id JOIN candidates c ON c.id = j.candidate_id \
     WHERE n.latest = 1 AND (j.comment <> '' OR j.discuss = 1) \
     UNION ALL \
     SELECT n.id, t.tag_id, n.item_id, n.rater_id, t.comment, 0, '', t.category, t.subcategory, n.submitted_at, n.study_id \
     FROM annotations n JOIN missed_tags t ON t.annotation_id = n.id WHERE n.latest = 1 AND t.comment <> ''";

const ALL_IN: &str = "NOT EXISTS (SELECT 1 FROM assignments a JOIN batches b ON b.id = a.batch_id WHERE a.item_id = w.item_id \
     AND a.state IN ('not_started', 'in_progress') AND b.round IN ('main', 'imported'))";

/// A page of what raters of a study wrote, unread first, then the oldest.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn inbox(
    connection: &mut AnyConnection,
    study: &StudyId,
    filter: &InboxFilter,
    offset: i64,
    limit: i64,
) -> Result<Vec<Written>> {
    let sql = format!(
        "SELECT w.annotation_id, w.subject, w.item_id, i.source_key, w.rater_id, w.text, w.asked, w.reason, w.category, \
         w.subcategory, w.submitted_at, COALESCE(t.state, 'unread'), COALESCE(t.seq, 0), COALESCE(t.answer, '') {} \
         ORDER BY CASE COALESCE(t.state, 'unread') WHEN 'unread' THEN 0 WHEN 'read' THEN 1 ELSE 2 END, w.submitted_at, \
         w.annotation_id, w.subject LIMIT $7 OFFSET $8",
        from(filter)
    );
    let rows = bound(sqlx::query(sqlx::AssertSqlSafe(sql)), study, filter)
        .bind(limit)
        .bind(offset)
        .fetch_all(connection)
        .await?;
    rows.iter().map(written).collect()
}

/// How many stand in each state under the filter; the filter's state does not matter here.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn counts(
    connection: &mut AnyConnection,
    study: &StudyId,
    filter: &InboxFilter,
) -> Result<Vec<(TriageState, i64)>> {
    let filter = InboxFilter {
        state: String::new(),
        ..filter.clone()
    };
    let sql = format!(
        "SELECT COALESCE(t.state, 'unread'), COUNT(*) {} GROUP BY COALESCE(t.state, 'unread')",
        from(&filter)
    );
    let rows = bound(sqlx::query(sqlx::AssertSqlSafe(sql)), study, &filter)
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Ok((state(row.try_get(0)?, "")?, row.try_get(1)?)))
        .collect()
}

/// How many comments stay unseen until every rater of their item has submitted.
///
/// # Errors
/// When the database fails.
pub async fn held_back(connection: &mut AnyConnection, study: &StudyId) -> Result<i64> {
    let sql = format!(
        "SELECT COUNT(*) FROM ({WRITTEN}) AS w WHERE w.study_id = $1 AND w.reason = '' AND NOT ({ALL_IN})"
    );
    Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
        .bind(study.as_str())
        .fetch_one(connection)
        .await?)
}

/// What one rater wrote of an item and staff answered, newest first.
///
/// # Errors
/// When the database fails.
pub async fn answers(
    connection: &mut AnyConnection,
    rater: &UserId,
) -> Result<Vec<(StudyId, String, String, String, i64)>> {
    let rows = sqlx::query(
        "SELECT n.study_id, i.source_key, n.assignment_id, t.answer, t.at FROM triage t JOIN annotations n ON n.id = t.annotation_id \
         JOIN items i ON i.id = n.item_id WHERE n.rater_id = $1 AND t.state = 'answered' AND t.latest = 1 ORDER BY t.at DESC LIMIT 50",
    )
    .bind(rater.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok((
                StudyId::new(row.try_get::<String, _>(0)?),
                row.try_get(1)?,
                row.try_get(2)?,
                row.try_get(3)?,
                row.try_get(4)?,
            ))
        })
        .collect()
}

/// The study and item of an annotation.
///
/// # Errors
/// When the database fails.
pub async fn place(
    connection: &mut AnyConnection,
    annotation: &AnnotationId,
) -> Result<Option<(StudyId, ItemId)>> {
    let row = sqlx::query("SELECT study_id, item_id FROM annotations WHERE id = $1")
        .bind(annotation.as_str())
        .fetch_optional(connection)
        .await?;
    row.map(|row| {
        Ok((
            StudyId::new(row.try_get::<String, _>(0)?),
            ItemId::new(row.try_get::<String, _>(1)?),
        ))
    })
    .transpose()
}

/// Appends what staff did; tells whether what they saw was still the newest. The state before is returned with it.
///
/// # Errors
/// When the database fails.
pub async fn add(
    connection: &mut AnyConnection,
    study: &StudyId,
    entry: &Entry<'_>,
) -> Result<Option<TriageState>> {
    let row = sqlx::query(
        "SELECT seq, state FROM triage WHERE annotation_id = $1 AND subject = $2 AND latest = 1",
    )
    .bind(entry.annotation.as_str())
    .bind(entry.subject)
    .fetch_optional(&mut *connection)
    .await?;
    let (newest, before) = match &row {
        Some(row) => (
            row.try_get::<i64, _>(0)?,
            state(row.try_get(1)?, entry.annotation.as_str())?,
        ),
        None => (0, TriageState::Unread),
    };
    if newest != entry.expected {
        return Ok(None);
    }
    let done = sqlx::query(
        "UPDATE triage SET latest = 0 WHERE annotation_id = $1 AND subject = $2 AND latest = 1",
    )
    .bind(entry.annotation.as_str())
    .bind(entry.subject)
    .execute(&mut *connection)
    .await?;
    expect_rows("triage", done.rows_affected(), u64::from(newest > 0))?;
    sqlx::query(
        "INSERT INTO triage (annotation_id, subject, seq, latest, study_id, state, answer, by_user, at) \
         VALUES ($1, $2, $3, 1, $4, $5, $6, $7, $8)",
    )
    .bind(entry.annotation.as_str())
    .bind(entry.subject)
    .bind(newest + 1)
    .bind(study.as_str())
    .bind(entry.state.as_str())
    .bind(entry.answer)
    .bind(entry.by)
    .bind(entry.at)
    .execute(connection)
    .await?;
    Ok(Some(before))
}

fn from(filter: &InboxFilter) -> String {
    let kind = match filter.kind.as_str() {
        "comment" => "w.text <> '' AND w.reason = ''",
        "asked" => "w.asked = 1",
        "not_ratable" => "w.reason <> ''",
        _ => "1 = 1",
    };
    format!(
        "FROM ({WRITTEN}) AS w JOIN items i ON i.id = w.item_id \
         LEFT JOIN triage t ON t.annotation_id = w.annotation_id AND t.subject = w.subject AND t.latest = 1 \
         WHERE w.study_id = $1 AND (w.reason <> '' OR {ALL_IN}) AND ($2 = '' OR COALESCE(t.state, 'unread') = $2) \
         AND ($3 = '' OR w.rater_id = $3) AND ($4 = '' OR w.category = $4) AND ($5 = '' OR i.source_key LIKE '%' || $6 || '%') AND {kind}"
    )
}

fn bound<'q>(
    query: sqlx::query::Query<'q, sqlx::Any, sqlx::any::AnyArguments>,
    study: &'q StudyId,
    filter: &'q InboxFilter,
) -> sqlx::query::Query<'q, sqlx::Any, sqlx::any::AnyArguments> {
    query
        .bind(study.as_str())
        .bind(&filter.state)
        .bind(&filter.rater)
        .bind(&filter.category)
        .bind(&filter.item)
        .bind(&filter.item)
}

fn state(word: &str, id: &str) -> Result<TriageState> {
    TriageState::parse(word).ok_or_else(|| Error::inconsistent("triage", "state", id))
}

fn written(row: &AnyRow) -> Result<Written> {
    let annotation: String = row.try_get(0)?;
    let word: &str = row.try_get(11)?;
    Ok(Written {
        state: state(word, &annotation)?,
        annotation: AnnotationId::new(annotation),
        subject: row.try_get(1)?,
        item: ItemId::new(row.try_get::<String, _>(2)?),
        item_key: row.try_get(3)?,
        rater: UserId::new(row.try_get::<String, _>(4)?),
        text: row.try_get(5)?,
        asked: row.try_get::<i64, _>(6)? != 0,
        not_ratable: row.try_get(7)?,
        category: row.try_get(8)?,
        subcategory: row.try_get(9)?,
        at: row.try_get(10)?,
        seq: row.try_get(12)?,
        answer: row.try_get(13)?,
    })
}
