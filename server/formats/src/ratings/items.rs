//! A table of ratings cell by cell, with the names of its items: for an import, which keeps them.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead};

use super::columns::{About, Asked};
use super::header::{Header, Plan};
use super::record::Records;
use super::{RatingsOptions, each_row};
use crate::{Column, Problem, Problems, problem::excerpt, rated::table::is_special};

/// Who rated where neither a column nor its name says so.
const NOBODY: &str = "rater";

/// One rating.
pub(crate) struct Cell {
    pub line: u64,
    pub item: String,
    pub rater: String,
    /// Empty without a criterion column.
    pub criterion: String,
    pub value: String,
    /// Its column, counted from 0.
    pub column: usize,
}

/// One row as it stands.
pub(crate) struct Row {
    pub line: u64,
    cells: Vec<String>,
}

impl Row {
    pub(crate) fn cell(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }
}

/// A table, read whole.
#[derive(Default)]
pub(crate) struct Sheet {
    pub names: Vec<String>,
    pub rows: Vec<Row>,
    pub cells: Vec<Cell>,
    /// Every rater has a column.
    pub wide: bool,
    /// What the table says of an item beside its ratings.
    pub texts: HashMap<String, Texts>,
    /// Columns that were taken for people or judges; none where a column names them.
    pub raters: Vec<String>,
    /// Columns that were not read.
    pub left: Vec<String>,
    /// Who is taken for the rater of all, where columns are questions and nobody is named.
    pub nobody: Option<&'static str>,
}

/// An item's texts and facts.
#[derive(Default)]
pub(crate) struct Texts {
    line: u64,
    pub text: String,
    pub question: String,
    pub model: String,
    pub condition: String,
}

/// How the ratings of a table are found.
enum Layout {
    /// Row by row, by whoever reads them.
    Rows,
    Plan(Plan),
    Asked(Asked),
}

impl Sheet {
    /// The column of this name.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The columns whose names are of a kind; nothing when there is none.
    pub(crate) fn special(&self, is: impl Fn(&str) -> bool) -> Option<Vec<usize>> {
        let found: Vec<usize> = (0..self.names.len())
            .filter(|at| is(&self.names[*at]))
            .collect();
        (!found.is_empty()).then_some(found)
    }
}

/// The rows of a text as far as they can be read, the names first.
pub(crate) fn sample(text: &str) -> Vec<Vec<String>> {
    let mut records = Records::new(text.as_bytes());
    let mut rows = Vec::new();
    while let Ok(Some(Ok(()))) = records.next() {
        let record = &records.record;
        rows.push(
            (0..record.len())
                .map(|at| record.cell(at).to_owned())
                .collect(),
        );
    }
    rows
}

/// Reads a table; nothing, and problems, when it is none.
pub(crate) fn rows(input: impl BufRead, problems: &mut Problems) -> io::Result<Option<Sheet>> {
    rows_for(input, problems, &|_| None)
}

/// The same, with the names of the questions that columns may be called by.
pub(crate) fn rows_for(
    input: impl BufRead,
    problems: &mut Problems,
    question: &dyn Fn(&str) -> Option<String>,
) -> io::Result<Option<Sheet>> {
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
    let mut first = records.next()?;
    if let Some(Err(problem)) = first {
        problems.add(problem);
        first = records.next()?;
    }
    let mut table = Sheet {
        names: header.names.clone(),
        ..Sheet::default()
    };
    let first_row = matches!(first, Some(Ok(()))).then_some(&records.record);
    let named = !header.is_own()
        && !header.has_criterion()
        && !first_row.is_some_and(|row| header.is_table(row));
    let asked = || Asked::of(&header, question).filter(|_| named);
    let layout = if is_special(&table.names) {
        Layout::Rows
    } else if let Some(asked) = asked() {
        Layout::Asked(asked)
    } else {
        match header.plan(&RatingsOptions::default(), first_row, problems) {
            Some(plan) => Layout::Plan(plan),
            None => return Ok(None),
        }
    };
    table.wide = matches!(layout, Layout::Plan(Plan::Wide(_)));
    let taken = layout.columns(&header);
    let about = match layout {
        // The first column of counts may be called anything.
        Layout::Rows | Layout::Plan(Plan::Table) => About::default(),
        _ if header.is_own() => About::default(),
        _ => About::of(&header, &taken).or_item(&header, &taken),
    };
    if !matches!(layout, Layout::Rows | Layout::Plan(Plan::Table)) && !header.is_own() {
        let read: Vec<usize> = taken.iter().copied().chain(about.columns()).collect();
        let left = (0..header.names.len()).filter(|at| !read.contains(at));
        table.left = left.map(|at| header.names[at].clone()).collect();
    }
    if let Layout::Plan(Plan::Wide(plan)) = &layout {
        table.raters = plan
            .raters
            .iter()
            .map(|at| header.names[*at].clone())
            .collect();
    }
    if let Layout::Asked(asked) = &layout {
        let who: BTreeSet<&String> = asked
            .values
            .iter()
            .filter_map(|(_, who, _)| who.as_ref())
            .collect();
        table.nobody = (asked.rater.is_none() && who.is_empty()).then_some(NOBODY);
        table.raters = who.into_iter().cloned().collect();
    }
    let mut number = 0;
    each_row(records, first, &header, problems, |record, problems| {
        number += 1;
        let row = Row {
            line: record.line,
            cells: (0..record.len())
                .map(|at| record.cell(at).to_owned())
                .collect(),
        };
        let Some(item) = layout.item(&row, number) else {
            table.rows.push(row);
            return;
        };
        meet(&mut table.texts, &item, &about, &row, problems);
        match &layout {
            Layout::Rows => {}
            Layout::Plan(plan) => cells(plan, &header, (&row, item), problems, &mut table.cells),
            Layout::Asked(asked) => asked_cells(asked, (&row, &item), problems, &mut table.cells),
        }
    })?;
    Ok(Some(table))
}

impl Layout {
    /// The columns that it reads.
    fn columns(&self, header: &Header) -> Vec<usize> {
        match self {
            Self::Rows | Self::Plan(Plan::Table) => (0..header.names.len()).collect(),
            Self::Plan(Plan::Long(plan)) => {
                let more = [plan.rater, plan.value]
                    .into_iter()
                    .chain(plan.aside.criterion);
                plan.item.iter().copied().chain(more).collect()
            }
            Self::Plan(Plan::Wide(plan)) => {
                let more = plan.raters.iter().copied().chain(plan.aside.criterion);
                plan.item.iter().copied().chain(more).collect()
            }
            Self::Asked(asked) => {
                let values = asked.values.iter().map(|(at, ..)| *at);
                [asked.item]
                    .into_iter()
                    .chain(asked.rater)
                    .chain(values)
                    .collect()
            }
        }
    }

    /// The item of a row; nothing where rows are read by somebody else.
    fn item(&self, row: &Row, number: u64) -> Option<String> {
        let key = |columns: &[usize]| {
            let parts: Vec<&str> = columns.iter().map(|column| row.cell(*column)).collect();
            if parts.is_empty() {
                number.to_string()
            } else {
                parts.join("/")
            }
        };
        match self {
            Self::Rows => None,
            Self::Plan(Plan::Long(plan)) => Some(key(&plan.item)),
            Self::Plan(Plan::Wide(plan)) => Some(key(&plan.item)),
            Self::Plan(Plan::Table) => Some(String::new()),
            Self::Asked(asked) => Some(key(&[asked.item])),
        }
    }
}

/// Keeps an item's texts; a row that has another is a problem.
fn meet(
    texts: &mut HashMap<String, Texts>,
    item: &str,
    about: &About,
    row: &Row,
    problems: &mut Problems,
) {
    if about.columns().next().is_none() || item.is_empty() {
        return;
    }
    let known = texts.entry(item.to_owned()).or_insert_with(|| Texts {
        line: row.line,
        ..Texts::default()
    });
    let first = known.line;
    for (column, place) in [
        (about.text, &mut known.text),
        (about.question, &mut known.question),
        (about.model, &mut known.model),
        (about.condition, &mut known.condition),
    ] {
        let Some(column) = column else { continue };
        let cell = row.cell(column);
        if place.is_empty() {
            cell.clone_into(place);
        } else if !cell.is_empty() && cell != place {
            let expected = format!("the same as in line {first}, which has the same item");
            problems.add(
                Problem::new(row.line, excerpt(cell), expected).column(Column::letter(column)),
            );
        }
    }
}

/// The ratings of a row whose columns are questions.
fn asked_cells(
    asked: &Asked,
    (row, item): (&Row, &str),
    problems: &mut Problems,
    cells: &mut Vec<Cell>,
) {
    let rater = asked.rater.map(|column| row.cell(column));
    if item.is_empty() || rater == Some("") {
        problems.add(nameless(row));
        return;
    }
    for (column, who, question) in &asked.values {
        let value = row.cell(*column);
        if !value.is_empty() {
            cells.push(Cell {
                line: row.line,
                item: item.to_owned(),
                rater: rater.or(who.as_deref()).unwrap_or(NOBODY).to_owned(),
                criterion: question.clone(),
                column: *column,
                value: value.to_owned(),
            });
        }
    }
}

fn nameless(row: &Row) -> Problem {
    Problem::new(
        row.line,
        "an empty cell",
        "the item and the rater of every rating",
    )
}

fn cells(
    plan: &Plan,
    header: &Header,
    (row, item): (&Row, String),
    problems: &mut Problems,
    cells: &mut Vec<Cell>,
) {
    // The program's own table has an empty value for an answer of which nothing was chosen.
    let empty = header.is_own();
    let mut push = |item: String, rater: &str, criterion: &str, column: usize, value: &str| {
        if empty || !value.is_empty() {
            cells.push(Cell {
                line: row.line,
                item,
                rater: rater.to_owned(),
                criterion: criterion.to_owned(),
                value: value.to_owned(),
                column,
            });
        }
    };
    match plan {
        Plan::Long(plan) => {
            let criterion = plan.aside.criterion.map_or("", |column| row.cell(column));
            let rater = row.cell(plan.rater);
            if item.is_empty() || rater.is_empty() {
                problems.add(nameless(row));
                return;
            }
            push(item, rater, criterion, plan.value, row.cell(plan.value));
        }
        Plan::Wide(plan) => {
            let criterion = plan.aside.criterion.map_or("", |column| row.cell(column));
            for column in &plan.raters {
                push(
                    item.clone(),
                    &header.names[*column],
                    criterion,
                    *column,
                    row.cell(*column),
                );
            }
        }
        Plan::Table => {
            for column in 1..header.names.len() {
                let count = row
                    .cell(column)
                    .parse::<u32>()
                    .unwrap_or_default()
                    .min(1_000_000);
                for at in 1..=count {
                    let item = format!("{}-{}-{at}", row.cell(0), header.names[column]);
                    push(item.clone(), &header.names[0], "", column, row.cell(0));
                    push(item, "columns", "", column, &header.names[column]);
                }
            }
        }
    }
}
