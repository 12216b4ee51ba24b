//! One row of a table of final values.

use domain::ruling::{Cause, Outcome};
use domain::scheme::Validity;

use super::{Part, RulingKey, RulingRecord, header::Header};
use crate::{Column, Problem, input::rows::Row, problem::excerpt, read::Reading, write::restore};

/// Words of a table of labels for units that nobody ruled on.
const NOT_RULED: [&str; 7] = [
    "disputed",
    "stale",
    "open",
    "single",
    "not_ratable",
    "not_assigned",
    "in_discussion",
];

/// What a row is.
pub(super) enum Found {
    /// A final value.
    Record(Box<RulingRecord>),
    /// Something is wrong with it, and has been said.
    Wrong,
    /// The row has no final value, or is about a tag that a rater added, which has no key.
    NoValue,
}

struct Cells<'a> {
    row: &'a Row,
    header: &'a Header,
}

impl Cells<'_> {
    /// A cell that says something.
    fn words(&self, index: Option<usize>) -> Option<String> {
        let text = &self.row.cells[index?].text;
        // A table of labels that we wrote protects its cells from spreadsheets; other tables do not.
        let ours = self.header.kind.is_some();
        let text = if ours { restore(text) } else { text }.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn problem(&self, index: usize, found: impl Into<String>, expected: &str) -> Problem {
        Problem::new(self.row.cells[index].line, found, expected)
            .field(&self.header.names[index])
            .column(Column::letter(index))
    }

    /// A word of a closed list; `None` when there is no such word and that has been said.
    fn one_of<T>(
        &self,
        index: Option<usize>,
        parse: fn(&str) -> Option<T>,
        expected: &str,
        reading: &mut Reading<'_>,
    ) -> Option<T> {
        let (index, word) = (index?, self.words(index)?);
        let found = parse(&word);
        if found.is_none() {
            reading.problem(self.problem(index, excerpt(&word), expected));
        }
        found
    }

    /// What names the unit, and the column that does.
    fn key(&self) -> Option<(RulingKey, usize)> {
        let header = self.header;
        let in_labels = self
            .words(header.kind)
            .filter(|kind| kind == "item")
            .and(header.of);
        let question = header.question.or(in_labels);
        if let Some((name, index)) = self.words(question).zip(question) {
            return Some((RulingKey::Question(name), index));
        }
        if let Some((key, index)) = self.words(header.candidate).zip(header.candidate) {
            return Some((RulingKey::Candidate(key), index));
        }
        let (order, index) = self.words(header.order).zip(header.order)?;
        Some((RulingKey::Order(order), index))
    }
}

/// Reads a row and says all that is wrong with it.
pub(super) fn record(row: &Row, header: &Header, reading: &mut Reading<'_>) -> Found {
    let cells = Cells { row, header };
    let outcome = cells.words(header.outcome);
    let open = outcome
        .as_deref()
        .is_some_and(|word| NOT_RULED.contains(&word));
    let added = cells
        .words(header.kind)
        .is_some_and(|kind| kind == "missed");
    if open || added {
        return Found::NoValue;
    }
    let before = reading.problems.count();
    let Some((key, at)) = cells.key() else {
        let keys = [header.candidate, header.order, header.question];
        let at = keys.into_iter().flatten().next().unwrap_or_default();
        reading.problem(cells.problem(at, "nothing", "what names the unit"));
        return Found::Wrong;
    };
    let mut record = RulingRecord::of(row.line, key);
    let place = |record: &mut RulingRecord, part, index: Option<usize>| {
        if let Some(index) = index.filter(|index| cells.words(Some(*index)).is_some()) {
            let line = row.cells[index].line;
            record.place(part, line, Column::letter(index), &header.names[index]);
        }
    };
    place(&mut record, Part::Key, Some(at));
    record.item = cells.words(header.item);
    if matches!(record.key, RulingKey::Question(_)) && record.item.is_none() {
        reading.problem(cells.problem(
            at,
            "a question without its item",
            "the item's key beside it",
        ));
    }
    values(&cells, &mut record, reading);
    let of = [
        (Part::Value, header.severity.or(header.answer)),
        (Part::Validity, header.validity),
        (Part::Category, header.subcategory.or(header.category)),
        (Part::Outcome, header.outcome),
    ];
    for (part, index) in of {
        place(&mut record, part, index);
    }
    if reading.problems.count() > before {
        return Found::Wrong;
    }
    let settled =
        record.severity.is_some() || record.validity.is_some() || !record.answer.is_empty();
    if !settled && record.outcome != Some(Outcome::Unresolved) {
        reading.problem(record.problem(
            Part::Value,
            "no final value",
            "a final severity, validity or answer",
        ));
        return Found::Wrong;
    }
    Found::Record(Box::new(record))
}

fn values(cells: &Cells<'_>, record: &mut RulingRecord, reading: &mut Reading<'_>) {
    let header = cells.header;
    let number = |text: &str| text.parse().ok().filter(|value: &f64| value.is_finite());
    record.severity = cells.one_of(header.severity, number, "a number", reading);
    let answer = cells.words(header.answer).unwrap_or_default();
    record.answer = answer
        .split(';')
        .map(str::trim)
        .filter(|value| !value.is_empty())
        .map(str::to_owned)
        .collect();
    let expected = reading.book.validity_expected();
    record.validity = cells.one_of(header.validity, Validity::parse, &expected, reading);
    let code = cells
        .words(header.subcategory)
        .zip(header.subcategory)
        .or_else(|| cells.words(header.category).zip(header.category));
    if let Some((code, index)) = code {
        record.category = reading.book.resolve(&code, None);
        if record.category.is_none() {
            let expected = reading.book.codes_expected();
            reading.problem(cells.problem(index, excerpt(&code), &expected));
        }
    }
    // A label on which the raters agreed without a ruling says no more than they did.
    let ruled = cells.words(header.outcome).filter(|word| word != "agreed");
    if ruled.is_some() {
        let expected = "consensus, averaged, adjudicator or unresolved";
        record.outcome = cells.one_of(header.outcome, Outcome::parse, expected, reading);
    }
    let expected = "guideline_gap, framework, missed_evidence, span_boundary or slip";
    record.cause = cells.one_of(header.cause, Cause::parse, expected, reading);
    record.note = cells.words(header.note).unwrap_or_default();
}
