//! The options of an item: the answers to choose from, or the points that are expected.

use crate::error::Result;
use crate::json;
use domain::id::ItemId;
use sqlx::{AnyConnection, Row};

/// The items of the same study with the same vignette, this one among them, in the order of import. An item without a
/// vignette stands alone.
///
/// # Errors
/// When the database fails.
pub async fn with_same_vignette(
    connection: &mut AnyConnection,
    item: &ItemId,
) -> Result<Vec<ItemId>> {
    let rows = sqlx::query(
        "SELECT o.id FROM items i JOIN items o ON o.study_id = i.study_id \
         AND (o.id = i.id OR (i.vignette <> '' AND o.vignette = i.vignette)) \
         WHERE i.id = $1 ORDER BY o.seq",
    )
    .bind(item.as_str())
    .fetch_all(connection)
    .await?;
    let ids = rows
        .iter()
        .map(|row| Ok(ItemId::new(row.try_get::<String, _>(0)?)));
    ids.collect()
}

/// Writes the options of an item.
///
/// # Errors
/// When the database fails or the item is not there.
pub async fn set_options(
    connection: &mut AnyConnection,
    item: &ItemId,
    options: &[String],
) -> Result<()> {
    let done = sqlx::query("UPDATE items SET options = $1 WHERE id = $2")
        .bind(json::write(&options))
        .bind(item.as_str())
        .execute(connection)
        .await?;
    crate::db::expect_rows("items", done.rows_affected(), 1)
}
