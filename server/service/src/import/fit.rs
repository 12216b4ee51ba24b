//! Whether what a record says fits its item and its scheme: steps and points that are there, reasons and answers that the
//! scheme asks for, facts that measures rest on.

use super::problem;
use super::steps::segments;
use super::write::Importer;
use crate::error::Result;
use domain::id::ItemId;
use domain::scheme::{Asked, MeasureKind, QuestionKind, Scheme, truth};
use domain::shape::{Misfit, Shape, misfit, points_into};
use formats::record::{AnswerRecord, ItemRatingRecord, TraceRecord};
use formats::{Notice, Problem};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use store::AnyConnection;

/// What a file leaves out though the scheme asks for it, and how often.
#[derive(Default)]
pub(super) struct Gaps(BTreeMap<Gap, u64>);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Fact(String),
    Answer(String),
    Reason(String),
}

impl Gaps {
    fn add(&mut self, gap: Gap) {
        *self.0.entry(gap).or_default() += 1;
    }

    /// What somebody should know of them.
    pub(super) fn notices(self) -> Vec<Notice> {
        let notice = |(gap, count): (Gap, u64)| {
            let (subject, reason) = match gap {
                Gap::Fact(fact) => (
                    fact,
                    format!(
                        "of new items {count} do not say whether it is true (true or false, yes or no, 1 or 0): they count as they are scored, and not as wrong"
                    ),
                ),
                Gap::Answer(question) => (
                    question,
                    format!(
                        "raters’ judgements without this answer, which the scheme requires: {count}"
                    ),
                ),
                Gap::Reason(question) => (
                    question,
                    format!(
                        "answers without the reason that the scheme requires for them: {count}"
                    ),
                ),
            };
            Notice {
                line: None,
                subject,
                reason,
            }
        };
        self.0.into_iter().map(notice).collect()
    }
}

impl Importer<'_> {
    /// Looks at a record: of an item that the study has, or of a new one.
    pub(super) async fn fits(
        &mut self,
        connection: &mut AnyConnection,
        record: &TraceRecord,
        trace: &str,
        there: Option<&ItemId>,
    ) -> Result<()> {
        let scheme = self.scheme.clone();
        if there.is_none() {
            self.facts(&scheme, record);
            self.options(&scheme, record);
        }
        for of_rater in record.said.iter().filter(|of| of.not_ratable.is_none()) {
            self.required(&scheme, of_rater);
        }
        let answers = || {
            let of_judge = record.answers.iter().map(|said| (record.line, said));
            let raters = record.said.iter();
            of_judge.chain(raters.flat_map(|of| of.answers.iter().map(|said| (of.line, said))))
        };
        let points = |said: &AnswerRecord| {
            let asked = scheme.question(&said.question);
            asked.is_some_and(|asked| points_into(asked.kind))
        };
        if !answers().any(|(_, said)| points(said)) {
            return Ok(());
        }
        let (steps, points) = match there {
            Some(item) => store::item::shape(connection, item).await?,
            None => (segments(&scheme, record, trace), record.options.len()),
        };
        let steps: Vec<(u32, u32)> = steps.iter().map(|step| (step.start, step.end)).collect();
        let shape = Shape {
            trace,
            steps: &steps,
            points,
        };
        for (line, said) in answers() {
            let asked = scheme.question(&said.question);
            if let Some(misfit) = asked.and_then(|asked| misfit(asked, &said.values, shape)) {
                let found = not_there(line, &said.question, misfit, shape);
                self.written.problem(found);
            }
        }
        Ok(())
    }

    /// The facts that measures rest on.
    fn facts(&mut self, scheme: &Scheme, record: &TraceRecord) {
        let facts: HashSet<&str> = scheme
            .measures
            .iter()
            .map(|measure| match measure.kind {
                MeasureKind::FactRate => measure.group.as_str(),
                _ => measure.zero_unless.as_str(),
            })
            .filter(|fact| !fact.is_empty())
            .collect();
        for fact in facts {
            let demographics = record.demographics.iter();
            let mut of_it = demographics.filter(|(name, _)| name == fact);
            let known = match (of_it.next(), record.extra.get(fact)) {
                (Some((_, text)), _) | (None, Some(Value::String(text))) => truth(text),
                (None, Some(value)) => truth(&value.to_string()),
                (None, None) => None,
            };
            if known.is_none() {
                self.written.gaps.add(Gap::Fact(fact.to_owned()));
            }
        }
    }

    /// Points are counted, so each stands once and says something.
    fn options(&mut self, scheme: &Scheme, record: &TraceRecord) {
        let mut asked = scheme.item_questions.iter();
        if !asked.any(|question| question.kind == QuestionKind::Points) {
            return;
        }
        let mut seen = HashSet::new();
        let options = record.options.iter().map(|option| option.trim());
        for (at, option) in options.enumerate() {
            let found = if option.is_empty() {
                format!("option {} without words", at + 1)
            } else if !seen.insert(option) {
                format!("option {} a second time", at + 1)
            } else {
                continue;
            };
            let expected = "each point that an expert expects, once";
            let found = problem(record.line, Some("options"), &found, expected);
            self.written.problem(found);
        }
    }

    /// What the desk would not let a rater leave out.
    fn required(&mut self, scheme: &Scheme, of: &ItemRatingRecord) {
        if of.answers.is_empty() {
            return;
        }
        for question in &scheme.item_questions {
            let mut answers = of.answers.iter();
            let said = answers.find(|said| said.question == question.id);
            let Some(said) = said.filter(|said| !said.values.is_empty()) else {
                if question.asked == Asked::Required {
                    self.written.gaps.add(Gap::Answer(question.id.clone()));
                }
                continue;
            };
            let value = said.values.first().and_then(|value| value.parse().ok());
            let needed = question.kind == QuestionKind::Ordinal
                && value.is_some_and(|value| question.needs_reason(value));
            if needed && said.rationale.trim().is_empty() {
                self.written.gaps.add(Gap::Reason(question.id.clone()));
            }
        }
    }
}

/// What is wrong with an answer that points to nothing, without the words of the trace.
fn not_there(line: u64, question: &str, misfit: Misfit, shape: Shape<'_>) -> Problem {
    let (found, expected) = match misfit {
        Misfit::NoSuchPoint(point) => (
            format!("point {point}"),
            format!("a point of this item, which has {}", shape.points),
        ),
        Misfit::NoSuchStep(step) => (
            format!("step {step}"),
            format!(
                "a step of this trace, which has {}; give the steps as segments where they are not those that reading the text finds",
                shape.steps.len()
            ),
        ),
        Misfit::NoSuchPiece(place) => (
            format!("step {place}"),
            format!(
                "a line \"split {} WORDS\" for each step that has a letter",
                place.part
            ),
        ),
        Misfit::NoSuchWords(step) => (
            format!("words to split step {step} at that it does not have"),
            "words of that step, other than its first".to_owned(),
        ),
        Misfit::Twice(part, target) => (
            format!("a second relation of step {part} to {target}"),
            "one relation of two steps".to_owned(),
        ),
    };
    problem(line, Some(question), &found, &expected)
}
