//! A table of final values: one unit a row.

use domain::count::count;
use std::{collections::HashMap, io::BufRead};

use super::{RulingKey, RulingRecord, header::Header, row};
use crate::{
    Notice, Problem,
    input::rows::Rows,
    problem::excerpt,
    read::{Reading, Stop},
};

/// Reads every row; those of units without a final value are left out and counted.
pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let mut rows = Rows::new(input);
    let header = match rows.next()? {
        Some(Ok(row)) => Header::new(&row, reading),
        Some(Err(problem)) => {
            reading.problem(problem);
            None
        }
        None => {
            let expected = "a line with the names of the columns";
            reading.problem(Problem::new(1, "an empty file", expected));
            None
        }
    };
    let Some(header) = header else { return Ok(()) };
    let (mut known, mut without) = (Known::default(), 0_u64);
    while let Some(row) = rows.next()? {
        let row = match row {
            Ok(row) if row.cells.len() == header.names.len() => row,
            Ok(row) => {
                let found = count(row.cells.len(), "cell", "cells");
                let expected = format!("{}, as in the first line", header.names.len());
                reading.problem(Problem::new(row.line, found, expected));
                continue;
            }
            Err(problem) => {
                reading.problem(problem);
                continue;
            }
        };
        match row::record(&row, &header, reading) {
            row::Found::Record(record) => known.take(*record, reading),
            row::Found::Wrong => {}
            row::Found::NoValue => without += 1,
        }
    }
    if without > 0 {
        reading.leave_out(Notice {
            line: None,
            subject: count(without, "row", "rows"),
            reason: "units that have no final value, or that no key names".to_owned(),
        });
    }
    Ok(())
}

/// The records met so far, so that a unit has one final value.
#[derive(Default)]
pub(super) struct Known(HashMap<(Option<String>, RulingKey), RulingRecord>);

impl Known {
    /// Hands a record on unless the file has said it before.
    pub(super) fn take(&mut self, record: RulingRecord, reading: &mut Reading<'_>) {
        let key = (record.item.clone(), record.key.clone());
        match self.0.get(&key) {
            None => {
                self.0.insert(key, record.clone());
                reading.ruling(record);
            }
            Some(first) if first.says_the_same(&record) => {
                let (RulingKey::Candidate(name)
                | RulingKey::Order(name)
                | RulingKey::Question(name)) = &record.key;
                reading.identical(record.line, excerpt(name), first.line);
            }
            Some(first) => {
                let expected = format!("the same as line {}, about the same unit", first.line);
                reading.problem(record.problem(super::Part::Value, "something else", expected));
            }
        }
    }
}
