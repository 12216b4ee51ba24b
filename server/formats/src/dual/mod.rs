//! Dual-annotation CSV: one candidate a row, its trace repeated in each, two people's ratings beside it.

mod group;
mod header;
mod row;

use domain::count::count;
use std::{collections::HashMap, io::BufRead};

pub(crate) use header::recognises;

use crate::{
    Problem,
    digest::{Digest, digest},
    input::rows::{Row, Rows},
    problem::excerpt,
    read::{Reading, Stop},
};
use group::Groups;
use header::Header;

/// The rater of the release who tried the form on three rows; left out unless asked for.
pub(crate) const PARTIAL_RATER: &str = "test_annotator";

/// Rows belong to one trace wherever they stand in the file, so traces are delivered after its end.
pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let mut rows = Rows::new(input);
    let header = match rows.next()? {
        Some(Ok(row)) => Header::new(&row, reading),
        Some(Err(problem)) => {
            reading.problem(problem);
            return Ok(());
        }
        None => {
            reading.problem(Problem::new(
                1,
                "an empty file",
                "a line with the names of the columns",
            ));
            return Ok(());
        }
    };
    let Some(header) = header else { return Ok(()) };
    let mut groups = Groups::default();
    let mut candidates = Candidates::default();
    while let Some(row) = rows.next()? {
        match row {
            Ok(row) => take(&row, &header, &mut candidates, &mut groups, reading),
            Err(problem) => reading.problem(problem),
        }
    }
    groups
        .into_records()
        .try_for_each(|record| reading.deliver(record))
}

/// Checks one row and adds it to its trace.
fn take(
    row: &Row,
    header: &Header,
    candidates: &mut Candidates,
    groups: &mut Groups,
    reading: &mut Reading<'_>,
) {
    if row.cells.len() != header.width() {
        let cells = |n| count(n, "cell", "cells");
        reading.problem(Problem::new(
            row.line,
            cells(row.cells.len()),
            format!("{}, as in the first line", cells(header.width())),
        ));
        return;
    }
    let row = row::Cells { row, header };
    match candidates.meet(&row) {
        Before::New => {}
        Before::Same(first) => {
            reading.identical(
                row.line(),
                format!("candidate {}", excerpt(row.text(header.candidate))),
                first,
            );
            return;
        }
        Before::Different(first, index) => {
            let expected = format!("the same as line {first}, which has the same tag_item_id");
            reading.problem(row.problem(index, "something else", expected));
            return;
        }
    }
    let known_problems = reading.problems.count();
    let contradicted = groups.contradiction(&row);
    if let Some((index, first)) = contradicted {
        let expected = format!("the same as line {first}, which has the same example_id");
        reading.problem(row.problem(index, "something else", expected));
    }
    let candidate = row.candidate(reading);
    let ratings = row.ratings(reading);
    if let Some(candidate) = candidate.filter(|_| reading.problems.count() == known_problems) {
        groups.add(&row, candidate, ratings);
    }
}

/// What a row's candidate key has meant so far.
enum Before {
    New,
    Same(u64),
    /// The line of the first row, and the first column in which this one differs.
    Different(u64, usize),
}

/// The rows read so far by candidate key, as fingerprints of their cells.
#[derive(Default)]
struct Candidates(HashMap<String, (u64, Vec<Digest>)>);

impl Candidates {
    fn meet(&mut self, row: &row::Cells<'_>) -> Before {
        let key = row.text(row.header.candidate);
        if key.trim().is_empty() {
            return Before::New;
        }
        let cells: Vec<Digest> = row
            .row
            .cells
            .iter()
            .map(|cell| digest(&[&cell.text]))
            .collect();
        let Some((first, known)) = self.0.get(key) else {
            self.0.insert(key.to_owned(), (row.line(), cells));
            return Before::New;
        };
        match known
            .iter()
            .zip(&cells)
            .position(|(known, cell)| known != cell)
        {
            Some(index) => Before::Different(*first, index),
            None => Before::Same(*first),
        }
    }
}
