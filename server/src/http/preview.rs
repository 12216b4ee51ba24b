//! A scheme that is pasted to be looked at before it is used.

use app::{pages::preview::Pasted, shell::shell};
use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use leptos::prelude::provide_context;
use leptos_axum::render_app_async_with_context;

use crate::state::AppState;

/// The largest scheme.
const LIMIT: usize = 4 * 1024 * 1024;

/// Shows the scheme of the form's field `toml`; nothing is kept.
pub async fn show(State(state): State<AppState>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LIMIT).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let text = form_urlencoded::parse(&body)
        .find(|(name, _)| name == "toml")
        .map(|(_, value)| value.replace("\r\n", "\n"))
        .unwrap_or_default();
    let pasted = Pasted(text);
    let again = Request::from_parts(parts, Body::empty());
    let site = state.site.clone();
    render_app_async_with_context(
        move || provide_context(pasted.clone()),
        move || shell(site.clone()),
    )(again)
    .await
    .into_response()
}
