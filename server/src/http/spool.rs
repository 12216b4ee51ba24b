//! Uploads go to a temporary file first: an import reads its file twice.

use axum::body::Body;
use domain::refusal::Refusal;
use futures::StreamExt;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use tracing::error;

/// The largest upload: several times the largest public corpus.
const LIMIT: u64 = 8 * 1024 * 1024 * 1024;

/// Writes a request's body to a temporary file, which is removed when it is dropped.
///
/// # Errors
/// [`Refusal::TooLarge`] over the limit, [`Refusal::InputInvalid`] when the upload breaks off.
pub async fn to_file(body: Body) -> Result<NamedTempFile, Refusal> {
    let file = NamedTempFile::new().map_err(|cause| failed(&cause))?;
    let handle = file.reopen().map_err(|cause| failed(&cause))?;
    let mut out = tokio::io::BufWriter::new(tokio::fs::File::from_std(handle));
    let (mut stream, mut size) = (body.into_data_stream(), 0_u64);
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| Refusal::InputInvalid)?;
        size += chunk.len() as u64;
        if size > LIMIT {
            return Err(Refusal::TooLarge);
        }
        out.write_all(&chunk)
            .await
            .map_err(|cause| failed(&cause))?;
    }
    out.flush().await.map_err(|cause| failed(&cause))?;
    Ok(file)
}

fn failed(cause: &std::io::Error) -> Refusal {
    error!(%cause, "an upload could not be kept");
    Refusal::Internal
}
