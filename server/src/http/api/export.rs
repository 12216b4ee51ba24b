//! A study's tables, one file a request.

use axum::{extract::State, response::Response};
use domain::id::StudyId;
use serde::Deserialize;
use service::{Services, export::ExportOptions};

use super::extract::{Path, Query};
use super::{ApiError, SignedIn};
use crate::http::export::download;

/// How to write.
#[derive(Deserialize)]
pub struct ExportQuery {
    /// Begin with a byte order mark.
    #[serde(default)]
    bom: bool,
    /// The number of a snapshot, instead of the study as it is now.
    snapshot: Option<i64>,
}

/// One table as CSV, or the data dictionary, streamed.
#[utoipa::path(get, path = "/api/v1/studies/{study}/exports/{file}", tag = "results", params(("study" = String, Path), ("file" = String, Path, description = "items.csv, labels.csv, ratings_long.csv, cross_check.csv, agreement.csv, judge.csv, corpus.csv, results.csv, verdicts.jsonl, judge_bench.json, traces.jsonl or datapackage.json"), ("bom" = Option<bool>, Query), ("snapshot" = Option<i64>, Query, description = "number of a snapshot")), responses((status = 200, description = "The file")))]
pub async fn file(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path((id, name)): Path<(StudyId, String)>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, ApiError> {
    let options = ExportOptions {
        bom: query.bom,
        snapshot: query.snapshot,
    };
    Ok(download(&app, &actor, &id, &name, options).await?)
}
