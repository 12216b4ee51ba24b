//! What the desk's plain form sends.

use app::{
    context::{Ask, session},
    pages::{
        desk::{
            Posted,
            page::{Landing, post},
        },
        judging::{SIGN_IN_FIELDS, SentSignedOut},
    },
    shell::shell,
};
use axum::{
    body::{Body, to_bytes},
    extract::{Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use domain::{id::AssignmentId, refusal::Refusal};
use leptos::prelude::provide_context;
use leptos_axum::render_app_async_with_context;
use service::{Actor, Error, account};
use tracing::error;

use crate::state::AppState;

/// The largest form: a hundred missed tags with a comment each.
const LIMIT: usize = 4 * 1024 * 1024;

/// Takes the form. Whatever was written comes back when it is refused, also to somebody who was signed out.
pub async fn take(
    State(state): State<AppState>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LIMIT).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let (signs_in, pairs): (Vec<_>, Vec<_>) = form_urlencoded::parse(&body)
        .into_owned()
        .partition(|(name, _)| SIGN_IN_FIELDS.contains(&name.as_str()));
    let again = Request::from_parts(parts.clone(), Body::empty());
    let Some(ask) = Ask::of(parts) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let actor = match who(&ask, &signs_in).await {
        Ok(actor) => actor,
        Err(failure) => {
            let refusal =
                Some(failure.refusal()).filter(|refusal| *refusal != Refusal::NotSignedIn);
            let sent = SentSignedOut { pairs, refusal };
            return page(&state, again, move || provide_context(sent.clone())).await;
        }
    };
    match post(&state.services, &actor, &AssignmentId::new(id), &pairs).await {
        Ok(Landing::Go(address)) => Redirect::to(&address).into_response(),
        Ok(Landing::Again(posted)) => refused(&state, again, posted).await,
        Err(failure) => {
            if let Error::Internal(cause) = &failure {
                error!(%cause, "the desk's form failed");
            }
            // The page behind the same address says why: not found, not allowed.
            page(&state, again, || ()).await
        }
    }
}

/// Who sent it: the person signed in, or whoever signs in with it.
async fn who(ask: &Ask, signs_in: &[(String, String)]) -> service::Result<Actor> {
    if signs_in.is_empty() {
        return Ok(ask.actor()?.clone());
    }
    let field = |name| {
        signs_in
            .iter()
            .find(|(key, _)| key == name)
            .map_or("", |(_, value)| value)
    };
    let (name, password) = (field(SIGN_IN_FIELDS[0]), field(SIGN_IN_FIELDS[1]));
    let actor = account::sign_in(&ask.app, name, password, &ask.remote()).await?;
    session::sign_in(&ask.session, &actor, ask.app.now(), ask.agent())
        .await
        .map_err(|cause| {
            error!(%cause, "the session could not be written");
            Refusal::Internal
        })?;
    Ok(actor)
}

async fn refused(state: &AppState, again: Request, posted: Posted) -> Response {
    page(state, again, move || provide_context(posted.clone())).await
}

async fn page(
    state: &AppState,
    request: Request,
    context: impl Fn() + Clone + Send + Sync + 'static,
) -> Response {
    let site = state.site.clone();
    render_app_async_with_context(context, move || shell(site.clone()))(request)
        .await
        .into_response()
}
