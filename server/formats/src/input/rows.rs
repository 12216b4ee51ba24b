//! Rows of a comma-separated table (RFC 4180), each cell with the line where it begins.
//!
//! A reader of our own, because its promises are about positions and bounds: the exact line of every cell, also after
//! cells of several lines and with CRLF; a quotation mark that is never closed is an error and not the rest of the
//! file; and no row is held beyond a fixed size.

use std::io::{self, BufRead};

use super::{LONGEST_LINE, skip_byte_order_mark, too_long, utf8};
use crate::{Column, Problem, problem::excerpt, read::Reading};

/// One row of a table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Line where it begins.
    pub(crate) line: u64,
    pub(crate) cells: Vec<Cell>,
}

impl Row {
    /// The names that a line of names holds, without what surrounds them; a problem for each that is there twice.
    pub(crate) fn names(&self, reading: &mut Reading<'_>) -> Vec<String> {
        let trimmed = |cell: &Cell| cell.text.trim().to_owned();
        let names: Vec<String> = self.cells.iter().map(trimmed).collect();
        for (index, name) in names.iter().enumerate() {
            if let Some(first) = names[..index].iter().position(|earlier| earlier == name) {
                let expected = format!(
                    "a name of its own; column {} has the same",
                    Column::letter(first)
                );
                let problem = Problem::new(1, "a second column of this name", expected);
                reading.problem(problem.field(excerpt(name)).column(Column::letter(index)));
            }
        }
        names
    }
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Line where it begins.
    pub(crate) line: u64,
    pub(crate) text: String,
}

/// The rows of a table, blank lines passed over.
pub(crate) struct Rows<R> {
    input: R,
    line: u64,
    longest: usize,
}

impl<R: BufRead> Rows<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            line: 0,
            longest: LONGEST_LINE,
        }
    }

    /// The next row, or what is wrong with it; `None` at the end of the file.
    pub(crate) fn next(&mut self) -> io::Result<Option<Result<Row, Problem>>> {
        if self.line == 0 {
            skip_byte_order_mark(&mut self.input)?;
            self.line = 1;
        }
        loop {
            let draft = self.draft()?;
            if !draft.is_blank() {
                return Ok(Some(draft.finish(self.longest)));
            }
            if draft.at_end {
                return Ok(None);
            }
        }
    }

    /// Reads up to the end of a row or of the file.
    fn draft(&mut self) -> io::Result<Draft> {
        let mut draft = Draft::new(self.line, self.longest);
        loop {
            let chunk = self.input.fill_buf()?;
            if chunk.is_empty() {
                draft.at_end = true;
                draft.end_cell();
                return Ok(draft);
            }
            let mut used = 0;
            let mut done = false;
            while used < chunk.len() && !done {
                self.line += u64::from(chunk[used] == b'\n');
                done = draft.take(chunk[used], self.line);
                used += 1;
            }
            self.input.consume(used);
            if done {
                return Ok(draft);
            }
        }
    }
}

/// Where the next byte of a row falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the beginning of a cell.
    Start,
    /// In a cell without quotation marks.
    Plain,
    /// Between quotation marks.
    Quoted,
    /// After a quotation mark that closes the cell, unless another follows.
    Closed,
    /// After a carriage return behind a closed cell.
    Return,
}

/// A row being read.
struct Draft {
    line: u64,
    longest: usize,
    size: usize,
    place: Place,
    cell: (u64, Vec<u8>),
    cells: Vec<(u64, Vec<u8>)>,
    quoted: bool,
    at_end: bool,
    problem: Option<Problem>,
}

impl Draft {
    fn new(line: u64, longest: usize) -> Self {
        let cell = (line, Vec::new());
        Self {
            line,
            longest,
            size: 0,
            place: Place::Start,
            cell,
            cells: Vec::new(),
            quoted: false,
            at_end: false,
            problem: None,
        }
    }

    /// Takes one byte, with the line that comes after it; true at the end of the row.
    fn take(&mut self, byte: u8, line: u64) -> bool {
        match (self.place, byte) {
            (Place::Quoted, b'"') => self.place = Place::Closed,
            (Place::Quoted, _) => self.keep(byte),
            (Place::Start, b'"') => (self.place, self.quoted) = (Place::Quoted, true),
            (Place::Closed, b'"') => {
                self.keep(byte);
                self.place = Place::Quoted;
            }
            (_, b'\n') => {
                self.end_cell();
                return true;
            }
            (_, b',') => {
                self.end_cell();
                self.cell.0 = line;
            }
            (Place::Closed, b'\r') => self.place = Place::Return,
            (Place::Closed | Place::Return, _) => {
                self.stray_text(line);
                self.keep(byte);
                self.place = Place::Plain;
            }
            (Place::Start | Place::Plain, _) => {
                self.keep(byte);
                self.place = Place::Plain;
            }
        }
        false
    }

    fn keep(&mut self, byte: u8) {
        self.size += 1;
        if self.size <= self.longest {
            self.cell.1.push(byte);
        } else {
            (self.cell.1, self.cells) = Default::default();
        }
    }

    fn stray_text(&mut self, line: u64) {
        let problem = Problem::new(
            line,
            "text after the quotation mark that closes a cell",
            "a comma or the end of the line; a quotation mark inside a cell is written twice",
        );
        self.problem
            .get_or_insert(problem.column(Column::letter(self.cells.len())));
    }

    fn end_cell(&mut self) {
        if self.place == Place::Quoted {
            let problem = Problem::new(
                self.cell.0,
                "a cell whose quotation mark is never closed",
                "a closing quotation mark; the file may have been cut off",
            );
            self.problem
                .get_or_insert(problem.column(Column::letter(self.cells.len())));
        }
        if self.place == Place::Plain && self.cell.1.ends_with(b"\r") {
            self.cell.1.pop();
        }
        let next = (self.cell.0, Vec::new());
        // Commas count too: a row of nothing but commas must not grow either.
        self.size += 1;
        if self.size <= self.longest {
            self.cells.push(std::mem::replace(&mut self.cell, next));
        } else {
            (self.cell, self.cells) = (next, Vec::new());
        }
        self.place = Place::Start;
    }

    fn is_blank(&self) -> bool {
        !self.quoted
            && self.size <= self.longest
            && matches!(self.cells.as_slice(), [(_, only)] if only.is_empty())
    }

    fn finish(self, longest: usize) -> Result<Row, Problem> {
        if self.size > longest {
            return Err(too_long(self.line));
        }
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let cells = self
            .cells
            .into_iter()
            .enumerate()
            .map(|(index, (line, bytes))| {
                let text =
                    utf8(&bytes, line).map_err(|problem| problem.column(Column::letter(index)))?;
                if text.contains('\0') {
                    return Err(Problem::new(
                        line,
                        "a NUL character",
                        "text without NUL characters",
                    )
                    .column(Column::letter(index)));
                }
                Ok(Cell {
                    line,
                    text: text.to_owned(),
                })
            });
        Ok(Row {
            line: self.line,
            cells: cells.collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests;
