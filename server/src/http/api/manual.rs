//! The coding manual in its versions.

use axum::extract::State;
use domain::{
    id::{StudyId, UnitId},
    missed::MatchRule,
    scheme::{Scheme, diff::Difference},
};
use serde::Deserialize;
use service::{
    Services,
    manual::{self, Edit, Revised, VersionRow},
};

use super::extract::{Json, Path, Query};
use super::{ApiResult, SignedIn, done};

/// The next version: an edit of the one that counts, or a whole scheme file.
#[derive(Debug, Deserialize)]
pub struct Next {
    /// The version that was seen.
    expected: i64,
    /// What changes and why.
    note: String,
    edit: Option<Edit>,
    toml: Option<String>,
    /// The units whose discussion it grew from.
    #[serde(default)]
    units: Vec<UnitId>,
}

/// Between which versions.
#[derive(Debug, Deserialize)]
pub struct Between {
    from: i64,
    to: i64,
}

/// When missed tags are the same.
#[derive(Debug, Deserialize)]
pub struct Matching {
    rule: MatchRule,
}

/// Every version, the newest first.
#[utoipa::path(get, path = "/api/v1/studies/{study}/manual", tag = "manual", params(("study" = String, Path)), responses((status = 200, description = "Versions")))]
pub async fn versions(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Vec<VersionRow>> {
    Ok(Json(manual::versions(&app, &actor, &id).await?))
}

/// One version as it was.
#[utoipa::path(get, path = "/api/v1/studies/{study}/manual/{version}", tag = "manual", params(("study" = String, Path), ("version" = i64, Path)), responses((status = 200, description = "The scheme")))]
pub async fn at(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path((id, version)): Path<(StudyId, i64)>,
) -> ApiResult<Scheme> {
    let scheme = manual::at(&app, &actor, &id, version).await?;
    Ok(Json((*scheme).clone()))
}

/// What changed between two versions.
#[utoipa::path(get, path = "/api/v1/studies/{study}/manual/changes", tag = "manual", params(("study" = String, Path), ("from" = i64, Query), ("to" = i64, Query)), responses((status = 200, description = "Each part that reads otherwise")))]
pub async fn changes(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(between): Query<Between>,
) -> ApiResult<Vec<Difference>> {
    let changes = manual::changes(&app, &actor, &id, between.from, between.to).await?;
    Ok(Json(changes))
}

/// Makes the next version; answers how many rulings it made stale.
#[utoipa::path(post, path = "/api/v1/studies/{study}/manual", tag = "manual", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "The version and the rulings that turned stale"), (status = 409, description = "Another version counts since")))]
pub async fn revise(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(next): Json<Next>,
) -> ApiResult<Revised> {
    let (expected, note, units) = (next.expected, &next.note, &next.units);
    let made = match (next.edit, next.toml) {
        (Some(edit), None) => manual::edit(&app, &actor, &id, expected, edit, note, units).await?,
        (None, Some(text)) => {
            manual::revise(&app, &actor, &id, expected, &text, note, units).await?
        }
        _ => return Err(domain::refusal::Refusal::InputInvalid.into()),
    };
    Ok(Json(made))
}

/// Says when missed tags of different raters are one unit: `exact`, `overlap` or `iou:0.5`.
#[utoipa::path(post, path = "/api/v1/studies/{study}/missed-match", tag = "manual", params(("study" = String, Path)), request_body = Object, responses((status = 200, description = "Matched anew")))]
pub async fn set_missed_match(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(matching): Json<Matching>,
) -> ApiResult<serde_json::Value> {
    manual::set_missed_match(&app, &actor, &id, matching.rule).await?;
    Ok(done())
}
