//! The answer that a ruling settles on for a question about an item, beside the ruling's other values.

use crate::error::Result;
use crate::json;
use domain::id::{RulingId, StudyId};
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// Writes the answer of a ruling that was just added.
///
/// # Errors
/// When the database fails or the ruling is not there.
pub async fn put(
    connection: &mut AnyConnection,
    ruling: &RulingId,
    values: &[String],
) -> Result<()> {
    let done = sqlx::query("UPDATE rulings SET answer = $1 WHERE id = $2")
        .bind(json::write(&values))
        .bind(ruling.as_str())
        .execute(connection)
        .await?;
    crate::db::expect_rows("rulings", done.rows_affected(), 1)
}

/// The answer of one ruling; nothing where it settles a tag.
///
/// # Errors
/// When the database fails or the row breaks a rule of the domain.
pub async fn of(connection: &mut AnyConnection, ruling: &RulingId) -> Result<Vec<String>> {
    let text: String = sqlx::query_scalar("SELECT answer FROM rulings WHERE id = $1")
        .bind(ruling.as_str())
        .fetch_one(connection)
        .await?;
    if text.is_empty() {
        return Ok(Vec::new());
    }
    json::read("rulings", "answer", ruling.as_str(), &text)
}

/// The answers of all rulings, earlier ones too, on units of a range of items.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn of_range(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<HashMap<RulingId, Vec<String>>> {
    let rows = sqlx::query(
        "SELECT r.id, r.answer FROM rulings r JOIN units u ON u.id = r.unit_id JOIN items i ON i.id = u.item_id \
         WHERE i.study_id = $1 AND r.answer <> '' AND i.seq > $2 AND i.seq <= $3",
    )
    .bind(study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let id: String = row.try_get(0)?;
            let values = json::read("rulings", "answer", &id, row.try_get(1)?)?;
            Ok((RulingId::new(id), values))
        })
        .collect()
}
