//! `consilium agreement FILE`: every coefficient that fits a file of ratings.

mod csv;
mod json;
mod measure;
mod number;
mod text;
mod warnings;

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Write as _},
    path::PathBuf,
};

use clap::Args;
use formats::ratings::{RatingsError, RatingsOptions, read_ratings};
use stats::{Coefficient, Scale};

use super::Outcome;
use measure::Request;

/// Computes the agreement of raters from a file of ratings, long, wide or a table of counts.
#[derive(Args, Debug)]
pub struct Agreement {
    /// A CSV file; a long one has a row for every rating, a wide one a column for every rater
    file: PathBuf,
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
    /// Column by whose values items are also counted apart
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Number of bootstrap resamples; 2000 or more for anything that is published
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    bootstrap: Option<u32>,
    /// Seed of the bootstrap
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Write one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write a CSV table
    #[arg(long)]
    csv: bool,
}

impl Agreement {
    /// Reads the file, measures, writes; problems with the file are listed and nothing is measured.
    pub fn run(self) -> Outcome {
        let name = self.file.display();
        let input = File::open(&self.file).map_err(|error| format!("{name}: {error}"))?;
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
        let request = Request {
            scale: self.scale,
            statistics: self.statistics,
            categories: self
                .categories
                .iter()
                .map(|category| category.trim().into())
                .collect(),
            bootstrap: self
                .bootstrap
                .map(|resamples| (resamples as usize, self.seed)),
        };
        let report = measure::measure(file, &request)?;
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            writeln!(out, "{}", json::write(&report))?;
        } else if self.csv {
            out.write_all(csv::write(&report).as_bytes())?;
        } else {
            out.write_all(text::write(&report).as_bytes())?;
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
