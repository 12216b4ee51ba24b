//! Lines that end with LF or CRLF and nothing else: U+2028 is a character.

use std::io::{self, BufRead, Read as _};

use super::{LONGEST_LINE, skip_byte_order_mark, too_long, utf8};
use crate::Problem;

/// The lines of a file, one at a time in one buffer.
pub(crate) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    number: u64,
    longest: usize,
}

/// A line with its number, or what is wrong with it.
pub(crate) type Line<'a> = (u64, Result<&'a str, Problem>);

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            number: 0,
            longest: LONGEST_LINE,
        }
    }

    /// The next line without its end; `None` at the end of the file.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        if self.number == 0 {
            skip_byte_order_mark(&mut self.input)?;
        }
        self.buffer.clear();
        // One more than a longest line with CRLF, so that what is cut can be told from what just fits.
        let most = self.longest as u64 + 2;
        if self
            .input
            .by_ref()
            .take(most)
            .read_until(b'\n', &mut self.buffer)?
            == 0
        {
            return Ok(None);
        }
        self.number += 1;
        let ended = self.buffer.ends_with(b"\n");
        let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let length = line.strip_suffix(b"\r").unwrap_or(line).len();
        if length > self.longest {
            if !ended {
                skip_line(&mut self.input)?;
            }
            return Ok(Some((self.number, Err(too_long(self.number)))));
        }
        Ok(Some((
            self.number,
            utf8(&self.buffer[..length], self.number),
        )))
    }
}

/// Passes over the rest of a line without keeping it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let chunk = input.fill_buf()?;
        let (length, done) = match chunk.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (chunk.len(), chunk.is_empty()),
        };
        input.consume(length);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor, Read};

    use super::*;

    fn lines(bytes: &[u8], longest: usize) -> Vec<(u64, Result<String, Problem>)> {
        // A tiny buffer, so that lines cross it. It must hold a byte order mark.
        let mut lines = Lines {
            longest,
            ..Lines::new(BufReader::with_capacity(4, bytes))
        };
        let mut all = Vec::new();
        while let Some((number, line)) = lines.next().unwrap() {
            all.push((number, line.map(str::to_owned)));
        }
        all
    }

    fn text(number: u64, line: &str) -> (u64, Result<String, Problem>) {
        (number, Ok(line.to_owned()))
    }

    #[test]
    fn lf_and_crlf_end_lines_and_u2028_does_not() {
        assert_eq!(
            lines("a\r\n\nb\u{2028}c\u{85}\rd".as_bytes(), 100),
            [text(1, "a"), text(2, ""), text(3, "b\u{2028}c\u{85}\rd")]
        );
    }

    #[test]
    fn a_byte_order_mark_is_dropped_only_at_the_beginning() {
        assert_eq!(
            lines("\u{feff}a\n\u{feff}b".as_bytes(), 100),
            [text(1, "a"), text(2, "\u{feff}b")]
        );
    }

    #[test]
    fn a_line_may_be_just_as_long_as_the_limit() {
        for end in ["", "\n", "\r\n"] {
            let read = lines(format!("abcd{end}").as_bytes(), 4);
            assert_eq!(read, [text(1, "abcd")]);
            let read = lines(format!("abcde{end}").as_bytes(), 4);
            assert_eq!(read, [(1, Err(too_long(1)))]);
        }
        assert_eq!(
            lines(b"abcdefghijkl\nx", 4),
            [(1, Err(too_long(1))), text(2, "x")]
        );
    }

    #[test]
    fn bytes_that_are_not_utf8_are_placed() {
        let read = lines(b"ok\n\xc3\xbcber \xe9t\xe9\nok", 100);
        let problem = read[1].1.as_ref().unwrap_err();
        assert_eq!(
            (
                problem.line,
                problem.column.as_ref().map(ToString::to_string).as_deref()
            ),
            (2, Some("6"))
        );
        assert_eq!(problem.found, "the byte 0xE9, which is not UTF-8");
        assert_eq!(read[2], text(3, "ok"));
    }

    #[test]
    fn a_line_far_over_the_limit_is_not_held() {
        let endless = io::repeat(b'x').take(64 << 20);
        let mut lines = Lines {
            longest: 1000,
            ..Lines::new(BufReader::with_capacity(
                1 << 20,
                endless.chain(Cursor::new(b"\nlast")),
            ))
        };
        assert!(matches!(lines.next(), Ok(Some((1, Err(_))))));
        assert!(lines.buffer.capacity() < 10_000);
        assert!(matches!(lines.next(), Ok(Some((2, Ok("last"))))));
    }
}
