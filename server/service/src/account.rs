//! Accounts: sign in, passwords, sessions and tokens of one's own, and the administrator's view of all.

mod token;

pub use token::{TokenRow, by_token, create_token, revoke_token, tokens};

use crate::actor::Actor;
use crate::attempt::Attempt;
use crate::auth::require_server;
use crate::error::Result;
use crate::name;
use crate::password;
use crate::services::{Audit, Services};
use crate::session;
use domain::id::UserId;
use domain::refusal::Refusal;
use domain::role::Action;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::account::User;

/// An account in the administrator's list.
#[derive(Clone, Debug, Serialize)]
pub struct UserRow {
    /// The account.
    pub id: UserId,
    /// The name they sign in with.
    pub name: String,
    /// The name people read.
    pub display_name: String,
    /// Whether they run the server.
    pub is_admin: bool,
    /// Whether they may sign in.
    pub active: bool,
    /// Whether they have a password; a rater of an imported file has none.
    pub has_password: bool,
    /// Epoch milliseconds.
    pub created_at: i64,
}

/// One of one's own sessions.
#[derive(Clone, Debug, Serialize)]
pub struct SessionRow {
    /// The session; not its secret.
    pub id: String,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// Epoch milliseconds.
    pub last_seen_at: i64,
    /// What the browser calls itself.
    pub user_agent: String,
    /// Whether it is the one asking.
    pub current: bool,
}

/// The hash under which a secret is stored.
pub fn hash_of_secret(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// Signs somebody in.
///
/// # Errors
/// [`Refusal::WrongCredentials`], or [`Refusal::TooManyAttempts`] while the name or the address is blocked.
pub async fn sign_in(app: &Services, user_name: &str, secret: &str, remote: &str) -> Result<Actor> {
    let folded = name::folded(&user_name.chars().take(200).collect::<String>());
    let attempt = Attempt::for_name(&folded).at_address(remote);
    attempt.open(app).await?;
    let user = store::account::by_name(&mut *app.db.read().await?, &folded).await?;
    let user = user.filter(|user| user.active);
    let stored = user.as_ref().map(|user| user.password_hash.clone());
    let right = password::verified(secret, stored).await?;
    let Some(user) = user.filter(|_| right) else {
        return Err(attempt.failed(app).await);
    };
    let mut tx = app.db.begin().await?;
    attempt.succeeded(app, &mut tx).await?;
    let actor = actor_of(user);
    own(app, tx, &actor, "signed_in", actor.user.as_str()).await?;
    sweep(app).await;
    Ok(actor)
}

/// Deletes what has expired. It is done when somebody signs in, because that is when the tables grow; that it
/// could not be done stands in nobody's way.
async fn sweep(app: &Services) {
    let swept = session::Store::new(app.clone()).sweep().await;
    if let Err(error) = swept {
        tracing::warn!(%error, "expired sessions were not swept");
    }
}

/// The active account of a session.
///
/// # Errors
/// When the database fails.
pub async fn by_session(app: &Services, user: &UserId) -> Result<Option<Actor>> {
    let user = store::account::by_id(&mut *app.db.read().await?, user).await?;
    Ok(user.filter(|user| user.active).map(actor_of))
}

/// The account of this name, for the operator.
///
/// # Errors
/// [`Refusal::NotFound`] when there is none, [`Refusal::Forbidden`] for anybody but an administrator.
pub async fn find(app: &Services, actor: &Actor, user_name: &str) -> Result<Actor> {
    require_server(actor, Action::UserManage)?;
    let user =
        store::account::by_name(&mut *app.db.read().await?, &name::folded(user_name)).await?;
    Ok(user.map(actor_of).ok_or(Refusal::NotFound)?)
}

/// Makes an account.
///
/// # Errors
/// [`Refusal::NameTaken`], [`Refusal::NameInvalid`], [`Refusal::PasswordTooShort`].
pub async fn add(
    app: &Services,
    actor: &Actor,
    user_name: &str,
    display_name: &str,
    admin: bool,
    secret: &str,
) -> Result<UserId> {
    require_server(actor, Action::UserManage)?;
    let user = new_user(app, user_name, display_name, admin, secret).await?;
    let mut tx = app.db.begin().await?;
    insert(&mut tx, &user).await?;
    let details = json!({"admin": admin});
    let subject = user.id.as_str();
    let audit = Audit {
        study: None,
        action: Action::UserManage,
        verb: "added",
        subject,
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(user.id)
}

/// A new account with its password hashed, not yet stored.
pub(crate) async fn new_user(
    app: &Services,
    user_name: &str,
    display_name: &str,
    admin: bool,
    secret: &str,
) -> Result<User> {
    let user_name = name::of_account(user_name)?;
    let display_name = name::to_read(display_name)?;
    let mut salt = [0; 16];
    app.random.fill(&mut salt);
    Ok(User {
        id: UserId::new(app.id()),
        name: user_name,
        display_name,
        password_hash: password::hashed(secret, salt).await?,
        is_admin: admin,
        active: true,
        created_at: app.now(),
    })
}

/// Stores a new account.
pub(crate) async fn insert(connection: &mut store::AnyConnection, user: &User) -> Result<()> {
    if store::account::insert(connection, user, &name::folded(&user.name)).await? {
        Ok(())
    } else {
        Err(Refusal::NameTaken.into())
    }
}

/// Every account.
///
/// # Errors
/// [`Refusal::Forbidden`] for anybody but an administrator.
pub async fn list(app: &Services, actor: &Actor) -> Result<Vec<UserRow>> {
    require_server(actor, Action::UserManage)?;
    let users = store::account::list(&mut *app.db.read().await?).await?;
    let row = |user: User| UserRow {
        id: user.id,
        name: user.name,
        display_name: user.display_name,
        is_admin: user.is_admin,
        active: user.active,
        has_password: !user.password_hash.is_empty(),
        created_at: user.created_at,
    };
    Ok(users.into_iter().map(row).collect())
}

/// Closes an account, ending its sessions, or opens it again.
///
/// # Errors
/// [`Refusal::LastAdmin`], [`Refusal::NotFound`], [`Refusal::Forbidden`].
pub async fn set_active(app: &Services, actor: &Actor, user: &UserId, active: bool) -> Result<()> {
    require_server(actor, Action::UserManage)?;
    let mut tx = app.db.begin().await?;
    store::audit::lock(&mut tx, "").await?;
    let admins = store::account::count_admins(&mut tx).await?;
    if !store::account::set_active(&mut tx, user, active).await? {
        return Err(Refusal::NotFound.into());
    }
    if !active {
        if admins > 0 && store::account::count_admins(&mut tx).await? == 0 {
            return Err(Refusal::LastAdmin.into());
        }
        store::session::delete_others(&mut tx, user, "").await?;
    }
    let verb = if active { "opened" } else { "closed" };
    let audit = Audit {
        study: None,
        action: Action::UserManage,
        verb,
        subject: user.as_str(),
        details: json!({}),
    };
    app.commit(tx, actor, audit).await
}

/// Changes one's own password and ends every other session of one's own.
///
/// # Errors
/// [`Refusal::WrongCredentials`] when the old one is wrong, [`Refusal::TooManyAttempts`] when it was too often,
/// [`Refusal::PasswordTooShort`] and its like.
pub async fn change_password(
    app: &Services,
    actor: &Actor,
    old: &str,
    new: &str,
    keep: Option<&str>,
) -> Result<()> {
    password::check(new)?;
    let user = store::account::by_id(&mut *app.db.read().await?, &actor.user)
        .await?
        .ok_or(Refusal::NotFound)?;
    let attempt = Attempt::for_name(&name::folded(&user.name));
    attempt.open(app).await?;
    if !password::verified(old, Some(user.password_hash.clone())).await? {
        return Err(attempt.failed(app).await);
    }
    let mut salt = [0; 16];
    app.random.fill(&mut salt);
    let hash = password::hashed(new, salt).await?;
    let mut tx = app.db.begin().await?;
    attempt.succeeded(app, &mut tx).await?;
    if !store::account::set_password(&mut tx, &actor.user, &user.password_hash, &hash).await? {
        return Err(Refusal::Conflict.into());
    }
    store::session::delete_others(&mut tx, &actor.user, keep.unwrap_or_default()).await?;
    own(app, tx, actor, "password_changed", actor.user.as_str()).await
}

/// One's own living sessions.
///
/// # Errors
/// When the database fails.
pub async fn sessions(
    app: &Services,
    actor: &Actor,
    current: Option<&str>,
) -> Result<Vec<SessionRow>> {
    let found = store::session::of_user(&mut *app.db.read().await?, &actor.user, app.now()).await?;
    let row = |session: store::session::Session| SessionRow {
        current: current == Some(&session.id),
        id: session.id,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        user_agent: session.user_agent,
    };
    Ok(found.into_iter().map(row).collect())
}

/// Ends one of one's own sessions at once.
///
/// # Errors
/// [`Refusal::NotFound`] when it is not one's own.
pub async fn revoke_session(app: &Services, actor: &Actor, id: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if !store::session::delete_own(&mut tx, id, &actor.user).await? {
        return Err(Refusal::NotFound.into());
    }
    own(app, tx, actor, "session_revoked", "").await
}

async fn own(
    app: &Services,
    tx: store::Tx,
    actor: &Actor,
    verb: &str,
    subject: &str,
) -> Result<()> {
    let audit = Audit {
        study: None,
        action: Action::OwnAccount,
        verb,
        subject,
        details: json!({}),
    };
    app.commit(tx, actor, audit).await
}

pub(crate) fn actor_of(user: User) -> Actor {
    Actor {
        user: user.id,
        name: user.name,
        display_name: user.display_name,
        is_admin: user.is_admin,
    }
}
