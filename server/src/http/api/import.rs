//! Imports: the request's body is the file.

use axum::{body::Body, extract::State};
use domain::{id::StudyId, refusal::Refusal};
use formats::{Format, ZeroRule};
use serde::Deserialize;
use serde_json::json;
use service::{
    Services,
    folder::{self, Files},
    import::{self, CodeRow, ImportOptions, ImportReport, ImportSource, Remap, Stated},
};

use super::extract::{Json, Path, Query};
use super::{ApiError, ApiResult, SignedIn};
use crate::http::spool;

/// How to read the file. What is misspelt would otherwise be read as if it had not been said.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// Codes of other taxonomies, `CODE=CODE OF THE SCHEME`, one a line.
    #[serde(default)]
    remap: String,
    /// Follow the scheme's table where earlier imports took a code elsewhere.
    #[serde(default)]
    follow_scheme: bool,
    /// Put final values on top of rulings that say something else.
    #[serde(default)]
    replace: bool,
    /// In a table of ratings these are judges, joined by commas; empty for none.
    judges: Option<String>,
    /// What a 0 below the scale means: `missing`, `keep` or `report`.
    zeros: Option<String>,
}

/// Imports judged traces, ratings, or final values as rulings, all or nothing; a zip archive of JSON lines file by file. Problems come with status 422 and the whole report.
#[utoipa::path(post, path = "/api/v1/studies/{study}/imports", tag = "import", params(("study" = String, Path), ("format" = Option<String>, Query), ("dry_run" = Option<bool>, Query), ("raters" = Option<String>, Query), ("name" = Option<String>, Query), ("model" = Option<String>, Query), ("mode" = Option<String>, Query), ("judge" = Option<String>, Query), ("remap" = Option<String>, Query, description = "CODE=CODE OF THE SCHEME, one a line"), ("follow_scheme" = Option<bool>, Query), ("replace" = Option<bool>, Query, description = "put final values on top of rulings that say something else"), ("judges" = Option<String>, Query, description = "in a table of ratings these names, joined by commas, are judges and everybody else is a person; without it names such as gpt-4o are taken for judges"), ("zeros" = Option<String>, Query, description = "what a 0 below the scale means: missing (so without it), keep as a value, or report each as a problem")), request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses((status = 200, description = "What was new and what was found again"), (status = 422, description = "Problems with their places; nothing was written")))]
pub async fn run(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(query): Query<ImportQuery>,
    body: Body,
) -> ApiResult<ImportReport> {
    service::study::may_import(&app, &actor, &id).await?;
    let zeros = match &query.zeros {
        None => ZeroRule::default(),
        Some(name) => ZeroRule::parse(name).ok_or(Refusal::InputInvalid)?,
    };
    let file = spool::to_file(body).await.map_err(ApiError::from)?;
    let format = match &query.format {
        None => None,
        Some(name) => Some(Format::parse(name).ok_or(Refusal::InputInvalid)?),
    };
    let options = ImportOptions {
        format,
        dry_run: query.dry_run,
        raters: query.raters.as_deref().map(names),
        judges: query.judges.as_deref().map(names),
        stated: Stated {
            model: query.model,
            mode: query.mode,
            judge: query.judge.map(|name| [name, String::new(), String::new()]),
        },
        remap: Remap {
            stated: Remap::parse(&query.remap)?,
            follow_scheme: query.follow_scheme,
        },
        replace: query.replace,
        zeros,
    };
    // A task of its own: an import that has begun ends, whatever becomes of whoever waits for it.
    let importing = tokio::spawn(async move {
        match Files::in_archive(file.path()) {
            Some(files) => folder::run(&app, &actor, &id, &files, &options, &|_| {}).await,
            None => {
                let source = ImportSource::Path(file.path().to_path_buf());
                import::run(&app, &actor, &id, source, &query.name, options, &|_| {}).await
            }
        }
    });
    let report = importing.await.map_err(|_| Refusal::Internal)??;
    if report.problems.is_empty() {
        Ok(Json(report))
    } else {
        let report = json!({"report": report});
        Err(ApiError::with(Refusal::ImportRefused, report))
    }
}

/// Names joined by commas; of an empty text there are none.
fn names(joined: &str) -> Vec<String> {
    let names = joined.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The codes of other taxonomies that imports into the study met, and where the next one takes them.
#[utoipa::path(get, path = "/api/v1/studies/{study}/imports/codes", tag = "import", params(("study" = String, Path)), responses((status = 200, description = "Codes, and where the scheme's own table differs")))]
pub async fn codes(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Vec<CodeRow>> {
    Ok(Json(import::codes(&app, &actor, &id).await?))
}
