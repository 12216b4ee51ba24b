//! Code points to and from bytes (Rust) and UTF-16 units (the browser): one place for each edge.

use std::{iter, ops::Range};

use super::{Span, SpanError};

impl Span {
    /// The same range in bytes of `text`.
    ///
    /// # Errors
    /// [`SpanError::PastEnd`] when `text` is too short.
    pub fn to_bytes(self, text: &str) -> Result<Range<usize>, SpanError> {
        let mut offsets = text
            .char_indices()
            .map(|(byte, _)| byte)
            .chain(iter::once(text.len()));
        let start = offsets.nth(self.start as usize);
        let end = offsets.nth(self.len() as usize - 1);
        match (start, end) {
            (Some(start), Some(end)) => Ok(start..end),
            _ => Err(SpanError::PastEnd {
                end: self.end as usize,
                length: text.chars().count(),
            }),
        }
    }

    /// The span of a range of bytes.
    ///
    /// # Errors
    /// When the range is empty, reaches past `text` or cuts a character.
    pub fn from_bytes(text: &str, bytes: Range<usize>) -> Result<Self, SpanError> {
        if bytes.start >= bytes.end {
            return Err(SpanError::Empty);
        }
        if bytes.end > text.len() {
            return Err(SpanError::PastEnd {
                end: bytes.end,
                length: text.len(),
            });
        }
        if let Some(cut) = [bytes.start, bytes.end]
            .into_iter()
            .find(|&at| !text.is_char_boundary(at))
        {
            return Err(SpanError::InsideCharacter(cut));
        }
        let start = text[..bytes.start].chars().count();
        let end = start + text[bytes].chars().count();
        Self::new(start as u32, end as u32)
    }

    /// The same range in UTF-16 units of `text`, as a browser counts.
    ///
    /// # Errors
    /// [`SpanError::PastEnd`] when `text` is too short.
    pub fn to_utf16(self, text: &str) -> Result<Range<u32>, SpanError> {
        let bytes = self.to_bytes(text)?;
        let start = text[..bytes.start].encode_utf16().count();
        let end = start + text[bytes].encode_utf16().count();
        Ok(start as u32..end as u32)
    }

    /// The span of a range of UTF-16 units.
    ///
    /// # Errors
    /// When the range is empty, reaches past `text` or cuts a surrogate pair.
    pub fn from_utf16(text: &str, units: Range<u32>) -> Result<Self, SpanError> {
        if units.start >= units.end {
            return Err(SpanError::Empty);
        }
        let start = code_points_before(text, units.start as usize)?;
        let end = code_points_before(text, units.end as usize)?;
        Self::new(start, end)
    }
}

/// How many code points lie before a UTF-16 offset.
fn code_points_before(text: &str, unit: usize) -> Result<u32, SpanError> {
    let mut passed = 0;
    for (count, character) in text.chars().enumerate() {
        if passed == unit {
            return Ok(count as u32);
        }
        passed += character.len_utf16();
        if passed > unit {
            return Err(SpanError::InsideCharacter(unit));
        }
    }
    if passed == unit {
        Ok(text.chars().count() as u32)
    } else {
        Err(SpanError::PastEnd {
            end: unit,
            length: passed,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // Fault row 36 (label-studio #1347): an emoji before the span shifts nothing.
    #[test]
    fn one_word_has_three_sets_of_offsets() {
        let text = "🙂 pt. “manic”\r\nline2";
        assert_eq!(
            (
                text.chars().count(),
                text.len(),
                text.encode_utf16().count()
            ),
            (20, 27, 21)
        );
        let manic = Span::new(7, 12).unwrap();
        assert_eq!(manic.slice(text), Ok("manic"));
        assert_eq!(manic.to_bytes(text), Ok(12..17));
        assert_eq!(manic.to_utf16(text), Ok(8..13));
    }

    #[test]
    fn offsets_inside_a_character_are_refused() {
        assert_eq!(
            Span::from_bytes("ü", 0..1),
            Err(SpanError::InsideCharacter(1))
        );
        assert_eq!(
            Span::from_utf16("🙂", 1..2),
            Err(SpanError::InsideCharacter(1))
        );
        assert_eq!(
            Span::from_utf16("🙂", 0..1),
            Err(SpanError::InsideCharacter(1))
        );
    }

    #[test]
    fn offsets_past_the_end_are_refused() {
        assert_eq!(
            Span::from_bytes("ü", 0..3),
            Err(SpanError::PastEnd { end: 3, length: 2 })
        );
        assert_eq!(
            Span::from_utf16("🙂", 0..3),
            Err(SpanError::PastEnd { end: 3, length: 2 })
        );
        assert_eq!(
            Span::new(0, 2).unwrap().to_utf16("ü"),
            Err(SpanError::PastEnd { end: 2, length: 1 })
        );
    }

    /// A text and a span inside it; `any::<char>` brings characters of one to four bytes.
    fn text_and_span() -> impl Strategy<Value = (String, Span)> {
        prop::collection::vec(
            prop_oneof![any::<char>(), Just('\n'), Just('🙂'), Just('é')],
            1..40,
        )
        .prop_flat_map(|characters| {
            let length = characters.len() as u32;
            (0..length).prop_flat_map(move |start| {
                let text: String = characters.iter().collect();
                (start + 1..=length)
                    .prop_map(move |end| (text.clone(), Span::new(start, end).unwrap()))
            })
        })
    }

    proptest! {
        #[test]
        fn bytes_and_back((text, span) in text_and_span()) {
            let bytes = span.to_bytes(&text).unwrap();
            prop_assert_eq!(Span::from_bytes(&text, bytes), Ok(span));
        }

        #[test]
        fn utf16_and_back((text, span) in text_and_span()) {
            let units = span.to_utf16(&text).unwrap();
            prop_assert_eq!(Span::from_utf16(&text, units), Ok(span));
        }

        #[test]
        fn utf16_offsets_cut_the_same_text((text, span) in text_and_span()) {
            let range = span.to_utf16(&text).unwrap();
            let units: Vec<u16> = text.encode_utf16().collect();
            let cut = String::from_utf16(&units[range.start as usize..range.end as usize]).unwrap();
            prop_assert_eq!(span.slice(&text), Ok(cut.as_str()));
        }
    }
}
