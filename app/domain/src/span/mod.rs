//! Spans: half-open ranges in Unicode code points, the only unit of offset that is stored, exported or sent.

mod anchor;
mod convert;
mod normal;
mod segment;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use anchor::{Anchor, AnchorKind, anchor};
pub use segment::{Segment, segments};

/// A range `[start, end)` of code points in one text; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Bounds")]
pub struct Span {
    start: u32,
    end: u32,
}

/// What a span looks like before it has been checked.
#[derive(Deserialize)]
struct Bounds {
    start: u32,
    end: u32,
}

impl TryFrom<Bounds> for Span {
    type Error = SpanError;

    fn try_from(Bounds { start, end }: Bounds) -> Result<Self, SpanError> {
        Self::new(start, end)
    }
}

impl Span {
    /// A span of the code points `start..end`.
    ///
    /// # Errors
    /// [`SpanError::Empty`] unless `start < end`.
    pub const fn new(start: u32, end: u32) -> Result<Self, SpanError> {
        if start < end {
            Ok(Self { start, end })
        } else {
            Err(SpanError::Empty)
        }
    }

    /// The first code point of the span.
    pub const fn start(self) -> u32 {
        self.start
    }

    /// The code point after the last one.
    pub const fn end(self) -> u32 {
        self.end
    }

    /// How many code points the span covers; at least one.
    #[expect(clippy::len_without_is_empty, reason = "a span is never empty")]
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the two spans share a code point.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The part of `text` that the span covers.
    ///
    /// # Errors
    /// [`SpanError::PastEnd`] when `text` is too short.
    pub fn slice(self, text: &str) -> Result<&str, SpanError> {
        self.to_bytes(text).map(|bytes| &text[bytes])
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Why two offsets are not a span of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpanError {
    /// Start and end are the same, or the wrong way round.
    #[error("a span needs its start before its end")]
    Empty,
    /// The span ends after the text; both figures are in the unit that was asked about.
    #[error("the span ends at {end}, the text at {length}")]
    PastEnd {
        /// Where the span would end.
        end: usize,
        /// Where the text ends.
        length: usize,
    },
    /// A byte or UTF-16 offset points between the parts of one code point.
    #[error("offset {0} lies inside a character")]
    InsideCharacter(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_reversed_ranges_are_no_spans() {
        assert_eq!(Span::new(3, 3), Err(SpanError::Empty));
        assert_eq!(Span::new(4, 3), Err(SpanError::Empty));
        assert_eq!(Span::new(3, 4).map(Span::len), Ok(1));
    }

    // Fault row 44 (brat #1162): line ends are characters like any other.
    #[test]
    fn line_ends_belong_to_the_span() {
        let span = Span::new(1, 6).unwrap();
        assert_eq!(span.slice("a\r\nb\nc"), Ok("\r\nb\nc"));
        assert_eq!(Span::new(0, 2).unwrap().slice("x\n"), Ok("x\n"));
    }

    // Fault row 40 (label-studio #2007): an end past the text is an error, not a shorter quote.
    #[test]
    fn a_span_past_the_end_has_no_slice() {
        let span = Span::new(2, 5).unwrap();
        assert_eq!(
            span.slice("äöü"),
            Err(SpanError::PastEnd { end: 5, length: 3 })
        );
        assert_eq!(
            Span::new(3, 4).unwrap().slice("äöü"),
            Err(SpanError::PastEnd { end: 4, length: 3 })
        );
    }

    #[test]
    fn touching_spans_do_not_overlap() {
        let [left, right, across] =
            [(0, 3), (3, 5), (2, 4)].map(|(start, end)| Span::new(start, end).unwrap());
        assert!(!left.overlaps(right));
        assert!(left.overlaps(across) && across.overlaps(right));
    }
}
