//! The JSON API: everything that the pages do, for scripts and for the islands.
//!
//! A request carries a bearer token or the session cookie. Handlers only translate; rights and rules are the
//! use cases'.

mod annotation;
mod batch;
mod discussion;
mod error;
mod export;
mod extract;
mod import;
mod manual;
mod member;
mod openapi;
mod result;
mod round;
mod session;
mod snapshot;
mod study;
mod token;
mod triage;

use axum::{
    Router,
    extract::{DefaultBodyLimit, FromRequestParts},
    http::request::Parts,
    routing::{delete, get, post},
};
use domain::refusal::Refusal;
use service::Actor;

use extract::Json;

pub use error::{ApiError, ApiResult};

use crate::state::AppState;

/// The largest JSON body. An annotation with a hundred missed tags and long comments is far below it.
const JSON_LIMIT: usize = 4 * 1024 * 1024;

/// The routes below `/api/v1`.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/openapi.json", get(openapi::document))
        .route(
            "/session",
            get(session::show)
                .post(session::create)
                .delete(session::remove),
        )
        .route("/session/extend", post(session::extend))
        .route("/tokens", get(token::list).post(token::create))
        .route("/tokens/{token}", delete(token::revoke))
        .route("/work", get(annotation::my_work))
        .route(
            "/assignments/{assignment}",
            get(annotation::open).delete(batch::take_back),
        )
        .route(
            "/assignments/{assignment}/annotation",
            get(annotation::read).put(annotation::save),
        )
        .route("/assignments/{assignment}/submit", post(annotation::submit))
        .route(
            "/assignments/{assignment}/cannot-rate",
            post(annotation::cannot_rate),
        )
        .route(
            "/assignments/{assignment}/hand-back",
            post(annotation::hand_back),
        )
        .route("/assignments/{assignment}/resume", post(annotation::resume))
        .route("/assignments/{assignment}/reopen", post(annotation::reopen))
        .route("/studies", get(study::list).post(study::create))
        .route("/studies/{study}", get(study::show))
        .route("/studies/{study}/blinding", post(study::set_blinding))
        .route("/studies/{study}/state", post(study::set_state))
        .route("/studies/{study}/audit", get(study::audit))
        .route(
            "/studies/{study}/imports",
            post(import::run).layer(DefaultBodyLimit::disable()),
        )
        .route("/studies/{study}/imports/codes", get(import::codes))
        .route("/studies/{study}/items", get(study::items))
        .route("/items/{item}", get(study::item))
        .route(
            "/studies/{study}/members",
            get(member::list).post(member::add),
        )
        .route(
            "/studies/{study}/invitations",
            get(member::invitations).post(member::invite),
        )
        .route(
            "/studies/{study}/batches",
            get(batch::list).post(batch::create),
        )
        .route("/studies/{study}/batches/plan", post(batch::plan))
        .route("/batches/{batch}/assignments", get(batch::assignments))
        .route("/studies/{study}/disagreements", get(result::queue))
        .route("/units/{unit}", get(result::unit))
        .route("/units/{unit}/ruling", post(result::rule))
        .merge(reconciling())
        .merge(rounds())
        .route("/studies/{study}/agreement", get(result::agreement))
        .route(
            "/studies/{study}/agreement/rows",
            get(result::agreement_rows),
        )
        .route("/studies/{study}/sign-off", get(snapshot::readiness))
        .route(
            "/studies/{study}/snapshots",
            get(snapshot::list).post(snapshot::sign_off),
        )
        .route("/studies/{study}/snapshots/{number}", get(snapshot::show))
        .route(
            "/studies/{study}/snapshots/{number}/content",
            get(snapshot::content),
        )
        .route(
            "/studies/{study}/snapshots/{number}/changes",
            get(snapshot::compare),
        )
        .route("/studies/{study}/exports/{file}", get(export::file))
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_by_this_method)
        .layer(DefaultBodyLimit::max(JSON_LIMIT))
}

/// How units are talked over and the manual grows.
fn reconciling() -> Router<AppState> {
    Router::new()
        .route("/discussions", get(discussion::mine))
        .route("/studies/{study}/discussions", get(discussion::list))
        .route(
            "/units/{unit}/discussion",
            get(discussion::show)
                .post(discussion::open)
                .delete(discussion::close),
        )
        .route("/units/{unit}/discussion/messages", post(discussion::post))
        .route("/units/{unit}/discussion/accept", post(discussion::accept))
        .route("/units/{unit}/discussion/assign", post(discussion::assign))
        .route("/units/{unit}/exclusion", post(discussion::exclude))
        .route("/studies/{study}/confirmations", post(discussion::confirm))
        .route("/studies/{study}/comments", get(triage::inbox))
        .route("/studies/{study}/comments/steps", post(triage::act))
        .route("/studies/{study}/comments/undo", post(triage::undo))
        .route("/studies/{study}/comments/forward", post(triage::forward))
        .route(
            "/studies/{study}/manual",
            get(manual::versions).post(manual::revise),
        )
        .route("/studies/{study}/manual/changes", get(manual::changes))
        .route("/studies/{study}/manual/{version}", get(manual::at))
        .route(
            "/studies/{study}/missed-match",
            post(manual::set_missed_match),
        )
}

/// Calibration, cross-checks and independence.
fn rounds() -> Router<AppState> {
    Router::new()
        .route(
            "/batches/{batch}/calibration",
            get(round::calibration).post(round::calibrate),
        )
        .route("/feedback", get(round::my_feedback))
        .route("/assignments/{assignment}/feedback", get(round::feedback))
        .route(
            "/studies/{study}/cross-checks",
            get(round::disagreements).post(round::create_check),
        )
        .route(
            "/studies/{study}/cross-checks/plan",
            post(round::plan_check),
        )
        .route("/reviews", get(round::my_checks))
        .route("/reviews/{review}", get(round::review).post(round::give))
        .route("/studies/{study}/independence", get(round::independence))
}

async fn nothing_here() -> ApiError {
    Refusal::NotFound.into()
}

async fn not_by_this_method() -> ApiError {
    Refusal::MethodUnknown.into()
}

/// The person or token behind a request; without one the API answers 401.
pub struct SignedIn(pub Actor);

impl<S: Send + Sync> FromRequestParts<S> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        parts
            .extensions
            .get::<Actor>()
            .cloned()
            .map(Self)
            .ok_or_else(|| Refusal::NotSignedIn.into())
    }
}

/// Answers that carry nothing but success.
fn done() -> Json<serde_json::Value> {
    Json(serde_json::json!({"done": true}))
}
