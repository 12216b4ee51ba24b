//! A text with its typography made uniform, that still knows where each character came from.

use super::Span;

/// Whether capitals count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Kept,
    Folded,
}

/// A normalised text and the span of the original behind each of its characters.
pub(super) struct Normal {
    text: String,
    origins: Vec<Span>,
}

/// A place in a [`Normal`], in bytes of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Normal {
    /// Normalises quotes, dashes, ellipses and white space, and capitals if asked.
    pub(super) fn of(original: &str, case: Case) -> Self {
        let mut normal = Self {
            text: String::with_capacity(original.len()),
            origins: Vec::new(),
        };
        for (at, character) in original.chars().enumerate() {
            normal.push(at as u32, character, case);
        }
        normal
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The first place at or after byte `from` where `needle` stands.
    pub(super) fn find(&self, needle: &str, from: usize) -> Option<Match> {
        let start = from + self.text.get(from..)?.find(needle)?;
        Some(Match {
            start,
            end: start + needle.len(),
        })
    }

    /// The stretch of the original behind a match.
    pub(super) fn origin(&self, found: Match) -> Option<Span> {
        let first = self.text[..found.start].chars().count();
        let count = self.text[found.start..found.end].chars().count();
        let origins = self.origins.get(first..first + count)?;
        Span::new(origins.first()?.start(), origins.last()?.end()).ok()
    }

    fn push(&mut self, at: u32, character: char, case: Case) {
        match character {
            // Invisible marks that copying adds or drops: zero-width space, word joiner, soft hyphen, byte order mark.
            '\u{200b}' | '\u{2060}' | '\u{ad}' | '\u{feff}' => {}
            '…' => (0..3).for_each(|_| self.append(at, '.')),
            c if c.is_whitespace() => self.append_once(at, ' '),
            c if is_dash(c) => self.append_once(at, '-'),
            c if is_quote(c) => self.append(at, '\''),
            c if case == Case::Folded => c.to_lowercase().for_each(|lower| self.append(at, lower)),
            c => self.append(at, c),
        }
    }

    fn append(&mut self, at: u32, character: char) {
        if let Ok(origin) = Span::new(at, at + 1) {
            self.text.push(character);
            self.origins.push(origin);
        }
    }

    /// Appends, unless the same character is there already: a run becomes one character that stands for all of it.
    fn append_once(&mut self, at: u32, character: char) {
        if !self.text.ends_with(character) {
            self.append(at, character);
        } else if let Some(last) = self.origins.last_mut()
            && let Ok(wider) = Span::new(last.start(), at + 1)
        {
            *last = wider;
        }
    }
}

fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

fn is_quote(c: char) -> bool {
    matches!(
        c,
        '\'' | '"' | '`' | '´' | '«' | '»' | '\u{2bc}' | '\u{2018}'
            ..='\u{201f}' | '\u{2032}' | '\u{2033}' | '‹' | '›' | '\u{ff02}' | '\u{ff07}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin_of(text: &str, needle: &str) -> Option<(u32, u32)> {
        let normal = Normal::of(text, Case::Kept);
        let span = normal.origin(normal.find(needle, 0)?)?;
        Some((span.start(), span.end()))
    }

    #[test]
    fn typography_becomes_uniform() {
        assert_eq!(
            Normal::of("“a”\u{a0}\u{2028}—\n‘b’…", Case::Kept).as_str(),
            "'a' - 'b'..."
        );
        assert_eq!(Normal::of("İX", Case::Folded).as_str(), "i\u{307}x");
    }

    #[test]
    fn a_run_of_white_space_is_one_character_with_the_origin_of_all() {
        assert_eq!(origin_of("a \r\n\tb", "a b"), Some((0, 6)));
        assert_eq!(origin_of("a \r\n\tb", " "), Some((1, 5)));
    }

    #[test]
    fn characters_that_grow_point_back_at_the_one_they_came_from() {
        assert_eq!(origin_of("a…b", "..b"), Some((1, 3)));
    }

    #[test]
    fn invisible_marks_are_passed_over() {
        assert_eq!(origin_of("a sto\u{ad}ne", "stone"), Some((2, 8)));
    }
}
