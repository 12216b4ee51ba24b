//! The judging desk's plain form: the same fields that the island sends, posted without script.

use app::{pages::desk::Posted, shell::shell};
use axum::{
    body::Bytes,
    extract::{Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use domain::{
    form::{self, Intent, Sent},
    id::AssignmentId,
    refusal::Refusal,
};
use leptos::prelude::provide_context;
use service::{
    Actor, Error, Services,
    desk::{self, Save, SubmitOutcome},
};
use tracing::error;

use crate::state::AppState;

/// `POST /desk/{assignment}`
pub async fn post(
    State(state): State<AppState>,
    Path(id): Path<AssignmentId>,
    request: Request,
) -> Response {
    let Some(actor) = request.extensions().get::<Actor>().cloned() else {
        return Redirect::to(&format!("/sign-in?to=/desk/{id}")).into_response();
    };
    let (head, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, 4 * 1024 * 1024).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    match answer(&state.services, &actor, &id, &body).await {
        Ok(to) => Redirect::to(&to).into_response(),
        Err((sent, cause)) => {
            if let Error::Internal(cause) = &cause {
                error!(%cause, "use case failed");
            }
            shown_again(state, Request::from_parts(head, body.into()), sent, cause.refusal()).await
        }
    }
}

/// Does what the button says and tells where to go; on a refusal gives back what was sent.
async fn answer(
    app: &Services,
    actor: &Actor,
    id: &AssignmentId,
    body: &Bytes,
) -> Result<String, (Sent, Error)> {
    let pairs: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
    let view = match desk::open(app, actor, id).await {
        Ok(view) => view,
        Err(cause) => return Err((form::parse(&pairs, ""), cause)),
    };
    let sent = form::parse(&pairs, &view.item.trace);
    match act(app, actor, id, &sent, view.state.is_open()).await {
        Ok(to) => Ok(to),
        Err(cause) => Err((sent, cause)),
    }
}

async fn act(
    app: &Services,
    actor: &Actor,
    id: &AssignmentId,
    sent: &Sent,
    open: bool,
) -> Result<String, Error> {
    let here = format!("/desk/{id}");
    match sent.intent {
        Intent::Save => {
            desk::save(app, actor, id, save_of(sent)).await?;
            Ok(here)
        }
        Intent::AddMissed | Intent::Remove => {
            desk::save(app, actor, id, save_of(sent)).await?;
            Ok(format!("{here}#missed"))
        }
        Intent::Submit => Ok(match desk::submit(app, actor, id, save_of(sent)).await? {
            SubmitOutcome::Submitted { next, .. } => next_or_work(next),
            SubmitOutcome::Incomplete { .. } => format!("{here}?gaps"),
        }),
        Intent::CannotRate => {
            let saved = desk::save(app, actor, id, save_of(sent)).await?;
            let next = desk::cannot_rate(app, actor, id, saved.version, &sent.reason, &sent.note).await?;
            Ok(next_or_work(next))
        }
        Intent::HandBack => {
            if open {
                desk::save(app, actor, id, save_of(sent)).await?;
            }
            Ok(next_or_work(desk::hand_back(app, actor, id).await?))
        }
        Intent::Reopen => {
            desk::reopen(app, actor, id).await?;
            Ok(here)
        }
        Intent::Resume => {
            desk::resume(app, actor, id).await?;
            Ok(here)
        }
    }
}

fn save_of(sent: &Sent) -> Save {
    Save {
        base_version: sent.base_version,
        save_id: sent.save_id.clone(),
        annotation: sent.annotation.clone(),
    }
}

fn next_or_work(next: Option<AssignmentId>) -> String {
    next.map_or_else(|| "/work".to_owned(), |next| format!("/desk/{next}"))
}

/// The desk once more, with everything that was sent, the refusal's sentence and its status.
async fn shown_again(state: AppState, request: Request, sent: Sent, refusal: Refusal) -> Response {
    let site = state.site.clone();
    let posted = Posted { annotation: sent.annotation, save_id: state.services.id(), refusal };
    let render = leptos_axum::render_app_async_with_context(
        move || provide_context(posted.clone()),
        move || shell(site.clone()),
    );
    let mut response = render(request).await;
    *response.status_mut() = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::CONFLICT);
    response
}
