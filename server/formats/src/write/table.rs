//! A table written as its rows come: RFC 4180 with CRLF, UTF-8.

use std::io::{self, Write};

use sha2::{Digest as _, Sha256};

use super::{Cell, Columns};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a row was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output failed.
    #[error("the table could not be written")]
    Io(#[from] io::Error),
    /// The row has more or fewer cells than the table has columns.
    #[error("a row of {cells} cells in a table of {columns} columns")]
    Width {
        /// Cells of the row.
        cells: usize,
        /// Columns of the table.
        columns: usize,
    },
    /// A cell is not of its column's kind.
    #[error("a cell of the wrong kind in the column {0}")]
    Kind(String),
}

/// What has been written, for the data dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Rows without the header.
    pub rows: u64,
    /// Size of the file.
    pub bytes: u64,
    /// SHA-256 of the file in hexadecimal.
    pub sha256: String,
}

/// A table on its way to an output.
pub struct Table<'c, W: Write> {
    columns: &'c Columns,
    writer: csv::Writer<Counted<W>>,
    rows: u64,
}

impl<'c, W: Write> Table<'c, W> {
    /// Begins a table with its header; with a byte order mark for spreadsheets that would otherwise guess the encoding.
    ///
    /// # Errors
    /// When the output fails.
    pub fn new(output: W, columns: &'c Columns, byte_order_mark: bool) -> Result<Self, WriteError> {
        let mut output = Counted {
            output,
            bytes: 0,
            hash: Sha256::new(),
        };
        if byte_order_mark {
            output.write_all(BYTE_ORDER_MARK)?;
        }
        let mut writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .from_writer(output);
        writer.write_record(columns.header()).map_err(io_error)?;
        Ok(Self {
            columns,
            writer,
            rows: 0,
        })
    }

    /// Writes one row.
    ///
    /// # Errors
    /// When the output fails, or the cells are not those of the columns; then nothing of the row is written.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), WriteError> {
        let columns = self.columns.iter();
        if cells.len() != columns.len() {
            return Err(WriteError::Width {
                cells: cells.len(),
                columns: columns.len(),
            });
        }
        if let Some((column, _)) = columns
            .zip(cells)
            .find(|(column, cell)| !column.kind.takes(cell))
        {
            return Err(WriteError::Kind(column.name.clone().into_owned()));
        }
        for cell in cells {
            self.writer
                .write_field(cell.written().as_bytes())
                .map_err(io_error)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(io_error)?;
        self.rows += 1;
        Ok(())
    }

    /// Ends the table and gives its output back.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(self) -> Result<(W, Written), WriteError> {
        let mut counted = self
            .writer
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)?;
        counted.flush()?;
        let hash = counted.hash.finalize();
        let sha256 = hash.iter().fold(String::with_capacity(64), |hex, byte| {
            hex + &format!("{byte:02x}")
        });
        Ok((
            counted.output,
            Written {
                rows: self.rows,
                bytes: counted.bytes,
                sha256,
            },
        ))
    }
}

/// The csv crate fails only when the output does: the number of cells has been checked before.
fn io_error(error: csv::Error) -> WriteError {
    WriteError::Io(error.into())
}

/// An output that counts and hashes what passes.
struct Counted<W> {
    output: W,
    bytes: u64,
    hash: Sha256,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.output.write(buffer)?;
        self.bytes += count as u64;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{
        input::rows::Rows,
        write::{Kind, restore},
    };

    fn columns() -> Columns {
        Columns::new()
            .text("comment", "What was said.")
            .number("value", "A number.")
            .integer("n", "A count.")
            .time("at", "When.")
            .with(Kind::List, "spans", "Offsets.")
    }

    fn written(rows: &[[Cell<'_>; 5]], mark: bool) -> (String, Written) {
        let columns = columns();
        let mut table = Table::new(Vec::new(), &columns, mark).unwrap();
        for row in rows {
            table.row(row).unwrap();
        }
        let (bytes, written) = table.finish().unwrap();
        (String::from_utf8(bytes).unwrap(), written)
    }

    // Fault row 63 (label-studio #4033, label-studio-converter #185): commas, quotes and line ends stay in their cell.
    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let spans = json!([[0, 3]]);
        let (text, written) = written(
            &[
                [
                    Cell::Text("a,\"b\"\n=1+1; ünï"),
                    Cell::Number(3.0),
                    Cell::Integer(2),
                    Cell::Time("2026-01-02T03:04:05Z"),
                    Cell::Json(&spans),
                ],
                [
                    Cell::Text("=1+1"),
                    Cell::Number(-0.5),
                    Cell::Empty,
                    Cell::Empty,
                    Cell::Empty,
                ],
            ],
            false,
        );
        assert_eq!(
            text,
            "comment,value,n,at,spans\r\n\"a,\"\"b\"\"\n=1+1; ünï\",3,2,2026-01-02T03:04:05Z,\"[[0,3]]\"\r\n'=1+1,-0.5,,,\r\n"
        );
        assert_eq!((written.rows, written.bytes), (2, text.len() as u64));
    }

    #[test]
    fn a_byte_order_mark_is_written_when_asked_for_and_counted() {
        let (text, written) = written(&[], true);
        assert_eq!(text, "\u{feff}comment,value,n,at,spans\r\n");
        assert_eq!(written.bytes, text.len() as u64);
        assert_eq!(
            written.sha256,
            Sha256::digest(text.as_bytes())
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<Vec<_>>()
                .concat()
        );
    }

    #[test]
    fn a_row_that_does_not_fit_its_columns_is_refused_whole() {
        let columns = columns();
        let mut table = Table::new(Vec::new(), &columns, false).unwrap();
        assert!(matches!(
            table.row(&[Cell::Empty]),
            Err(WriteError::Width {
                cells: 1,
                columns: 5
            })
        ));
        let mut cells = [Cell::Empty; 5];
        cells[1] = Cell::Text("3");
        assert!(matches!(table.row(&cells), Err(WriteError::Kind(column)) if column == "value"));
        let (bytes, written) = table.finish().unwrap();
        assert_eq!(
            (bytes.as_slice(), written.rows),
            (&b"comment,value,n,at,spans\r\n"[..], 0)
        );
    }

    proptest! {
        #[test]
        fn text_comes_back_through_our_reader_and_another(texts in prop::collection::vec("[a'=,\"\r\nü🙂\t -]{0,8}", 1..8)) {
            let columns = Columns::new().text("a", "").text("b", "");
            let mut table = Table::new(Vec::new(), &columns, true).unwrap();
            for text in &texts {
                table.row(&[Cell::Text(text), Cell::Text(text)]).unwrap();
            }
            let (bytes, _) = table.finish().unwrap();
            let mut ours = Rows::new(bytes.as_slice());
            ours.next().unwrap();
            let mut theirs = csv::Reader::from_reader(&bytes[3..]);
            for (text, their_row) in texts.iter().zip(theirs.records()) {
                let row = ours.next().unwrap().unwrap().unwrap();
                prop_assert_eq!(restore(&row.cells[1].text), text);
                let their_row = their_row.unwrap();
                prop_assert_eq!(restore(&their_row[0]), text);
            }
        }
    }
}
