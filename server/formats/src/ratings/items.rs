//! A table of ratings cell by cell, with the names of its items: for an import, which keeps them.

use std::io::{self, BufRead};

use super::header::{Header, Plan};
use super::record::Records;
use super::{RatingsOptions, each_row};
use crate::{Problem, Problems};

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
pub(crate) struct Sheet {
    pub names: Vec<String>,
    pub rows: Vec<Row>,
    pub cells: Vec<Cell>,
    /// Every rater has a column.
    pub wide: bool,
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

/// Reads a table; nothing, and problems, when it is none.
pub(crate) fn rows(input: impl BufRead, problems: &mut Problems) -> io::Result<Option<Sheet>> {
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
        rows: Vec::new(),
        cells: Vec::new(),
        wide: false,
    };
    let special = table.special(|name| {
        name.ends_with(crate::rated::table::CLASSIFICATION)
            || name.starts_with(crate::rated::table::JUDGE_RESPONSE)
    });
    let mqm = crate::rated::table::MQM
        .iter()
        .all(|name| table.column(name).is_some());
    let by_row = special.is_some() || mqm;
    let plan = if by_row {
        None
    } else {
        let first_row = matches!(first, Some(Ok(()))).then_some(&records.record);
        match header.plan(&RatingsOptions::default(), first_row, problems) {
            Some(plan) => Some(plan),
            None => return Ok(None),
        }
    };
    table.wide = matches!(plan, Some(Plan::Wide(_)));
    let mut number = 0;
    each_row(records, first, &header, problems, |record, problems| {
        number += 1;
        let row = Row {
            line: record.line,
            cells: (0..record.len())
                .map(|at| record.cell(at).to_owned())
                .collect(),
        };
        match &plan {
            None => table.rows.push(row),
            Some(plan) => cells(plan, &header, &row, number, problems, &mut table.cells),
        }
    })?;
    Ok(Some(table))
}

fn cells(
    plan: &Plan,
    header: &Header,
    row: &Row,
    number: u64,
    problems: &mut Problems,
    cells: &mut Vec<Cell>,
) {
    let key = |columns: &[usize]| {
        let parts: Vec<&str> = columns.iter().map(|column| row.cell(*column)).collect();
        if parts.is_empty() {
            number.to_string()
        } else {
            parts.join("/")
        }
    };
    let mut push = |item: String, rater: &str, criterion: &str, column: usize, value: &str| {
        if !value.is_empty() {
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
            let (item, rater) = (key(&plan.item), row.cell(plan.rater));
            if item.is_empty() || rater.is_empty() {
                problems.add(Problem::new(
                    row.line,
                    "an empty cell",
                    "the item and the rater of every rating",
                ));
                return;
            }
            push(item, rater, criterion, plan.value, row.cell(plan.value));
        }
        Plan::Wide(plan) => {
            let criterion = plan.aside.criterion.map_or("", |column| row.cell(column));
            for column in &plan.raters {
                push(
                    key(&plan.item),
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
