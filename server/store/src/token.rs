//! Personal API tokens, by the hash of their secret.

use crate::account::{self, User};
use crate::error::Result;
use domain::id::UserId;
use sqlx::{AnyConnection, Row};

/// A token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The token.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// Epoch milliseconds.
    pub last_used_at: Option<i64>,
    /// Epoch milliseconds.
    pub expires_at: Option<i64>,
}

/// Adds a token.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut AnyConnection,
    user: &UserId,
    token: &Token,
    hash: &str,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO api_tokens (id, user_id, name, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&token.id)
    .bind(user.as_str())
    .bind(&token.name)
    .bind(hash)
    .bind(token.created_at)
    .bind(token.expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// A person's living tokens.
///
/// # Errors
/// When the database fails.
pub async fn of_user(connection: &mut AnyConnection, user: &UserId) -> Result<Vec<Token>> {
    let rows = sqlx::query(
        "SELECT id, name, created_at, last_used_at, expires_at FROM api_tokens \
         WHERE user_id = $1 AND revoked_at IS NULL ORDER BY id",
    )
    .bind(user.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Token {
                id: row.try_get(0)?,
                name: row.try_get(1)?,
                created_at: row.try_get(2)?,
                last_used_at: row.try_get(3)?,
                expires_at: row.try_get(4)?,
            })
        })
        .collect()
}

/// Ends a token if it is this person's; tells whether it was.
///
/// # Errors
/// When the database fails.
pub async fn revoke(
    connection: &mut AnyConnection,
    id: &str,
    user: &UserId,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query("UPDATE api_tokens SET revoked_at = $1 WHERE id = $2 AND user_id = $3 AND revoked_at IS NULL")
        .bind(now)
        .bind(id)
        .bind(user.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// The active owner of a living token, and when it was last used.
///
/// # Errors
/// When the database fails.
pub async fn owner(
    connection: &mut AnyConnection,
    hash: &str,
    now: i64,
) -> Result<Option<(String, User, i64)>> {
    let row = sqlx::query(
        "SELECT u.id, u.name, u.display_name, u.password_hash, u.is_admin, u.active, u.created_at, t.id AS token, \
         COALESCE(t.last_used_at, 0) AS used FROM api_tokens t JOIN users u ON u.id = t.user_id \
         WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2) \
         AND u.active = 1",
    )
    .bind(hash)
    .bind(now)
    .fetch_optional(connection)
    .await?;
    row.map(|row| Ok((row.try_get(7)?, account::user(&row)?, row.try_get(8)?)))
        .transpose()
}

/// Notes that a token was used.
///
/// # Errors
/// When the database fails.
pub async fn used(connection: &mut AnyConnection, id: &str, now: i64) -> Result<()> {
    sqlx::query("UPDATE api_tokens SET last_used_at = $1 WHERE id = $2")
        .bind(now)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}
