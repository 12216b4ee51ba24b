//! One-time invitations, by the hash of their secret.

use crate::error::Result;
use crate::row::role;
use domain::id::{StudyId, UserId};
use domain::role::Role;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// An invitation, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The invitation.
    pub id: String,
    /// To which study; to the server when empty.
    pub study: Option<StudyId>,
    /// As what.
    pub role: Role,
    /// The name that people read.
    pub display_name: String,
    /// Who made it; nobody when it was made at the command line.
    pub created_by: Option<UserId>,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// Epoch milliseconds.
    pub expires_at: i64,
    /// Epoch milliseconds.
    pub used_at: Option<i64>,
    /// Epoch milliseconds.
    pub revoked_at: Option<i64>,
}

/// Adds an invitation.
///
/// # Errors
/// When the database fails.
pub async fn insert(connection: &mut AnyConnection, new: &Invitation, hash: &str) -> Result<()> {
    sqlx::query(
        "INSERT INTO invitations (id, token_hash, study_id, role, display_name, created_by, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&new.id)
    .bind(hash)
    .bind(new.study.as_ref().map(StudyId::as_str))
    .bind(new.role.as_str())
    .bind(&new.display_name)
    .bind(new.created_by.as_ref().map(UserId::as_str))
    .bind(new.created_at)
    .bind(new.expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// The invitation of this secret's hash.
///
/// # Errors
/// When the database fails.
pub async fn by_hash(connection: &mut AnyConnection, hash: &str) -> Result<Option<Invitation>> {
    let row = sqlx::query(
        "SELECT id, study_id, role, display_name, created_by, created_at, expires_at, used_at, revoked_at \
         FROM invitations WHERE token_hash = $1",
    )
    .bind(hash)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(invitation).transpose()
}

/// The invitation of this id.
///
/// # Errors
/// When the database fails.
pub async fn by_id(connection: &mut AnyConnection, id: &str) -> Result<Option<Invitation>> {
    let row = sqlx::query(
        "SELECT id, study_id, role, display_name, created_by, created_at, expires_at, used_at, revoked_at \
         FROM invitations WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(invitation).transpose()
}

/// The invitations of a study, or of the server, latest first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    connection: &mut AnyConnection,
    study: Option<&StudyId>,
) -> Result<Vec<Invitation>> {
    let rows = sqlx::query(
        "SELECT id, study_id, role, display_name, created_by, created_at, expires_at, used_at, revoked_at \
         FROM invitations WHERE COALESCE(study_id, '') = $1 ORDER BY id DESC",
    )
    .bind(study.map_or("", StudyId::as_str))
    .fetch_all(connection)
    .await?;
    rows.iter().map(invitation).collect()
}

/// Uses an invitation up; of several at once exactly one is told so.
///
/// # Errors
/// When the database fails.
pub async fn claim(connection: &mut AnyConnection, id: &str, now: i64) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE invitations SET used_at = $1 WHERE id = $2 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $1",
    )
    .bind(now)
    .bind(id)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Notes who used it.
///
/// # Errors
/// When the database fails.
pub async fn used_by(connection: &mut AnyConnection, id: &str, user: &UserId) -> Result<()> {
    sqlx::query("UPDATE invitations SET used_by = $1 WHERE id = $2")
        .bind(user.as_str())
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Revokes an open invitation; tells whether it was open.
///
/// # Errors
/// When the database fails.
pub async fn revoke(connection: &mut AnyConnection, id: &str, now: i64) -> Result<bool> {
    let done = sqlx::query("UPDATE invitations SET revoked_at = $1 WHERE id = $2 AND used_at IS NULL AND revoked_at IS NULL")
        .bind(now)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

fn invitation(row: &AnyRow) -> Result<Invitation> {
    Ok(Invitation {
        id: row.try_get(0)?,
        study: row.try_get::<Option<String>, _>(1)?.map(StudyId::new),
        role: role("invitations", row, 2)?,
        display_name: row.try_get(3)?,
        created_by: row.try_get::<Option<String>, _>(4)?.map(UserId::new),
        created_at: row.try_get(5)?,
        expires_at: row.try_get(6)?,
        used_at: row.try_get(7)?,
        revoked_at: row.try_get(8)?,
    })
}
