//! One row: a candidate, its ratings, and where each cell stands.

use super::header::{Header, Rater};
use crate::{
    Column, Problem, Who,
    input::rows::Row,
    problem::excerpt,
    read::Reading,
    record::{CandidateRecord, RatingRecord},
    verdict::{anchored, code_and_name},
};

/// A row of the right width with its columns.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub(super) row: &'a Row,
    pub(super) header: &'a Header,
}

impl Cells<'_> {
    pub(super) fn line(&self) -> u64 {
        self.row.line
    }

    /// A cell as it stands.
    pub(super) fn text(&self, index: usize) -> &str {
        &self.row.cells[index].text
    }

    /// A cell of a column that may be absent; blank is nothing.
    pub(super) fn words(&self, index: Option<usize>) -> Option<String> {
        index
            .map(|index| self.text(index))
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned)
    }

    pub(super) fn problem(
        &self,
        index: usize,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        Problem::new(self.row.cells[index].line, found, expected)
            .field(&self.header.names[index])
            .column(Column::letter(index))
    }

    fn required(&self, index: usize, expected: &str, reading: &mut Reading<'_>) {
        if self.text(index).trim().is_empty() {
            reading.problem(self.problem(index, "nothing", expected));
        }
    }

    /// The candidate; a problem for each cell that cannot be one.
    pub(super) fn candidate(&self, reading: &mut Reading<'_>) -> Option<CandidateRecord> {
        let header = self.header;
        self.required(header.candidate, "a key of the candidate's own", reading);
        self.required(header.item, "the key of the trace", reading);
        let code = self.text(header.code);
        let code_name = self.words(header.code_name);
        let resolved = reading.book.resolve(code, code_name.as_deref());
        if resolved.is_none() {
            let found = code_and_name(code, code_name.as_deref());
            reading.problem(self.problem(header.code, found, reading.book.codes_expected()));
        }
        self.required(header.evidence, "the quoted words", reading);
        self.required(header.trace, "the text of the trace", reading);
        let resolved = resolved?;
        let evidence = vec![self.text(header.evidence).to_owned()];
        let (anchor, spans) = anchored(self.text(header.trace), &evidence);
        Some(CandidateRecord {
            line: self.line(),
            key: self.text(header.candidate).to_owned(),
            code: code.to_owned(),
            code_name,
            category: Some(resolved.category),
            subcategory: resolved.subcategory,
            severity: None,
            explanation: self.words(header.explanation),
            evidence,
            anchor,
            spans,
        })
    }

    /// The ratings of the raters who are wanted; what others wrote is not looked at.
    pub(super) fn ratings(&self, reading: &mut Reading<'_>) -> Vec<RatingRecord> {
        self.header
            .raters
            .iter()
            .filter_map(|rater| self.rating(rater, reading))
            .collect()
    }

    fn rating(&self, rater: &Rater, reading: &mut Reading<'_>) -> Option<RatingRecord> {
        let rating = self.text(rater.rating).trim();
        let comment = self.words(rater.comment);
        if (rating.is_empty() && comment.is_none()) || !reading.takes_rating_of(&rater.name) {
            return None;
        }
        let severity = if rating.is_empty() {
            None
        } else {
            Some(self.severity(rater.rating, rating, reading)?)
        };
        Some(RatingRecord {
            line: self.line(),
            rater: rater.name.clone(),
            candidate_key: self.text(self.header.candidate).to_owned(),
            validity: None,
            severity,
            better: Vec::new(),
            discuss: false,
            comment: comment.unwrap_or_default(),
        })
    }

    fn severity(&self, index: usize, written: &str, reading: &mut Reading<'_>) -> Option<f64> {
        // Rust reads "inf" and "nan" as numbers; no scale has them.
        let value: Option<f64> = written.parse().ok().filter(|value: &f64| value.is_finite());
        let value = value.filter(|&value| reading.book.severity_ok(value, Who::Rater));
        if value.is_none() {
            reading.problem(self.problem(
                index,
                excerpt(written),
                reading.book.severity_expected(Who::Rater),
            ));
        }
        value
    }
}
