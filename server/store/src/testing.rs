//! What tests look at.

use crate::error::Result;
use sqlx::{AnyConnection, AssertSqlSafe};

/// How many rows a table has.
///
/// # Errors
/// When there is no such table.
pub async fn rows(connection: &mut AnyConnection, table: &str) -> Result<i64> {
    // The name comes from a test, never from a person.
    let count = sqlx::query_scalar(AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}")))
        .fetch_one(connection)
        .await?;
    Ok(count)
}
