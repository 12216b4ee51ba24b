//! Sign-off and snapshots.

use axum::{extract::State, response::Response};
use domain::id::StudyId;
use serde::Deserialize;
use service::{
    Services,
    snapshot::{self, Comparison, Readiness, SignOff, SnapshotRow, SnapshotView},
};

use super::extract::{Json, Path, Query};
use super::{ApiError, ApiResult, SignedIn};
use crate::http::export::stream;

/// What stands in the way of signing the study off.
#[utoipa::path(get, path = "/api/v1/studies/{study}/sign-off", tag = "results", params(("study" = String, Path)), responses((status = 200, description = "What has no final value, and the basis that a sign-off names")))]
pub async fn readiness(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Readiness> {
    Ok(Json(snapshot::readiness(&app, &actor, &id).await?))
}

/// The snapshots of the study, the latest first.
#[utoipa::path(get, path = "/api/v1/studies/{study}/snapshots", tag = "results", params(("study" = String, Path)), responses((status = 200, description = "Snapshots")))]
pub async fn list(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Vec<SnapshotRow>> {
    Ok(Json(snapshot::list(&app, &actor, &id).await?))
}

/// Freezes the labels and signs the study off; what is not settled is left out by name or by state, with a reason.
#[utoipa::path(post, path = "/api/v1/studies/{study}/snapshots", tag = "results", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "The snapshot"), (status = 409, description = "Something is not settled, or changed since it was looked at")))]
pub async fn sign_off(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(new): Json<SignOff>,
) -> ApiResult<SnapshotRow> {
    Ok(Json(snapshot::sign_off(&app, &actor, &id, new).await?))
}

/// One snapshot with the rules that produced it.
#[utoipa::path(get, path = "/api/v1/studies/{study}/snapshots/{number}", tag = "results", params(("study" = String, Path), ("number" = i64, Path)), responses((status = 200, description = "The snapshot")))]
pub async fn show(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path((id, number)): Path<(StudyId, i64)>,
) -> ApiResult<SnapshotView> {
    Ok(Json(snapshot::get(&app, &actor, &id, number).await?))
}

/// The content of a snapshot: the document whose SHA-256 is its hash.
#[utoipa::path(get, path = "/api/v1/studies/{study}/snapshots/{number}/content", tag = "results", params(("study" = String, Path), ("number" = i64, Path)), responses((status = 200, description = "Canonical JSON")))]
pub async fn content(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path((id, number)): Path<(StudyId, i64)>,
) -> Result<Response, ApiError> {
    let file = snapshot::content(&app, &actor, &id, number).await?;
    let name = format!("snapshot-{number}.json");
    Ok(stream(&file, "application/json", &name)?)
}

/// With what a snapshot is compared.
#[derive(Deserialize)]
pub struct CompareQuery {
    /// The number of a later one; nothing for the study as it is now.
    to: Option<i64>,
}

/// What changed since a snapshot, unit by unit.
#[utoipa::path(get, path = "/api/v1/studies/{study}/snapshots/{number}/changes", tag = "results", params(("study" = String, Path), ("number" = i64, Path), ("to" = Option<i64>, Query, description = "number of a later snapshot; the study as it is now without it")), responses((status = 200, description = "Changes")))]
pub async fn compare(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path((id, number)): Path<(StudyId, i64)>,
    Query(query): Query<CompareQuery>,
) -> ApiResult<Comparison> {
    Ok(Json(
        snapshot::compare(&app, &actor, &id, number, query.to).await?,
    ))
}
