//! What an import writes over: the place of a text that was not known, and a call of a judge that failed.

use super::new::{NewItem, NewRun};
use crate::error::Result;
use crate::json::{self, Pairs};
use domain::id::ItemId;
use serde_json::{Map, Value};
use sqlx::{AnyConnection, Row};

/// Gives an item that came without a text the one that a later file has. What the earlier file said of it stays where the
/// later one does not say it.
///
/// # Errors
/// When the database fails or the item is not there.
pub async fn fill(connection: &mut AnyConnection, item: &ItemId, new: NewItem) -> Result<()> {
    let row = sqlx::query("SELECT extra FROM items WHERE id = $1")
        .bind(item.as_str())
        .fetch_one(&mut *connection)
        .await?;
    let mut extra: Map<String, Value> =
        json::read("items", "extra", item.as_str(), row.try_get(0)?)?;
    let later: Map<String, Value> = json::read("items", "extra", item.as_str(), &new.extra)?;
    extra.extend(later);
    let length = i64::try_from(new.trace.chars().count()).unwrap_or(i64::MAX);
    let done = sqlx::query(
        "UPDATE items SET content_hash = $1, condition = $2, model = $3, mode = $4, demographics = $5, vignette = $6, \
         question = $7, options = $8, answer = $9, trace = $10, trace_sha256 = $11, trace_length = $12, segments = $13, \
         extra = $14 WHERE id = $15",
    )
    .bind(new.content_hash)
    .bind(new.condition)
    .bind(new.model)
    .bind(new.mode)
    .bind(json::write(&Pairs(new.demographics)))
    .bind(new.vignette)
    .bind(new.question)
    .bind(json::write(&new.options))
    .bind(new.answer)
    .bind(new.trace)
    .bind(new.trace_sha256)
    .bind(length)
    .bind(json::write(&new.segments))
    .bind(json::write(&extra))
    .bind(item.as_str())
    .execute(connection)
    .await?;
    crate::db::expect_rows("items", done.rows_affected(), 1)
}

/// Puts a verdict where the judge's call had failed; false where no failure is written.
///
/// # Errors
/// When the database fails.
pub async fn rejudge(connection: &mut AnyConnection, new: &NewRun) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE judged SET outcome = $1, failure = $2, summary = $3 WHERE item_id = $4 AND judge_id = $5 \
         AND outcome = 'failed'",
    )
    .bind(new.outcome)
    .bind(new.failure.clone())
    .bind(new.summary.clone())
    .bind(new.item.as_str())
    .bind(new.judge.as_str())
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}
