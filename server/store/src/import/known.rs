//! What of a file is there already, a block of records at a time.

use crate::bulk::placeholders;
use crate::error::Result;
use crate::json;
use domain::annotation::Answer;
use domain::id::{AnnotationId, CandidateId, ItemId, JudgeId, StudyId, UserId};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A judge's run over an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRun {
    /// `judged` or `failed`.
    pub outcome: String,
    /// The kind of failure.
    pub failure: String,
    /// The judge's summary.
    pub summary: String,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCandidate {
    /// Its identity.
    pub id: CandidateId,
    /// Its place on the desk.
    pub ordinal: i64,
    /// Names its content.
    pub content_hash: String,
}

/// A rating of a candidate, as it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownRating {
    /// The annotation it is part of.
    pub annotation: AnnotationId,
    /// Whether the annotation came from a file.
    pub imported: bool,
    /// The word, or empty.
    pub validity: String,
    /// The severity.
    pub severity: Option<f64>,
    /// Codes that fit better.
    pub better: Vec<String>,
    /// Whether the rater asks to discuss the candidate.
    pub discuss: bool,
    /// The comment.
    pub comment: String,
}

/// The last number that an item of the study has.
///
/// # Errors
/// When the database fails.
pub async fn last_seq(connection: &mut AnyConnection, study: &StudyId) -> Result<i64> {
    let last = sqlx::query_scalar("SELECT COALESCE(MAX(seq), 0) FROM items WHERE study_id = $1")
        .bind(study.as_str())
        .fetch_one(connection)
        .await?;
    Ok(last)
}

/// Identity and content of the items with these keys.
///
/// # Errors
/// When the database fails.
pub async fn items(
    connection: &mut AnyConnection,
    study: &StudyId,
    keys: &[&str],
) -> Result<HashMap<String, (ItemId, String)>> {
    let head =
        "SELECT source_key, id, content_hash FROM items WHERE study_id = $1 AND source_key IN ";
    let rows = listed(connection, head, Some(study.as_str()), keys).await?;
    rows.iter()
        .map(|row| {
            Ok((
                row.try_get(0)?,
                (ItemId::new(row.try_get::<String, _>(1)?), row.try_get(2)?),
            ))
        })
        .collect()
}

/// The runs over these items.
///
/// # Errors
/// When the database fails.
pub async fn runs(
    connection: &mut AnyConnection,
    items: &[&ItemId],
) -> Result<HashMap<(ItemId, JudgeId), KnownRun>> {
    let head = "SELECT item_id, judge_id, outcome, failure, summary FROM judged WHERE item_id IN ";
    let rows = listed(connection, head, None, &texts(items)).await?;
    rows.iter()
        .map(|row| {
            let key = (
                ItemId::new(row.try_get::<String, _>(0)?),
                JudgeId::new(row.try_get::<String, _>(1)?),
            );
            Ok((
                key,
                KnownRun {
                    outcome: row.try_get(2)?,
                    failure: row.try_get(3)?,
                    summary: row.try_get(4)?,
                },
            ))
        })
        .collect()
}

/// The candidates of these items, by item and key.
///
/// # Errors
/// When the database fails.
pub async fn candidates(
    connection: &mut AnyConnection,
    items: &[&ItemId],
) -> Result<HashMap<ItemId, HashMap<String, KnownCandidate>>> {
    let head =
        "SELECT item_id, source_key, id, ordinal, content_hash FROM candidates WHERE item_id IN ";
    let rows = listed(connection, head, None, &texts(items)).await?;
    let mut known: HashMap<ItemId, HashMap<String, KnownCandidate>> = HashMap::new();
    for row in &rows {
        let id = CandidateId::new(row.try_get::<String, _>(2)?);
        let candidate = KnownCandidate {
            id,
            ordinal: row.try_get(3)?,
            content_hash: row.try_get(4)?,
        };
        known
            .entry(ItemId::new(row.try_get::<String, _>(0)?))
            .or_default()
            .insert(row.try_get(1)?, candidate);
    }
    Ok(known)
}

/// The ratings of these items that count, by rater and candidate; of somebody who judged an item again in a later batch
/// those. An annotation without a judgement of a candidate has none here.
///
/// # Errors
/// When the database fails.
pub async fn ratings(
    connection: &mut AnyConnection,
    items: &[&ItemId],
) -> Result<HashMap<(ItemId, UserId), HashMap<CandidateId, KnownRating>>> {
    let head = "SELECT a.item_id, a.rater_id, j.candidate_id, a.id, b.round, j.validity, j.severity, j.comment, j.better, \
                j.discuss, b.ordinal \
                FROM annotations a JOIN assignments s ON s.id = a.assignment_id \
                JOIN batches b ON b.id = s.batch_id \
                JOIN judgements j ON j.annotation_id = a.id \
                WHERE a.latest = 1 AND b.round IN ('main', 'imported') AND a.item_id IN ";
    let rows = listed(connection, head, None, &texts(items)).await?;
    let mut known: HashMap<(ItemId, UserId), HashMap<CandidateId, KnownRating>> = HashMap::new();
    let mut placed = rows
        .iter()
        .map(|row| Ok((row.try_get::<i64, _>(10)?, row)))
        .collect::<Result<Vec<_>>>()?;
    placed.sort_by_key(|(batch, _)| *batch);
    for (_, row) in placed {
        let key = (
            ItemId::new(row.try_get::<String, _>(0)?),
            UserId::new(row.try_get::<String, _>(1)?),
        );
        let id: String = row.try_get(3)?;
        let rating = KnownRating {
            better: json::read("judgements", "better", &id, row.try_get(8)?)?,
            discuss: row.try_get::<i64, _>(9)? == 1,
            annotation: AnnotationId::new(id),
            imported: row.try_get::<&str, _>(4)? == "imported",
            validity: row.try_get(5)?,
            severity: row.try_get(6)?,
            comment: row.try_get(7)?,
        };
        let of_rater = known.entry(key).or_default();
        of_rater.retain(|_, earlier| earlier.annotation == rating.annotation);
        of_rater.insert(CandidateId::new(row.try_get::<String, _>(2)?), rating);
    }
    Ok(known)
}

/// Who has an annotation that counts of which of these items.
///
/// # Errors
/// When the database fails.
pub async fn judged(
    connection: &mut AnyConnection,
    items: &[&ItemId],
) -> Result<HashSet<(ItemId, UserId)>> {
    let head = "SELECT a.item_id, a.rater_id FROM annotations a JOIN assignments s ON s.id = a.assignment_id \
                JOIN batches b ON b.id = s.batch_id \
                WHERE a.latest = 1 AND b.round IN ('main', 'imported') AND a.item_id IN ";
    let rows = listed(connection, head, None, &texts(items)).await?;
    rows.iter()
        .map(|row| {
            Ok((
                ItemId::new(row.try_get::<String, _>(0)?),
                UserId::new(row.try_get::<String, _>(1)?),
            ))
        })
        .collect()
}

/// What judges answered, by question.
pub type KnownAnswers = HashMap<(ItemId, JudgeId), BTreeMap<String, Answer>>;

/// What judges answered to the item questions of these items.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn answers(connection: &mut AnyConnection, items: &[&ItemId]) -> Result<KnownAnswers> {
    let head = "SELECT item_id, judge_id, question, answer, rationale FROM judge_answers WHERE item_id IN ";
    let rows = listed(connection, head, None, &texts(items)).await?;
    let mut known = KnownAnswers::new();
    for row in &rows {
        let item: String = row.try_get(0)?;
        let values = json::read("judge_answers", "answer", &item, row.try_get(3)?)?;
        let key = (
            ItemId::new(item),
            JudgeId::new(row.try_get::<String, _>(1)?),
        );
        let answer = Answer {
            values,
            rationale: row.try_get(4)?,
        };
        known
            .entry(key)
            .or_default()
            .insert(row.try_get(2)?, answer);
    }
    Ok(known)
}

/// Whether somebody was assigned the item to judge it here.
///
/// # Errors
/// When the database fails.
pub async fn in_use(connection: &mut AnyConnection, item: &ItemId) -> Result<bool> {
    let assignments: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM assignments a JOIN batches b ON b.id = a.batch_id \
         WHERE a.item_id = $1 AND b.round <> 'imported'",
    )
    .bind(item.as_str())
    .fetch_one(connection)
    .await?;
    Ok(assignments > 0)
}

fn texts<'a>(items: &[&'a ItemId]) -> Vec<&'a str> {
    items.iter().map(|item| item.as_str()).collect()
}

/// Rows for a list of keys; the text is made of a literal and of numbers, never of data.
pub(super) async fn listed(
    connection: &mut AnyConnection,
    head: &'static str,
    first: Option<&str>,
    keys: &[&str],
) -> Result<Vec<AnyRow>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "{head}{}",
        placeholders(1 + usize::from(first.is_some()), keys.len())
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for key in first.iter().chain(keys) {
        query = query.bind((*key).to_owned());
    }
    Ok(query.fetch_all(connection).await?)
}
