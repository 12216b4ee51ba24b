//! `ratings_long.csv`

use super::Context;
use super::page::Page;
use crate::source::rfc3339;
use domain::annotation::{Judgement, shortest};
use domain::scheme::Validity;
use formats::write::{Cell, Table, WriteError};
use std::io::Write;
use store::annotation::StoredAnnotation;
use store::item::StoredItem;

/// What all rows of one annotation share.
struct Shared<'a> {
    item: &'a StoredItem,
    rater: &'a str,
    submitted_at: String,
    version: i64,
}

/// One unit's identity in a row.
#[derive(Clone, Copy)]
struct Of<'a> {
    unit: &'a str,
    key: &'a str,
    kind: &'a str,
}

pub(super) fn write<W: Write>(
    page: &Page<'_>,
    context: &Context,
    table: &mut Table<'_, W>,
) -> Result<(), WriteError> {
    for item in &page.items {
        let Some(facts) = page.facts.get(&item.id).filter(|facts| facts.all_in()) else {
            continue;
        };
        for (rater, name) in &context.raters {
            let Some(annotation) = facts.annotations.iter().find(|found| found.rater == *rater)
            else {
                continue;
            };
            let shared = Shared {
                item,
                rater: name,
                submitted_at: rfc3339(annotation.submitted_at),
                version: annotation.version,
            };
            shared.annotation(annotation, page, table)?;
        }
    }
    Ok(())
}

impl Shared<'_> {
    fn annotation<W: Write>(
        &self,
        annotation: &StoredAnnotation,
        page: &Page<'_>,
        table: &mut Table<'_, W>,
    ) -> Result<(), WriteError> {
        let body = &annotation.body;
        for candidate in page.candidates.get(&self.item.id).into_iter().flatten() {
            if let Some(judgement) = body.judgements.get(&candidate.id) {
                let of = Of {
                    unit: candidate.id.as_str(),
                    key: &candidate.source_key,
                    kind: "candidate",
                };
                self.judgement(of, judgement, table)?;
            }
        }
        for tag in &body.missed {
            let of = Of {
                unit: tag.id.as_str(),
                key: "",
                kind: "missed",
            };
            self.row(of, "category", &tag.code, &tag.comment, table)?;
            if let Some(severity) = tag.severity {
                self.row(of, "severity", &shortest(severity), &tag.comment, table)?;
            }
        }
        let of = Of {
            unit: self.item.id.as_str(),
            key: &self.item.source_key,
            kind: "item",
        };
        if body.nothing_missed {
            self.row(of, "nothing_missed", "yes", "", table)?;
        }
        if let Some(count) = body.missed_count {
            self.row(of, "missed_count", &count.to_string(), "", table)?;
        }
        for (question, answer) in &body.answers {
            self.row(
                of,
                question,
                &answer.values.join(";"),
                &answer.rationale,
                table,
            )?;
        }
        if !annotation.ratable {
            self.row(
                of,
                "not_ratable",
                &annotation.not_ratable_reason,
                &body.comment,
                table,
            )?;
        } else if !body.comment.is_empty() {
            self.row(of, "comment", "", &body.comment, table)?;
        }
        Ok(())
    }

    fn judgement<W: Write>(
        &self,
        of: Of<'_>,
        judgement: &Judgement,
        table: &mut Table<'_, W>,
    ) -> Result<(), WriteError> {
        if let Some(validity) = judgement.validity {
            self.row(
                of,
                "validity",
                Validity::as_str(validity),
                &judgement.comment,
                table,
            )?;
        }
        if let Some(severity) = judgement.severity {
            self.row(
                of,
                "severity",
                &shortest(severity),
                &judgement.comment,
                table,
            )?;
        }
        if !judgement.better.is_empty() {
            self.row(of, "better", &judgement.better.join(";"), "", table)?;
        }
        if judgement.discuss {
            self.row(of, "discuss", "yes", "", table)?;
        }
        if judgement.validity.is_none()
            && judgement.severity.is_none()
            && !judgement.comment.is_empty()
        {
            self.row(of, "comment", "", &judgement.comment, table)?;
        }
        Ok(())
    }

    fn row<W: Write>(
        &self,
        of: Of<'_>,
        question: &str,
        value: &str,
        comment: &str,
        table: &mut Table<'_, W>,
    ) -> Result<(), WriteError> {
        table.row(&[
            Cell::Text(of.unit),
            Cell::Text(of.key),
            Cell::Text(of.kind),
            Cell::Text(self.item.id.as_str()),
            Cell::Text(self.rater),
            Cell::Text(question),
            Cell::Text(value),
            Cell::Text(comment),
            Cell::Time(&self.submitted_at),
            Cell::Text(&self.item.source_key),
            Cell::Integer(self.version),
        ])
    }
}
