//! Imports: the request's body is the file.

use axum::{
    Json,
    body::Body,
    extract::{Path, Query, State},
};
use domain::{id::StudyId, refusal::Refusal};
use formats::Format;
use serde::Deserialize;
use serde_json::json;
use service::{
    Services,
    folder::{self, Files},
    import::{self, ImportOptions, ImportReport, ImportSource, Stated},
};

use super::{ApiError, ApiResult, SignedIn};
use crate::http::spool;

/// How to read the file.
#[derive(Deserialize)]
pub struct ImportQuery {
    /// Instead of recognising it by its content.
    format: Option<String>,
    /// Check and count only.
    #[serde(default)]
    dry_run: bool,
    /// Names joined by commas.
    raters: Option<String>,
    /// The file's name, for the list of imports.
    #[serde(default)]
    name: String,
    /// The model that wrote the traces, where the records do not say.
    model: Option<String>,
    /// How it was asked, where the records do not say.
    mode: Option<String>,
    /// Who judged, where the records do not say.
    judge: Option<String>,
}

/// Imports judged traces, all or nothing; a zip archive of JSON lines file by file. Problems come with status 422 and the whole report.
#[utoipa::path(post, path = "/api/v1/studies/{study}/imports", tag = "import", params(("study" = String, Path), ("format" = Option<String>, Query), ("dry_run" = Option<bool>, Query), ("raters" = Option<String>, Query), ("name" = Option<String>, Query), ("model" = Option<String>, Query), ("mode" = Option<String>, Query), ("judge" = Option<String>, Query)), request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses((status = 200, description = "What was new and what was found again"), (status = 422, description = "Problems with their places; nothing was written")))]
pub async fn run(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(query): Query<ImportQuery>,
    body: Body,
) -> ApiResult<ImportReport> {
    service::study::may_import(&app, &actor, &id).await?;
    let file = spool::to_file(body).await.map_err(ApiError::from)?;
    let format = match &query.format {
        None => None,
        Some(name) => Some(Format::parse(name).ok_or(Refusal::InputInvalid)?),
    };
    let options = ImportOptions {
        format,
        dry_run: query.dry_run,
        raters: query.raters.map(|names| {
            names
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect()
        }),
        stated: Stated {
            model: query.model,
            mode: query.mode,
            judge: query.judge.map(|name| [name, String::new(), String::new()]),
        },
        ..ImportOptions::default()
    };
    let report = match Files::in_archive(file.path()) {
        Some(files) => folder::run(&app, &actor, &id, &files, &options, &|_| {}).await?,
        None => {
            let source = ImportSource::Path(file.path().to_path_buf());
            import::run(&app, &actor, &id, source, &query.name, options, &|_| {}).await?
        }
    };
    if report.problems.is_empty() {
        Ok(Json(report))
    } else {
        let report = json!({"report": report});
        Err(ApiError::with(Refusal::ImportRefused, report))
    }
}
