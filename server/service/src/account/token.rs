//! Tokens: secrets for programs that act with their owner's rights.

use super::{actor_of, hash_of_secret, own};
use crate::actor::Actor;
use crate::error::Result;
use crate::name;
use crate::services::Services;
use domain::refusal::Refusal;
use serde::Serialize;

/// How far the last use of a token may lag behind, to spare writes.
const USED_STEP_MS: i64 = 60_000;
/// A day.
const DAY_MS: i64 = 24 * 3_600_000;

/// One of one's own tokens.
#[derive(Clone, Debug, Serialize)]
pub struct TokenRow {
    /// The token; not its secret.
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

/// The active owner of a living token.
///
/// # Errors
/// When the database fails.
pub async fn by_token(app: &Services, secret: &str) -> Result<Option<Actor>> {
    let now = app.now();
    let mut db = app.db.read().await?;
    let found = store::token::owner(&mut db, &hash_of_secret(secret), now).await?;
    drop(db);
    let Some((id, user, used)) = found else {
        return Ok(None);
    };
    if now - used >= USED_STEP_MS {
        let mut tx = app.db.begin().await?;
        store::token::used(&mut tx, &id, now).await?;
        tx.commit().await.map_err(store::Error::from)?;
    }
    Ok(Some(actor_of(user)))
}

/// Makes a token; its secret is told this once.
///
/// # Errors
/// [`Refusal::NameInvalid`].
pub async fn create_token(
    app: &Services,
    actor: &Actor,
    token_name: &str,
    days: Option<u32>,
) -> Result<String> {
    let token_name = name::to_read(token_name)?;
    let secret = format!("consilium_{}", app.secret());
    let token = store::token::Token {
        id: app.id(),
        name: token_name,
        created_at: app.now(),
        last_used_at: None,
        expires_at: days.map(|days| app.now() + i64::from(days) * DAY_MS),
    };
    let mut tx = app.db.begin().await?;
    store::token::insert(&mut tx, &actor.user, &token, &hash_of_secret(&secret)).await?;
    own(app, tx, actor, "token_created", &token.id).await?;
    Ok(secret)
}

/// One's own living tokens.
///
/// # Errors
/// When the database fails.
pub async fn tokens(app: &Services, actor: &Actor) -> Result<Vec<TokenRow>> {
    let found = store::token::of_user(&mut *app.db.read().await?, &actor.user).await?;
    let row = |token: store::token::Token| TokenRow {
        id: token.id,
        name: token.name,
        created_at: token.created_at,
        last_used_at: token.last_used_at,
        expires_at: token.expires_at,
    };
    Ok(found.into_iter().map(row).collect())
}

/// Ends one of one's own tokens at once.
///
/// # Errors
/// [`Refusal::NotFound`] when it is not one's own.
pub async fn revoke_token(app: &Services, actor: &Actor, id: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if !store::token::revoke(&mut tx, id, &actor.user, app.now()).await? {
        return Err(Refusal::NotFound.into());
    }
    own(app, tx, actor, "token_revoked", id).await
}
