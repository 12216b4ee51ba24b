//! Layers around every route.

pub mod auth;
mod headers;
mod observe;
mod origin;
mod panic;
mod posted;

use app::context::session::IDLE_MS;
use axum::{
    Extension, Router,
    middleware::{from_fn, from_fn_with_state},
};
use service::session::Store;
use tower_http::{CompressionLevel, catch_panic::CatchPanicLayer, compression::CompressionLayer};
use tower_sessions::{Expiry, SessionManagerLayer, cookie::time::Duration};

use crate::state::AppState;

/// Layers around the routes that care who asks: everything but static files and health.
///
/// Of the session cookie, `HttpOnly` and `SameSite=Strict` are the library's defaults.
pub fn know_people(routes: Router<AppState>, state: &AppState) -> Router<AppState> {
    let sessions = SessionManagerLayer::new(Store::new(state.services.clone()))
        .with_name("consilium")
        .with_secure(state.secure_cookies)
        .with_expiry(Expiry::OnInactivity(Duration::milliseconds(IDLE_MS)));
    routes
        .layer(from_fn(posted::keep_fields))
        .layer(Extension(state.imports.clone()))
        .layer(from_fn_with_state(state.clone(), auth::identify))
        .layer(sessions)
}

/// Wraps `routes`; the layer named last sees a request first.
pub fn wrap<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    routes
        .layer(CatchPanicLayer::custom(panic::answer))
        .layer(from_fn(origin::refuse_foreign_writes))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn(headers::harden))
        .layer(from_fn(observe::observe))
}
