//! Calibration, cross-checks, and the proof that judgements were independent.

use axum::extract::State;
use domain::id::{AssignmentId, BatchId, StudyId, UserId};
use serde::Deserialize;
use serde_json::{Value, json};
use service::{
    Services,
    independence::{self, Independence},
    round::{
        self, Calibrated, CheckPlan, Feedback, Given, ModelRow, MyCheck, MyFeedback, NewCheck,
        ReviewView,
    },
};

use super::extract::{Json, Path, Query};
use super::{ApiResult, SignedIn, done};

/// What a calibration is measured against.
#[derive(Debug, Deserialize)]
pub struct Measure {
    /// The account of the rater who is the reference; nothing when raters are compared with each other.
    #[serde(default)]
    reference: Option<UserId>,
    /// The share of labels that must agree, 0 to 1; nothing when nobody has to pass.
    #[serde(default)]
    pass_share: Option<f64>,
}

/// Where a page of items begins.
#[derive(Debug, Deserialize)]
pub struct After {
    #[serde(default)]
    after: i64,
}

/// How a calibration batch went, rater by rater: how many labels (judgements of tags, answers to the scheme's questions) were
/// compared, agree by the study's rule, and are exactly the same.
#[utoipa::path(get, path = "/api/v1/batches/{batch}/calibration", tag = "rounds", params(("batch" = String, Path)), responses((status = 200, description = "Counts by rater"), (status = 422, description = "No calibration")))]
pub async fn calibration(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<BatchId>,
) -> ApiResult<Calibrated> {
    Ok(Json(round::calibration(&app, &actor, &id).await?))
}

/// Says what a calibration batch is measured against.
#[utoipa::path(post, path = "/api/v1/batches/{batch}/calibration", tag = "rounds", params(("batch" = String, Path)), request_body = Object, responses((status = 200, description = "Kept"), (status = 422, description = "No calibration, somebody who does not rate in it, or no share")))]
pub async fn calibrate(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<BatchId>,
    Json(new): Json<Measure>,
) -> ApiResult<Value> {
    round::calibrate(&app, &actor, &id, new.reference, new.pass_share).await?;
    Ok(done())
}

/// The calibration items that one has given.
#[utoipa::path(get, path = "/api/v1/feedback", tag = "rounds", responses((status = 200, description = "A list")))]
pub async fn my_feedback(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
) -> ApiResult<Vec<MyFeedback>> {
    Ok(Json(round::my_feedback(&app, &actor).await?))
}

/// One's own judgement of a calibration item beside those it is measured against. That it was shown is noted.
#[utoipa::path(get, path = "/api/v1/assignments/{assignment}/feedback", tag = "rounds", params(("assignment" = String, Path)), responses((status = 200, description = "Tag by tag, and question by question in words, each with whether it was compared and whether it differs"), (status = 404, description = "Not yours, or no calibration"), (status = 409, description = "Not every judgement is in")))]
pub async fn feedback(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<AssignmentId>,
) -> ApiResult<Feedback> {
    Ok(Json(round::feedback(&app, &actor, &id).await?))
}

/// The disagreements of the study's cross-checks, model by model, and all together last; of each also those with tags and with
/// the answers to each question alone (`questions`).
#[utoipa::path(get, path = "/api/v1/studies/{study}/cross-checks", tag = "rounds", params(("study" = String, Path)), responses((status = 200, description = "Counts by model and question")))]
pub async fn disagreements(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Vec<ModelRow>> {
    Ok(Json(round::disagreements(&app, &actor, &id).await?))
}

/// Says what a cross-check would be, and changes nothing.
#[utoipa::path(post, path = "/api/v1/studies/{study}/cross-checks/plan", tag = "rounds", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "The seed and what each model gives")))]
pub async fn plan_check(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(new): Json<NewCheck>,
) -> ApiResult<CheckPlan> {
    Ok(Json(round::plan_check(&app, &actor, &id, new).await?))
}

/// Draws a cross-check: raters of an item read each other, and what an item's only rater said is read by another rater.
#[utoipa::path(post, path = "/api/v1/studies/{study}/cross-checks", tag = "rounds", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "The batch"), (status = 422, description = "No item can be cross-checked; the code says why: `nothing_in`, `all_checked`, `nobody_to_review`")))]
pub async fn create_check(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(new): Json<NewCheck>,
) -> ApiResult<Value> {
    let batch = round::create_check(&app, &actor, &id, new).await?;
    Ok(Json(json!({"id": batch})))
}

/// The cross-checks in which one reviews: counts and the next review.
#[utoipa::path(get, path = "/api/v1/reviews", tag = "rounds", responses((status = 200, description = "A list")))]
pub async fn my_checks(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
) -> ApiResult<Vec<MyCheck>> {
    Ok(Json(round::my_checks(&app, &actor).await?))
}

/// Another rater's judgement of an item that one has judged (`judged`), or that was given to the other alone. That it was shown
/// is noted.
#[utoipa::path(get, path = "/api/v1/reviews/{review}", tag = "rounds", params(("review" = String, Path)), responses((status = 200, description = "The item and the labels"), (status = 404, description = "Not yours"), (status = 409, description = "Not every judgement is in")))]
pub async fn review(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<String>,
) -> ApiResult<ReviewView> {
    Ok(Json(round::review(&app, &actor, &id).await?))
}

/// Says of every label whether one agrees; answers with the next review.
#[utoipa::path(post, path = "/api/v1/reviews/{review}", tag = "rounds", params(("review" = String, Path)), request_body = Object, responses((status = 200, description = "The next review, or none"), (status = 409, description = "Given before"), (status = 422, description = "A label without a verdict, or a disagreement without a note")))]
pub async fn give(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<String>,
    Json(given): Json<Vec<Given>>,
) -> ApiResult<Value> {
    let next = round::give(&app, &actor, &id, given).await?;
    Ok(Json(json!({"next": next})))
}

/// How each item was judged: who opened, saved, submitted and was shown what when.
#[utoipa::path(get, path = "/api/v1/studies/{study}/independence", tag = "rounds", params(("study" = String, Path), ("after" = Option<i64>, Query, description = "where the page begins, as the page before says")), responses((status = 200, description = "Totals of the study and a page of items")))]
pub async fn independence(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(page): Query<After>,
) -> ApiResult<Independence> {
    Ok(Json(
        independence::report(&app, &actor, &id, page.after).await?,
    ))
}
