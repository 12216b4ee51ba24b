//! `consilium agreement STUDY-OR-FILE`: every coefficient that fits a study, or a file of ratings.

mod csv;
mod json;
mod measure;
mod number;
mod section;
mod study;
mod text;
mod warnings;

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Write as _},
    path::Path,
};

use clap::Args;
use formats::ratings::{RatingsError, RatingsOptions, read_ratings};
use stats::{Coefficient, Scale};

use super::{Outcome, open::with_services};
use crate::config::{Config, ConfigArgs};
use measure::Request;
use section::Report;
use study::Stage;

/// Computes the agreement of the raters of a study, or of a file of ratings: long, wide or a table of counts.
///
/// What names an existing file is a file, anything else a study. For a study the scale, the raters and the intervals
/// are those of its agreement page; the options that describe a file are refused.
#[derive(Args, Debug)]
pub struct Agreement {
    /// A study by name or id, or a CSV file: a long one has a row for every rating, a wide one a column for every rater
    #[arg(value_name = "STUDY-OR-FILE")]
    source: String,
    /// For a study: before or after reconciliation
    #[arg(long, value_enum)]
    stage: Option<Stage>,
    /// Columns that together name the item
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    item: Vec<String>,
    /// Column with the rater, in a long file
    #[arg(long, value_name = "COLUMN", conflicts_with = "raters")]
    rater: Option<String>,
    /// Column with the rating, in a long file
    #[arg(long, value_name = "COLUMN", conflicts_with = "raters")]
    value: Option<String>,
    /// Columns that are raters, in a wide file
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    raters: Vec<String>,
    /// Column that says what was rated
    #[arg(long, value_name = "COLUMN")]
    criterion: Option<String>,
    /// nominal, ordinal, interval or ratio; numbers are ordinal and words nominal unless told
    #[arg(long)]
    scale: Option<Scale>,
    /// The declared scale in its order, such as 1,2,3,4,5
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    categories: Vec<String>,
    /// Words that mean a missing rating, besides an empty cell
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    missing: Vec<String>,
    /// Only these statistics, such as `kappa_quadratic,alpha_ordinal`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    statistics: Vec<Coefficient>,
    /// Column with the cluster of an item; the bootstrap then draws clusters
    #[arg(long, value_name = "COLUMN")]
    cluster: Option<String>,
    /// Column by whose values items are also counted apart; for a study category, condition, model, `rater_pair` or
    /// judge
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Number of bootstrap resamples; 2000 or more for anything that is published
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    bootstrap: Option<u32>,
    /// Seed of the bootstrap [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Write one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write a CSV table
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

impl Agreement {
    /// Measures and writes; problems with a file are listed and nothing is measured.
    pub fn run(self) -> Outcome {
        let path = Path::new(&self.source);
        if path.metadata().is_ok_and(|found| !found.is_dir()) {
            let report = self.of_file(path)?;
            return self.write(&report);
        }
        if let Some(option) = self.only_for_files() {
            return Err(format!(
                "`{}` is not a file, and {option} describes a file; a study has its own scale, raters and intervals",
                self.source
            )
            .into());
        }
        let by = self.by.as_deref().map(study::facet).transpose()?;
        let request = study::Request {
            stage: self.stage.unwrap_or_default(),
            by,
            statistics: self.statistics.clone(),
        };
        let database = Config::load(self.config.clone())?.database_url;
        if let Some(path) = missing(&database) {
            return Err(format!(
                "`{}` is not a file, and there is no database {path} to look for a study in",
                self.source
            )
            .into());
        }
        with_services(self.config.clone(), |app, operator| async move {
            let report = study::report(&app, &operator, &self.source, &request).await?;
            self.write(&report)
        })
    }

    fn of_file(&self, path: &Path) -> Result<Report, Box<dyn std::error::Error>> {
        let name = path.display();
        if self.stage.is_some() {
            return Err(format!("`{name}` is a file, and --stage is for studies").into());
        }
        let input = File::open(path).map_err(|error| format!("{name}: {error}"))?;
        let options = self.options();
        let file = match read_ratings(BufReader::with_capacity(1 << 16, input), &options) {
            Ok(file) => file,
            Err(RatingsError::Problems(problems)) => {
                let mut lines: Vec<String> = problems
                    .list
                    .iter()
                    .map(|problem| format!("{name}: {problem}"))
                    .collect();
                if problems.more > 0 {
                    lines.push(format!("{name}: and {} more", problems.more));
                }
                return Err(lines.join("\n").into());
            }
            Err(RatingsError::Io(error)) => return Err(format!("{name}: {error}").into()),
        };
        let categories = self.categories.iter();
        let request = Request {
            scale: self.scale,
            statistics: self.statistics.clone(),
            categories: categories.map(|category| category.trim().into()).collect(),
            bootstrap: self
                .bootstrap
                .map(|resamples| (resamples as usize, self.seed.unwrap_or(1))),
        };
        Ok(measure::measure(file, &request)?.into())
    }

    /// An option that was given and means nothing for a study.
    fn only_for_files(&self) -> Option<&'static str> {
        [
            ("--item", !self.item.is_empty()),
            ("--rater", self.rater.is_some()),
            ("--value", self.value.is_some()),
            ("--raters", !self.raters.is_empty()),
            ("--criterion", self.criterion.is_some()),
            ("--scale", self.scale.is_some()),
            ("--categories", !self.categories.is_empty()),
            ("--missing", !self.missing.is_empty()),
            ("--cluster", self.cluster.is_some()),
            ("--bootstrap", self.bootstrap.is_some()),
            ("--seed", self.seed.is_some()),
        ]
        .into_iter()
        .find_map(|(option, given)| given.then_some(option))
    }

    fn write(&self, report: &Report) -> Outcome {
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            writeln!(out, "{}", json::write(report))?;
        } else if self.csv {
            out.write_all(csv::write(report).as_bytes())?;
        } else {
            out.write_all(text::write(report).as_bytes())?;
        }
        out.flush()?;
        Ok(())
    }

    fn options(&self) -> RatingsOptions {
        RatingsOptions {
            item: self.item.clone(),
            rater: self.rater.clone(),
            value: self.value.clone(),
            raters: self.raters.clone(),
            criterion: self.criterion.clone(),
            cluster: self.cluster.clone(),
            by: self.by.clone(),
            missing: self.missing.clone(),
            categories: self.categories.clone(),
            non_negative: self.scale == Some(Scale::Ratio),
        }
    }
}

/// The file of this database when it is not there: asking for a study must not make an empty one.
fn missing(database: &str) -> Option<&str> {
    let path = database.strip_prefix("sqlite:")?;
    let path = path.trim_start_matches("//").split('?').next()?;
    (path != ":memory:" && !Path::new(path).exists()).then_some(path)
}
