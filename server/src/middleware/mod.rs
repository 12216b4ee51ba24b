//! Layers around every route.

mod headers;
mod observe;
mod origin;
mod panic;

use axum::{Router, middleware::from_fn};
use tower_http::{CompressionLevel, catch_panic::CatchPanicLayer, compression::CompressionLayer};

/// Wraps `routes`; the layer named last sees a request first.
pub fn wrap<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    routes
        .layer(CatchPanicLayer::custom(panic::answer))
        .layer(from_fn(origin::refuse_foreign_writes))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn(headers::harden))
        .layer(from_fn(observe::observe))
}
