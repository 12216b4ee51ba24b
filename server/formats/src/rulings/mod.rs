//! Final values that were settled elsewhere: a table of them, or a published manual whose examples carry them.

mod header;
pub(crate) mod manual;
mod row;
pub(crate) mod table;

pub(crate) use header::recognises;

use domain::ruling::{Cause, Outcome};
use domain::scheme::Validity;

use crate::{Column, Problem, Resolved};

/// The final value of one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct RulingRecord {
    /// Line of the file where it begins.
    pub line: u64,
    /// Which unit.
    pub key: RulingKey,
    /// The key of its item, where the file says so.
    pub item: Option<String>,
    /// The final severity.
    pub severity: Option<f64>,
    /// The final answer to a question about the item.
    pub answer: Vec<String>,
    /// The final validity.
    pub validity: Option<Validity>,
    /// The final category.
    pub category: Option<Resolved>,
    /// How it was reached, where the file says so.
    pub outcome: Option<Outcome>,
    /// Why the raters differed.
    pub cause: Option<Cause>,
    /// The reasoning; may be empty.
    pub note: String,
    /// The file was not written for one study, so that a unit which the study does not have is no problem.
    pub published: bool,
    places: Vec<(Part, Place)>,
}

/// What names a unit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RulingKey {
    /// The key of a candidate in the file it came from.
    Candidate(String),
    /// The number of a candidate in the column `order` of the file it came from.
    Order(String),
    /// A question about the item of the record.
    Question(String),
}

/// A part of the record that can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What names the unit.
    Key,
    /// The final severity, or the final answer.
    Value,
    /// The final validity.
    Validity,
    /// The final category.
    Category,
    /// How it was reached.
    Outcome,
}

/// Where a part stands.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    line: u64,
    column: Column,
    field: String,
}

impl RulingRecord {
    /// A record of which only the unit is known.
    fn of(line: u64, key: RulingKey) -> Self {
        Self {
            line,
            key,
            item: None,
            severity: None,
            answer: Vec::new(),
            validity: None,
            category: None,
            outcome: None,
            cause: None,
            note: String::new(),
            published: false,
            places: Vec::new(),
        }
    }

    fn place(&mut self, part: Part, line: u64, column: Column, field: impl Into<String>) {
        let field = field.into();
        let place = Place {
            line,
            column,
            field,
        };
        self.places.push((part, place));
    }

    /// A problem with a part of the record, at its place; a part that the file does not have is where the unit is named.
    pub fn problem(
        &self,
        part: Part,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        let of = |part| self.places.iter().find(|(of, _)| *of == part);
        match of(part).or_else(|| of(Part::Key)) {
            None => Problem::new(self.line, found, expected),
            Some((_, place)) => Problem::new(place.line, found, expected)
                .field(&place.field)
                .column(place.column.clone()),
        }
    }

    /// Whether two records say the same, wherever they stand.
    fn says_the_same(&self, other: &Self) -> bool {
        let bare = |record: &Self| Self {
            line: 0,
            places: Vec::new(),
            ..record.clone()
        };
        bare(self) == bare(other)
    }
}
