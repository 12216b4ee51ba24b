//! What judges answered to the questions about an item.

use crate::error::Result;
use crate::json;
use domain::annotation::Answer;
use domain::id::{ItemId, JudgeId, StudyId};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// One judge's answer to one question.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeAnswer {
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: JudgeId,
    /// The judge's name.
    pub name: String,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: Answer,
}

/// What judges answered about one item, judge by judge.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn of_item(connection: &mut AnyConnection, item: &ItemId) -> Result<Vec<JudgeAnswer>> {
    let rows = sqlx::query(
        "SELECT a.item_id, a.judge_id, j.name, a.question, a.answer, a.rationale FROM judge_answers a \
         JOIN judges j ON j.id = a.judge_id WHERE a.item_id = $1 ORDER BY j.name, a.judge_id, a.question",
    )
    .bind(item.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(answer).collect()
}

/// What judges answered about the items whose place lies above `after` and at most at `up_to`, in order.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn of_range(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<Vec<JudgeAnswer>> {
    let rows = sqlx::query(
        "SELECT a.item_id, a.judge_id, j.name, a.question, a.answer, a.rationale FROM items i \
         JOIN judge_answers a ON a.item_id = i.id JOIN judges j ON j.id = a.judge_id \
         WHERE i.study_id = $1 AND i.seq > $2 AND i.seq <= $3 ORDER BY i.seq, j.name, a.judge_id, a.question",
    )
    .bind(study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    rows.iter().map(answer).collect()
}

fn answer(row: &AnyRow) -> Result<JudgeAnswer> {
    let item: String = row.try_get(0)?;
    let values = json::read("judge_answers", "answer", &item, row.try_get(4)?)?;
    Ok(JudgeAnswer {
        item: ItemId::new(item),
        judge: JudgeId::new(row.try_get::<String, _>(1)?),
        name: row.try_get(2)?,
        question: row.try_get(3)?,
        answer: Answer {
            values,
            rationale: row.try_get(5)?,
        },
    })
}
