//! Import of the files of a folder, or of a zip archive of one, as a whole or not at all: all files are tried together before
//! the first is written. What the names of folders say of a run counts where the records do not say it.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::import::{self, ImportOptions, ImportReport, ImportSource, Progress, Tell};
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use formats::{Archive, Notice, Problem, Stated, Tree, sniff_tree};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::NamedTempFile;

/// How finely the progress of one file is told.
const STEPS: u64 = 1_000;
/// The most problems that are listed.
const MOST_PROBLEMS: usize = 200;

/// Files that belong together.
pub enum Files {
    /// Each with its name, which may have folders in front, and where it lies.
    Loose(Vec<(String, PathBuf)>),
    /// The files of these names in a zip archive, whose table of contents is read once: reading it again for each file
    /// would cost the square of their number.
    Packed(Arc<Mutex<Archive<File>>>, Vec<String>),
    /// The files of a run, which are read as one.
    Run(Vec<(String, PathBuf)>),
}

impl Files {
    /// The files of a zip archive of JSON lines; nothing for another file, or for an archive that is read as one.
    pub fn in_archive(path: &Path) -> Option<Self> {
        let archive = Archive::new(File::open(path).ok()?).ok()?;
        if sniff_tree(archive.names()).is_ok() {
            return None;
        }
        let names: Vec<String> = archive
            .names()
            .iter()
            .filter(|name| is_lines(name))
            .cloned()
            .collect();
        (!names.is_empty()).then(|| Self::Packed(Arc::new(Mutex::new(archive)), names))
    }

    /// The files of a folder that was sent: all of them where they are a run, else those that are JSON lines.
    pub fn loose(files: Vec<(String, PathBuf)>) -> Self {
        let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
        if sniff_tree(&names).is_ok() {
            return Self::Run(files);
        }
        Self::Loose(
            files
                .into_iter()
                .filter(|(name, _)| is_lines(name))
                .collect(),
        )
    }

    fn names(&self) -> Vec<String> {
        match self {
            Self::Loose(files) | Self::Run(files) => {
                files.iter().map(|(name, _)| name.clone()).collect()
            }
            Self::Packed(_, names) => names.clone(),
        }
    }

    /// Where a file lies, unpacked where that is needed; what was unpacked goes when it is dropped.
    async fn place(&self, at: usize) -> Result<(PathBuf, Option<NamedTempFile>)> {
        match self {
            Self::Loose(files) | Self::Run(files) => {
                let found = files.get(at).ok_or(Refusal::Internal)?;
                Ok((found.1.clone(), None))
            }
            Self::Packed(archive, names) => {
                let (archive, name) = (archive.clone(), names.get(at).cloned().unwrap_or_default());
                let unpacked = tokio::task::spawn_blocking(move || unpack(&archive, &name));
                let unpacked = unpacked.await.map_err(|_| Refusal::Internal)?;
                let file = unpacked.map_err(|_| Refusal::InputInvalid)?;
                Ok((file.path().to_owned(), Some(file)))
            }
        }
    }
}

/// Whether a name is of JSON lines that somebody put there: archives of some systems hold shadows of files as well.
fn is_lines(name: &str) -> bool {
    let own = !name
        .split('/')
        .any(|part| part.starts_with('.') || part == "__MACOSX");
    own && [".jsonl", ".ndjson"].iter().any(|end| name.ends_with(end))
}

/// One file at a time, for the trial and again for writing: all of them together could fill the disk.
fn unpack(archive: &Mutex<Archive<File>>, name: &str) -> io::Result<NamedTempFile> {
    let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
    let mut file = NamedTempFile::new()?;
    io::copy(&mut archive.open(name)?, file.as_file_mut())?;
    Ok(file)
}

/// Imports files that belong together. With a problem in any of them nothing is written.
///
/// # Errors
/// As [`import::run`]; [`Refusal::FileMissing`] when none is JSON lines, [`Refusal::InputInvalid`] when an archive cannot be
/// unpacked.
pub async fn run(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    files: &Files,
    options: &ImportOptions,
    tell: Tell<'_>,
) -> Result<ImportReport> {
    if let Files::Run(run) = files {
        let name = run.first().and_then(|(name, _)| name.split('/').next());
        let source = ImportSource::Files(run.clone());
        let name = name.unwrap_or_default();
        return import::run(app, actor, study, source, name, options.clone(), tell).await;
    }
    let names = files.names();
    if names.is_empty() {
        return Err(Refusal::FileMissing.into());
    }
    let passes = if options.dry_run { 1 } else { 2 };
    let total = passes * names.len() as u64 * STEPS;
    let told = |done: u64, now: Progress| {
        tell(Progress {
            bytes: done * STEPS + (now.bytes * STEPS).checked_div(now.total).unwrap_or(0),
            total,
            records: now.records,
        });
    };
    let mut whole = ImportReport::default();
    for (name, report) in tried(app, actor, study, files, options, &told).await? {
        join(&mut whole, &name, report);
    }
    if options.dry_run || !whole.problems.is_empty() {
        return Ok(whole);
    }
    let mut whole = ImportReport::default();
    for (at, name) in names.iter().enumerate() {
        let (path, _unpacked) = files.place(at).await?;
        let done = (names.len() + at) as u64;
        let progress = |now: Progress| told(done, now);
        let source = ImportSource::Path(path);
        let options = of_file(options, name, false);
        let report = import::run(app, actor, study, source, name, options, &progress).await?;
        join(&mut whole, name, report);
    }
    Ok(whole)
}

/// What each file of a folder would bring, were it taken file by file, by its name. Each is compared with the study and with
/// the files before it, as it would be by the time that it is written.
///
/// # Errors
/// As [`run`].
pub async fn trial(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    files: &Files,
    options: &ImportOptions,
) -> Result<Vec<(String, ImportReport)>> {
    tried(app, actor, study, files, options, &|_, _| {}).await
}

/// What the files would bring, and what is wrong with them: each is compared with the study and with the files before it.
async fn tried(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    files: &Files,
    options: &ImportOptions,
    told: &(dyn Fn(u64, Progress) + Send + Sync),
) -> Result<Vec<(String, ImportReport)>> {
    require(&mut *app.db.read().await?, actor, study, Action::ImportRun).await?;
    let mut reports = Vec::new();
    let mut tx = app.db.begin().await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    crate::study::open_in(&mut tx, study).await?;
    for (at, name) in files.names().into_iter().enumerate() {
        let (path, _unpacked) = files.place(at).await?;
        let progress = |now: Progress| told(at as u64, now);
        let options = of_file(options, &name, true);
        let report = if crate::answers::is_plain(&path) {
            let file = (path.as_path(), &options.stated);
            crate::answers::trial(app, &mut tx, study, file, &progress).await?
        } else {
            let file = (ImportSource::Path(path), name.as_str());
            import::trial(app, &mut tx, actor, study, file, options, &progress).await?
        };
        reports.push((name, report));
    }
    tx.rollback().await.map_err(store::Error::from)?;
    Ok(reports)
}

/// The options for one of the files.
fn of_file(options: &ImportOptions, name: &str, dry_run: bool) -> ImportOptions {
    ImportOptions {
        dry_run,
        stated: stated(&options.stated, name),
        ..options.clone()
    }
}

fn stated(given: &Stated, name: &str) -> Stated {
    let place = Stated::of_path(name);
    Stated {
        model: given.model.clone().or(place.model),
        mode: given.mode.clone().or(place.mode),
        judge: given.judge.clone(),
    }
}

/// Adds what came of a file; its problems and notices name it.
fn join(whole: &mut ImportReport, name: &str, report: ImportReport) {
    if whole.format.is_empty() {
        whole.format = report.format;
    }
    whole.new += report.new;
    whole.identical += report.identical;
    whole.more_problems += report.more_problems;
    for problem in report.problems {
        if whole.problems.len() >= MOST_PROBLEMS {
            whole.more_problems += 1;
            continue;
        }
        let field = match &problem.field {
            Some(field) => format!("{name}: {field}"),
            None => name.to_owned(),
        };
        whole.problems.push(Problem {
            field: Some(field),
            ..problem
        });
    }
    whole
        .notices
        .extend(report.notices.into_iter().map(|notice| Notice {
            subject: format!("{name}: {}", notice.subject),
            ..notice
        }));
}

#[cfg(test)]
mod tests {
    use super::{Files, is_lines};
    use std::io::Write;
    use tempfile::NamedTempFile;
    use zip::{ZipWriter, write::SimpleFileOptions};

    #[tokio::test]
    async fn the_contents_of_an_archive_are_read_once_however_many_files_it_has() {
        let mut file = NamedTempFile::new().expect("a file");
        let mut zip = ZipWriter::new(file.as_file_mut());
        for name in ["b/2.jsonl", "a/1.jsonl", "notes.txt"] {
            zip.start_file(name, SimpleFileOptions::default())
                .expect("a name");
            zip.write_all(name.as_bytes()).expect("its content");
        }
        zip.finish().expect("an archive");
        let files = Files::in_archive(file.path()).expect("files of lines");
        // Whoever opens the archive anew for a file finds none.
        drop(file);
        assert_eq!(files.names(), ["a/1.jsonl", "b/2.jsonl"]);
        for (at, name) in [(0, "a/1.jsonl"), (1, "b/2.jsonl"), (0, "a/1.jsonl")] {
            let (path, _unpacked) = files.place(at).await.expect("unpacked");
            assert_eq!(std::fs::read_to_string(path).expect("text"), name);
        }
    }

    #[test]
    fn the_files_of_a_run_stay_together_and_of_other_folders_the_lines_are_taken() {
        let of = |names: &[&str]| {
            let file = |name: &&str| ((*name).to_owned(), "x".into());
            Files::loose(names.iter().map(file).collect())
        };
        let run = [
            "r/run.json",
            "r/members/m/arc/ep000/trace.jsonl",
            "r/members/m/arc/ep000/log.md",
        ];
        let files = of(&run);
        assert!(matches!(files, Files::Run(_)));
        assert_eq!(files.names(), run);
        let files = of(&["r/1.jsonl", "r/notes.md"]);
        assert!(matches!(files, Files::Loose(_)));
        assert_eq!(files.names(), ["r/1.jsonl"]);
    }

    #[test]
    fn shadows_of_files_are_no_files() {
        let names = [
            "results/a/1.jsonl",
            "1.ndjson",
            "__MACOSX/results/a/._1.jsonl",
            "results/.hidden/1.jsonl",
            "results/notes.txt",
        ];
        assert_eq!(names.map(is_lines), [true, true, false, false, false]);
    }
}
