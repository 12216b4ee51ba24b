//! One log line a request, without anything a person wrote.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use tracing::{Instrument, debug, info, info_span};
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Opens the request's span and logs its outcome.
///
/// The pattern of the route is recorded, never the address: that can hold names and search terms.
pub async fn observe(request: Request, next: Next) -> Response {
    let id = Uuid::now_v7().to_string();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("unmatched", MatchedPath::as_str);
    let span = info_span!("request", %id, method = %request.method(), route);
    let begun = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let status = response.status().as_u16();
    span.in_scope(|| {
        if is_routine(route) && status < 400 {
            debug!(status, micros, "answered");
        } else {
            info!(status, micros, "answered");
        }
    });
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// Asked for so often, and of so little interest, that it would hide the rest.
fn is_routine(route: &str) -> bool {
    route.starts_with("/pkg") || matches!(route, "/healthz" | "/readyz")
}
