//! A defect in one request answers that request with a page and harms no other.

use std::any::Any;

use axum::{
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};

const PAGE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
     <title>Something went wrong · Consilium</title></head><body><main>\
     <h1>Something went wrong here</h1>\
     <p>The fault is ours and has been recorded. What was saved before is safe.</p>\
     <p><a href=\"/\">To the start page</a></p></main></body></html>";

/// The answer to a request whose handler panicked. The message is not shown and not logged, since
/// it may quote what the handler was working on; `telemetry` has logged the place.
pub fn answer(_message: Box<dyn Any + Send>) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, Html(PAGE)).into_response()
}
