//! Keeps the fields of a posted form, so that a refused form can be filled again.

use app::context::Posted;
use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{StatusCode, header::CONTENT_TYPE},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::refusal::Refusal;

/// The largest form that an action accepts.
const LIMIT: usize = 256 * 1024;

/// Reads the body of a form meant for an action and passes it on as it came. Passwords and secrets are not kept.
pub async fn keep_fields(request: Request, next: Next) -> Response {
    let is_form = request.headers().get(CONTENT_TYPE).is_some_and(|kind| {
        kind.as_bytes()
            .starts_with(b"application/x-www-form-urlencoded")
    });
    if !is_form || !request.uri().path().starts_with("/do/") {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LIMIT).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "The form is too large.\n").into_response();
    };
    let fields = form_urlencoded::parse(&body).into_owned();
    let posted = Posted(
        fields
            .filter(|(name, _)| !name.contains("password") && name != "secret")
            .collect(),
    );
    let mut request = Request::from_parts(parts, Body::from(body));
    request.extensions_mut().insert(posted);
    unreadable(next.run(request).await).await
}

/// Fields that are no arguments of an action fail before the action is asked, which the framework calls an error of the
/// server: it is one of the sender.
async fn unreadable(response: Response) -> Response {
    if response.status() != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, LIMIT).await else {
        return parts.status.into_response();
    };
    let said = String::from_utf8_lossy(&body);
    if said.trim().trim_matches('"') == Refusal::InputInvalid.code() {
        parts.status = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Response::from_parts(parts, Body::from(body))
}
