//! Where the parts of a trace begin and end.

use super::SegmentRange;
use crate::error::Result;
use crate::json;
use domain::id::ItemId;
use sqlx::{AnyConnection, Row};

/// Whether a rater has opened the item.
///
/// # Errors
/// When the database fails.
pub async fn is_opened(connection: &mut AnyConnection, item: &ItemId) -> Result<bool> {
    let row = sqlx::query(
        "SELECT 1 FROM assignments WHERE item_id = $1 AND (opened_at IS NOT NULL OR state <> 'not_started') LIMIT 1",
    )
    .bind(item.as_str())
    .fetch_optional(connection)
    .await?;
    Ok(row.is_some())
}

/// The parts of an item's trace, and how many options it has.
///
/// # Errors
/// When the database fails or a row is not readable.
pub async fn shape(
    connection: &mut AnyConnection,
    item: &ItemId,
) -> Result<(Vec<SegmentRange>, usize)> {
    let row = sqlx::query("SELECT segments, options FROM items WHERE id = $1")
        .bind(item.as_str())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else {
        return Ok((Vec::new(), 0));
    };
    let id = item.as_str();
    let options: Vec<String> = json::read("items", "options", id, row.try_get(1)?)?;
    let segments = json::read("items", "segments", id, row.try_get(0)?)?;
    Ok((segments, options.len()))
}

/// Writes the parts of an item.
///
/// # Errors
/// When the database fails or the item is not there.
pub async fn set_segments(
    connection: &mut AnyConnection,
    item: &ItemId,
    segments: &[SegmentRange],
) -> Result<()> {
    let done = sqlx::query("UPDATE items SET segments = $1 WHERE id = $2")
        .bind(json::write(&segments))
        .bind(item.as_str())
        .execute(connection)
        .await?;
    crate::db::expect_rows("items", done.rows_affected(), 1)
}
