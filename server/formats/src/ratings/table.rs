//! Counts of two raters' joint ratings, the first rater in rows and the second in columns.

use std::io::{self, BufRead};

use super::header::Header;
use super::record::Records;
use super::{Criterion, cell_problem, each_row};
use crate::{Problem, Problems};

/// The most items that counts may stand for.
const MOST_ITEMS: u64 = 50_000_000;

pub(super) fn read<R: BufRead>(
    records: Records<R>,
    first: Option<Result<(), Problem>>,
    header: &Header,
    problems: &mut Problems,
) -> io::Result<Vec<Criterion>> {
    let values: Vec<String> = header.names[1..].to_vec();
    let mut cells = Vec::new();
    let mut seen = vec![None; values.len()];
    each_row(records, first, header, problems, |record, problems| {
        let Some(row) = values.iter().position(|value| value == record.cell(0)) else {
            problems.add(cell_problem(
                record.line,
                0,
                header,
                record.cell(0),
                "a category that is also a column",
            ));
            return;
        };
        if let Some(before) = seen[row].replace(record.line) {
            problems.add(cell_problem(
                record.line,
                0,
                header,
                record.cell(0),
                format!("one row a category; the first is line {before}"),
            ));
            return;
        }
        for column in 0..values.len() {
            let text = record.cell(column + 1);
            match text.parse::<u64>() {
                Ok(count) if count <= MOST_ITEMS - (cells.len() as u64 / 2).min(MOST_ITEMS) => {
                    cells.extend((0..count).flat_map(|_| [row as u32, column as u32]));
                }
                _ => problems.add(cell_problem(
                    record.line,
                    column + 1,
                    header,
                    text,
                    format!("a count, all together at most {MOST_ITEMS}"),
                )),
            }
        }
    })?;
    let raters = vec![header.names[0].clone(), "columns".to_owned()];
    let n_items = cells.len() / 2;
    Ok(vec![Criterion {
        raters,
        values,
        n_items,
        cells,
        ..Criterion::default()
    }])
}
