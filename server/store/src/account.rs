//! Accounts, and what failed sign-ins leave behind.

use crate::error::Result;
use crate::row::flag;
use domain::id::UserId;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// An account, with the hash of its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The account.
    pub id: UserId,
    /// The name they sign in with, as they wrote it.
    pub name: String,
    /// The name people read.
    pub display_name: String,
    /// Empty when nobody can sign in as them.
    pub password_hash: String,
    /// Whether they run the server.
    pub is_admin: bool,
    /// Whether they may sign in.
    pub active: bool,
    /// Epoch milliseconds.
    pub created_at: i64,
}

/// Adds an account unless its folded name is taken; tells whether it was added.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut AnyConnection,
    user: &User,
    name_folded: &str,
) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO users (id, name, name_folded, display_name, password_hash, is_admin, active, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name_folded) DO NOTHING",
    )
    .bind(user.id.as_str())
    .bind(&user.name)
    .bind(name_folded)
    .bind(&user.display_name)
    .bind(&user.password_hash)
    .bind(i64::from(user.is_admin))
    .bind(i64::from(user.active))
    .bind(user.created_at)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The account of this folded name.
///
/// # Errors
/// When the database fails.
pub async fn by_name(connection: &mut AnyConnection, name_folded: &str) -> Result<Option<User>> {
    let row = sqlx::query(
        "SELECT id, name, display_name, password_hash, is_admin, active, created_at FROM users \
         WHERE name_folded = $1",
    )
    .bind(name_folded)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(user).transpose()
}

/// The account of this identity.
///
/// # Errors
/// When the database fails.
pub async fn by_id(connection: &mut AnyConnection, id: &UserId) -> Result<Option<User>> {
    let row = sqlx::query(
        "SELECT id, name, display_name, password_hash, is_admin, active, created_at FROM users WHERE id = $1",
    )
    .bind(id.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(user).transpose()
}

/// Every account, by name.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut AnyConnection) -> Result<Vec<User>> {
    let rows = sqlx::query(
        "SELECT id, name, display_name, password_hash, is_admin, active, created_at FROM users \
         ORDER BY name_folded",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(user).collect()
}

/// How many accounts can run the server: active administrators who can sign in.
///
/// # Errors
/// When the database fails.
pub async fn count_admins(connection: &mut AnyConnection) -> Result<i64> {
    let row = sqlx::query(
        "SELECT COUNT(*) FROM users WHERE is_admin = 1 AND active = 1 AND password_hash <> ''",
    )
    .fetch_one(connection)
    .await?;
    Ok(row.try_get(0)?)
}

/// Opens or closes an account; tells whether there is one.
///
/// # Errors
/// When the database fails.
pub async fn set_active(connection: &mut AnyConnection, id: &UserId, active: bool) -> Result<bool> {
    let done = sqlx::query("UPDATE users SET active = $1 WHERE id = $2")
        .bind(i64::from(active))
        .bind(id.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Makes an account an administrator; tells whether there is one.
///
/// # Errors
/// When the database fails.
pub async fn make_admin(connection: &mut AnyConnection, id: &UserId) -> Result<bool> {
    let done = sqlx::query("UPDATE users SET is_admin = 1 WHERE id = $1")
        .bind(id.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Replaces the hash of a password if it still is `old`; tells whether it was.
///
/// # Errors
/// When the database fails.
pub async fn set_password(
    connection: &mut AnyConnection,
    id: &UserId,
    old: &str,
    new: &str,
) -> Result<bool> {
    let done =
        sqlx::query("UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3")
            .bind(new)
            .bind(id.as_str())
            .bind(old)
            .execute(connection)
            .await?;
    Ok(done.rows_affected() == 1)
}

/// Until when the subject (a name or an address) is blocked; 0 when it is not.
///
/// # Errors
/// When the database fails.
pub async fn blocked_until(connection: &mut AnyConnection, subject: &str) -> Result<i64> {
    let row = sqlx::query("SELECT blocked_until FROM sign_in_failures WHERE subject = $1")
        .bind(subject)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?.unwrap_or(0))
}

/// Counts one more failure of the subject and returns the count; failures before `forget_before` are forgotten.
///
/// # Errors
/// When the database fails.
pub async fn count_failure(
    connection: &mut AnyConnection,
    subject: &str,
    now: i64,
    forget_before: i64,
) -> Result<i64> {
    let row = sqlx::query(
        "INSERT INTO sign_in_failures (subject, failures, blocked_until, last_at) VALUES ($1, 1, 0, $2) \
         ON CONFLICT (subject) DO UPDATE SET last_at = $2, failures = \
         CASE WHEN sign_in_failures.last_at < $3 THEN 1 ELSE sign_in_failures.failures + 1 END \
         RETURNING failures",
    )
    .bind(subject)
    .bind(now)
    .bind(forget_before)
    .fetch_one(connection)
    .await?;
    Ok(row.try_get(0)?)
}

/// Blocks the subject until this time.
///
/// # Errors
/// When the database fails.
pub async fn block(connection: &mut AnyConnection, subject: &str, until: i64) -> Result<()> {
    sqlx::query("UPDATE sign_in_failures SET blocked_until = $1 WHERE subject = $2")
        .bind(until)
        .bind(subject)
        .execute(connection)
        .await?;
    Ok(())
}

/// Forgets the failures of a subject.
///
/// # Errors
/// When the database fails.
pub async fn forget_failures(connection: &mut AnyConnection, subject: &str) -> Result<()> {
    sqlx::query("DELETE FROM sign_in_failures WHERE subject = $1")
        .bind(subject)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes failures that no longer count.
///
/// # Errors
/// When the database fails.
pub async fn sweep_failures(
    connection: &mut AnyConnection,
    now: i64,
    forget_before: i64,
) -> Result<u64> {
    let done =
        sqlx::query("DELETE FROM sign_in_failures WHERE last_at < $1 AND blocked_until <= $2")
            .bind(forget_before)
            .bind(now)
            .execute(connection)
            .await?;
    Ok(done.rows_affected())
}

/// Reads the columns of a select: id, name, `display_name`, `password_hash`, `is_admin`, active, `created_at`.
pub(crate) fn user(row: &AnyRow) -> Result<User> {
    Ok(User {
        id: UserId::new(row.try_get::<String, _>(0)?),
        name: row.try_get(1)?,
        display_name: row.try_get(2)?,
        password_hash: row.try_get(3)?,
        is_admin: flag(row, 4)?,
        active: flag(row, 5)?,
        created_at: row.try_get(6)?,
    })
}
