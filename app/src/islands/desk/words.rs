//! Places in the trace: words for the keyboard, and selections made tidy.

use domain::span::Span;
use std::ops::Range;

/// The words of a text, in UTF-16 units as the browser counts.
pub fn words(text: &str) -> Vec<Range<u32>> {
    let mut words = Vec::new();
    let mut begin = None;
    let mut at = 0;
    for character in text.chars() {
        match (character.is_whitespace(), begin) {
            (true, Some(start)) => {
                words.push(start..at);
                begin = None;
            }
            (false, None) => begin = Some(at),
            _ => {}
        }
        at += character.len_utf16() as u32;
    }
    if let Some(start) = begin {
        words.push(start..at);
    }
    words
}

/// The keyboard's place in the trace: the word it began at and the word it is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caret {
    /// Where the selection began.
    pub anchor: usize,
    /// Where it is now.
    pub focus: usize,
}

impl Caret {
    /// One word on or back; `extend` keeps the beginning.
    #[must_use]
    pub fn step(self, forward: bool, extend: bool, count: usize) -> Self {
        let last = count.saturating_sub(1);
        let focus = if forward {
            (self.focus + 1).min(last)
        } else {
            self.focus.saturating_sub(1)
        };
        Self {
            anchor: if extend { self.anchor } else { focus },
            focus,
        }
    }

    /// The UTF-16 range of the selected words.
    pub fn range(self, words: &[Range<u32>]) -> Option<Range<u32>> {
        let (first, last) = (self.anchor.min(self.focus), self.anchor.max(self.focus));
        Some(words.get(first)?.start..words.get(last)?.end)
    }
}

/// The span of a selection in UTF-16 units, without the white space at its edges. A cut surrogate pair is
/// taken whole. `None` when nothing but white space is selected.
pub fn selected(text: &str, units: Range<u32>) -> Option<Span> {
    let (mut start, mut end) = (None, 0);
    let mut at = 0;
    for (point, character) in text.chars().enumerate() {
        let next = at + character.len_utf16() as u32;
        if at < units.end && next > units.start && !character.is_whitespace() {
            start.get_or_insert(point as u32);
            end = point as u32 + 1;
        }
        at = next;
    }
    Span::new(start?, end).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "🙂 pt. “manic”\r\nline2 ";

    #[test]
    fn words_are_counted_as_the_browser_counts() {
        assert_eq!(words(TEXT), [0..2, 3..6, 7..14, 16..21]);
        assert_eq!(words(" \n"), Vec::<Range<u32>>::new());
    }

    // Fault row 36 (label-studio #1347): an emoji before the words shifts nothing.
    #[test]
    fn a_selection_becomes_code_points() {
        let span = selected(TEXT, 8..13).unwrap();
        assert_eq!(
            (span.start(), span.end(), span.slice(TEXT)),
            (7, 12, Ok("manic"))
        );
    }

    #[test]
    fn white_space_at_the_edges_and_half_characters_are_made_whole() {
        assert_eq!(
            selected(TEXT, 6..16).map(|s| s.slice(TEXT)),
            Some(Ok("“manic”"))
        );
        assert_eq!(
            selected(TEXT, 1..3).map(|s| (s.start(), s.end())),
            Some((0, 1))
        );
        assert_eq!(selected(TEXT, 14..16), None);
        assert_eq!(selected(TEXT, 5..5), None);
        assert_eq!(
            selected(TEXT, 16..99).map(|s| s.slice(TEXT)),
            Some(Ok("line2"))
        );
    }

    #[test]
    fn the_keyboard_moves_by_words_and_extends_both_ways() {
        let words = words(TEXT);
        let caret = Caret::default()
            .step(true, false, words.len())
            .step(true, true, words.len());
        assert_eq!(
            caret,
            Caret {
                anchor: 1,
                focus: 2
            }
        );
        assert_eq!(caret.range(&words), Some(3..14));
        let back = caret.step(false, true, 4).step(false, true, 4);
        assert_eq!(back.range(&words), Some(0..6));
        assert_eq!(back.step(false, false, 4), Caret::default());
        assert_eq!(
            Caret {
                anchor: 3,
                focus: 3
            }
            .step(true, false, 4)
            .focus,
            3
        );
        assert_eq!(Caret::default().step(true, false, 0).range(&[]), None);
    }
}
