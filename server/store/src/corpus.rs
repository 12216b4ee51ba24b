//! What a judge found in all items it judged, counted in the database so that a corpus costs its distinct rows.

use crate::error::Result;
use domain::id::{ItemId, JudgeId, StudyId};
use sqlx::{AnyConnection, Row};

/// Items that are alike in all that rates are divided by.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The model that wrote the traces.
    pub model: String,
    /// The condition of the person in the vignette.
    pub condition: String,
    /// How the model was asked.
    pub mode: String,
    /// The question.
    pub question: String,
    /// The answers to choose from, as JSON.
    pub options: String,
    /// The model's answer.
    pub answer: String,
    /// Whether the judge gave nothing usable.
    pub failed: bool,
    /// The category of the item's first candidate; empty without one.
    pub first: String,
    /// The severity of the most severe tag: below zero without a tag, zero for one without a severity.
    pub top: f64,
    /// How many items.
    pub items: i64,
}

/// Tags that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedTags {
    /// The model that wrote the traces.
    pub model: String,
    /// The condition.
    pub condition: String,
    /// How the model was asked.
    pub mode: String,
    /// The category.
    pub category: String,
    /// The severity.
    pub severity: Option<f64>,
    /// How many tags.
    pub tags: i64,
}

/// An item as an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The item.
    pub id: ItemId,
    /// Its place in the study.
    pub seq: i64,
    /// Its key.
    pub key: String,
    /// The condition.
    pub condition: String,
    /// How the model was asked.
    pub mode: String,
    /// The question.
    pub question: String,
    /// The answers to choose from, as JSON.
    pub options: String,
    /// The model's answer.
    pub answer: String,
    /// The severity of the most severe tag, as in [`Counted`].
    pub top: f64,
}

/// The items of a judge whose place in the study is at most `last`, counted.
///
/// # Errors
/// When the database fails.
pub async fn items(
    connection: &mut AnyConnection,
    study: &StudyId,
    judge: &JudgeId,
    last: i64,
) -> Result<Vec<Counted>> {
    let rows = sqlx::query(
        "SELECT i.model, i.condition, i.mode, i.question, i.options, i.answer, t.outcome, t.first, t.top, COUNT(*) FROM \
         (SELECT d.item_id, d.outcome, COALESCE(MIN(CASE WHEN c.ordinal = 1 THEN c.category END), '') AS first, \
         MAX(CASE WHEN c.id IS NULL THEN -1.0 ELSE COALESCE(c.severity, 0.0) END) AS top FROM \
         (SELECT j.item_id, j.judge_id, j.outcome FROM judged j WHERE j.judge_id = $2 \
         UNION SELECT k.item_id, k.judge_id, 'judged' FROM candidates k WHERE k.study_id = $1 AND k.judge_id = $2 \
         AND NOT EXISTS (SELECT 1 FROM judged o WHERE o.item_id = k.item_id AND o.judge_id = k.judge_id)) d \
         LEFT JOIN candidates c ON c.item_id = d.item_id AND c.judge_id = d.judge_id GROUP BY d.item_id, d.outcome) t \
         JOIN items i ON i.id = t.item_id WHERE i.study_id = $1 AND i.seq <= $3 \
         GROUP BY i.model, i.condition, i.mode, i.question, i.options, i.answer, t.outcome, t.first, t.top \
         ORDER BY i.model, i.condition, i.mode, i.question, i.answer, t.first, t.top",
    )
    .bind(study.as_str())
    .bind(judge.as_str())
    .bind(last)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Counted {
                model: row.try_get(0)?,
                condition: row.try_get(1)?,
                mode: row.try_get(2)?,
                question: row.try_get(3)?,
                options: row.try_get(4)?,
                answer: row.try_get(5)?,
                failed: row.try_get::<&str, _>(6)? == "failed",
                first: row.try_get(7)?,
                top: row.try_get(8)?,
                items: row.try_get(9)?,
            })
        })
        .collect()
}

/// The tags of a judge on items whose place is at most `last`, counted.
///
/// # Errors
/// When the database fails.
pub async fn tags(
    connection: &mut AnyConnection,
    study: &StudyId,
    judge: &JudgeId,
    last: i64,
) -> Result<Vec<CountedTags>> {
    let rows = sqlx::query(
        "SELECT i.model, i.condition, i.mode, c.category, c.severity, COUNT(*) FROM candidates c \
         JOIN items i ON i.id = c.item_id WHERE c.study_id = $1 AND c.judge_id = $2 AND i.seq <= $3 \
         GROUP BY i.model, i.condition, i.mode, c.category, c.severity \
         ORDER BY i.model, i.condition, i.mode, c.category, c.severity",
    )
    .bind(study.as_str())
    .bind(judge.as_str())
    .bind(last)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(CountedTags {
                model: row.try_get(0)?,
                condition: row.try_get(1)?,
                mode: row.try_get(2)?,
                category: row.try_get(3)?,
                severity: row.try_get(4)?,
                tags: row.try_get(5)?,
            })
        })
        .collect()
}

/// Items of a model that a judge judged, after a place of the study.
///
/// # Errors
/// When the database fails.
pub async fn examples(
    connection: &mut AnyConnection,
    study: &StudyId,
    judge: &JudgeId,
    model: &str,
    (after, limit): (i64, i64),
) -> Result<Vec<Example>> {
    let rows = sqlx::query(
        "SELECT i.id, i.seq, i.source_key, i.condition, i.mode, i.question, i.options, i.answer, \
         COALESCE((SELECT MAX(COALESCE(c.severity, 0.0)) FROM candidates c WHERE c.item_id = i.id AND c.judge_id = $2), -1.0) \
         FROM items i WHERE i.study_id = $1 AND i.model = $3 AND i.seq > $4 \
         AND EXISTS (SELECT 1 FROM judged d WHERE d.item_id = i.id AND d.judge_id = $2 AND d.outcome = 'judged') \
         ORDER BY i.seq LIMIT $5",
    )
    .bind(study.as_str())
    .bind(judge.as_str())
    .bind(model)
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Example {
                id: ItemId::new(row.try_get::<String, _>(0)?),
                seq: row.try_get(1)?,
                key: row.try_get(2)?,
                condition: row.try_get(3)?,
                mode: row.try_get(4)?,
                question: row.try_get(5)?,
                options: row.try_get(6)?,
                answer: row.try_get(7)?,
                top: row.try_get(8)?,
            })
        })
        .collect()
}
