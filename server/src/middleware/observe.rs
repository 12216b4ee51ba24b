//! One log line a request, without anything a person wrote.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use tracing::{Instrument, info, info_span};
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
    span.in_scope(|| info!(status = response.status().as_u16(), micros, "answered"));
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}
