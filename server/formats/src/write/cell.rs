//! One cell: text that no spreadsheet runs, numbers as short as they can be.

use std::borrow::Cow;

use serde_json::Value;

/// A value on its way into a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// Nothing, whatever the column's kind.
    Empty,
    /// Text as people or models wrote it; neutralised when written.
    Text(&'a str),
    /// A whole number.
    Integer(i64),
    /// A number; one that is not finite is written as nothing, for undefined is a named reason in a column of its own.
    Number(f64),
    /// A point in time, RFC 3339 in UTC.
    Time(&'a str),
    /// A JSON value.
    Json(&'a Value),
}

impl<'a> Cell<'a> {
    /// Text, or nothing.
    pub fn text(text: Option<&'a str>) -> Self {
        text.map_or(Self::Empty, Self::Text)
    }

    /// A number, or nothing.
    pub fn number(number: Option<f64>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }

    /// A whole number, or nothing.
    pub fn integer(integer: Option<i64>) -> Self {
        integer.map_or(Self::Empty, Self::Integer)
    }

    /// What is written, before any quoting.
    pub(super) fn written(self) -> Cow<'a, str> {
        match self {
            Self::Empty => Cow::Borrowed(""),
            Self::Text(text) => neutralise(text),
            Self::Integer(integer) => Cow::Owned(integer.to_string()),
            Self::Number(value) => Cow::Owned(number(value)),
            Self::Time(time) => Cow::Borrowed(time),
            // JSON begins with a bracket, a letter, a digit, a quotation mark or, for a negative number, with a minus.
            Self::Json(value) => Cow::Owned(value.to_string()),
        }
    }
}

/// Characters at which a spreadsheet begins to read a formula (the full-width ones in some languages), and our own mark.
const RISKY: [char; 12] = [
    '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '\'',
];

/// Text that stays text in a spreadsheet: with an apostrophe before a first character that would start a formula.
///
/// An apostrophe gets one too, so that [`restore`] is right for every cell.
pub fn neutralise(text: &str) -> Cow<'_, str> {
    if text.starts_with(RISKY) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text behind a neutralised cell.
pub fn restore(cell: &str) -> &str {
    cell.strip_prefix('\'').unwrap_or(cell)
}

/// The shortest decimal that reads back as the same number: `3`, `3.5`, `-0.25`; nothing when it is not finite.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        // Also for a negative zero, whose sign would say nothing.
        "0".to_owned()
    } else if value.is_finite() {
        value.to_string()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // Fault row 63 (label-studio #4033): a cell is never run.
    #[test]
    fn formulas_get_an_apostrophe_and_other_text_does_not() {
        for text in [
            "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'quoted'",
        ] {
            assert_eq!(neutralise(text), format!("'{text}"));
        }
        for text in ["", "a=1", "1-2", " =1", "“q”", "ünï"] {
            assert_eq!(neutralise(text), text);
        }
    }

    #[test]
    fn numbers_are_shortest_and_never_nan() {
        let written = [
            3.0,
            3.5,
            -0.25,
            0.1 + 0.2,
            0.0,
            -0.0,
            1e-7,
            f64::NAN,
            f64::NEG_INFINITY,
        ]
        .map(number);
        assert_eq!(
            written,
            [
                "3",
                "3.5",
                "-0.25",
                "0.30000000000000004",
                "0",
                "0",
                "0.0000001",
                "",
                ""
            ]
        );
    }

    #[test]
    fn negative_numbers_stay_numbers() {
        assert_eq!(Cell::Number(-0.5).written(), "-0.5");
        assert_eq!(Cell::Integer(-3).written(), "-3");
        assert_eq!(Cell::Text("-0.5").written(), "'-0.5");
    }

    proptest! {
        #[test]
        fn one_apostrophe_less_is_the_text(text in "['=+a\t\r\n-]{0,4}") {
            let written = neutralise(&text);
            prop_assert_eq!(restore(&written), text.as_str());
            prop_assert!(!written.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']));
        }

        #[test]
        fn numbers_read_back(value in any::<f64>().prop_filter("finite", |value| value.is_finite())) {
            prop_assert!((number(value).parse::<f64>().unwrap() - value).abs() == 0.0);
        }
    }
}
