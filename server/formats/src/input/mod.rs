//! Bytes to lines and rows: bounded, counted as an editor counts, UTF-8 or a problem that says where.

pub(crate) mod lines;
pub(crate) mod rows;

use std::io::{self, BufRead};

use crate::{Column, Problem};

/// The longest line, or table row, that is held in memory.
pub(crate) const LONGEST_LINE: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The problem of a line that is too long to be looked at.
pub(crate) fn too_long(line: u64) -> Problem {
    Problem::new(
        line,
        "more than 16 MiB without an end",
        "lines of at most 16 MiB",
    )
}

/// The text of some bytes that begin at `line`, or where they stop being UTF-8.
pub(crate) fn utf8(bytes: &[u8], line: u64) -> Result<&str, Problem> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let last_line = valid.rsplit('\n').next().unwrap_or_default();
        let bad = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
        let line = line + valid.matches('\n').count() as u64;
        Problem::new(
            line,
            format!("the byte 0x{bad:02X}, which is not UTF-8"),
            "UTF-8 text; save the file again as UTF-8 (not Latin-1 or Windows-1252)",
        )
        .column(Column::Character(last_line.chars().count() as u64 + 1))
    })
}

/// Passes over a byte order mark at the beginning of a file, if the first buffer shows one.
pub(crate) fn skip_byte_order_mark(input: &mut impl BufRead) -> io::Result<()> {
    if input.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    Ok(())
}
