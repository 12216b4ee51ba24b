//! A rater's own work: open, save, submit, report, hand back, reopen.

use axum::extract::State;
use domain::{annotation::Annotation, id::AssignmentId, refusal::Refusal};
use serde::Deserialize;
use serde_json::{Value, json};
use service::{
    Actor, Error, Services,
    desk::{self, DeskView, MyWork, Save, Saved, SubmitOutcome},
};

use super::extract::{Json, Path};
use super::{ApiError, ApiResult, SignedIn};

/// Batches with progress, and where to go on.
#[utoipa::path(get, path = "/api/v1/work", tag = "judging", responses((status = 200, description = "The rater's batches")))]
pub async fn my_work(State(app): State<Services>, SignedIn(actor): SignedIn) -> ApiResult<MyWork> {
    Ok(Json(desk::my_work(&app, &actor).await?))
}

/// Everything the judging desk shows.
#[utoipa::path(get, path = "/api/v1/assignments/{assignment}", tag = "judging", params(("assignment" = String, Path)), responses((status = 200, description = "Item, candidates, own annotation, progress")))]
pub async fn open(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
) -> ApiResult<DeskView> {
    Ok(Json(desk::open(&app, &actor, &id).await?))
}

/// One's own annotation with its version.
#[utoipa::path(get, path = "/api/v1/assignments/{assignment}/annotation", tag = "judging", params(("assignment" = String, Path)), responses((status = 200, description = "Version, state, annotation, gaps")))]
pub async fn read(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
) -> ApiResult<Value> {
    let view = desk::open(&app, &actor, &id).await?;
    Ok(Json(json!({
        "version": view.version, "saved_at": view.saved_at, "submitted_at": view.submitted_at,
        "state": view.state, "annotation": view.annotation, "gaps": view.gaps,
    })))
}

/// A draft, with the version it was made from.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct Sent {
    /// The version that the client last saw.
    base_version: i64,
    /// Made by the client; the same one again is the same save.
    save_id: String,
    /// The whole annotation.
    #[schema(value_type = Object)]
    annotation: Annotation,
}

impl From<Sent> for Save {
    fn from(sent: Sent) -> Self {
        Self {
            base_version: sent.base_version,
            save_id: sent.save_id,
            annotation: sent.annotation,
        }
    }
}

/// Saves a draft. A stale base version answers 409 with what is stored now.
#[utoipa::path(put, path = "/api/v1/assignments/{assignment}/annotation", tag = "judging", params(("assignment" = String, Path)), request_body = Sent, responses((status = 200, description = "Version, time, gaps"), (status = 409, description = "Changed elsewhere, or closed"), (status = 422, description = "Not a value of the scheme")))]
pub async fn save(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
    Json(sent): Json<Sent>,
) -> ApiResult<Saved> {
    match desk::save(&app, &actor, &id, sent.into()).await {
        Ok(saved) => Ok(Json(saved)),
        Err(error) => Err(with_current(&app, &actor, &id, error).await),
    }
}

/// Submits an annotation. What is incomplete is kept as a draft and answered 422 with what is missing.
#[utoipa::path(post, path = "/api/v1/assignments/{assignment}/submit", tag = "judging", params(("assignment" = String, Path)), request_body = Sent, responses((status = 200, description = "Version, time, the next assignment"), (status = 409, description = "Changed elsewhere, or closed"), (status = 422, description = "Incomplete")))]
pub async fn submit(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
    Json(sent): Json<Sent>,
) -> ApiResult<Value> {
    match desk::submit(&app, &actor, &id, sent.into()).await {
        Ok(SubmitOutcome::Submitted {
            version,
            submitted_at,
            next,
        }) => Ok(Json(
            json!({"version": version, "submitted_at": submitted_at, "next": next}),
        )),
        Ok(SubmitOutcome::Incomplete {
            version,
            saved_at,
            gaps,
        }) => Err(ApiError::with(
            Refusal::Incomplete,
            json!({"version": version, "saved_at": saved_at, "gaps": gaps}),
        )),
        Err(error) => Err(with_current(&app, &actor, &id, error).await),
    }
}

/// Why an item cannot be rated.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct CannotRate {
    /// The version that the client last saw.
    base_version: i64,
    /// A code, for example `text_defect`.
    reason: String,
    /// In words, for staff.
    #[serde(default)]
    note: String,
}

/// Reports that the item cannot be rated.
#[utoipa::path(post, path = "/api/v1/assignments/{assignment}/cannot-rate", tag = "judging", params(("assignment" = String, Path)), request_body = CannotRate, responses((status = 200, description = "The next assignment")))]
pub async fn cannot_rate(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
    Json(sent): Json<CannotRate>,
) -> ApiResult<Value> {
    let next =
        desk::cannot_rate(&app, &actor, &id, sent.base_version, sent.reason, sent.note).await?;
    Ok(Json(json!({"next": next})))
}

/// Hands the item back without penalty; the draft is kept.
#[utoipa::path(post, path = "/api/v1/assignments/{assignment}/hand-back", tag = "judging", params(("assignment" = String, Path)), responses((status = 200, description = "The next assignment")))]
pub async fn hand_back(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
) -> ApiResult<Value> {
    let next = desk::hand_back(&app, &actor, &id).await?;
    Ok(Json(json!({"next": next})))
}

/// Resumes what was handed back.
#[utoipa::path(post, path = "/api/v1/assignments/{assignment}/resume", tag = "judging", params(("assignment" = String, Path)), responses((status = 200, description = "The new version")))]
pub async fn resume(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
) -> ApiResult<Value> {
    let version = desk::resume(&app, &actor, &id).await?;
    Ok(Json(json!({"version": version})))
}

/// Opens one's own submission again, until a ruling rests on it.
#[utoipa::path(post, path = "/api/v1/assignments/{assignment}/reopen", tag = "judging", params(("assignment" = String, Path)), responses((status = 200, description = "The new version"), (status = 409, description = "A ruling exists")))]
pub async fn reopen(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
) -> ApiResult<Value> {
    let version = desk::reopen(&app, &actor, &id).await?;
    Ok(Json(json!({"version": version})))
}

/// A conflict carries what is stored now, so that the client can show both.
async fn with_current(app: &Services, actor: &Actor, id: &AssignmentId, error: Error) -> ApiError {
    if error.refusal() != Refusal::Conflict {
        return error.into();
    }
    match desk::open(app, actor, id).await {
        Ok(view) => ApiError::with(
            Refusal::Conflict,
            json!({"current": {"version": view.version, "annotation": view.annotation}}),
        ),
        Err(other) => other.into(),
    }
}
