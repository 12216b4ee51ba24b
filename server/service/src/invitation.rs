//! Invitations: one-time links, stored hashed, that expire.

use crate::account;
use crate::actor::Actor;
use crate::auth::{require, require_server};
use crate::error::Result;
use crate::name;
use crate::services::{Audit, Services};
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::invitation::Invitation;

/// The longest an invitation may live.
const MOST_DAYS: u32 = 90;
const DAY_MS: i64 = 24 * 3_600_000;

/// Where an invitation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvitationState {
    /// It can be accepted.
    Open,
    /// Somebody accepted it.
    Used,
    /// It was withdrawn.
    Revoked,
    /// Its time is over.
    Expired,
}

/// An invitation in a list.
#[derive(Clone, Debug, Serialize)]
pub struct InvitationRow {
    /// The invitation; not its secret.
    pub id: String,
    /// As what.
    pub role: Role,
    /// The name people read.
    pub display_name: String,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// Epoch milliseconds.
    pub expires_at: i64,
    /// Where it stands.
    pub state: InvitationState,
}

/// What the invited person sees.
#[derive(Clone, Debug, Serialize)]
pub struct InvitationView {
    /// As what.
    pub role: Role,
    /// To which study; empty for the server.
    pub study_name: String,
    /// The name people read, as the inviting person wrote it.
    pub display_name: String,
}

/// Makes an invitation and tells its secret this once.
///
/// # Errors
/// [`Refusal::RoleUnknown`] for a role that does not fit, [`Refusal::Forbidden`] without the right.
pub async fn create(
    app: &Services,
    actor: &Actor,
    study: Option<&StudyId>,
    role: Role,
    display_name: &str,
    days: u32,
) -> Result<String> {
    let mut tx = app.db.begin().await?;
    allowed(&mut tx, actor, study).await?;
    if (role == Role::Admin) == study.is_some() {
        return Err(Refusal::RoleUnknown.into());
    }
    let secret = app.secret();
    let new = Invitation {
        id: app.id(),
        study: study.cloned(),
        role,
        display_name: name::to_read(display_name)?,
        created_by: (!actor.is_operator()).then(|| actor.user.clone()),
        created_at: app.now(),
        expires_at: app.now() + i64::from(days.clamp(1, MOST_DAYS)) * DAY_MS,
        used_at: None,
        revoked_at: None,
    };
    store::invitation::insert(&mut tx, &new, &account::hash_of_secret(&secret)).await?;
    commit(app, tx, actor, study, "invited", &new.id, role).await?;
    Ok(secret)
}

/// The invitations of a study, or of the server.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right.
pub async fn list(
    app: &Services,
    actor: &Actor,
    study: Option<&StudyId>,
) -> Result<Vec<InvitationRow>> {
    let mut db = app.db.read().await?;
    allowed(&mut db, actor, study).await?;
    let now = app.now();
    let row = |found: Invitation| InvitationRow {
        state: state(&found, now),
        id: found.id,
        role: found.role,
        display_name: found.display_name,
        created_at: found.created_at,
        expires_at: found.expires_at,
    };
    Ok(store::invitation::list(&mut db, study)
        .await?
        .into_iter()
        .map(row)
        .collect())
}

/// Withdraws an open invitation.
///
/// # Errors
/// [`Refusal::InvitationGone`] when it is not open.
pub async fn revoke(app: &Services, actor: &Actor, id: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let found = store::invitation::by_id(&mut tx, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    allowed(&mut tx, actor, found.study.as_ref()).await?;
    if !store::invitation::revoke(&mut tx, id, app.now()).await? {
        return Err(Refusal::InvitationGone.into());
    }
    commit(
        app,
        tx,
        actor,
        found.study.as_ref(),
        "invitation_revoked",
        id,
        found.role,
    )
    .await
}

/// What an open invitation offers.
///
/// # Errors
/// [`Refusal::InvitationGone`] when it is not open.
pub async fn look(app: &Services, secret: &str) -> Result<InvitationView> {
    let mut db = app.db.read().await?;
    let found = open(&mut db, secret, app.now()).await?;
    let study_name = match &found.study {
        Some(id) => store::study::get(&mut db, id)
            .await?
            .map(|study| study.name)
            .unwrap_or_default(),
        None => String::new(),
    };
    Ok(InvitationView {
        role: found.role,
        study_name,
        display_name: found.display_name,
    })
}

/// Accepts an invitation with a new account.
///
/// # Errors
/// [`Refusal::InvitationGone`], [`Refusal::NameTaken`], [`Refusal::NameInvalid`], [`Refusal::PasswordTooShort`].
pub async fn accept(
    app: &Services,
    secret: &str,
    user_name: &str,
    display_name: &str,
    password: &str,
) -> Result<Actor> {
    open(&mut *app.db.read().await?, secret, app.now()).await?;
    let mut user = account::new_user(app, user_name, display_name, false, password).await?;
    let mut tx = app.db.begin().await?;
    let found = open(&mut tx, secret, app.now()).await?;
    user.is_admin = found.role == Role::Admin;
    account::insert(&mut tx, &user).await?;
    let actor = account::actor_of(user);
    take(app, tx, &actor, &found).await?;
    Ok(actor)
}

/// Accepts an invitation with the account that is signed in.
///
/// # Errors
/// [`Refusal::InvitationGone`].
pub async fn join(app: &Services, actor: &Actor, secret: &str) -> Result<Option<StudyId>> {
    let mut tx = app.db.begin().await?;
    let found = open(&mut tx, secret, app.now()).await?;
    if found.role == Role::Admin {
        store::account::make_admin(&mut tx, &actor.user).await?;
    }
    take(app, tx, actor, &found).await?;
    Ok(found.study)
}

async fn take(app: &Services, mut tx: store::Tx, actor: &Actor, found: &Invitation) -> Result<()> {
    if !store::invitation::claim(&mut tx, &found.id, app.now()).await? {
        return Err(Refusal::InvitationGone.into());
    }
    store::invitation::used_by(&mut tx, &found.id, &actor.user).await?;
    if let Some(study) = &found.study {
        store::audit::lock(&mut tx, study.as_str()).await?;
        store::member::put(&mut tx, study, &actor.user, found.role, app.now()).await?;
    }
    commit(
        app,
        tx,
        actor,
        found.study.as_ref(),
        "invitation_accepted",
        actor.user.as_str(),
        found.role,
    )
    .await
}

async fn allowed(
    connection: &mut store::AnyConnection,
    actor: &Actor,
    study: Option<&StudyId>,
) -> Result<()> {
    match study {
        Some(study) => require(connection, actor, study, Action::MemberManage)
            .await
            .map(drop),
        None => require_server(actor, Action::UserManage),
    }
}

async fn open(connection: &mut store::AnyConnection, secret: &str, now: i64) -> Result<Invitation> {
    let found = store::invitation::by_hash(connection, &account::hash_of_secret(secret)).await?;
    Ok(found
        .filter(|found| state(found, now) == InvitationState::Open)
        .ok_or(Refusal::InvitationGone)?)
}

fn state(found: &Invitation, now: i64) -> InvitationState {
    match (found.used_at, found.revoked_at) {
        (Some(_), _) => InvitationState::Used,
        (None, Some(_)) => InvitationState::Revoked,
        (None, None) if found.expires_at <= now => InvitationState::Expired,
        (None, None) => InvitationState::Open,
    }
}

async fn commit(
    app: &Services,
    tx: store::Tx,
    actor: &Actor,
    study: Option<&StudyId>,
    verb: &str,
    subject: &str,
    role: Role,
) -> Result<()> {
    let action = if study.is_some() {
        Action::MemberManage
    } else {
        Action::UserManage
    };
    app.commit(
        tx,
        actor,
        Audit {
            study,
            action,
            verb,
            subject,
            details: json!({"role": role}),
        },
    )
    .await
}
