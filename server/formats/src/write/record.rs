//! A record as a line of our own JSON Lines: what was read comes back from it.

use domain::span::Span;
use serde_json::{Map, Value, json};

use crate::record::{
    AnswerRecord, CandidateRecord, ItemRatingRecord, JudgeOutcome, MissedRecord, RatingRecord,
    StepRecord, TraceRecord,
};

/// One line, without its end. Reading it gives the record again, but for the number of its line.
pub fn json_line(record: &TraceRecord) -> String {
    let demographics: Map<String, Value> = record
        .demographics
        .iter()
        .map(|(name, fact)| (name.clone(), fact.clone().into()))
        .collect();
    let mut line = json!({
        "key": record.key,
        "condition": record.condition,
        "model": record.model,
        "mode": record.mode,
        "demographics": demographics,
        "vignette": record.vignette,
        "question": record.question,
        "options": record.options,
        "answer": record.answer,
        "source_file": record.source_file,
        "extra": record.extra,
        "judge": {
            "name": record.judge.name,
            "model": record.judge.model,
            "prompt_version": record.judge.prompt_version,
            "params": record.judge.params,
        },
        "answers": answers(&record.answers),
        "ratings": record.ratings.iter().map(rating).chain(record.said.iter().map(said)).collect::<Vec<_>>(),
    });
    match record.segments.as_slice() {
        [only] if only.label.is_none() => line["trace"] = only.text.clone().into(),
        segments => {
            line["segments"] = segments
                .iter()
                .map(|segment| json!({"label": segment.label, "text": segment.text}))
                .collect();
        }
    }
    line["steps"] = record.steps.iter().map(step).collect();
    match &record.outcome {
        JudgeOutcome::Judged { summary } => {
            line["summary"] = summary.clone().into();
            line["candidates"] = record.candidates.iter().map(candidate).collect();
        }
        JudgeOutcome::Failed { kind } => line["failure"] = kind.clone().into(),
        JudgeOutcome::Absent => {}
    }
    without_blanks(line).to_string()
}

fn step(step: &StepRecord) -> Value {
    without_blanks(json!({
        "label": step.label,
        "start": step.span.start(),
        "end": step.span.end(),
    }))
}

fn candidate(candidate: &CandidateRecord) -> Value {
    let spans: Vec<Value> = candidate.spans.iter().map(span).collect();
    let anchor = (!spans.is_empty()).then(|| candidate.anchor.as_str());
    without_blanks(json!({
        "key": candidate.key,
        "category": candidate.code,
        "name": candidate.code_name,
        "severity": candidate.severity,
        "explanation": candidate.explanation,
        "evidence": candidate.evidence,
        "spans": spans,
        "anchor": anchor,
    }))
}

fn span((span, quote): &(Span, String)) -> Value {
    json!({"start": span.start(), "end": span.end(), "quote": quote})
}

fn rating(rating: &RatingRecord) -> Value {
    without_blanks(json!({
        "rater": rating.rater,
        "candidate": rating.candidate_key,
        "validity": rating.validity,
        "severity": rating.severity,
        "better": rating.better,
        "discuss": rating.discuss.then_some(true),
        "comment": rating.comment,
    }))
}

/// Values by question; a single one stands alone, and a rationale beside it.
fn answers(answers: &[AnswerRecord]) -> Value {
    let one = |answer: &AnswerRecord| {
        let value = match answer.values.as_slice() {
            [only] => json!(only),
            several => json!(several),
        };
        let value = if answer.rationale.is_empty() {
            value
        } else {
            json!({"value": value, "rationale": answer.rationale})
        };
        (answer.question.clone(), value)
    };
    answers.iter().map(one).collect::<Map<_, _>>().into()
}

fn said(rating: &ItemRatingRecord) -> Value {
    let missed = |tag: &MissedRecord| {
        without_blanks(json!({
            "category": tag.code,
            "severity": tag.severity,
            "span": tag.span.as_ref().map(span),
            "comment": tag.comment,
        }))
    };
    let mut line = without_blanks(json!({
        "rater": rating.rater,
        "answers": answers(&rating.answers),
        "missed": rating.missed.iter().map(missed).collect::<Vec<_>>(),
        "nothing_missed": rating.nothing_missed.then_some(true),
        "missed_count": rating.missed_count,
        "not_ratable": rating.not_ratable,
        "comment": rating.comment,
    }));
    // What tells a judgement of the item from one of a candidate, where it says nothing else.
    let told = [
        "answers",
        "missed",
        "nothing_missed",
        "missed_count",
        "not_ratable",
    ];
    if told.iter().all(|name| line.get(name).is_none()) {
        line["nothing_missed"] = false.into();
    }
    line
}

/// Leaves out what says nothing; an empty list of candidates does say something.
fn without_blanks(value: Value) -> Value {
    let Value::Object(fields) = value else {
        return value;
    };
    let says_something = |name: &str, value: &Value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty() || name == "candidates",
        Value::Object(map) => !map.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    };
    fields
        .into_iter()
        .filter(|(name, value)| says_something(name, value))
        .collect::<Map<_, _>>()
        .into()
}
