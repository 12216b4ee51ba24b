//! What raters wrote, and what staff do about it.

use axum::extract::State;
use domain::{id::StudyId, triage::TriageState};
use serde::Deserialize;
use service::{
    Services,
    triage::{self, Inbox, InboxFilter, Picked, Undo},
    unit::Page,
};

use super::extract::{Json, Path, Query};
use super::{ApiResult, SignedIn};

/// What is done with which comments.
#[derive(Debug, Deserialize)]
pub struct Step {
    comments: Vec<Picked>,
    state: TriageState,
    #[serde(default)]
    answer: String,
}

/// A comment that goes to the raters.
#[derive(Debug, Deserialize)]
pub struct Forward {
    comment: Picked,
    #[serde(default)]
    remark: String,
}

/// A page of comments, unread first. Comments of items that are not all in are not there.
#[utoipa::path(get, path = "/api/v1/studies/{study}/comments", tag = "comments", params(("study" = String, Path)), responses((status = 200, description = "Counts by state and a page of comments")))]
pub async fn inbox(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(filter): Query<InboxFilter>,
    Query(page): Query<Page>,
) -> ApiResult<Inbox> {
    Ok(Json(triage::inbox(&app, &actor, &id, &filter, page).await?))
}

/// Moves comments to another state, all or none. Answers with what takes the step back.
#[utoipa::path(post, path = "/api/v1/studies/{study}/comments/steps", tag = "comments", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "What undoes it"), (status = 409, description = "Somebody was faster")))]
pub async fn act(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(step): Json<Step>,
) -> ApiResult<Vec<Undo>> {
    let undo = triage::act(&app, &actor, &id, &step.comments, step.state, &step.answer).await?;
    Ok(Json(undo))
}

/// Takes a step back.
#[utoipa::path(post, path = "/api/v1/studies/{study}/comments/undo", tag = "comments", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "What undoes the undoing"), (status = 409, description = "Somebody was faster")))]
pub async fn undo(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(steps): Json<Vec<Undo>>,
) -> ApiResult<Vec<Undo>> {
    Ok(Json(triage::undo(&app, &actor, &id, &steps).await?))
}

/// Sends a comment on a tag to the raters as a discussion.
#[utoipa::path(post, path = "/api/v1/studies/{study}/comments/forward", tag = "comments", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "The unit under discussion")))]
pub async fn forward(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(new): Json<Forward>,
) -> ApiResult<serde_json::Value> {
    let unit = triage::forward(&app, &actor, &id, &new.comment, &new.remark).await?;
    Ok(Json(serde_json::json!({"unit": unit})))
}
