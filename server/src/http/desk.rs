//! The judging desk's plain form: the same fields that the island sends, posted without script.

use app::{
    pages::desk::page::{self, Landing},
    shell::shell,
};
use axum::{
    extract::{Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use domain::{id::AssignmentId, refusal::Refusal};
use leptos::prelude::provide_context;
use service::{Actor, Error};
use tracing::error;

use crate::state::AppState;

/// The largest form: a hundred missed tags with long comments are far below it.
const LIMIT: usize = 4 * 1024 * 1024;

/// `POST /desk/{assignment}`
pub async fn post(State(state): State<AppState>, Path(id): Path<AssignmentId>, request: Request) -> Response {
    let Some(actor) = request.extensions().get::<Actor>().cloned() else {
        return Redirect::to(&format!("/sign-in?to=/desk/{id}")).into_response();
    };
    let (head, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, LIMIT).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let pairs: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
    match page::post(&state.services, &actor, &id, &pairs).await {
        Ok(Landing::Go(to)) => Redirect::to(&to).into_response(),
        Ok(Landing::Again(posted)) => {
            let status = posted.refusal.status();
            let site = state.site.clone();
            let render = leptos_axum::render_app_async_with_context(
                move || provide_context(posted.clone()),
                move || shell(site.clone()),
            );
            with_status(render(Request::from_parts(head, body.into())).await, status)
        }
        Err(cause) => {
            if let Error::Internal(cause) = &cause {
                error!(%cause, "use case failed");
            }
            refused(state, Request::from_parts(head, body.into()), cause.refusal()).await
        }
    }
}

/// The page of the same address answers a refusal: it asks again and shows why there is nothing to see.
async fn refused(state: AppState, request: Request, refusal: Refusal) -> Response {
    let site = state.site.clone();
    let render = leptos_axum::render_app_async(move || shell(site.clone()));
    with_status(render(request).await, refusal.status())
}

fn with_status(mut response: Response, status: u16) -> Response {
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response
}
