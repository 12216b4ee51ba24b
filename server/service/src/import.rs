//! Import: the whole file is validated first, then written in one transaction or not at all.

mod book;
mod compare;
mod compared;
mod fit;
mod new;
mod people;
mod remap;
mod rulings;
mod source;
pub(crate) mod steps;
mod write;

pub use compared::compared;
pub use formats::{Format, Problem, Stated, ZeroRule};
pub use new::New;
pub use remap::{CodeRow, Remap, codes};
pub use source::{ImportSource, Seekable};

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_in;
use book::Book;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::study::StudyState;
use formats::{Notice, ReadError, ReadOptions};
use remap::Table;
use serde::Serialize;
use serde_json::json;
use source::{Chunk, Pass};
use std::sync::Arc;
use write::Importer;

/// What the caller asks for.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The format, where the content should not decide.
    pub format: Option<Format>,
    /// Say what would be written, and write nothing.
    pub dry_run: bool,
    /// Take the ratings of exactly these raters.
    pub raters: Option<Vec<String>>,
    /// What is known of the file beyond its content.
    pub stated: Stated,
    /// In a table of ratings these are judges.
    pub judges: Option<Vec<String>>,
    /// What a 0 below the scale means.
    pub zeros: ZeroRule,
    /// How codes of other taxonomies are taken.
    pub remap: Remap,
    /// Put final values of the file on top of rulings that say something else.
    pub replace: bool,
}

/// How far an import is. Both passes count: `total` is twice the size of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Bytes read.
    pub bytes: u64,
    /// Bytes to read.
    pub total: u64,
    /// Records met in the pass that is running.
    pub records: u64,
}

/// What came of an import. With problems nothing was written.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ImportReport {
    /// The name of the format; empty when it was not recognised.
    pub format: String,
    /// What is new.
    pub new: New,
    /// Items, candidates and ratings that were there already.
    pub identical: u64,
    /// What is wrong, the first two hundred.
    pub problems: Vec<Problem>,
    /// How many more problems there are.
    pub more_problems: u64,
    /// What was left out on purpose.
    pub notices: Vec<Notice>,
    /// Keys of items where a verdict took the place of a failed call, with the kind of failure; the first two hundred.
    #[serde(skip)]
    pub repeated: Vec<[String; 2]>,
}

/// Where an import tells how far it is.
pub type Tell<'a> = &'a (dyn Fn(Progress) + Send + Sync);

/// Imports judged traces. Problems of the file are part of the report; with any of them nothing is written.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right, [`Refusal::StudyClosed`] once the study is signed off.
pub async fn run(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    source: ImportSource,
    file_name: &str,
    options: ImportOptions,
    progress: Tell<'_>,
) -> Result<ImportReport> {
    if let ImportSource::Path(path) = &source
        && options.format.is_none()
        && crate::answers::is_plain(path)
    {
        let file = (file_name, &options.stated, options.dry_run);
        return crate::answers::run(app, actor, study, path, file, progress).await;
    }
    let mut db = app.db.read().await?;
    let (book, options) = match ground(&mut db, actor, study, options).await? {
        Ok(ground) => ground,
        Err(report) => return Ok(report),
    };
    drop(db);
    let (dry_run, replace) = (options.dry_run, options.replace);
    let read = match read(book, source, options, progress).await {
        Ok(read) => read,
        Err(report) => return Ok(report),
    };
    let file = File {
        name: file_name,
        sha256: read.checked.sha256.clone(),
    };
    let mut tx = app.db.begin().await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    crate::study::open_in(&mut tx, study).await?;
    let asked = (study, replace, &file);
    let (pass, report, rulings) = write(app, &mut tx, actor, asked, read, progress).await?;
    if dry_run || !report.problems.is_empty() {
        tx.rollback().await.map_err(store::Error::from)?;
        return Ok(report);
    }
    let id = remember(app, &mut tx, actor, study, &pass, &file, &report).await?;
    if let Some(rulings) = rulings {
        rulings::keep(app, tx, actor, (study, &id, &file), &rulings).await?;
        return Ok(report);
    }
    let details = json!({"format": report.format, "sha256": file.sha256, "new": report.new, "identical": report.identical, "repeated": report.repeated});
    let audit = Audit {
        study: Some(study),
        action: Action::ImportRun,
        verb: "done",
        subject: &id,
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(report)
}

/// What an import of this file would write, in a transaction that its caller takes back: files that are tried in one
/// transaction are compared with each other as with what the study has.
///
/// # Errors
/// As [`run`].
pub(crate) async fn trial(
    app: &Services,
    tx: &mut store::Tx,
    actor: &Actor,
    study: &StudyId,
    (source, file_name): (ImportSource, &str),
    options: ImportOptions,
    progress: Tell<'_>,
) -> Result<ImportReport> {
    let (book, options) = match ground(&mut *tx, actor, study, options).await? {
        Ok(ground) => ground,
        Err(report) => return Ok(report),
    };
    let replace = options.replace;
    let read = match read(book, source, options, progress).await {
        Ok(read) => read,
        Err(report) => return Ok(report),
    };
    let file = File {
        name: file_name,
        sha256: read.checked.sha256.clone(),
    };
    let asked = (study, replace, &file);
    Ok(write(app, tx, actor, asked, read, progress).await?.1)
}

/// The scheme with the table of codes, for somebody who may import into a study that is open; a report when codes lead nowhere.
async fn ground(
    db: &mut store::AnyConnection,
    actor: &Actor,
    study: &StudyId,
    options: ImportOptions,
) -> Result<std::result::Result<(Arc<Book>, ImportOptions), ImportReport>> {
    require(&mut *db, actor, study, Action::ImportRun).await?;
    let found = store::study::get(&mut *db, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    if found.state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    let (scheme, _) = scheme_in(&mut *db, study).await?;
    let table = match Table::open(&mut *db, study, &scheme, &options.remap).await? {
        Ok(table) => table,
        Err(problems) => return Ok(Err(unmapped(problems))),
    };
    Ok(Ok((Arc::new(Book::new(scheme, table)), options)))
}

/// A file that was read to its end once, and holds together.
struct Read {
    checked: source::Checked,
    pass: Pass,
    report: ImportReport,
}

/// Reads a file to its end; the report on what is wrong with it.
async fn read(
    book: Arc<Book>,
    source: ImportSource,
    options: ImportOptions,
    progress: Tell<'_>,
) -> std::result::Result<Read, ImportReport> {
    let pass = Pass {
        book,
        options: ReadOptions {
            raters: options.raters,
            stated: options.stated,
            judges: options.judges,
            zeros: options.zeros,
        },
        format: options.format,
    };
    let checked = source::check(source, &pass, progress)
        .await
        .map_err(|(format, end)| refused(format, end))?;
    let mut report = ImportReport {
        format: checked.format.as_str().to_owned(),
        ..ImportReport::default()
    };
    report.notices.clone_from(&checked.report.left_out);
    report.notices.extend(pass.book.table.notices());
    Ok(Read {
        checked,
        pass,
        report,
    })
}

/// The file as it is remembered.
struct File<'a> {
    name: &'a str,
    sha256: String,
}

/// Writes what is new, in the caller's transaction, and says so in the report; with the rulings, where the file brings any.
async fn write(
    app: &Services,
    tx: &mut store::Tx,
    actor: &Actor,
    (study, replace, file): (&StudyId, bool, &File<'_>),
    read: Read,
    progress: Tell<'_>,
) -> Result<(Pass, ImportReport, Option<Vec<rulings::Taken>>)> {
    let Read {
        checked,
        pass,
        mut report,
    } = read;
    let in_file = checked.report.identical;
    if checked.format.brings_rulings() {
        let records = checked.report.rulings;
        report.identical = in_file;
        let asked = rulings::Asked {
            study,
            file,
            replace,
            book: &pass.book,
        };
        let rulings = rulings::take(app, tx, actor, &asked, &records, &mut report).await?;
        return Ok((pass, report, rulings));
    }
    app.db.widen(&mut *tx, true).await?;
    let mut importer = Importer::open(app, &mut *tx, actor, study, file.name).await?;
    let mut reading = source::stream(checked, &pass);
    while let Some(Chunk {
        records,
        progress: now,
    }) = reading.chunks.recv().await
    {
        importer.chunk(&mut *tx, records).await?;
        progress(now);
    }
    let end = reading.end().await;
    let written = importer.close(&mut *tx).await?;
    app.db.widen(&mut *tx, false).await?;
    report.notices.extend(written.gaps.notices());
    report.problems = written.problems;
    report.more_problems = written.more_problems;
    if let Err(end) = end {
        let refused = refused(None, end);
        report.problems.extend(refused.problems);
    }
    if report.problems.is_empty() {
        report.new = written.new;
        report.identical = written.identical + in_file;
        report.repeated = written.repeated;
    }
    Ok((pass, report, None))
}

/// Keeps the import itself, and where it took codes anew.
async fn remember(
    app: &Services,
    tx: &mut store::Tx,
    actor: &Actor,
    study: &StudyId,
    pass: &Pass,
    file: &File<'_>,
    report: &ImportReport,
) -> Result<String> {
    let id = app.id();
    let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let new = store::import::NewImport {
        id: &id,
        study,
        at: app.now(),
        by: (!actor.is_operator()).then_some(actor.user.as_str()),
        format: &report.format,
        file_name: file.name,
        file_sha256: &file.sha256,
        counts: [
            report.new.items,
            report.new.candidates,
            report.new.ratings,
            report.identical,
            report.new.rulings,
        ]
        .map(count),
    };
    store::import::record(tx, &new).await?;
    store::import::add_codes(tx, &id, &pass.book.table.anew()).await?;
    store::study::bump_revision(tx, study).await?;
    Ok(id)
}

/// The report on codes that lead nowhere.
fn unmapped(problems: Vec<Problem>) -> ImportReport {
    ImportReport {
        problems,
        ..ImportReport::default()
    }
}

/// The report on a file that is not to be kept.
fn refused(format: Option<Format>, end: ReadError<source::Stopped>) -> ImportReport {
    let mut report = ImportReport {
        format: format.map(|f| f.as_str().to_owned()).unwrap_or_default(),
        ..ImportReport::default()
    };
    match end {
        ReadError::Problems(problems) => {
            report.problems = problems.list;
            report.more_problems = problems.more;
        }
        ReadError::Io(_) | ReadError::Sink(source::Stopped) => {
            report.problems.push(problem(
                1,
                None,
                "a file that could not be read to its end",
                "a readable file",
            ));
        }
    }
    report
}

/// A problem that only the database knows of.
fn problem(line: u64, field: Option<&str>, found: &str, expected: &str) -> Problem {
    Problem {
        line,
        column: None,
        field: field.map(str::to_owned),
        found: found.to_owned(),
        expected: expected.to_owned(),
    }
}
