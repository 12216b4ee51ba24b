//! Discussions, confirmations and exclusions of units.

use axum::extract::State;
use domain::id::{MessageId, StudyId, UnitId};
use serde::{Deserialize, Serialize};
use service::{
    Services,
    discussion::{self, NewMessage, Row, Thread},
    exclusion,
    ruling::{self, Confirmed},
};

use super::extract::{Json, Path};
use super::{ApiResult, SignedIn, done};

/// How a discussion is opened.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Opening {
    /// A first remark; may be empty.
    remark: String,
}

/// Who is asked to settle a unit.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The account; nobody in particular when empty.
    to: String,
}

/// The proposal somebody accepts.
#[derive(Debug, Deserialize)]
pub struct Accepted {
    proposal: MessageId,
}

/// Whether an acceptance settled the unit.
#[derive(Debug, Serialize)]
pub struct Settled {
    settled: bool,
}

/// The units that somebody looked at.
#[derive(Debug, Deserialize)]
pub struct Looked {
    units: Vec<Confirmed>,
}

/// Why a unit is taken out, or put back.
#[derive(Debug, Deserialize)]
pub struct Exclusion {
    /// The version that was seen; 0 when it was never out.
    expected: i64,
    /// A reason of the scheme; empty puts the unit back.
    reason: String,
    #[serde(default)]
    note: String,
}

/// The discussions of items that one rated.
#[utoipa::path(get, path = "/api/v1/discussions", tag = "discussions", responses((status = 200, description = "A list, open ones first")))]
pub async fn mine(State(app): State<Services>, SignedIn(actor): SignedIn) -> ApiResult<Vec<Row>> {
    Ok(Json(discussion::mine(&app, &actor).await?))
}

/// The discussions of a study.
#[utoipa::path(get, path = "/api/v1/studies/{study}/discussions", tag = "discussions", params(("study" = String, Path)), responses((status = 200, description = "A list, open ones first")))]
pub async fn list(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Vec<Row>> {
    Ok(Json(discussion::list(&app, &actor, &id).await?))
}

/// The discussion of a unit with both sides; only for staff and the raters of the item.
#[utoipa::path(get, path = "/api/v1/units/{unit}/discussion", tag = "discussions", params(("unit" = String, Path)), responses((status = 200, description = "The thread"), (status = 404, description = "None, or not yours")))]
pub async fn show(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
) -> ApiResult<Thread> {
    let thread = discussion::get(&app, &actor, &id).await?;
    let last = thread.messages.last().map_or(0, |message| message.seq);
    // What was sent was seen: when a rater first saw the other's judgement is part of the record.
    if thread.begun {
        discussion::seen(&app, &actor, &id, last).await?;
    }
    Ok(Json(thread))
}

/// Opens the discussion of a unit.
#[utoipa::path(post, path = "/api/v1/units/{unit}/discussion", tag = "discussions", params(("unit" = String, Path)), request_body = Object, responses((status = 200, description = "Open"), (status = 409, description = "Not every rater has submitted")))]
pub async fn open(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
    Json(new): Json<Opening>,
) -> ApiResult<serde_json::Value> {
    discussion::open(&app, &actor, &id, &new.remark).await?;
    Ok(done())
}

/// Closes the discussion of a unit.
#[utoipa::path(delete, path = "/api/v1/units/{unit}/discussion", tag = "discussions", params(("unit" = String, Path)), responses((status = 200, description = "Closed")))]
pub async fn close(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
) -> ApiResult<serde_json::Value> {
    discussion::close(&app, &actor, &id).await?;
    Ok(done())
}

/// Writes a remark, a quotation or a proposal. The same `id` again is written once.
#[utoipa::path(post, path = "/api/v1/units/{unit}/discussion/messages", tag = "discussions", params(("unit" = String, Path)), request_body = Object, responses((status = 200, description = "Written"), (status = 409, description = "Closed, the unit changed since, or another message has the `id`")))]
pub async fn post(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
    Json(new): Json<NewMessage>,
) -> ApiResult<serde_json::Value> {
    discussion::post(&app, &actor, &id, new).await?;
    Ok(done())
}

/// Accepts a proposal; the last rater's yes records the consensus.
#[utoipa::path(post, path = "/api/v1/units/{unit}/discussion/accept", tag = "discussions", params(("unit" = String, Path)), request_body = Object, responses((status = 200, description = "Whether that settled the unit"), (status = 409, description = "The proposal no longer stands")))]
pub async fn accept(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
    Json(yes): Json<Accepted>,
) -> ApiResult<Settled> {
    let settled = discussion::accept(&app, &actor, &id, &yes.proposal).await?;
    Ok(Json(Settled { settled }))
}

/// Asks somebody to settle a unit.
#[utoipa::path(post, path = "/api/v1/units/{unit}/discussion/assign", tag = "discussions", params(("unit" = String, Path)), request_body = Object, responses((status = 200, description = "Asked"), (status = 403, description = "They rated the item")))]
pub async fn assign(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
    Json(asked): Json<Asked>,
) -> ApiResult<serde_json::Value> {
    discussion::assign(&app, &actor, &id, &asked.to).await?;
    Ok(done())
}

/// Confirms units on which every rater said the same; all or none.
#[utoipa::path(post, path = "/api/v1/studies/{study}/confirmations", tag = "results", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "How many"), (status = 422, description = "One is not unanimous")))]
pub async fn confirm(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(looked): Json<Looked>,
) -> ApiResult<serde_json::Value> {
    let confirmed = ruling::confirm(&app, &actor, &id, &looked.units).await?;
    Ok(Json(serde_json::json!({"confirmed": confirmed})))
}

/// Takes a unit out of the results with a reason of the scheme, or puts it back.
#[utoipa::path(post, path = "/api/v1/units/{unit}/exclusion", tag = "results", params(("unit" = String, Path)), request_body = Object, responses((status = 200, description = "The new version"), (status = 409, description = "Changed since it was seen")))]
pub async fn exclude(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
    Json(new): Json<Exclusion>,
) -> ApiResult<serde_json::Value> {
    let version = exclusion::set(&app, &actor, &id, new.expected, &new.reason, &new.note).await?;
    Ok(Json(serde_json::json!({"version": version})))
}
