//! The answers of one verdict: fields that are named after questions, and 0 or 1 by the names of levels.

use std::collections::{BTreeMap, BTreeSet};

use domain::scheme::QuestionKind;
use serde_json::{Map, Value};

use super::score::{INVENTED, scored};
use crate::{
    Notice, Problem, answer, json::describe, problem::excerpt, read::Reading, record::AnswerRecord,
};

/// Fields of a verdict that are no answers.
const ASIDE: [&str; 12] = [
    "counselor",
    "key",
    "input_sha",
    "member",
    "episode",
    "turn",
    "usage",
    "answer",
    "reasoning_content",
    "justification",
    "Overall score",
    "Average score",
];

/// The answers of one verdict. A score that the judge's own words do not hold was filled in by its parser, and is missing.
pub(super) fn answers(
    object: Map<String, Value>,
    key: &str,
    name: &str,
    line: u64,
    unknown: &mut BTreeSet<String>,
    reading: &mut Reading<'_>,
) -> Vec<AnswerRecord> {
    let raw = object
        .get("answer")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let justification = object
        .get("justification")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let (mut answers, mut ticked): (Vec<AnswerRecord>, BTreeMap<String, Vec<String>>) =
        Default::default();
    for (field, value) in object {
        if ASIDE.contains(&field.as_str()) {
            continue;
        }
        if let Some(question) = answer::question(reading.book, &field) {
            let filled_in = raw.as_deref().map(|raw| scored(raw, &field));
            if filled_in == Some(None) {
                // The parser of version 1 puts a 3 where it finds nothing; any other score was there to be found.
                let invented = value.as_f64() == Some(INVENTED);
                let reason = if invented {
                    format!(
                        "{value} stands in the verdict and not in the judge's answer; taken as missing"
                    )
                } else {
                    format!(
                        "{value} stands in the verdict and was not found in the judge's answer; kept, because the parser fills in nothing but 3"
                    )
                };
                reading.leave_out(Notice {
                    line: Some(line),
                    subject: format!("{name}: {}, {}", excerpt(key), excerpt(&field)),
                    reason,
                });
                if invented {
                    continue;
                }
            }
            let own = filled_in
                .flatten()
                .filter(|own| value.as_f64() != Some(*own));
            let value = own.map_or(value, Value::from);
            match answer::values(question, &value, reading.zeros()) {
                Ok(values) => answers.push(AnswerRecord {
                    question: question.id.clone(),
                    values,
                    rationale: String::new(),
                }),
                Err(found) => {
                    let problem = Problem::new(line, found, answer::expected(question));
                    reading.problem(problem.field(format!("{name}: {}", excerpt(&field))));
                }
            }
            continue;
        }
        tick(&field, &value, (name, line), &mut ticked, unknown, reading);
    }
    for (id, mut values) in ticked {
        if let Some(question) = reading
            .book
            .questions()
            .iter()
            .find(|question| question.id == id)
        {
            values.sort_by_key(|value| {
                question
                    .levels
                    .iter()
                    .position(|level| level.word() == value)
            });
        }
        answers.push(AnswerRecord {
            question: id,
            values,
            rationale: String::new(),
        });
    }
    answer::in_order(&mut answers, reading.book);
    if let Some(first) = answers.first_mut() {
        first.rationale = justification;
    }
    answers
}

/// A field that is named after a level of a question that takes several.
fn tick(
    field: &str,
    value: &Value,
    (name, line): (&str, u64),
    ticked: &mut BTreeMap<String, Vec<String>>,
    unknown: &mut BTreeSet<String>,
    reading: &mut Reading<'_>,
) {
    let mut multi = reading
        .book
        .questions()
        .iter()
        .filter(|question| question.kind == QuestionKind::Multi);
    let Some((question, level)) =
        multi.find_map(|question| Some((question, question.level(field)?)))
    else {
        unknown.insert(field.to_owned());
        return;
    };
    let set = ticked.entry(question.id.clone()).or_default();
    match value.as_i64().or_else(|| value.as_bool().map(i64::from)) {
        Some(0) => {}
        Some(1) => set.push(level.word().to_owned()),
        _ => {
            let problem = Problem::new(line, describe(value), "0 or 1");
            reading.problem(problem.field(format!("{name}: {}", excerpt(field))));
        }
    }
}
