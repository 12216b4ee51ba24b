//! Members of a study.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::name;
use crate::services::{Audit, Services};
use domain::id::{StudyId, UserId};
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use serde::Serialize;
use serde_json::json;

/// A person in one of their roles.
#[derive(Clone, Debug, Serialize)]
pub struct MemberRow {
    /// The account.
    pub user: UserId,
    /// The name they sign in with.
    pub name: String,
    /// The name people read.
    pub display_name: String,
    /// The role.
    pub role: Role,
    /// Whether it is held now.
    pub active: bool,
    /// The stable order of raters as A, B, ..
    pub position: i64,
    /// Whether they can sign in; a rater of an imported file cannot.
    pub can_sign_in: bool,
}

/// The members of a study, in their order.
///
/// # Errors
/// [`Refusal::Forbidden`] for a member who may not manage members.
pub async fn list(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<MemberRow>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::MemberManage).await?;
    let row = |member: store::member::Member| MemberRow {
        user: member.user,
        name: member.name,
        display_name: member.display_name,
        role: member.role,
        active: member.active,
        position: member.position,
        can_sign_in: member.can_sign_in,
    };
    Ok(store::member::list(&mut db, study)
        .await?
        .into_iter()
        .map(row)
        .collect())
}

/// Makes an existing account a member.
///
/// # Errors
/// [`Refusal::NotFound`] when there is no such account, [`Refusal::RoleUnknown`] for the server's role.
pub async fn add(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    user_name: &str,
    role: Role,
) -> Result<UserId> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::MemberManage).await?;
    if role == Role::Admin {
        return Err(Refusal::RoleUnknown.into());
    }
    let user = store::account::by_name(&mut tx, &name::folded(user_name))
        .await?
        .ok_or(Refusal::NotFound)?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    store::member::put(&mut tx, study, &user.id, role, app.now()).await?;
    commit(app, tx, actor, study, &user.id, "added", role).await?;
    Ok(user.id)
}

/// Takes a role away, or gives it back. What the person judged stays.
///
/// # Errors
/// [`Refusal::LastCoordinator`], [`Refusal::NotFound`] when they never had it.
pub async fn set_active(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    user: &UserId,
    role: Role,
    active: bool,
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::MemberManage).await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    let before = store::member::count_coordinators(&mut tx, study).await?;
    store::member::set_active(&mut tx, study, user, role, active)
        .await?
        .ok_or(Refusal::NotFound)?;
    if before > 0 && store::member::count_coordinators(&mut tx, study).await? == 0 {
        return Err(Refusal::LastCoordinator.into());
    }
    let verb = if active { "restored" } else { "removed" };
    commit(app, tx, actor, study, user, verb, role).await
}

async fn commit(
    app: &Services,
    tx: store::Tx,
    actor: &Actor,
    study: &StudyId,
    user: &UserId,
    verb: &str,
    role: Role,
) -> Result<()> {
    let details = json!({"role": role});
    let audit = Audit {
        study: Some(study),
        action: Action::MemberManage,
        verb,
        subject: user.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await
}
