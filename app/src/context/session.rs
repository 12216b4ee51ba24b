//! What a session holds: who signed in, when, and when they were last seen.

use domain::id::UserId;
use service::Actor;
use tower_sessions::{Session, session::Error};

/// The account's identity.
pub const USER: &str = "user";
/// When the person signed in, in epoch milliseconds.
pub const SINCE: &str = "since";
/// When they were last seen, in epoch milliseconds; moved on rarely, to spare writes.
pub const SEEN: &str = "seen";
/// What their browser calls itself.
pub const AGENT: &str = "agent";

/// How long a session lives without a request.
pub const IDLE_MS: i64 = 12 * 3_600_000;
/// How long it lives at most.
pub const LIFE_MS: i64 = 7 * 24 * 3_600_000;
/// How far `SEEN` may lag behind.
const SEEN_STEP_MS: i64 = 5 * 60_000;
/// The longest kept name of a browser.
const AGENT_LIMIT: usize = 200;

/// A session that stands for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The account.
    pub user: UserId,
    /// When it ends unless something is done before.
    pub expires_at: i64,
}

/// Signs a person in under a new session id, so that an id planted before is worth nothing.
///
/// # Errors
/// When the session cannot be stored.
pub async fn sign_in(
    session: &Session,
    actor: &Actor,
    now: i64,
    agent: &str,
) -> Result<i64, Error> {
    // A form that was refused for want of a sign-in is filled again behind it.
    let flash = session.get_value(super::flash::KEY).await?;
    session.clear().await;
    session.cycle_id().await?;
    if let Some(flash) = flash {
        session.insert_value(super::flash::KEY, flash).await?;
    }
    session.insert(USER, actor.user.as_str()).await?;
    session.insert(SINCE, now).await?;
    session.insert(SEEN, now).await?;
    session
        .insert(AGENT, agent.chars().take(AGENT_LIMIT).collect::<String>())
        .await?;
    Ok(expires_at(now, now))
}

/// Who the session stands for at `now`; moves `SEEN` on when it lags, which also prolongs the session.
///
/// # Errors
/// When the session cannot be read.
pub async fn standing(session: &Session, now: i64) -> Result<Option<Standing>, Error> {
    let (Some(user), Some(since), Some(seen)) = (
        session.get::<String>(USER).await?,
        session.get::<i64>(SINCE).await?,
        session.get::<i64>(SEEN).await?,
    ) else {
        return Ok(None);
    };
    if now >= expires_at(since, seen) {
        session.flush().await?;
        return Ok(None);
    }
    let lags = now - seen >= SEEN_STEP_MS;
    if lags {
        session.insert(SEEN, now).await?;
    }
    let seen = if lags { now } else { seen };
    Ok(Some(Standing {
        user: UserId::new(user),
        expires_at: expires_at(since, seen),
    }))
}

/// Prolongs the session now, within its longest life, and tells its new end.
///
/// # Errors
/// When the session cannot be stored.
pub async fn extend(session: &Session, now: i64) -> Result<i64, Error> {
    let since = session.get::<i64>(SINCE).await?.unwrap_or(now);
    session.insert(SEEN, now).await?;
    Ok(expires_at(since, now))
}

/// How the person's own list of sessions names this one.
pub fn key(session: &Session) -> Option<String> {
    session.id().map(|id| service::session::key(&id))
}

fn expires_at(since: i64, seen: i64) -> i64 {
    (seen + IDLE_MS).min(since + LIFE_MS)
}
