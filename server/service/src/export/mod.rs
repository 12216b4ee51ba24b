//! A study's tables: tidy CSV with a data dictionary, the same bytes every time.
//!
//! Rows are written a page of items at a time, so memory does not grow with the study. What raters said of an item
//! leaves only when every rater of the item is in.

mod bench;
mod columns;
mod corpus;
mod cross_check;
mod file;
mod items;
mod judge;
mod labels;
mod page;
mod ratings;
mod results;
mod statistics;
pub(crate) mod traces;
mod verdicts;
mod walk;

use crate::actor::Actor;
use crate::agreement::named;
use crate::auth::require;
use crate::error::{Error, Result};
use crate::results::Ask;
use crate::services::Services;
use crate::snapshot::{SnapshotRef, write_content};
use crate::source::rfc3339;
use crate::study;
use crate::validation::{Ground, ground_of};
use domain::id::{StudyId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::Scheme;
use formats::write::{Columns, Package, Resource, Table, WriteError, Written};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use store::AnyConnection;
use store::snapshot::Head;
use tempfile::NamedTempFile;
use tokio::sync::OnceCell;
use walk::walk;

pub use file::ExportFile;

/// The file of a snapshot's content, whose SHA-256 is the snapshot's hash.
const CONTENT: &str = "snapshot.json";

/// How to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportOptions {
    /// Begin each CSV with a byte order mark, for spreadsheets that guess the encoding.
    pub bom: bool,
    /// The number of the snapshot to write; nothing for the study as it is now.
    pub snapshot: Option<i64>,
}

/// What every table of one export shares.
pub(crate) struct Context {
    pub study: StudyId,
    pub study_name: String,
    pub scheme: Arc<Scheme>,
    pub scheme_version: i64,
    /// The raters in their stable order, with the name that is written for each.
    pub raters: Vec<(UserId, String)>,
    /// The snapshot that every row is part of; nothing while the study is open.
    pub snapshot: Option<Head>,
    /// The snapshot to read instead of the study as it is now.
    pub frozen: Option<Head>,
    /// The units that staff took out, with the code of the reason.
    pub excluded: HashMap<UnitId, String>,
    short: Option<String>,
    /// What validation stands on, once a table has asked for it.
    ground: OnceCell<Arc<Ground>>,
}

impl<'a> From<&'a Context> for Ask<'a> {
    fn from(context: &'a Context) -> Self {
        Self {
            study: &context.study,
            scheme: &context.scheme,
            raters: &context.raters,
            frozen: context.frozen.as_ref(),
        }
    }
}

impl Context {
    /// What a rater is called in the files.
    fn name_of(&self, rater: &str) -> &str {
        self.raters
            .iter()
            .find(|(id, _)| id.as_str() == rater)
            .map_or("", |(_, name)| name)
    }

    /// What names the snapshot in a row.
    fn snapshot_cell(&self) -> Option<&str> {
        self.short.as_deref()
    }

    /// What validation stands on, read once for all tables.
    async fn ground(&self, connection: &mut AnyConnection) -> Result<Arc<Ground>> {
        let read = async || {
            let ground = ground_of(connection, &self.study, self.frozen.as_ref()).await?;
            Ok(Arc::new(ground))
        };
        self.ground.get_or_try_init(read).await.cloned()
    }
}

/// Writes every file into a folder, which is made when missing; returns the questions that `judge_bench.json` leaves out.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right; [`Refusal::Internal`] when the folder cannot be written.
pub async fn write_dir(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    dir: &Path,
    options: ExportOptions,
) -> Result<Vec<String>> {
    std::fs::create_dir_all(dir).map_err(|cause| failed(&cause))?;
    let mut db = app.db.snapshot().await?;
    let context = open(&mut db, actor, id, options).await?;
    let create = |file: ExportFile| {
        let out = File::create(dir.join(file.name())).map_err(|cause| failed(&cause))?;
        Ok::<_, Error>(BufWriter::new(out))
    };
    let walked = ExportFile::ALL.into_iter().filter(|file| file.is_walked());
    let outs = walked.map(|file| Ok((file, create(file)?)));
    let outs: Vec<_> = outs.collect::<Result<_>>()?;
    let mut written = walk(&mut db, &context, outs, options).await?;
    for file in ExportFile::COMPUTED {
        let out = create(file)?;
        written.push((file, computed(&mut db, &context, file, out, options).await?));
    }
    std::fs::write(
        dir.join(ExportFile::DataPackage.name()),
        dictionary(&context, &written),
    )
    .map_err(|cause| failed(&cause))?;
    if !context.scheme.item_questions.is_empty() {
        for file in ExportFile::SHAPED {
            shaped_file(&mut db, &context, file, create(file)?).await?;
        }
    }
    if let Some(head) = &context.snapshot {
        let mut out =
            BufWriter::new(File::create(dir.join(CONTENT)).map_err(|cause| failed(&cause))?);
        write_content(&mut db, head, &mut out).await?;
        out.flush().map_err(|cause| failed(&cause))?;
    }
    drop(db);
    note(app, actor, id, "all").await?;
    let left_out = bench::left_out(&context.scheme);
    Ok(left_out.into_iter().map(str::to_owned).collect())
}

/// Writes one file to a temporary file, from which it is sent: a slow reader holds no state of the database.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right.
pub async fn to_file(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    file: ExportFile,
    options: ExportOptions,
) -> Result<NamedTempFile> {
    let mut db = app.db.snapshot().await?;
    let context = open(&mut db, actor, id, options).await?;
    let mut out = NamedTempFile::new().map_err(|cause| failed(&cause))?;
    let handle = BufWriter::new(out.reopen().map_err(|cause| failed(&cause))?);
    if file == ExportFile::DataPackage {
        let walked = ExportFile::TABLES
            .into_iter()
            .filter(|file| file.is_walked());
        let outs = walked.map(|file| (file, std::io::sink())).collect();
        let mut written = walk(&mut db, &context, outs, options).await?;
        for file in ExportFile::COMPUTED {
            let out = std::io::sink();
            written.push((file, computed(&mut db, &context, file, out, options).await?));
        }
        out.write_all(dictionary(&context, &written).as_bytes())
            .map_err(|cause| failed(&cause))?;
    } else if file.is_walked() {
        walk(&mut db, &context, vec![(file, handle)], options).await?;
    } else if ExportFile::SHAPED.contains(&file) {
        shaped_file(&mut db, &context, file, handle).await?;
    } else {
        computed(&mut db, &context, file, handle, options).await?;
    }
    drop(db);
    note(app, actor, id, file.name()).await?;
    Ok(out)
}

async fn open(
    connection: &mut AnyConnection,
    actor: &Actor,
    id: &StudyId,
    options: ExportOptions,
) -> Result<Context> {
    let roles = require(connection, actor, id, Action::ExportRun).await?;
    let row = store::study::get(connection, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let frozen = match options.snapshot {
        Some(number) => Some(
            store::snapshot::get(connection, id, number)
                .await?
                .ok_or(Refusal::NotFound)?,
        ),
        None => None,
    };
    let (scheme, scheme_version) = match &frozen {
        Some(head) => (
            study::scheme_of(connection, &head.scheme_hash).await?,
            head.scheme_version,
        ),
        None => study::scheme_in(connection, id).await?,
    };
    let snapshot = match &frozen {
        Some(head) => Some(head.clone()),
        None => store::snapshot::in_force(connection, id).await?,
    };
    let names = named(&roles);
    let raters = store::unit::raters(connection, id).await?;
    let label = |(at, rater): (usize, store::unit::Rater)| {
        (
            rater.user,
            if names {
                rater.name
            } else {
                format!("rater_{}", at + 1)
            },
        )
    };
    Ok(Context {
        study: id.clone(),
        study_name: row.name,
        scheme,
        scheme_version,
        raters: raters.into_iter().enumerate().map(label).collect(),
        short: snapshot
            .as_ref()
            .map(|head| SnapshotRef::from(head).short()),
        excluded: store::snapshot::excluded(connection, id, frozen.as_ref().map(|head| &head.id))
            .await?,
        snapshot,
        frozen,
        ground: OnceCell::new(),
    })
}

/// A file that is no table.
async fn shaped_file<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    file: ExportFile,
    mut out: W,
) -> Result<()> {
    match file {
        ExportFile::Verdicts => verdicts::write(connection, context, &mut out).await,
        _ => bench::write(connection, context, &mut out).await,
    }
}

/// A table that is computed from the whole study.
async fn computed<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    file: ExportFile,
    out: W,
    options: ExportOptions,
) -> Result<Written> {
    let columns = columns::of(file, context.raters.len());
    let mut table = Table::new(out, &columns, options.bom).map_err(unwritten)?;
    match file {
        ExportFile::Agreement => statistics::write(connection, context, &mut table).await?,
        ExportFile::Judge => judge::write(connection, context, &mut table).await?,
        ExportFile::Corpus => corpus::write(connection, context, &mut table).await?,
        _ => results::write(connection, context, &mut table).await?,
    }
    Ok(table.finish().map_err(unwritten)?.1)
}

fn dictionary(context: &Context, written: &[(ExportFile, Written)]) -> String {
    let described: Vec<(ExportFile, Columns, &Written)> = written
        .iter()
        .map(|(file, written)| (*file, columns::of(*file, context.raters.len()), written))
        .collect();
    let resources = described
        .iter()
        .map(|(file, columns, written)| Resource {
            path: file.name(),
            description: file.describe(),
            columns,
            written: Some(written),
        })
        .collect();
    let mut facts = serde_json::Map::new();
    facts.insert("scheme".into(), context.scheme.id.clone().into());
    facts.insert("scheme_version".into(), context.scheme_version.into());
    facts.insert(
        "software".into(),
        concat!("consilium ", env!("CARGO_PKG_VERSION")).into(),
    );
    facts.insert(
        "bootstrap_seed".into(),
        crate::agreement::BOOTSTRAP_SEED.into(),
    );
    facts.insert(
        "bootstrap_resamples".into(),
        crate::agreement::RESAMPLES.into(),
    );
    let snapshot = context.snapshot.as_ref().map(|head| {
        serde_json::json!({
            "number": head.number, "sha256": head.content_hash, "labels": head.labels, "attested_as": head.attested_as,
            "signed_at": rfc3339(head.signed_at),
        })
    });
    facts.insert("snapshot".into(), snapshot.into());
    let package = Package {
        title: &context.study_name,
        description: "Labels of a Consilium study. Raters' own judgements are never replaced by rulings; both are here.",
        facts,
        resources,
    };
    package.to_json()
}

async fn note(app: &Services, actor: &Actor, id: &StudyId, what: &str) -> Result<()> {
    let tx = app.db.begin().await?;
    let details = serde_json::json!({"file": what});
    let audit = crate::Audit {
        study: Some(id),
        action: Action::ExportRun,
        verb: "done",
        subject: id.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await
}

fn failed(cause: &std::io::Error) -> Error {
    tracing::error!(%cause, "an export could not be written");
    Refusal::Internal.into()
}

fn unwritten(cause: WriteError) -> Error {
    tracing::error!(%cause, "an export could not be written");
    Refusal::Internal.into()
}
