//! `consilium import`.

use domain::count::count;
use std::{
    fs,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use domain::{id::StudyId, refusal::Refusal};
use formats::{Folder, Format, Tree, sniff_tree};
use serde::Serialize;
use service::{
    Actor, Services, account,
    folder::{self, Files},
    import::{
        self, ImportOptions, ImportReport, ImportSource, New, Progress, Remap, Stated, ZeroRule,
    },
    judge::Facts,
    study,
};

use super::out::say;
use super::{
    Outcome,
    open::{silent_failure, told, with_services},
};
use crate::config::ConfigArgs;

/// Each file is checked whole first; when anything is wrong every problem is listed and nothing of it is written.
#[derive(Args, Debug)]
pub struct Import {
    /// The study, by name or id
    study: String,
    /// Judged traces, ratings or final values in any format that docs/formats.md names; a run of MindEval 2 may be a folder or a zip
    /// archive; another folder is taken as one of JSON lines, whose sub-folders may name the run:
    /// `model=NAME&setting=VALUE` or `NAME_MODE_Tagged`
    file: PathBuf,
    /// Say what the file is instead of recognising it by its content
    #[arg(long)]
    format: Option<String>,
    /// Check and count, write nothing
    #[arg(long)]
    dry_run: bool,
    /// Take these raters' columns of a dual-annotation CSV, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    raters: Option<Vec<String>>,
    /// The model that wrote the traces, where neither records nor folders say
    #[arg(long)]
    model: Option<String>,
    /// How the model was asked, where neither records nor folders say
    #[arg(long)]
    mode: Option<String>,
    /// What the judge is called, where the records do not say
    #[arg(long)]
    judge: Option<String>,
    /// The language model behind the judge
    #[arg(long, default_value = "")]
    judge_model: String,
    /// The version of the judge's prompt
    #[arg(long, default_value = "")]
    prompt_version: String,
    /// Take the file as runs of the further judge named by --judge over traces that are there: they are compared with
    /// the labels and never shown to raters
    #[arg(long, requires = "judge")]
    compare: bool,
    /// In a table of ratings these are judges, separated by commas; without it names such as gpt-4o are taken for judges
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    judges: Option<Vec<String>>,
    /// What a 0 below the scale means: missing, keep (a value), or report (a problem with its place, and nothing is written)
    #[arg(long, default_value = "missing", value_parser = ["missing", "keep", "report"])]
    zeros: String,
    /// A code of another taxonomy and the scheme's code it stands for, CODE=CODE; may be given more than once
    #[arg(long, value_name = "CODE=CODE")]
    remap: Vec<String>,
    /// Follow the scheme's own table where earlier imports took a code elsewhere
    #[arg(long)]
    follow_scheme: bool,
    /// Import as this person; final values become their rulings, so those need one who coordinates the study
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Put final values on top of rulings that say something else
    #[arg(long)]
    replace: bool,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

/// A file of a folder and what came of it.
#[derive(Serialize)]
struct Part {
    file: String,
    #[serde(flatten)]
    report: ImportReport,
}

/// What came of a folder.
#[derive(Default, Serialize)]
struct Whole {
    new: New,
    identical: u64,
    files: Vec<Part>,
}

impl Import {
    pub fn run(mut self) -> Outcome {
        let config = std::mem::take(&mut self.config);
        let format = match &self.format {
            None => None,
            Some(name) => {
                Some(Format::parse(name).ok_or_else(|| format!("there is no format {name}"))?)
            }
        };
        if self.file.is_dir() && !is_run(&self.file) {
            let files = lines_below(&self.file)?;
            if files.is_empty() {
                return Err(format!("there is no .jsonl file in {}", self.file.display()).into());
            }
            return with_services(config, |app, operator| async move {
                let id = study::find(&app, &operator, &self.study)
                    .await
                    .map_err(told)?;
                let actor = self.actor(&app, &operator).await?;
                self.folder(&app, &actor, &id, format, files).await
            });
        }
        if !self.file.exists() {
            return Err(format!("there is no file {}", self.file.display()).into());
        }
        with_services(config, |app, operator| async move {
            let id = study::find(&app, &operator, &self.study)
                .await
                .map_err(told)?;
            let name = named(&self.file);
            let actor = self.actor(&app, &operator).await?;
            let report = self.one(&app, &actor, &id, format, &self.file).await?;
            if self.json {
                say!("{}", serde_json::to_string(&report)?);
            } else {
                print(&report, &name, self.dry_run);
            }
            if report.problems.is_empty() {
                Ok(())
            } else {
                Err(silent_failure())
            }
        })
    }

    /// Who imports: the operator, or the person whom they name.
    async fn actor(
        &self,
        app: &Services,
        operator: &Actor,
    ) -> Result<Actor, Box<dyn std::error::Error>> {
        match &self.by {
            None => Ok(operator.clone()),
            Some(name) => account::find(app, operator, name).await.map_err(told),
        }
    }

    /// File by file: what is sound is kept, so that a second run goes on where the first one stopped.
    async fn folder(
        &self,
        app: &Services,
        actor: &Actor,
        id: &StudyId,
        format: Option<Format>,
        files: Vec<PathBuf>,
    ) -> Outcome {
        let mut whole = Whole::default();
        let mut add = |path: &Path, report: ImportReport| {
            let within = path.strip_prefix(&self.file).unwrap_or(path);
            let file = within.display().to_string();
            if !self.json {
                print(&report, &file, self.dry_run);
            }
            whole.new += report.new;
            whole.identical += report.identical;
            whole.files.push(Part { file, report });
        };
        if self.dry_run && !self.compare {
            // Together, so that what two files share is counted once, as it will be when they are written.
            let names = files.iter();
            let named = names.map(|path| (path.to_string_lossy().into_owned(), path.clone()));
            let options = self.options(format, Stated::default())?;
            let loose = Files::Loose(named.collect());
            let tried = folder::trial(app, actor, id, &loose, &options).await;
            for (name, report) in tried.map_err(told)? {
                add(Path::new(&name), report);
            }
        } else {
            for path in files {
                let report = self.one(app, actor, id, format, &path).await?;
                add(&path, report);
            }
        }
        if self.json {
            say!("{}", serde_json::to_string(&whole)?);
        }
        let sound = whole
            .files
            .iter()
            .all(|part| part.report.problems.is_empty());
        if sound { Ok(()) } else { Err(silent_failure()) }
    }

    /// How to read a file whose place says this.
    fn options(
        &self,
        format: Option<Format>,
        place: Stated,
    ) -> Result<ImportOptions, Box<dyn std::error::Error>> {
        let judge = self.judge.as_ref().filter(|_| !self.compare);
        Ok(ImportOptions {
            format,
            dry_run: self.dry_run,
            raters: self.raters.clone(),
            judges: self.judges.clone(),
            remap: Remap {
                stated: Remap::parse(&self.remap.join("\n")).map_err(Refusal::message)?,
                follow_scheme: self.follow_scheme,
            },
            replace: self.replace,
            zeros: ZeroRule::parse(&self.zeros).unwrap_or_default(),
            stated: Stated {
                model: self.model.clone().or(place.model),
                mode: self.mode.clone().or(place.mode),
                judge: judge.map(|name| {
                    [
                        name.clone(),
                        self.judge_model.clone(),
                        self.prompt_version.clone(),
                    ]
                }),
            },
        })
    }

    async fn one(
        &self,
        app: &Services,
        actor: &Actor,
        id: &StudyId,
        format: Option<Format>,
        path: &Path,
    ) -> Result<ImportReport, Box<dyn std::error::Error>> {
        let options = self.options(format, Stated::of_path(&path.to_string_lossy()))?;
        let source = ImportSource::Path(path.to_owned());
        let report = match &self.judge {
            Some(name) if self.compare => {
                let facts = Facts {
                    model: self.judge_model.clone(),
                    prompt_version: self.prompt_version.clone(),
                    ..Facts::default()
                };
                import::compared(app, actor, id, source, (name, facts), options, &shown).await
            }
            _ => import::run(app, actor, id, source, &named(path), options, &shown).await,
        };
        report.map_err(told)
    }
}

/// Whether the files of a folder belong together.
fn is_run(folder: &Path) -> bool {
    Folder::new(folder).is_ok_and(|tree| sniff_tree(tree.names()).is_ok())
}

fn named(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The files of JSON lines below a folder, in the order of their paths.
fn lines_below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ending == "jsonl" || ending == "ndjson")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Progress on a terminal only: a log file needs no moving line.
fn shown(progress: Progress) {
    let mut out = std::io::stderr();
    if out.is_terminal() && progress.total > 0 {
        let percent = progress.bytes.saturating_mul(100) / progress.total;
        let _ = write!(
            out,
            "\r{percent:>3} %  {}",
            count(progress.records, "trace", "traces")
        );
        if progress.bytes >= progress.total {
            let _ = writeln!(out);
        }
    }
}

fn print(report: &ImportReport, name: &str, dry_run: bool) {
    for problem in &report.problems {
        let column = problem
            .column
            .as_ref()
            .map(|column| format!(":{column}"))
            .unwrap_or_default();
        let field = problem
            .field
            .as_deref()
            .map(|field| format!(" {field}:"))
            .unwrap_or_default();
        say!(
            "{name}:{}{column}:{field} found {}, expected {}",
            problem.line,
            problem.found,
            problem.expected
        );
    }
    for notice in &report.notices {
        let line = notice
            .line
            .map(|line| format!("line {line}: "))
            .unwrap_or_default();
        say!("note: {line}{}: {}", notice.subject, notice.reason);
    }
    if !report.problems.is_empty() {
        let problems = report.problems.len();
        say!(
            "{}; nothing was written.",
            count(problems, "problem", "problems")
        );
        return;
    }
    let new = &report.new;
    let would = if dry_run {
        "would be written"
    } else {
        "written"
    };
    say!(
        "{}: {}, {}, {} and {} {would}; {} found again.",
        report.format,
        count(new.items, "item", "items"),
        count(new.candidates, "candidate", "candidates"),
        count(new.ratings, "rating", "ratings"),
        count(new.rulings, "ruling", "rulings"),
        report.identical
    );
    let further = new.further();
    if !further.is_empty() {
        say!("beside these {}.", further.join(", "));
    }
    if new.answers > 0 {
        let what = ["answer without reasoning", "answers without reasoning"];
        say!("{} {would}.", count(new.answers, what[0], what[1]));
    }
}
