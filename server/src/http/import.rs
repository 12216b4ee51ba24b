//! Uploading a file to import: streamed to disk, then read twice from there.

use app::context::{
    Ask,
    flash::Flash,
    imports::{Import, Imports, State as Stage},
    path,
};
use axum::extract::FromRequest;
use axum::{
    extract::{Extension, Multipart, Path, Request, State, multipart::Field},
    response::{IntoResponse, Redirect, Response},
};
use domain::{
    id::StudyId,
    refusal::Refusal,
    role::{Action, Role, may},
};
use formats::ZeroRule;
use service::{
    Actor, Services,
    folder::{self, Files},
    import::{self, ImportOptions, ImportSource, Remap, Stated},
    judge::Facts,
    study,
};
use std::{io, sync::Arc, time::Duration};
use tempfile::NamedTempFile;
use tokio::{fs::File, io::AsyncWriteExt, time::timeout};
use tracing::{Instrument, error};

use crate::state::AppState;

/// The largest file.
const LIMIT: u64 = 4 << 30;
/// The longest value of a field that is no file.
const FIELD_LIMIT: usize = 10_000;
/// How long the answer waits for a short import, so that most show their report at once.
const PATIENCE: Duration = Duration::from_millis(1500);

/// What was sent.
#[derive(Default)]
struct Upload {
    /// Each with its name: one file, or those of a folder.
    files: Vec<(String, NamedTempFile)>,
    file_name: String,
    dry_run: bool,
    raters: Vec<String>,
    stated: Stated,
    /// Codes and where they lead, one a line.
    codes: String,
    follow_scheme: bool,
    replace: bool,
    /// What a 0 below the scale means.
    zeros: ZeroRule,
    /// In a table of ratings these are judges; empty where nothing is said of it.
    judges: Vec<String>,
    /// A further judge whose runs are compared and never shown to raters.
    compared: Option<String>,
    facts: Facts,
}

impl Upload {
    /// Takes a file. Several go by the folder they lie in, as far as their names tell.
    fn add(&mut self, name: String, file: NamedTempFile) {
        if self.files.is_empty() {
            self.file_name.clone_from(&name);
        } else if let Some((folder, _)) = name.split_once('/') {
            folder.clone_into(&mut self.file_name);
        }
        self.files.push((name, file));
    }

    /// Takes a field about the file; one that no form of ours has is passed over.
    fn note(&mut self, name: &str, text: String) {
        let some = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        match name {
            "model" => self.stated.model = some,
            "mode" => self.stated.mode = some,
            "remap" => self.codes = text,
            "follow_scheme" => self.follow_scheme = some.is_some(),
            "zeros" => self.zeros = ZeroRule::parse(text.trim()).unwrap_or_default(),
            "judges" => self.judges = names(&text),
            "replace" => self.replace = some.is_some(),
            "compare_as" => self.compared = some,
            "judge_model" => self.facts.model = some.unwrap_or_default(),
            "prompt_version" => self.facts.prompt_version = some.unwrap_or_default(),
            "params" => self.facts.params = some.unwrap_or_default(),
            "judged_on" => self.facts.judged_on = some.unwrap_or_default(),
            _ => {}
        }
    }
}

/// Takes a file and leads to the page that follows its import.
pub async fn upload(
    State(state): State<AppState>,
    Extension(imports): Extension<Imports>,
    Path(study): Path<String>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let Some(ask) = Ask::of(parts.clone()) else {
        return Redirect::to("/").into_response();
    };
    let page = format!("/studies/{}/import", StudyId::new(&study));
    let study = StudyId::new(study);
    let taken = async {
        let actor = allowed(&ask, &study).await?;
        let sent = Multipart::from_request(Request::from_parts(parts, body), &()).await;
        let upload = receive(sent.map_err(|_| Refusal::InputInvalid)?).await?;
        Ok::<_, service::Error>((actor, upload))
    };
    match taken.await {
        Ok((actor, upload)) => {
            let import = start(&state.services, &imports, study, actor, upload).await;
            Redirect::to(&format!("{page}?import={}", import.id)).into_response()
        }
        Err(failure) => refused(&ask, &page, &failure).await,
    }
}

/// Who may import into the study; asked before a byte of the file is read.
async fn allowed(ask: &Ask, id: &StudyId) -> service::Result<Actor> {
    let actor = ask.actor()?.clone();
    let mut roles = study::roles(&ask.app, &actor, id).await?;
    if actor.is_admin {
        roles.push(Role::Admin);
    }
    if may(&roles, Action::ImportRun) {
        Ok(actor)
    } else {
        Err(Refusal::Forbidden.into())
    }
}

async fn receive(mut sent: Multipart) -> Result<Upload, Refusal> {
    let mut upload = Upload::default();
    let mut taken = 0;
    while let Some(field) = sent.next_field().await.map_err(|_| Refusal::InputInvalid)? {
        match field.name().unwrap_or_default() {
            "file" => {
                let name: String = field
                    .file_name()
                    .unwrap_or("file")
                    .chars()
                    .take(200)
                    .collect();
                // A field where nothing was chosen comes without a name.
                if !name.is_empty() {
                    let (file, length) = save(field, LIMIT - taken).await?;
                    taken += length;
                    upload.add(name, file);
                }
            }
            "dry_run" => upload.dry_run = !text(field).await?.is_empty(),
            "raters" => {
                upload.raters = names(&text(field).await?);
            }
            other => {
                let other = other.to_owned();
                upload.note(&other, text(field).await?);
            }
        }
    }
    if upload.file_name.is_empty() {
        Err(Refusal::FileMissing)
    } else {
        Ok(upload)
    }
}

/// Names joined by commas.
fn names(joined: &str) -> Vec<String> {
    let names = joined.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

async fn text(mut field: Field<'_>) -> Result<String, Refusal> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|_| Refusal::InputInvalid)? {
        if bytes.len() + chunk.len() > FIELD_LIMIT {
            return Err(Refusal::TextTooLong);
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| Refusal::InputInvalid)
}

/// Streams a file to disk and says how long it is; it is gone as soon as nobody reads it any more.
async fn save(mut field: Field<'_>, limit: u64) -> Result<(NamedTempFile, u64), Refusal> {
    let temporary = NamedTempFile::new().map_err(broken)?;
    let mut file = File::from_std(temporary.reopen().map_err(broken)?);
    let mut length = 0;
    while let Some(chunk) = field.chunk().await.map_err(|_| Refusal::InputInvalid)? {
        length += chunk.len() as u64;
        if length > limit {
            return Err(Refusal::TooLarge);
        }
        file.write_all(&chunk).await.map_err(broken)?;
    }
    file.flush().await.map_err(broken)?;
    Ok((temporary, length))
}

fn broken(cause: io::Error) -> Refusal {
    error!(%cause, "an upload could not be written");
    Refusal::Internal
}

/// Starts the import and waits a little for its end.
async fn start(
    app: &Services,
    imports: &Imports,
    study: StudyId,
    actor: Actor,
    upload: Upload,
) -> Arc<Import> {
    let import = imports.add(
        app.id(),
        study,
        actor.user.clone(),
        upload.file_name.clone(),
        upload.dry_run,
    );
    let (app, told) = (app.clone(), import.clone());
    let run = tokio::spawn(async move { run(&app, &actor, &told, upload).await }.in_current_span());
    // An import that takes longer goes on by itself, also when its page is closed.
    let _ = timeout(PATIENCE, run).await;
    import
}

async fn run(app: &Services, actor: &Actor, import: &Import, upload: Upload) {
    let [(_, file), others @ ..] = upload.files.as_slice() else {
        return import.tell(Stage::Refused(Refusal::FileMissing));
    };
    let stated = match Remap::parse(&upload.codes) {
        Ok(stated) => stated,
        Err(refusal) => return import.tell(Stage::Refused(refusal)),
    };
    let several = if others.is_empty() {
        Files::in_archive(file.path())
    } else {
        let places = upload.files.iter();
        let places = places.map(|(name, file)| (name.clone(), file.path().to_owned()));
        Some(Files::loose(places.collect()))
    };
    let raters = (!upload.raters.is_empty()).then_some(upload.raters);
    let options = ImportOptions {
        format: None,
        dry_run: upload.dry_run,
        raters,
        stated: upload.stated,
        remap: Remap {
            stated,
            follow_scheme: upload.follow_scheme,
        },
        replace: upload.replace,
        zeros: upload.zeros,
        judges: (!upload.judges.is_empty()).then_some(upload.judges),
    };
    let source = ImportSource::Path(file.path().to_owned());
    let tell = |progress| import.tell(Stage::Running(progress));
    let study = &import.study;
    let done = match (&upload.compared, several) {
        (None, Some(files)) => folder::run(app, actor, study, &files, &options, &tell).await,
        (Some(name), _) => {
            let judge = (name.as_str(), upload.facts);
            import::compared(app, actor, study, source, judge, options, &tell).await
        }
        (None, None) => {
            import::run(app, actor, study, source, &import.file_name, options, &tell).await
        }
    };
    import.tell(match done {
        Ok(report) => Stage::Finished(Arc::new(report)),
        Err(failure) => {
            if let service::Error::Internal(cause) = &failure {
                error!(%cause, "an import failed");
            }
            Stage::Refused(failure.refusal())
        }
    });
}

async fn refused(ask: &Ask, page: &str, failure: &service::Error) -> Response {
    if let service::Error::Internal(cause) = failure {
        error!(%cause, "an upload failed");
    }
    let refusal = failure.refusal();
    if refusal == Refusal::NotSignedIn {
        return Redirect::to(&path::sign_in(page)).into_response();
    }
    if let Err(cause) = Flash::refused(page, page, refusal, Vec::new())
        .leave(&ask.session)
        .await
    {
        error!(%cause, "the session could not be written");
    }
    Redirect::to(page).into_response()
}
