//! Sending a table from its temporary file, piece by piece.

use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use domain::{id::StudyId, refusal::Refusal};
use service::{
    Actor, Error, Services,
    export::{self, ExportFile, ExportOptions},
};
use tempfile::NamedTempFile;
use tokio_util::io::ReaderStream;

/// The file of this name as a download.
///
/// # Errors
/// [`Refusal::NotFound`] for a name that no table has; as [`export::to_file`].
pub async fn download(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    name: &str,
    options: ExportOptions,
) -> Result<Response, Error> {
    let file = ExportFile::parse(name).ok_or(Refusal::NotFound)?;
    let written = export::to_file(app, actor, study, file, options).await?;
    let kind = if name.ends_with(".json") {
        "application/json"
    } else if name.ends_with(".jsonl") {
        "application/x-ndjson"
    } else {
        "text/csv; charset=utf-8"
    };
    stream(&written, kind, file.name())
}

/// Sends a temporary file under this name. Its own name goes at once; what was written lives until the last byte is sent.
///
/// # Errors
/// [`Refusal::Internal`] when the file cannot be opened again.
pub fn stream(written: &NamedTempFile, kind: &'static str, name: &str) -> Result<Response, Error> {
    let handle = written.reopen().map_err(|_| Refusal::Internal)?;
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    let body = Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(handle)));
    Ok((headers, body).into_response())
}
