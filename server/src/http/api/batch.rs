//! Samples, their assignments and progress.

use axum::extract::State;
use domain::id::{AssignmentId, BatchId, StudyId};
use serde_json::{Value, json};
use service::{
    Services,
    batch::{self, AssignmentRow, BatchPlan, BatchRow, NewBatch},
};

use super::extract::{Json, Path};
use super::{ApiResult, SignedIn, done};

/// The batches of a study with each rater's progress; never a judgement.
#[utoipa::path(get, path = "/api/v1/studies/{study}/batches", tag = "batches", params(("study" = String, Path)), responses((status = 200, description = "Batches")))]
pub async fn list(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Vec<BatchRow>> {
    Ok(Json(batch::list(&app, &actor, &id).await?))
}

/// What a batch would hold; writes nothing.
#[utoipa::path(post, path = "/api/v1/studies/{study}/batches/plan", tag = "batches", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "Counts by stratum and rater")))]
pub async fn plan(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(new): Json<NewBatch>,
) -> ApiResult<BatchPlan> {
    Ok(Json(batch::plan(&app, &actor, &id, new).await?))
}

/// Draws a seeded sample and assigns it.
#[utoipa::path(post, path = "/api/v1/studies/{study}/batches", tag = "batches", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "`{\"id\": ..}`")))]
pub async fn create(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(new): Json<NewBatch>,
) -> ApiResult<Value> {
    let batch = batch::create(&app, &actor, &id, new).await?;
    Ok(Json(json!({"id": batch})))
}

/// The assignments of a batch: states only.
#[utoipa::path(get, path = "/api/v1/batches/{batch}/assignments", tag = "batches", params(("batch" = String, Path)), responses((status = 200, description = "Assignments")))]
pub async fn assignments(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<BatchId>,
) -> ApiResult<Vec<AssignmentRow>> {
    Ok(Json(batch::assignments(&app, &actor, &id).await?))
}

/// Takes back an assignment that nobody has begun.
#[utoipa::path(delete, path = "/api/v1/assignments/{assignment}", tag = "batches", params(("assignment" = String, Path)), responses((status = 200, description = "Taken back"), (status = 409, description = "Work has begun")))]
pub async fn take_back(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
) -> ApiResult<Value> {
    batch::take_back(&app, &actor, &id).await?;
    Ok(done())
}
