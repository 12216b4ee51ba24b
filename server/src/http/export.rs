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
    // The name of the temporary file goes at once; what was written lives until the last byte is sent.
    let handle = written.reopen().map_err(|_| Refusal::Internal)?;
    let kind = if name.ends_with(".json") {
        "application/json"
    } else {
        "text/csv; charset=utf-8"
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{}\"", file.name()),
        ),
    ];
    let body = Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(handle)));
    Ok((headers, body).into_response())
}
