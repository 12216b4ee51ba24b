//! A file of ratings that a researcher has at hand: long, wide or a table of two raters, detected or told.
//!
//! Values stay text here; what they mean is for the statistics. Every problem has its line, and the column where there is one.

pub(crate) mod columns;
mod draft;
mod header;
mod intern;
pub(crate) mod items;
mod long;
mod record;
mod table;
mod wide;

use domain::count::count;
use std::io::{self, BufRead};

use crate::{Column, Problem, Problems, problem::excerpt};
use header::{Header, Plan};
use record::Records;

/// The number of a rating that is not there.
pub const MISSING: u32 = u32::MAX;

/// What the caller knows about the file; what is left empty is detected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RatingsOptions {
    /// Columns that name the item together.
    pub item: Vec<String>,
    /// Column with the rater: a long file.
    pub rater: Option<String>,
    /// Column with the rating: a long file.
    pub value: Option<String>,
    /// Columns that are raters: a wide file.
    pub raters: Vec<String>,
    /// Column that says what was rated; each of its values is counted for itself.
    pub criterion: Option<String>,
    /// Column with the cluster of an item, such as its trace.
    pub cluster: Option<String>,
    /// Column by which items are also counted apart.
    pub by: Option<String>,
    /// Words that mean a missing rating, besides an empty cell.
    pub missing: Vec<String>,
    /// The declared categories; other words than these are problems, other numbers are kept.
    pub categories: Vec<String>,
    /// Whether negative numbers are problems, as on a ratio scale.
    pub non_negative: bool,
}

/// How the file is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One rating a row.
    Long,
    /// One item a row, one rater a column.
    Wide,
    /// Counts of two raters' joint ratings.
    Table,
}

/// The ratings of a file, by criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingsFile {
    /// How it was read.
    pub layout: Layout,
    /// Which columns were taken for what, for the reader of the report.
    pub columns: String,
    /// In the order of the file; one with an empty name when there is no criterion column.
    pub criteria: Vec<Criterion>,
}

/// Items x raters for one criterion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Criterion {
    /// What was rated; empty when the file does not say.
    pub name: String,
    /// The raters, in the order of the file.
    pub raters: Vec<String>,
    /// The different values, in the order of the file.
    pub values: Vec<String>,
    /// Number of items.
    pub n_items: usize,
    /// Numbers of values or [`MISSING`], item by item.
    pub cells: Vec<u32>,
    /// Cluster number of each item, when asked for.
    pub clusters: Option<Vec<u32>>,
    /// The groups of `by` and the number of each item's group.
    pub by: Option<(Vec<String>, Vec<u32>)>,
}

/// Why a file of ratings was not taken.
#[derive(Debug, thiserror::Error)]
pub enum RatingsError {
    /// What is wrong with it.
    #[error("{0}")]
    Problems(Problems),
    /// It could not be read.
    #[error("the file could not be read")]
    Io(#[from] io::Error),
}

/// Reads a file of ratings.
///
/// # Errors
/// [`RatingsError::Problems`] with everything that is wrong, or the first failure of the input.
pub fn read_ratings(
    input: impl BufRead,
    options: &RatingsOptions,
) -> Result<RatingsFile, RatingsError> {
    let mut problems = Problems::default();
    let file = read(input, options, &mut problems)?;
    match file {
        Some(file) if problems.count() == 0 => Ok(file),
        _ => Err(RatingsError::Problems(problems)),
    }
}

fn read(
    input: impl BufRead,
    options: &RatingsOptions,
    problems: &mut Problems,
) -> io::Result<Option<RatingsFile>> {
    let mut records = Records::new(input);
    match records.next()? {
        Some(Ok(())) => {}
        Some(Err(problem)) => {
            problems.add(problem);
            return Ok(None);
        }
        None => {
            problems.add(Problem::new(
                1,
                "an empty file",
                "a line with the names of the columns",
            ));
            return Ok(None);
        }
    }
    let header = Header::new(&records);
    // the first row decides between a wide file and a table of counts
    let mut first = records.next()?;
    if let Some(Err(problem)) = first {
        problems.add(problem);
        first = records.next()?;
    }
    let first_row = matches!(first, Some(Ok(()))).then_some(&records.record);
    let plan = header.plan(options, first_row, problems);
    let Some(plan) = plan else { return Ok(None) };
    let columns = plan.describe(&header);
    let (layout, criteria) = match plan {
        Plan::Long(plan) => (
            Layout::Long,
            long::read(records, first, &header, &plan, options, problems)?,
        ),
        Plan::Wide(plan) => (
            Layout::Wide,
            wide::read(records, first, &header, &plan, options, problems)?,
        ),
        Plan::Table => (
            Layout::Table,
            table::read(records, first, &header, problems)?,
        ),
    };
    Ok(Some(RatingsFile {
        layout,
        columns,
        criteria,
    }))
}

/// Calls `take` for every row of the right width; the others are problems.
fn each_row<R: BufRead>(
    mut records: Records<R>,
    first: Option<Result<(), Problem>>,
    header: &Header,
    problems: &mut Problems,
    mut take: impl FnMut(&record::Record, &mut Problems),
) -> io::Result<()> {
    let mut next = first;
    while let Some(read) = next {
        match read {
            Err(problem) => problems.add(problem),
            // Programs of tables write rows of nothing but commas below the last one.
            Ok(()) if records.record.is_empty() => {}
            Ok(()) if records.record.len() != header.names.len() => {
                let found = cells(records.record.len());
                let expected = format!("{}, as in the first line", cells(header.names.len()));
                problems.add(Problem::new(records.record.line, found, expected));
            }
            Ok(()) => take(&records.record, problems),
        }
        next = records.next()?;
    }
    Ok(())
}

fn cells(n: usize) -> String {
    count(n, "cell", "cells")
}

/// A problem with one cell.
fn cell_problem(
    line: u64,
    index: usize,
    header: &Header,
    found: &str,
    expected: impl Into<String>,
) -> Problem {
    let problem = Problem::new(line, excerpt(found), expected).column(Column::letter(index));
    match header.names.get(index) {
        Some(name) => problem.field(excerpt(name)),
        None => problem,
    }
}
