//! The columns of a table of final values.

use crate::{Notice, Problem, input::rows::Row, problem::excerpt, read::Reading};

/// Names of the column with the key of a candidate.
const CANDIDATE: [&str; 3] = ["candidate", "tag_item_id", "source_key"];
/// Names of the column with the number of a candidate.
const ORDER: [&str; 1] = ["order"];
/// Names of the column with the key of an item.
const ITEM: [&str; 3] = ["item", "item_key", "example_id"];
/// Names of the column with the question that a unit answers.
const QUESTION: [&str; 1] = ["question"];
/// Any of these makes the table one of final values.
const FINAL: [&str; 3] = ["final_severity", "final_answer", "final_validity"];

/// Whether a table with these columns holds final values and nothing to judge.
pub(crate) fn recognises(names: &[&str]) -> bool {
    let has = |wanted: &[&str]| wanted.iter().any(|name| names.contains(name));
    let keyed = has(&CANDIDATE) || has(&ORDER) || (has(&ITEM) && has(&QUESTION));
    has(&FINAL) && keyed && !names.contains(&"reasoning")
}

/// Where everything stands.
pub(super) struct Header {
    pub(super) names: Vec<String>,
    pub(super) candidate: Option<usize>,
    pub(super) order: Option<usize>,
    pub(super) item: Option<usize>,
    pub(super) question: Option<usize>,
    /// In a table of labels: what a unit is, and its category, which is the question where the unit answers one.
    pub(super) kind: Option<usize>,
    pub(super) of: Option<usize>,
    pub(super) severity: Option<usize>,
    pub(super) answer: Option<usize>,
    pub(super) validity: Option<usize>,
    pub(super) category: Option<usize>,
    pub(super) subcategory: Option<usize>,
    pub(super) outcome: Option<usize>,
    pub(super) cause: Option<usize>,
    pub(super) note: Option<usize>,
}

impl Header {
    /// Reads the names; a problem for each that is there twice, and for what is missing.
    pub(super) fn new(row: &Row, reading: &mut Reading<'_>) -> Option<Self> {
        let before = reading.problems.count();
        let names = row.names(reading);
        let mut columns = Columns {
            names: &names,
            taken: vec![false; names.len()],
        };
        let header = Self {
            candidate: columns.one(&CANDIDATE),
            order: columns.one(&ORDER),
            item: columns.one(&ITEM),
            question: columns.one(&QUESTION),
            kind: columns.one(&["unit_kind"]),
            of: columns.one(&["category"]),
            severity: columns.one(&["final_severity"]),
            answer: columns.one(&["final_answer"]),
            validity: columns.one(&["final_validity"]),
            category: columns.one(&["final_category"]),
            subcategory: columns.one(&["final_subcategory"]),
            outcome: columns.one(&["outcome"]),
            cause: columns.one(&["cause"]),
            note: columns.one(&["note"]),
            names: names.clone(),
        };
        let passed_over = columns.others();
        let keyed = header.candidate.is_some()
            || header.order.is_some()
            || (header.item.is_some() && header.question.is_some());
        let mut missing = |there: bool, expected: &str| {
            if !there {
                reading.problem(Problem::new(1, "no such column", expected));
            }
        };
        missing(
            keyed,
            "a column candidate or order, or the columns item and question",
        );
        let valued = [header.severity, header.answer, header.validity];
        missing(
            valued.iter().any(Option::is_some),
            "a column final_severity, final_validity or final_answer",
        );
        if !passed_over.is_empty() {
            reading.leave_out(Notice {
                line: None,
                subject: excerpt(&passed_over.join(", ")),
                reason: "columns that are no part of a ruling".to_owned(),
            });
        }
        (reading.problems.count() == before).then_some(header)
    }
}

/// The names while they are being shared out.
struct Columns<'a> {
    names: &'a [String],
    taken: Vec<bool>,
}

impl Columns<'_> {
    fn one(&mut self, wanted: &[&str]) -> Option<usize> {
        let named = |name: &&str| self.names.iter().position(|known| known == name);
        let index = wanted.iter().find_map(named)?;
        self.taken[index] = true;
        Some(index)
    }

    fn others(&self) -> Vec<String> {
        let left = self.names.iter().zip(&self.taken);
        left.filter(|(_, taken)| !**taken)
            .map(|(name, _)| name.clone())
            .collect()
    }
}
