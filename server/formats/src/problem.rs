//! Problems and notices: where in the file, what stood there, what was expected.

use domain::count::count;
use std::fmt;

use serde::Serialize;

/// How many problems of one file are listed; the rest is counted.
pub const MOST_PROBLEMS: usize = 200;

/// The longest piece of a file that a problem repeats, in characters.
const LONGEST_EXCERPT: usize = 60;

/// Where in its line something stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Column {
    /// Counted in characters from 1, as an editor shows it.
    Character(u64),
    /// A spreadsheet's letter.
    Letter(String),
}

impl Column {
    /// The letter of a table's column, counted from 0: A to Z, then AA.
    pub(crate) fn letter(mut index: usize) -> Self {
        let mut letters = Vec::new();
        loop {
            letters.push(b'A' + (index % 26) as u8);
            match (index / 26).checked_sub(1) {
                Some(next) => index = next,
                None => break,
            }
        }
        Self::Letter(letters.into_iter().rev().map(char::from).collect())
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(count) => count.fmt(f),
            Self::Letter(letter) => letter.fmt(f),
        }
    }
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Line of the file, counted from 1 as an editor shows it.
    pub line: u64,
    /// Where in the line, if that is known.
    pub column: Option<Column>,
    /// Name of the column or path of the JSON field.
    pub field: Option<String>,
    /// What stood there; an excerpt or a description, never a whole text.
    pub found: String,
    /// What should have stood there.
    pub expected: String,
}

impl Problem {
    /// A problem with a whole line.
    pub(crate) fn new(line: u64, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            line,
            column: None,
            field: None,
            found: found.into(),
            expected: expected.into(),
        }
    }

    pub(crate) fn field(self, name: impl Into<String>) -> Self {
        Self {
            field: Some(name.into()),
            ..self
        }
    }

    pub(crate) fn column(self, column: Column) -> Self {
        Self {
            column: Some(column),
            ..self
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = &self.column {
            write!(f, ", column {column}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ", {field}")?;
        }
        write!(f, ": found {}; expected {}", self.found, self.expected)
    }
}

/// The problems of one file: the first [`MOST_PROBLEMS`] in full and a count of the others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Problems {
    /// In the order in which they were met.
    pub list: Vec<Problem>,
    /// How many more there are.
    pub more: u64,
}

impl Problems {
    pub(crate) fn add(&mut self, problem: Problem) {
        if self.list.len() < MOST_PROBLEMS {
            self.list.push(problem);
        } else {
            self.more += 1;
        }
    }

    /// How many problems there are in all.
    pub fn count(&self) -> u64 {
        self.list.len() as u64 + self.more
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&count(self.count(), "problem", "problems"))
    }
}

/// Something that was left out on purpose, for the import report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// The line it is about, unless it is about the whole file.
    pub line: Option<u64>,
    /// What was left out.
    pub subject: String,
    /// Why.
    pub reason: String,
}

/// A piece of the file short enough to repeat, on one line.
pub(crate) fn excerpt(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let plain = text.chars().map(|c| {
        if c.is_control() || c == '\u{2028}' || c == '\u{2029}' {
            ' '
        } else {
            c
        }
    });
    if text.chars().count() <= LONGEST_EXCERPT {
        plain.collect()
    } else {
        plain.take(LONGEST_EXCERPT - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_lettered_as_in_a_spreadsheet() {
        let letters = [0, 25, 26, 51, 52, 701, 702].map(|index| Column::letter(index).to_string());
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn a_problem_is_written_with_all_five_names() {
        let problem = Problem::new(3, "6", "1 to 5")
            .field("a_rating")
            .column(Column::letter(4));
        assert_eq!(
            serde_json::to_string(&problem).unwrap(),
            r#"{"line":3,"column":"E","field":"a_rating","found":"6","expected":"1 to 5"}"#
        );
        assert_eq!(
            problem.to_string(),
            "line 3, column E, a_rating: found 6; expected 1 to 5"
        );
        let bare = Problem {
            column: Some(Column::Character(7)),
            ..Problem::new(1, "x", "y")
        };
        assert_eq!(
            serde_json::to_string(&bare).unwrap(),
            r#"{"line":1,"column":7,"field":null,"found":"x","expected":"y"}"#
        );
    }

    #[test]
    fn excerpts_are_one_short_line() {
        assert_eq!(excerpt(" a\r\n\u{2028}b "), "a   b");
        assert_eq!(excerpt(" \n"), "nothing");
        assert_eq!(excerpt(&"ü".repeat(60)), "ü".repeat(60));
        assert_eq!(excerpt(&"ü".repeat(61)), format!("{}…", "ü".repeat(59)));
    }

    #[test]
    fn problems_past_the_limit_are_counted() {
        let mut problems = Problems::default();
        for line in 1..=203 {
            problems.add(Problem::new(line, "x", "y"));
        }
        assert_eq!(
            (problems.list.len(), problems.more, problems.count()),
            (200, 3, 203)
        );
    }
}
