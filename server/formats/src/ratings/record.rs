//! Rows of a delimited file in one buffer that is used again: a million rows cost no allocation each.

use std::io::{self, BufRead, Read as _};
use std::ops::Range;

use crate::input::{LONGEST_LINE, skip_byte_order_mark, too_long, utf8};
use crate::{Column, Problem};

/// The cells of the current row.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Line where the row begins.
    pub(super) line: u64,
    text: String,
    cells: Vec<Range<usize>>,
}

impl Record {
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The text of a cell without the blanks around it; empty when there is no such cell.
    pub(super) fn cell(&self, index: usize) -> &str {
        let range = self.cells.get(index).cloned();
        range
            .and_then(|range| self.text.get(range))
            .unwrap_or_default()
            .trim()
    }

    /// Whether no cell says anything.
    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty() || (0..self.len()).all(|at| self.cell(at).is_empty())
    }

    fn is_blank(&self) -> bool {
        self.cells.len() <= 1 && self.text.is_empty()
    }
}

/// The rows of a file; comma, semicolon or tab, whichever the first line has.
pub(super) struct Records<R> {
    input: R,
    line: u64,
    raw: Vec<u8>,
    delimiter: Option<u8>,
    pub(super) record: Record,
}

impl<R: BufRead> Records<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            line: 0,
            raw: Vec::new(),
            delimiter: None,
            record: Record::default(),
        }
    }

    /// Reads the next row that is not blank into [`Records::record`]; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<(), Problem>>> {
        if self.line == 0 {
            skip_byte_order_mark(&mut self.input)?;
        }
        loop {
            self.raw.clear();
            self.record.line = self.line + 1;
            if !self.append_line()? {
                return Ok(None);
            }
            if let Err(problem) = self.split()? {
                return Ok(Some(Err(problem)));
            }
            if !self.record.is_blank() {
                return Ok(Some(Ok(())));
            }
        }
    }

    /// Adds a line with its end to the buffer; false at the end of the file.
    fn append_line(&mut self) -> io::Result<bool> {
        let room = (LONGEST_LINE + 2).saturating_sub(self.raw.len()) as u64;
        let read = self
            .input
            .by_ref()
            .take(room)
            .read_until(b'\n', &mut self.raw)?;
        self.line += u64::from(read > 0);
        Ok(read > 0)
    }

    /// Cuts the buffer into cells.
    fn split(&mut self) -> io::Result<Result<(), Problem>> {
        self.record.cells.clear();
        self.record.text.clear();
        if self.raw.len() > LONGEST_LINE || self.raw.contains(&b'"') {
            return self.split_quoted();
        }
        let delimiter = *self
            .delimiter
            .get_or_insert_with(|| guess_delimiter(&self.raw));
        let line = self.raw.strip_suffix(b"\n").unwrap_or(&self.raw);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match utf8(line, self.record.line) {
            Ok(text) => self.record.text.push_str(text),
            Err(problem) => return Ok(Err(problem)),
        }
        let mut start = 0;
        for (at, _) in line
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == delimiter)
        {
            self.record.cells.push(start..at);
            start = at + 1;
        }
        self.record.cells.push(start..line.len());
        Ok(Ok(()))
    }

    /// The same with quotation marks, reading on while one is open.
    fn split_quoted(&mut self) -> io::Result<Result<(), Problem>> {
        let mut cutter = Cutter::default();
        loop {
            if self.raw.len() > LONGEST_LINE {
                self.skip_line()?;
                return Ok(Err(too_long(self.record.line)));
            }
            let delimiter = *self
                .delimiter
                .get_or_insert_with(|| guess_delimiter(&self.raw));
            let complete = cutter.cut(&self.raw, delimiter);
            if complete || !self.append_line()? {
                break;
            }
        }
        match utf8(&cutter.text, self.record.line) {
            Ok(text) => self.record.text.push_str(text),
            Err(problem) => return Ok(Err(problem)),
        }
        if let Some((index, what, expected)) = cutter.fault() {
            let problem = Problem::new(self.record.line, what, expected);
            return Ok(Err(problem.column(Column::letter(index))));
        }
        let mut start = 0;
        for end in cutter.ends {
            self.record.cells.push(start..end);
            start = end;
        }
        Ok(Ok(()))
    }

    /// Passes over the rest of an overlong line.
    fn skip_line(&mut self) -> io::Result<()> {
        if self.raw.ends_with(b"\n") {
            return Ok(());
        }
        loop {
            let chunk = self.input.fill_buf()?;
            let (length, done) = match chunk.iter().position(|&byte| byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (chunk.len(), chunk.is_empty()),
            };
            self.input.consume(length);
            if done {
                return Ok(());
            }
        }
    }
}

/// A comma if the first line has one outside of quotation marks, else a tab, else a semicolon.
fn guess_delimiter(line: &[u8]) -> u8 {
    let mut quoted = false;
    let mut seen = [false; 3];
    for &byte in line {
        quoted ^= byte == b'"';
        if let Some(at) = [b',', b'\t', b';']
            .iter()
            .position(|&d| d == byte && !quoted)
        {
            seen[at] = true;
        }
    }
    match seen {
        [true, ..] => b',',
        [_, true, _] => b'\t',
        [_, _, true] => b';',
        _ => b',',
    }
}

/// Where the next byte falls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Start,
    Plain,
    Quoted,
    Closed,
}

/// Cuts bytes into cells; can be continued with more of the same buffer.
#[derive(Debug, Default)]
struct Cutter {
    text: Vec<u8>,
    ends: Vec<usize>,
    at: usize,
    place: Place,
    stray: Option<usize>,
}

impl Cutter {
    /// True when the row is complete, false when a quotation mark is still open.
    fn cut(&mut self, raw: &[u8], delimiter: u8) -> bool {
        for &byte in &raw[self.at..] {
            match (self.place, byte) {
                (Place::Quoted, b'"') => self.place = Place::Closed,
                (Place::Quoted, _) => self.text.push(byte),
                (Place::Start, b'"') => self.place = Place::Quoted,
                (Place::Closed, b'"') => {
                    self.text.push(byte);
                    self.place = Place::Quoted;
                }
                (_, b'\n') => break,
                (_, byte) if byte == delimiter => {
                    self.ends.push(self.text.len());
                    self.place = Place::Start;
                }
                (Place::Closed, b'\r' | b' ') => {}
                (Place::Closed, _) => {
                    self.stray.get_or_insert(self.ends.len());
                }
                _ => {
                    self.text.push(byte);
                    self.place = Place::Plain;
                }
            }
        }
        self.at = raw.len();
        if self.place == Place::Quoted {
            return false;
        }
        if self.place == Place::Plain && self.text.ends_with(b"\r") {
            self.text.pop();
        }
        self.ends.push(self.text.len());
        true
    }

    /// What is wrong with the quotation marks, and in which cell.
    fn fault(&self) -> Option<(usize, &'static str, &'static str)> {
        if self.place == Place::Quoted {
            return Some((
                self.ends.len(),
                "a cell whose quotation mark is never closed",
                "a closing quotation mark; the file may have been cut off",
            ));
        }
        self.stray.map(|index| {
            (
                index,
                "text after the quotation mark that closes a cell",
                "a delimiter or the end of the line; a quotation mark inside a cell is written twice",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Result<(u64, Vec<String>), Problem>> {
        let mut records = Records::new(text.as_bytes());
        let mut all = Vec::new();
        while let Some(read) = records.next().unwrap() {
            let record = &records.record;
            let cells = (0..record.len())
                .map(|i| record.cell(i).to_owned())
                .collect();
            all.push(read.map(|()| (record.line, cells)));
        }
        all
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "compared with rows that may be problems"
    )]
    fn row(line: u64, cells: &[&str]) -> Result<(u64, Vec<String>), Problem> {
        Ok((line, cells.iter().map(|&cell| cell.to_owned()).collect()))
    }

    #[test]
    fn lines_are_counted_through_quoted_cells_and_blank_lines() {
        let text = "\u{feff}a,b\r\n\r\n\"x\n\"\"y\"\"\",2\r\n3,\n";
        assert_eq!(
            rows(text),
            [
                row(1, &["a", "b"]),
                row(3, &["x\n\"y\"", "2"]),
                row(5, &["3", ""])
            ]
        );
    }

    #[test]
    fn the_first_line_chooses_the_delimiter() {
        assert_eq!(
            rows("a;b\n1,5;2"),
            [row(1, &["a", "b"]), row(2, &["1,5", "2"])]
        );
        assert_eq!(
            rows("a\tb;c\n1\t2"),
            [row(1, &["a", "b;c"]), row(2, &["1", "2"])]
        );
        assert_eq!(rows("\"a;b\",c\n1,2")[0], row(1, &["a;b", "c"]));
    }

    #[test]
    fn faults_of_quotation_marks_are_placed() {
        let faults: Vec<_> = rows("a,b\n1,\"x\"y\n2,3\n4,\"open\n5,6")
            .into_iter()
            .map(|r| r.map_err(|p| (p.line, p.column.map(|c| c.to_string()))))
            .collect();
        assert_eq!(faults[1], Err((2, Some("B".to_owned()))));
        assert_eq!(faults[2], Ok((3, vec!["2".to_owned(), "3".to_owned()])));
        assert_eq!(faults[3], Err((4, Some("B".to_owned()))));
    }
}
