//! `labels.csv`

use super::Context;
use super::page::Page;
use crate::results::shared;
use crate::snapshot::{Settled, ruled_by, settled};
use crate::source::rfc3339;
use crate::unit::{missed, question};
use domain::annotation::MissedTag;
use domain::id::{UnitId, UserId};
use domain::retention::Standing;
use domain::scheme::{ItemQuestion, QuestionKind, Scheme, Validity};
use domain::unit::{UnitKind, number};
use formats::write::{Cell, Table, WriteError};
use serde_json::{Value, json};
use std::io::Write;
use store::candidate::StoredCandidate;
use store::item::StoredItem;
use store::ruling::Ruling;
use store::unit::{ItemFacts, Unit};

/// What one rater said of a unit, and their comment on it.
struct Own<'a> {
    validity: Option<Validity>,
    severity: Option<f64>,
    comment: &'a str,
    values: &'a [String],
}

/// One row before its raters are spread over the columns.
struct Row<'a> {
    id: &'a str,
    kind: UnitKind,
    item: &'a StoredItem,
    candidate: Option<&'a StoredCandidate>,
    category: &'a str,
    subcategory: &'a str,
    spans: Vec<(u32, u32, &'a str)>,
    unit: Option<&'a Unit>,
    ruling: Option<&'a Ruling>,
    own: Vec<Option<Own<'a>>>,
    /// What agreeing raters' answers to a question come to, where it is no number.
    shared: Option<Vec<String>>,
}

pub(super) fn write<W: Write>(
    page: &Page<'_>,
    context: &Context,
    table: &mut Table<'_, W>,
) -> Result<(), WriteError> {
    for item in &page.items {
        let facts = page.facts.get(&item.id);
        for candidate in page.candidates.get(&item.id).into_iter().flatten() {
            of_candidate(item, candidate, facts, page, context).write(page, context, table)?;
        }
        for row in of_missed(item, facts, page, context) {
            row.write(page, context, table)?;
        }
        for row in of_questions(item, facts, page, context) {
            row.write(page, context, table)?;
        }
    }
    Ok(())
}

fn of_candidate<'a>(
    item: &'a StoredItem,
    candidate: &'a StoredCandidate,
    facts: Option<&'a ItemFacts>,
    page: &'a Page<'_>,
    context: &Context,
) -> Row<'a> {
    let id = UnitId::new(candidate.id.as_str());
    let unit = facts.and_then(|facts| {
        facts
            .units
            .iter()
            .map(|(unit, _)| unit)
            .find(|unit| unit.id == id)
    });
    let own = |rater: &UserId| {
        let annotation = facts
            .filter(|facts| facts.all_in())?
            .annotations
            .iter()
            .find(|a| a.rater == *rater)?;
        let judgement = annotation.body.judgements.get(&candidate.id)?;
        Some(Own {
            validity: judgement.validity,
            severity: judgement.severity,
            comment: &judgement.comment,
            values: &[],
        })
    };
    Row {
        id: candidate.id.as_str(),
        kind: UnitKind::Candidate,
        item,
        candidate: Some(candidate),
        category: &candidate.category.category,
        subcategory: candidate
            .category
            .subcategory
            .as_deref()
            .unwrap_or_default(),
        spans: candidate
            .spans
            .iter()
            .map(|(start, end, quote)| (*start, *end, quote.as_str()))
            .collect(),
        unit,
        ruling: page.rulings.get(&id),
        own: context.raters.iter().map(|(rater, _)| own(rater)).collect(),
        shared: None,
    }
}

fn of_missed<'a>(
    item: &'a StoredItem,
    facts: Option<&'a ItemFacts>,
    page: &'a Page<'_>,
    context: &'a Context,
) -> Vec<Row<'a>> {
    let Some(facts) = facts.filter(|facts| facts.all_in()) else {
        return Vec::new();
    };
    let mut rows: Vec<Row<'a>> = missed::groups(facts, &context.scheme)
        .into_iter()
        .filter_map(|group| {
            let unit = facts
                .units
                .iter()
                .map(|(unit, _)| unit)
                .find(|unit| unit.id == group.id)?;
            let tag_of = |rater: &UserId| -> Option<&'a MissedTag> {
                let (_, found) = group
                    .tags
                    .iter()
                    .find(|(annotation, _)| annotation.rater == *rater)?;
                *found
            };
            let first = group.tags.iter().find_map(|(_, found)| *found)?;
            let own = |rater: &UserId| {
                tag_of(rater).map(|tag| Own {
                    validity: Some(Validity::Valid),
                    severity: tag.severity,
                    comment: &tag.comment,
                    values: &[],
                })
            };
            Some(Row {
                id: unit.id.as_str(),
                kind: UnitKind::Missed,
                item,
                candidate: None,
                category: &unit.category,
                subcategory: &unit.subcategory,
                spans: first
                    .span
                    .map(|(start, end)| (start, end, first.quote.as_str()))
                    .into_iter()
                    .collect(),
                unit: Some(unit),
                ruling: page.rulings.get(&unit.id),
                own: context.raters.iter().map(|(rater, _)| own(rater)).collect(),
                shared: None,
            })
        })
        .collect();
    rows.sort_by(|a, b| {
        (a.spans.first(), a.id)
            .partial_cmp(&(b.spans.first(), b.id))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    rows
}

/// The answers to the questions about the item.
fn of_questions<'a>(
    item: &'a StoredItem,
    facts: Option<&'a ItemFacts>,
    page: &'a Page<'_>,
    context: &'a Context,
) -> Vec<Row<'a>> {
    let Some(facts) = facts.filter(|facts| facts.all_in()) else {
        return Vec::new();
    };
    let row = |question: &'a ItemQuestion| {
        let id = question::identity(&item.id, &question.id);
        let unit = facts
            .units
            .iter()
            .map(|(unit, _)| unit)
            .find(|unit| unit.id == id)?;
        let own = |rater: &UserId| {
            let annotation = facts
                .annotations
                .iter()
                .find(|a| a.rater == *rater && a.ratable)?;
            let answer = annotation.body.answers.get(&question.id)?;
            Some(Own {
                validity: None,
                severity: number(Some(answer)).filter(|_| question.kind == QuestionKind::Ordinal),
                comment: &answer.rationale,
                values: &answer.values,
            })
        };
        let judge = page.lines(&item.id, &question.id);
        let shared = || shared(question, facts, judge).values.into_iter().next();
        Some(Row {
            shared: (question.kind != QuestionKind::Ordinal)
                .then(shared)
                .flatten(),
            id: unit.id.as_str(),
            kind: UnitKind::Item,
            item,
            candidate: None,
            category: &unit.category,
            subcategory: "",
            spans: Vec::new(),
            unit: Some(unit),
            ruling: page.rulings.get(&unit.id),
            own: context.raters.iter().map(|(rater, _)| own(rater)).collect(),
        })
    };
    context
        .scheme
        .item_questions
        .iter()
        .filter_map(row)
        .collect()
}

impl Row<'_> {
    fn write<W: Write>(
        &self,
        page: &Page<'_>,
        context: &Context,
        table: &mut Table<'_, W>,
    ) -> Result<(), WriteError> {
        let settled = self.settled(&context.scheme);
        let (excluded, standing) = self.standing(&settled, context);
        let judge = self
            .candidate
            .and_then(|candidate| page.judges.get(&candidate.judge));
        let span = self.spans.first();
        let spans: Value = self
            .spans
            .iter()
            .map(|(s, e, q)| json!({"start": s, "end": e, "quote": q}))
            .collect();
        let evidence = json!(self.candidate.map(|candidate| &candidate.evidence));
        let ruled_at = self.ruling.map(|ruling| rfc3339(ruling.ruled_at));
        let mut cells = vec![
            Cell::Text(self.id),
            Cell::Text(self.kind.as_str()),
            Cell::Text(self.item.id.as_str()),
            Cell::text(
                self.candidate
                    .map(|candidate| candidate.source_key.as_str()),
            ),
            Cell::text(judge.map(|judge| judge.name.as_str())),
            Cell::Text(self.category),
            Cell::Text(self.subcategory),
            Cell::number(self.candidate.and_then(|candidate| candidate.severity)),
            Cell::integer(span.map(|span| i64::from(span.0))),
            Cell::integer(span.map(|span| i64::from(span.1))),
            Cell::text(span.map(|span| span.2)),
            Cell::Text(self.anchor()),
            Cell::text(settled.validity.map(Validity::as_str)),
            Cell::Text(&settled.category),
            Cell::Text(&settled.subcategory),
            Cell::number(settled.severity),
            Cell::Text(settled.outcome),
            Cell::Integer(context.scheme_version),
        ];
        self.raters(context, &mut cells);
        cells.extend([
            Cell::Json(&spans),
            Cell::Text(&context.study_name),
            Cell::Text(&self.item.source_key),
            Cell::Text(&self.item.condition),
            Cell::Text(&self.item.model),
            Cell::text(
                self.candidate
                    .map(|candidate| candidate.explanation.as_str()),
            ),
            if self.candidate.is_some() {
                Cell::Json(&evidence)
            } else {
                Cell::Empty
            },
            Cell::text(
                self.candidate
                    .map(|candidate| candidate.original_code.as_str()),
            ),
            Cell::text(judge.map(|judge| judge.model.as_str())),
            Cell::text(judge.map(|judge| judge.prompt_version.as_str())),
            Cell::Text(self.unit.map_or("open", |unit| unit.state.as_str())),
            Cell::text(
                self.ruling
                    .and_then(|ruling| ruling.cause)
                    .map(domain::ruling::Cause::as_str),
            ),
            Cell::text(self.ruling.map(|ruling| ruling.confidence.as_str())),
            Cell::text(self.ruling.map(|ruling| ruling.note.as_str())),
            Cell::text(self.ruling.map(|ruling| ruling.ruled_by_name.as_str())),
            ruled_at.as_deref().map_or(Cell::Empty, Cell::Time),
            Cell::text(
                self.ruling
                    .map(|ruling| context.name_of(&ruling.adopted_from)),
            ),
            Cell::integer(self.ruling.map(|ruling| ruling.version)),
        ]);
        let answer = self.final_answer(page, &settled);
        cells.push(Cell::text(answer.as_deref()));
        let answers: Vec<Option<String>> = self
            .own
            .iter()
            .map(|own| own.as_ref().map(|own| own.values.join(";")))
            .collect();
        cells.extend(answers.iter().map(|answer| Cell::text(answer.as_deref())));
        cells.extend([
            Cell::text(excluded),
            Cell::text(standing),
            Cell::text(context.snapshot_cell()),
        ]);
        table.row(&cells)
    }

    /// What each rater said, in their stable order.
    fn raters<'c>(&'c self, context: &'c Context, cells: &mut Vec<Cell<'c>>) {
        for ((_, name), own) in context.raters.iter().zip(&self.own) {
            cells.push(own.as_ref().map_or(Cell::Empty, |_| Cell::Text(name)));
            cells.push(Cell::text(
                own.as_ref()
                    .and_then(|own| own.validity)
                    .map(Validity::as_str),
            ));
            cells.push(Cell::number(own.as_ref().and_then(|own| own.severity)));
            cells.push(Cell::text(own.as_ref().map(|own| own.comment)));
        }
    }

    /// The ruling's answer to a question, or what the raters' own come to; numbers that differ have their mean elsewhere.
    fn final_answer(&self, page: &Page<'_>, settled: &Settled) -> Option<String> {
        if self.kind != UnitKind::Item {
            return None;
        }
        if let Some(ruled) = self.ruling.and_then(|ruling| page.answers.get(&ruling.id)) {
            return Some(ruled.join(";"));
        }
        if !settled.said {
            return None;
        }
        if let Some(shared) = &self.shared {
            return Some(shared.join(";"));
        }
        let mut said = self.own.iter().flatten().map(|own| own.values);
        let first = said.next()?;
        said.all(|other| other == first).then(|| first.join(";"))
    }

    /// For which reason the unit was taken out, and where it stands.
    fn standing<'c>(
        &self,
        settled: &Settled,
        context: &'c Context,
    ) -> (Option<&'c str>, Option<&'static str>) {
        let Some(unit) = self.unit else {
            return (None, None);
        };
        let excluded = context.excluded.get(&unit.id).map(String::as_str);
        let standing = Standing::of(
            &context.scheme.retention,
            settled.validity,
            settled.severity,
            excluded.is_some(),
        );
        (excluded, Some(standing.as_str()))
    }

    /// A rater marks words themselves, so a missed tag with a span is verbatim.
    fn anchor(&self) -> &'static str {
        match self.candidate {
            Some(candidate) => candidate.anchor.as_str(),
            None if self.kind == UnitKind::Item => "",
            None if self.spans.is_empty() => "unanchored",
            None => "verbatim",
        }
    }

    fn settled(&self, scheme: &Scheme) -> Settled {
        let none = || Settled {
            outcome: "not_assigned",
            ..Settled::default()
        };
        let ruling = self.ruling.map(ruled_by);
        self.unit
            .map_or_else(none, |unit| settled(unit, ruling.as_ref(), scheme))
    }
}
