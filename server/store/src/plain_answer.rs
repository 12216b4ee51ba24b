//! Answers without any reasoning: counted beside the items, never among them.

use crate::bulk::{Bulk, placeholders};
use crate::error::Result;
use domain::id::StudyId;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::collections::HashSet;

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainAnswer {
    /// Names the record.
    pub key: String,
    /// The model that answered.
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
}

/// Answers that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedAnswers {
    /// The model that answered.
    pub model: String,
    /// How it was asked.
    pub mode: String,
    /// The question.
    pub question: String,
    /// The answers to choose from, as JSON.
    pub options: String,
    /// The model's answer.
    pub answer: String,
    /// How many.
    pub answers: i64,
}

/// Writes those of the answers that are new, at most a block of them, and says how many that were.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut AnyConnection,
    study: &StudyId,
    block: &[PlainAnswer],
    at: i64,
) -> Result<u64> {
    let mut known = known(connection, study, block).await?;
    let mut bulk = Bulk::<9>::new(
        "INSERT INTO plain_answers (study_id, record_key, model, condition, mode, question, options, answer, created_at)",
    );
    let mut written = 0;
    for new in block {
        if !known.insert(new.key.clone()) {
            continue;
        }
        written += 1;
        bulk.push([
            study.as_str().into(),
            new.key.as_str().into(),
            new.model.as_str().into(),
            new.condition.as_str().into(),
            new.mode.as_str().into(),
            new.question.as_str().into(),
            new.options.as_str().into(),
            new.answer.as_str().into(),
            at.into(),
        ]);
    }
    bulk.flush(connection).await?;
    Ok(written)
}

async fn known(
    connection: &mut AnyConnection,
    study: &StudyId,
    block: &[PlainAnswer],
) -> Result<HashSet<String>> {
    if block.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = format!(
        "SELECT record_key FROM plain_answers WHERE study_id = $1 AND record_key IN {}",
        placeholders(2, block.len())
    );
    let mut query = sqlx::query(AssertSqlSafe(sql)).bind(study.as_str().to_owned());
    for new in block {
        query = query.bind(new.key.clone());
    }
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// The answers of a study that were there at a time, counted.
///
/// # Errors
/// When the database fails.
pub async fn counted(
    connection: &mut AnyConnection,
    study: &StudyId,
    until: i64,
) -> Result<Vec<CountedAnswers>> {
    let rows = sqlx::query(
        "SELECT model, mode, question, options, answer, COUNT(*) FROM plain_answers WHERE study_id = $1 \
         AND created_at <= $2 GROUP BY model, mode, question, options, answer ORDER BY model, mode, question, answer",
    )
    .bind(study.as_str())
    .bind(until)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(CountedAnswers {
                model: row.try_get(0)?,
                mode: row.try_get(1)?,
                question: row.try_get(2)?,
                options: row.try_get(3)?,
                answer: row.try_get(4)?,
                answers: row.try_get(5)?,
            })
        })
        .collect()
}
