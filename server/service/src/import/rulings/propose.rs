//! What a record asks for, and how its value was reached where the file does not say.

use super::One;
use crate::ruling::NewRuling;
use domain::ruling::Outcome;
use domain::scheme::Validity;
use domain::unit::UnitKind;
use formats::rulings::Part;
use formats::{CodeBook, Problem, Who};
use store::unit::{Answer, Listed};

/// How far a mean in a file may be from the mean itself: files round to two places.
const ROUNDED: f64 = 0.005;

/// How it was found out how a value was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// The file says so.
    Stated,
    /// Every rater said just this.
    Unanimous,
    /// It is the mean of what they said.
    Mean,
    /// Nothing tells.
    Unsaid,
}

impl One<'_> {
    /// The ruling that the record asks for, and how that was found out.
    pub(super) fn proposed(&self, listed: &Listed) -> Result<(Reached, NewRuling), Problem> {
        let record = self.record;
        let validity = self.validity(listed)?;
        let severities: Vec<f64> = listed.unit.said.iter().filter_map(|s| s.severity).collect();
        let answered = || record.answer.first().and_then(|answer| answer.parse().ok());
        let value = record
            .severity
            .or_else(|| answered().filter(|_| !severities.is_empty()));
        let mean = (severities.len() > 1)
            .then(|| severities.iter().sum::<f64>() / severities.len() as f64);
        let is_mean = mean
            .zip(value)
            .is_some_and(|(mean, value)| (mean - value).abs() < ROUNDED);
        let unanimous = listed.unit.said.iter().all(|said| {
            said.answer == Answer::Plain
                && said.severity == value
                && (said.validity == validity || said.validity.is_none())
                && (listed.unit.kind != UnitKind::Item
                    || said.severity.is_some()
                    || said.values == record.answer)
        });
        let (reached, outcome) = match record.outcome {
            Some(outcome) => (Reached::Stated, outcome),
            None if unanimous => (Reached::Unanimous, Outcome::Consensus),
            None if is_mean => (Reached::Mean, Outcome::Averaged),
            None => (Reached::Unsaid, Outcome::Consensus),
        };
        if outcome == Outcome::Averaged && !is_mean {
            let found = "another value than the mean of the ratings";
            return Err(record.problem(Part::Value, found, "their mean, or another outcome"));
        }
        let settles = outcome != Outcome::Averaged && listed.unit.kind != UnitKind::Item;
        if let Some(value) = record.severity.filter(|_| settles)
            && !self.asked.book.severity_ok(value, Who::Ruling)
        {
            let found = domain::annotation::shortest(value);
            let expected = self.asked.book.severity_expected(Who::Ruling);
            return Err(record.problem(Part::Value, found, expected));
        }
        let category = record
            .category
            .as_ref()
            .filter(|_| validity != Some(Validity::Invalid));
        let new = NewRuling {
            expected_ruling_version: 0,
            basis: String::new(),
            outcome,
            validity,
            code: category.map(|to| to.subcategory.as_ref().unwrap_or(&to.category).clone()),
            severity: record.severity.filter(|_| outcome != Outcome::Averaged),
            cause: record.cause,
            confidence: String::new(),
            note: self.note(),
            agreed_by_raters: reached == Reached::Unanimous,
            adopted_from: None,
            guideline_needs_work: false,
            span: None,
            merged_into: None,
            answer: if outcome == Outcome::Averaged {
                Vec::new()
            } else {
                record.answer.clone()
            },
        };
        Ok((reached, new))
    }

    /// The final validity: the file's, else the one that all raters gave.
    fn validity(&self, listed: &Listed) -> Result<Option<Validity>, Problem> {
        let record = self.record;
        if record.validity.is_some() || record.outcome == Some(Outcome::Unresolved) {
            return Ok(record.validity);
        }
        let mut given = listed.unit.said.iter().filter_map(|said| said.validity);
        let first = given.next();
        if given.all(|other| Some(other) == first) {
            return Ok(first);
        }
        let found = "no final validity where the raters differ in it";
        let expected = self.asked.book.validity_expected();
        Err(record.problem(Part::Validity, found, expected))
    }
}
