//! Sessions. The key is a hash of the cookie's secret, made by the caller.

use crate::error::Result;
use domain::id::UserId;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A session as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Hash of the cookie's secret.
    pub id: String,
    /// Who signed in, if anybody did.
    pub user: Option<UserId>,
    /// What the session holds, as JSON.
    pub data: String,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// Epoch milliseconds.
    pub last_seen_at: i64,
    /// Epoch milliseconds.
    pub expires_at: i64,
    /// What the browser calls itself.
    pub user_agent: String,
}

const COLUMNS: &str = "id, user_id, data, created_at, last_seen_at, expires_at, user_agent";

/// Writes a session, new or again.
///
/// # Errors
/// When the database fails.
pub async fn put(connection: &mut AnyConnection, session: &Session) -> Result<()> {
    sqlx::query(
        "INSERT INTO sessions (id, user_id, data, created_at, last_seen_at, expires_at, user_agent) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET user_id = $2, data = $3, \
         last_seen_at = $5, expires_at = $6, user_agent = $7",
    )
    .bind(&session.id)
    .bind(session.user.as_ref().map(UserId::as_str))
    .bind(&session.data)
    .bind(session.created_at)
    .bind(session.last_seen_at)
    .bind(session.expires_at)
    .bind(&session.user_agent)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes a session that must still be there: one that was revoked meanwhile does not come back.
///
/// # Errors
/// When the database fails.
pub async fn update(connection: &mut AnyConnection, session: &Session) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE sessions SET user_id = $2, data = $3, last_seen_at = $4, expires_at = $5, user_agent = $6 WHERE id = $1",
    )
    .bind(&session.id)
    .bind(session.user.as_ref().map(UserId::as_str))
    .bind(&session.data)
    .bind(session.last_seen_at)
    .bind(session.expires_at)
    .bind(&session.user_agent)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A session that has not expired.
///
/// # Errors
/// When the database fails.
pub async fn get(connection: &mut AnyConnection, id: &str, now: i64) -> Result<Option<Session>> {
    let row = sqlx::query(sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM sessions WHERE id = $1 AND expires_at > $2"
    )))
    .bind(id)
    .bind(now)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(session).transpose()
}

/// A person's living sessions, latest first.
///
/// # Errors
/// When the database fails.
pub async fn of_user(
    connection: &mut AnyConnection,
    user: &UserId,
    now: i64,
) -> Result<Vec<Session>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM sessions WHERE user_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(user.as_str())
        .bind(now)
        .fetch_all(connection)
        .await?;
    rows.iter().map(session).collect()
}

/// Deletes a session.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut AnyConnection, id: &str) -> Result<()> {
    sqlx::query("DELETE FROM sessions WHERE id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes a session if it is this person's; tells whether it was.
///
/// # Errors
/// When the database fails.
pub async fn delete_own(connection: &mut AnyConnection, id: &str, user: &UserId) -> Result<bool> {
    let done = sqlx::query("DELETE FROM sessions WHERE id = $1 AND user_id = $2")
        .bind(id)
        .bind(user.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes every session of a person but one (`""` keeps none).
///
/// # Errors
/// When the database fails.
pub async fn delete_others(
    connection: &mut AnyConnection,
    user: &UserId,
    keep: &str,
) -> Result<u64> {
    let done = sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND id <> $2")
        .bind(user.as_str())
        .bind(keep)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

/// Deletes what has expired.
///
/// # Errors
/// When the database fails.
pub async fn sweep(connection: &mut AnyConnection, now: i64) -> Result<u64> {
    let done = sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

fn session(row: &AnyRow) -> Result<Session> {
    Ok(Session {
        id: row.try_get(0)?,
        user: row.try_get::<Option<String>, _>(1)?.map(UserId::new),
        data: row.try_get(2)?,
        created_at: row.try_get(3)?,
        last_seen_at: row.try_get(4)?,
        expires_at: row.try_get(5)?,
        user_agent: row.try_get(6)?,
    })
}
