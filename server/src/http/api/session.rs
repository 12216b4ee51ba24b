//! Signing in and out for scripts and for the panel that signs in over an open desk.

use app::context::{self, Remote};
use axum::{Extension, extract::State, http::HeaderMap, http::header::USER_AGENT};
use domain::refusal::Refusal;
use serde::Deserialize;
use serde_json::{Value, json};
use service::{Services, account};
use tower_sessions::Session;
use tracing::error;

use super::extract::Json;
use super::{ApiError, ApiResult, done};

/// A name and its password.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct Credentials {
    name: String,
    #[schema(format = Password)]
    password: String,
}

/// Who is signed in, and until when.
#[utoipa::path(get, path = "/api/v1/session", tag = "account", responses((status = 200, description = "Name and end"), (status = 401, description = "Signed out")))]
pub async fn show(who: Option<Extension<context::SignedIn>>) -> ApiResult<Value> {
    let Some(Extension(who)) = who else {
        return Err(Refusal::NotSignedIn.into());
    };
    Ok(Json(described(
        &who.actor.name,
        &who.actor.display_name,
        who.expires_at,
    )))
}

/// Signs in; the cookie of the answer carries the session.
#[utoipa::path(post, path = "/api/v1/session", tag = "account", request_body = Credentials, responses((status = 200, description = "Signed in"), (status = 401, description = "Wrong name or password"), (status = 429, description = "Too many attempts")), security(()))]
pub async fn create(
    State(app): State<Services>,
    Extension(session): Extension<Session>,
    Extension(remote): Extension<Remote>,
    headers: HeaderMap,
    Json(sent): Json<Credentials>,
) -> ApiResult<Value> {
    let actor = account::sign_in(&app, &sent.name, &sent.password, &remote.0).await?;
    let agent = headers
        .get(USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let expires_at = context::session::sign_in(&session, &actor, app.now(), agent)
        .await
        .map_err(failed)?;
    Ok(Json(described(
        &actor.name,
        &actor.display_name,
        expires_at,
    )))
}

/// Signs out.
#[utoipa::path(delete, path = "/api/v1/session", tag = "account", responses((status = 200, description = "Signed out")))]
pub async fn remove(Extension(session): Extension<Session>) -> ApiResult<Value> {
    session.flush().await.map_err(failed)?;
    Ok(done())
}

/// Prolongs the session, within its longest life.
#[utoipa::path(post, path = "/api/v1/session/extend", tag = "account", responses((status = 200, description = "The new end")))]
pub async fn extend(
    State(app): State<Services>,
    Extension(session): Extension<Session>,
    who: Option<Extension<context::SignedIn>>,
) -> ApiResult<Value> {
    match who {
        Some(Extension(who)) if !who.by_token => {
            let expires_at = context::session::extend(&session, app.now())
                .await
                .map_err(failed)?;
            Ok(Json(json!({"expires_at": expires_at})))
        }
        _ => Err(Refusal::NotSignedIn.into()),
    }
}

fn described(name: &str, display_name: &str, expires_at: i64) -> Value {
    json!({"name": name, "display_name": display_name, "expires_at": expires_at})
}

fn failed(cause: tower_sessions::session::Error) -> ApiError {
    error!(%cause, "the session could not be kept");
    Refusal::Internal.into()
}
