//! Files of a study: the rows behind agreement, the coding manual.

use app::context::Ask;
use axum::{
    extract::{Path, Query, Request, State},
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::{IntoResponse, Redirect, Response},
};
use domain::{id::StudyId, refusal::Refusal};
use serde::Deserialize;
use service::{
    agreement::{self, AgreementQuery},
    corpus,
    export::ExportOptions,
    independence, report, round, snapshot, study,
};
use tracing::error;

use super::export;
use crate::state::AppState;

/// Which part of a facet is wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Under {
    /// One value of the facet; all units without one.
    pub value: Option<String>,
}

/// One row a unit: its value by each rater, and whether it was used or why not.
pub async fn agreement_rows(
    State(state): State<AppState>,
    Path(study): Path<String>,
    query: Query<AgreementQuery>,
    under: Query<Under>,
    request: Request,
) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let study = StudyId::new(study);
    let rows = async {
        let actor = ask.actor()?;
        agreement::rows(
            &state.services,
            actor,
            &study,
            &query,
            under.value.as_deref(),
        )
        .await
    };
    let name = format!(
        "agreement-{}-{}.csv",
        query.question.as_str(),
        query.stage.as_str()
    );
    match rows.await {
        Ok(rows) => attachment("text/csv; charset=utf-8", &name, rows),
        Err(failure) => turned_away(&ask, &failure),
    }
}

/// Disagreements of the cross-checks, one row a model.
pub async fn disagreements(
    State(state): State<AppState>,
    Path(study): Path<String>,
    request: Request,
) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let study = StudyId::new(study);
    let rows = async { round::disagreements_csv(&state.services, ask.actor()?, &study).await };
    match rows.await {
        Ok(rows) => attachment("text/csv; charset=utf-8", "disagreements.csv", rows),
        Err(failure) => turned_away(&ask, &failure),
    }
}

/// The independence report, one row a rater of an item.
pub async fn independence(
    State(state): State<AppState>,
    Path(study): Path<String>,
    request: Request,
) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let study = StudyId::new(study);
    let rows = async { independence::csv(&state.services, ask.actor()?, &study).await };
    match rows.await {
        Ok(rows) => attachment("text/csv; charset=utf-8", "independence.csv", rows),
        Err(failure) => turned_away(&ask, &failure),
    }
}

/// The coding manual as the file it was made from.
pub async fn scheme(
    State(state): State<AppState>,
    Path(study): Path<String>,
    request: Request,
) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let study = StudyId::new(study);
    let text = async { study::scheme_text(&state.services, ask.actor()?, &study).await };
    match text.await {
        Ok(text) => attachment(
            "application/toml; charset=utf-8",
            "scheme.toml",
            text.into_bytes(),
        ),
        Err(failure) => turned_away(&ask, &failure),
    }
}

/// A manual that is built in, as the file that it is made from.
pub async fn built_in(Path(file): Path<String>, request: Request) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let found = file.strip_suffix(".toml").and_then(domain::scheme::builtin);
    let text = ask.actor().and_then(|_| found.ok_or(Refusal::NotFound));
    match text {
        Ok(text) => attachment(
            "application/toml; charset=utf-8",
            &file,
            text.as_bytes().to_vec(),
        ),
        Err(refusal) => turned_away(&ask, &refusal.into()),
    }
}

/// How a table is wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// Begin it with a byte order mark, for Excel.
    bom: String,
    /// The number of a snapshot; empty for the study as it is now.
    snapshot: String,
}

/// A table of the study.
pub async fn table(
    State(state): State<AppState>,
    Path((study, file)): Path<(String, String)>,
    wanted: Query<Wanted>,
    request: Request,
) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let study = StudyId::new(study);
    let sent = async {
        let options = ExportOptions {
            bom: !wanted.bom.is_empty(),
            snapshot: number(&wanted.snapshot)?,
        };
        export::download(&state.services, ask.actor()?, &study, &file, options).await
    };
    sent.await
        .unwrap_or_else(|failure| turned_away(&ask, &failure))
}

/// The number of a snapshot; a word that is none names nothing.
fn number(text: &str) -> Result<Option<i64>, Refusal> {
    let parse = |text: &str| text.parse().map_err(|_| Refusal::NotFound);
    (!text.is_empty()).then(|| parse(text)).transpose()
}

/// The content of a snapshot: the document whose SHA-256 is its hash.
pub async fn snapshot(
    State(state): State<AppState>,
    Path((study, number)): Path<(String, i64)>,
    request: Request,
) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let study = StudyId::new(study);
    let sent = async {
        let file = snapshot::content(&state.services, ask.actor()?, &study, number).await?;
        let name = format!("snapshot-{number}.json");
        export::stream(&file, "application/json", &name)
    };
    sent.await
        .unwrap_or_else(|failure| turned_away(&ask, &failure))
}

/// Whose results.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct OfJudge {
    /// The judge; the one that judged most when empty.
    judge: String,
}

/// A table or drawing of the corpus.
pub async fn corpus_file(
    State(state): State<AppState>,
    Path((study, file)): Path<(String, String)>,
    wanted: Query<OfJudge>,
    request: Request,
) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let study = StudyId::new(study);
    let made =
        async { corpus::file(&state.services, ask.actor()?, &study, &wanted.judge, &file).await };
    let kind = if file.ends_with(".svg") {
        "image/svg+xml"
    } else {
        "text/csv; charset=utf-8"
    };
    match made.await {
        Ok(made) => attachment(kind, &file, made),
        Err(failure) => turned_away(&ask, &failure),
    }
}

/// The report as a file, or the validated traces as JSON lines.
pub async fn report_file(
    State(state): State<AppState>,
    Path((study, file)): Path<(String, String)>,
    request: Request,
) -> Response {
    let Some(ask) = ask(request) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let study = StudyId::new(study);
    let made = async {
        let actor = ask.actor()?;
        if file == "mitigation.jsonl" {
            let written = report::mitigation(&state.services, actor, &study).await?;
            return export::stream(&written, "application/jsonl", "mitigation.jsonl");
        }
        let made = report::file(&state.services, actor, &study, &file).await?;
        let kind = match file.rsplit('.').next() {
            Some("json") => "application/json",
            Some("md") => "text/markdown; charset=utf-8",
            Some("tex") => "application/x-tex; charset=utf-8",
            _ => "text/plain; charset=utf-8",
        };
        Ok(attachment(kind, &file, made))
    };
    made.await
        .unwrap_or_else(|failure| turned_away(&ask, &failure))
}

fn ask(request: Request) -> Option<Ask> {
    Ask::of(request.into_parts().0)
}

/// An answer that browsers save under `name`; the names are ours and plain.
fn attachment(kind: &'static str, name: &str, body: Vec<u8>) -> Response {
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let disposition = disposition.unwrap_or(HeaderValue::from_static("attachment"));
    (
        [
            (CONTENT_TYPE, HeaderValue::from_static(kind)),
            (CONTENT_DISPOSITION, disposition),
        ],
        body,
    )
        .into_response()
}

/// Says no to a browser that asked for a file.
fn turned_away(ask: &Ask, failure: &service::Error) -> Response {
    if let service::Error::Internal(cause) = failure {
        error!(%cause, "a download failed");
    }
    let refusal = failure.refusal();
    if refusal == Refusal::NotSignedIn {
        return Redirect::to(&app::context::path::sign_in(ask.address())).into_response();
    }
    let status =
        StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, format!("{}\n", refusal.message())).into_response()
}
