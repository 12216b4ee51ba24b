//! `consilium import`.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
};

use clap::Args;
use formats::Format;
use service::{
    import::{self, ImportOptions, ImportReport, ImportSource, Progress, ZeroRule},
    study,
};

use super::{
    Outcome,
    open::{silent_failure, told, with_services},
};
use crate::config::ConfigArgs;

/// The file is checked whole first; when anything is wrong every problem is listed and nothing is written.
#[derive(Args, Debug)]
pub struct Import {
    /// The study, by name or id
    study: String,
    /// Judged traces or ratings in any format that docs/formats.md names; a run of MindEval 2 may be a folder or a zip archive
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
    /// In a table of ratings these are judges, separated by commas; without it names such as gpt-4o are taken for judges
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    judges: Option<Vec<String>>,
    /// What a 0 below the scale means: missing or keep
    #[arg(long, default_value = "missing", value_parser = ["missing", "keep"])]
    zeros: String,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

impl Import {
    pub fn run(self) -> Outcome {
        if !self.file.exists() {
            return Err(format!("there is no file {}", self.file.display()).into());
        }
        let name = self
            .file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let format = match &self.format {
            None => None,
            Some(name) => {
                Some(Format::parse(name).ok_or_else(|| format!("there is no format {name}"))?)
            }
        };
        let options = ImportOptions {
            format,
            dry_run: self.dry_run,
            raters: self.raters,
            judges: self.judges,
            zeros: if self.zeros == "keep" {
                ZeroRule::Keep
            } else {
                ZeroRule::Missing
            },
        };
        with_services(self.config, |app, operator| async move {
            let id = study::find(&app, &operator, &self.study)
                .await
                .map_err(told)?;
            let source = ImportSource::Path(self.file);
            let report = import::run(&app, &operator, &id, source, &name, options, &shown)
                .await
                .map_err(told)?;
            if self.json {
                println!("{}", serde_json::to_string(&report)?);
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
}

/// Progress on a terminal only: a log file needs no moving line.
fn shown(progress: Progress) {
    let mut out = std::io::stderr();
    if out.is_terminal() && progress.total > 0 {
        let percent = progress.bytes.saturating_mul(100) / progress.total;
        let _ = write!(out, "\r{percent:>3} %  {} traces", progress.records);
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
        println!(
            "{name}:{}{column}:{field} found {}, expected {}",
            problem.line, problem.found, problem.expected
        );
    }
    for notice in &report.notices {
        let line = notice
            .line
            .map(|line| format!("line {line}: "))
            .unwrap_or_default();
        println!("note: {line}{}: {}", notice.subject, notice.reason);
    }
    if !report.problems.is_empty() {
        println!("{} problems; nothing was written.", report.problems.len());
        return;
    }
    let new = &report.new;
    let would = if dry_run {
        "would be written"
    } else {
        "written"
    };
    println!(
        "{}: {} items, {} candidates and {} ratings {would}; {} found again.",
        report.format, new.items, new.candidates, new.ratings, report.identical
    );
}
