//! A study's tables: tidy CSV with a data dictionary, the same bytes every time.
//!
//! Rows are written a page of items at a time, so memory does not grow with the study. What raters said of an item
//! leaves only when every rater of the item is in.

mod columns;
mod corpus;
mod items;
mod judge;
mod labels;
mod page;
mod ratings;
mod results;
mod shaped;
mod statistics;
mod traces;

use crate::actor::Actor;
use crate::agreement::named;
use crate::auth::require;
use crate::error::{Error, Result};
use crate::results::Ask;
use crate::services::Services;
use crate::snapshot::{SnapshotRef, write_content};
use crate::source::rfc3339;
use crate::study;
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

/// A file of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFile {
    /// One row an item.
    Items,
    /// One row a candidate and a missed tag, with both raters' originals and the final value.
    Labels,
    /// One row an answer.
    RatingsLong,
    /// One row a coefficient.
    Agreement,
    /// One row a figure of a judge.
    Judge,
    /// One row a rate of the corpus.
    Corpus,
    /// One row a figure of the scheme's measures.
    Results,
    /// The final answers to questions about items, as MindEval writes verdicts.
    Verdicts,
    /// What raters answered, as a data set of JUDGE-BENCH.
    JudgeBench,
    /// Traces, tags and raters' own judgements, to be imported again.
    Traces,
    /// The data dictionary.
    DataPackage,
}

impl ExportFile {
    /// Every file, the dictionary last.
    pub const ALL: [Self; 11] = [
        Self::Items,
        Self::Labels,
        Self::RatingsLong,
        Self::Agreement,
        Self::Judge,
        Self::Corpus,
        Self::Results,
        Self::Verdicts,
        Self::JudgeBench,
        Self::Traces,
        Self::DataPackage,
    ];

    /// The tables.
    const TABLES: [Self; 7] = [
        Self::Items,
        Self::Labels,
        Self::RatingsLong,
        Self::Agreement,
        Self::Judge,
        Self::Corpus,
        Self::Results,
    ];

    /// The files in shapes that other programs read.
    const SHAPED: [Self; 3] = [Self::Verdicts, Self::JudgeBench, Self::Traces];

    /// The file's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Items => "items.csv",
            Self::Labels => "labels.csv",
            Self::RatingsLong => "ratings_long.csv",
            Self::Agreement => "agreement.csv",
            Self::Judge => "judge.csv",
            Self::Corpus => "corpus.csv",
            Self::Results => "results.csv",
            Self::Verdicts => "verdicts.jsonl",
            Self::JudgeBench => "judge_bench.json",
            Self::Traces => "traces.jsonl",
            Self::DataPackage => "datapackage.json",
        }
    }

    /// What one row is, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Items => "One row an item: what was judged.",
            Self::Labels => {
                "One row a candidate and a missed tag: the judge's tag, each rater's own judgement, the final value and how it was reached."
            }
            Self::RatingsLong => "One row an answer of a rater.",
            Self::Agreement => "One row a coefficient, before and after reconciliation.",
            Self::Judge => {
                "One row a figure of a judge, against the final labels and against each rater alone."
            }
            Self::Corpus => {
                "One row a rate: as judged, corrected in two ways, and from the validated items alone."
            }
            Self::Results => {
                "One row a figure that the scheme asks for, for each judge, each rater and the final labels."
            }
            Self::Verdicts => {
                "Final answers to questions about items, as MindEval writes a judge's verdicts."
            }
            Self::JudgeBench => {
                "Every rater's answers to questions about items, as a data set of JUDGE-BENCH."
            }
            Self::Traces => {
                "Traces, judges' tags and each rater's own judgements, one line a judge's verdict: another study can import it."
            }
            Self::DataPackage => "What every file and column means.",
        }
    }

    /// The file of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.name() == name)
    }
}

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
    /// What names the snapshot in a row.
    fn snapshot_cell(&self) -> Option<&str> {
        self.short.as_deref()
    }
}

/// Writes every file into a folder, which is made when missing.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right; [`Refusal::Internal`] when the folder cannot be written.
pub async fn write_dir(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    dir: &Path,
    options: ExportOptions,
) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|cause| failed(&cause))?;
    let mut db = app.db.snapshot().await?;
    let context = open(&mut db, actor, id, options).await?;
    let mut written = Vec::new();
    for file in ExportFile::TABLES {
        let out = File::create(dir.join(file.name())).map_err(|cause| failed(&cause))?;
        written.push((
            file,
            table(&mut db, &context, file, BufWriter::new(out), options)
                .await?
                .1,
        ));
    }
    std::fs::write(
        dir.join(ExportFile::DataPackage.name()),
        dictionary(&context, &written),
    )
    .map_err(|cause| failed(&cause))?;
    let asks = !context.scheme.item_questions.is_empty();
    for file in ExportFile::SHAPED {
        if asks || file == ExportFile::Traces {
            let out = File::create(dir.join(file.name())).map_err(|cause| failed(&cause))?;
            shaped_file(&mut db, &context, file, BufWriter::new(out)).await?;
        }
    }
    if let Some(head) = &context.snapshot {
        let mut out =
            BufWriter::new(File::create(dir.join(CONTENT)).map_err(|cause| failed(&cause))?);
        write_content(&mut db, head, &mut out).await?;
        out.flush().map_err(|cause| failed(&cause))?;
    }
    drop(db);
    note(app, actor, id, "all").await
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
    if file == ExportFile::DataPackage {
        let mut written = Vec::new();
        for file in ExportFile::TABLES {
            written.push((
                file,
                table(&mut db, &context, file, std::io::sink(), options)
                    .await?
                    .1,
            ));
        }
        out.write_all(dictionary(&context, &written).as_bytes())
            .map_err(|cause| failed(&cause))?;
    } else {
        let handle = out.reopen().map_err(|cause| failed(&cause))?;
        if ExportFile::SHAPED.contains(&file) {
            shaped_file(&mut db, &context, file, BufWriter::new(handle)).await?;
        } else {
            table(&mut db, &context, file, BufWriter::new(handle), options).await?;
        }
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
        ExportFile::Verdicts => shaped::verdicts(connection, context, &mut out).await,
        ExportFile::Traces => traces::write(connection, context, &mut out).await,
        _ => shaped::judge_bench(connection, context, &mut out).await,
    }
}

async fn table<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    file: ExportFile,
    out: W,
    options: ExportOptions,
) -> Result<(W, Written)> {
    let columns = columns::of(file, context.raters.len());
    let mut table = Table::new(out, &columns, options.bom).map_err(unwritten)?;
    match file {
        ExportFile::Agreement => statistics::write(connection, context, &mut table).await?,
        ExportFile::Judge => judge::write(connection, context, &mut table).await?,
        ExportFile::Corpus => corpus::write(connection, context, &mut table).await?,
        ExportFile::Results => results::write(connection, context, &mut table).await?,
        ExportFile::DataPackage
        | ExportFile::Verdicts
        | ExportFile::JudgeBench
        | ExportFile::Traces => {}
        _ => {
            let mut pages = page::Pages::new(connection, context).await?;
            while let Some(page) = pages.next(connection, context).await? {
                match file {
                    ExportFile::Items => items::write(&page, &mut table),
                    ExportFile::Labels => labels::write(&page, context, &mut table),
                    _ => ratings::write(&page, context, &mut table),
                }
                .map_err(unwritten)?;
            }
        }
    }
    table.finish().map_err(unwritten)
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
