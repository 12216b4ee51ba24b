//! Finds out who asks: an API token in `Authorization`, else the session of the cookie.

use app::context::{Remote, SignedIn, session};
use axum::{
    Json,
    extract::{ConnectInfo, Request, State},
    http::{StatusCode, header::AUTHORIZATION},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::refusal::Refusal;
use serde_json::json;
use service::{Actor, Services, account};
use std::net::SocketAddr;
use tower_sessions::Session;
use tracing::error;

use crate::state::AppState;

/// Puts [`Services`], [`Remote`] and, for whoever is signed in, [`SignedIn`] and [`Actor`] into the
/// request's extensions.
///
/// An `Authorization` header that names no living token is refused at once: a program that believes itself
/// signed in must not go on as a stranger. A stranger without one goes on; pages send them to sign in.
pub async fn identify(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let app = state.services;
    let found = match bearer(&request) {
        Some(secret) => by_token(&app, &secret)
            .await
            .and_then(|who| who.ok_or(Refusal::NotSignedIn))
            .map(Some),
        None => by_session(&app, request.extensions().get::<Session>().cloned()).await,
    };
    let who = match found {
        Ok(who) => who,
        Err(refusal) => return refused(refusal),
    };
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let remote = peer.map(|info| {
        let client = state.proxies.client(info.0.ip(), request.headers());
        client.to_string()
    });
    let extensions = request.extensions_mut();
    extensions.insert(Remote(remote.unwrap_or_default()));
    extensions.insert(app);
    if let Some(who) = who {
        extensions.insert(who.actor.clone());
        extensions.insert(who);
    }
    next.run(request).await
}

/// The refusal as the JSON API words it.
pub fn refused(refusal: Refusal) -> Response {
    let status =
        StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = json!({ "error": { "code": refusal.code(), "message": refusal.message() } });
    (status, Json(body)).into_response()
}

fn bearer(request: &Request) -> Option<String> {
    let value = request
        .headers()
        .get(AUTHORIZATION)?
        .to_str()
        .unwrap_or_default();
    let (scheme, secret) = value.split_once(' ').unwrap_or(("", value));
    Some(if scheme.eq_ignore_ascii_case("bearer") {
        secret.trim().to_owned()
    } else {
        String::new()
    })
}

async fn by_token(app: &Services, secret: &str) -> Result<Option<SignedIn>, Refusal> {
    let actor = account::by_token(app, secret)
        .await
        .map_err(|failure| internal(&failure))?;
    Ok(actor.map(|actor| SignedIn {
        actor,
        expires_at: i64::MAX,
        by_token: true,
    }))
}

async fn by_session(app: &Services, session: Option<Session>) -> Result<Option<SignedIn>, Refusal> {
    let Some(session) = session else {
        return Ok(None);
    };
    let standing = session::standing(&session, app.now())
        .await
        .map_err(|failure| internal(&failure))?;
    let Some(standing) = standing else {
        return Ok(None);
    };
    let actor: Option<Actor> = account::by_session(app, &standing.user)
        .await
        .map_err(|failure| internal(&failure))?;
    Ok(actor.map(|actor| SignedIn {
        actor,
        expires_at: standing.expires_at,
        by_token: false,
    }))
}

fn internal(cause: &dyn std::error::Error) -> Refusal {
    error!(%cause, "could not find out who asks");
    Refusal::Internal
}
