//! Where the parts of a trace begin and end.

use super::SegmentRange;
use crate::error::Result;
use crate::json;
use domain::id::ItemId;
use sqlx::AnyConnection;

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
