//! Who belongs to a study, and as what.

use crate::error::Result;
use crate::row::{flag, role};
use domain::id::{StudyId, UserId};
use domain::role::Role;
use sqlx::{AnyConnection, Row};

/// A person in one of their roles in a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The account.
    pub user: UserId,
    /// The name they sign in with.
    pub name: String,
    /// The name people read.
    pub display_name: String,
    /// The role.
    pub role: Role,
    /// Whether the role is held now.
    pub active: bool,
    /// The stable order of raters as A, B, ..
    pub position: i64,
    /// Whether the account is open and has a password.
    pub can_sign_in: bool,
}

/// The active roles of a person in a study; nothing when there is no such study.
///
/// # Errors
/// When the database fails.
pub async fn roles(
    connection: &mut AnyConnection,
    study: &StudyId,
    user: &UserId,
) -> Result<Option<Vec<Role>>> {
    let rows = sqlx::query(
        "SELECT m.role FROM studies s LEFT JOIN members m \
         ON m.study_id = s.id AND m.user_id = $2 AND m.active = 1 WHERE s.id = $1 ORDER BY m.role",
    )
    .bind(study.as_str())
    .bind(user.as_str())
    .fetch_all(connection)
    .await?;
    if rows.is_empty() {
        return Ok(None);
    }
    let mut roles = Vec::with_capacity(rows.len());
    for row in &rows {
        if row.try_get::<Option<String>, _>(0)?.is_some() {
            roles.push(role("members", row, 0)?);
        }
    }
    Ok(Some(roles))
}

/// The active roles of a person in every study of theirs, by study.
///
/// # Errors
/// When the database fails.
pub async fn roles_everywhere(
    connection: &mut AnyConnection,
    user: &UserId,
) -> Result<Vec<(StudyId, Role)>> {
    let rows = sqlx::query("SELECT study_id, role FROM members WHERE user_id = $1 AND active = 1 ORDER BY study_id, role")
        .bind(user.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            Ok((
                StudyId::new(row.try_get::<String, _>(0)?),
                role("members", row, 1)?,
            ))
        })
        .collect()
}

/// Everybody who is or was in the study, in their stable order.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Member>> {
    let rows = sqlx::query(
        "SELECT u.id, u.name, u.display_name, m.role, m.active, m.position, \
         u.active, u.password_hash \
         FROM members m JOIN users u ON u.id = m.user_id WHERE m.study_id = $1 ORDER BY m.position, m.role",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Member {
                user: UserId::new(row.try_get::<String, _>(0)?),
                name: row.try_get(1)?,
                display_name: row.try_get(2)?,
                role: role("members", row, 3)?,
                active: flag(row, 4)?,
                position: row.try_get(5)?,
                can_sign_in: flag(row, 6)? && !row.try_get::<String, _>(7)?.is_empty(),
            })
        })
        .collect()
}

/// Gives a person a role in a study, or gives it back, keeping their place; tells whether anything changed.
/// The caller holds the study's chain, so that no two members get one place.
///
/// # Errors
/// When the database fails.
pub async fn put(
    connection: &mut AnyConnection,
    study: &StudyId,
    user: &UserId,
    role: Role,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO members (study_id, user_id, role, position, active, created_at) \
         SELECT $1, $2, $3, COALESCE(MAX(position), 0) + 1, 1, $4 FROM members WHERE study_id = $1 \
         ON CONFLICT (study_id, user_id, role) DO UPDATE SET active = 1 WHERE members.active = 0",
    )
    .bind(study.as_str())
    .bind(user.as_str())
    .bind(role.as_str())
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Takes a role away or gives it back; tells whether anything changed, or nothing when they never had it.
///
/// # Errors
/// When the database fails.
pub async fn set_active(
    connection: &mut AnyConnection,
    study: &StudyId,
    user: &UserId,
    role: Role,
    active: bool,
) -> Result<Option<bool>> {
    let row = sqlx::query(
        "SELECT active FROM members WHERE study_id = $1 AND user_id = $2 AND role = $3",
    )
    .bind(study.as_str())
    .bind(user.as_str())
    .bind(role.as_str())
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    if flag(&row, 0)? == active {
        return Ok(Some(false));
    }
    sqlx::query(
        "UPDATE members SET active = $1 WHERE study_id = $2 AND user_id = $3 AND role = $4",
    )
    .bind(i64::from(active))
    .bind(study.as_str())
    .bind(user.as_str())
    .bind(role.as_str())
    .execute(connection)
    .await?;
    Ok(Some(true))
}

/// How many coordinators of a study can sign in.
///
/// # Errors
/// When the database fails.
pub async fn count_coordinators(connection: &mut AnyConnection, study: &StudyId) -> Result<i64> {
    let row = sqlx::query(
        "SELECT COUNT(*) FROM members m JOIN users u ON u.id = m.user_id WHERE m.study_id = $1 \
         AND m.role = 'coordinator' AND m.active = 1 AND u.active = 1 AND u.password_hash <> ''",
    )
    .bind(study.as_str())
    .fetch_one(connection)
    .await?;
    Ok(row.try_get(0)?)
}
