//! A study's tables, one file a request.

use axum::{
    body::Body,
    extract::{Path, Query, State},
    http::header,
    response::{IntoResponse, Response},
};
use domain::{id::StudyId, refusal::Refusal};
use serde::Deserialize;
use service::{
    Services,
    export::{self, ExportFile, ExportOptions},
};

use super::{ApiError, SignedIn};

/// How to write.
#[derive(Deserialize)]
pub struct ExportQuery {
    /// Begin with a byte order mark.
    #[serde(default)]
    bom: bool,
}

/// One table as CSV, or the data dictionary, streamed.
#[utoipa::path(get, path = "/api/v1/studies/{study}/exports/{file}", tag = "results", params(("study" = String, Path), ("file" = String, Path, description = "items.csv, labels.csv, ratings_long.csv, agreement.csv or datapackage.json"), ("bom" = Option<bool>, Query)), responses((status = 200, description = "The file")))]
pub async fn file(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path((id, name)): Path<(StudyId, String)>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, ApiError> {
    let file = ExportFile::parse(&name).ok_or(Refusal::NotFound)?;
    let stream = export::stream(&app, &actor, &id, file, ExportOptions { bom: query.bom }).await?;
    let kind = if name.ends_with(".json") { "application/json" } else { "text/csv; charset=utf-8" };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file.name())),
    ];
    Ok((headers, Body::from_stream(stream)).into_response())
}
