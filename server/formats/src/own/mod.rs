//! Our own JSON Lines: one judged trace a line, every field known, offsets checked against their quotations.

mod candidate;
mod item_rating;
mod outcome;
mod rating;
mod span;
mod step;

use std::io::BufRead;

use serde_json::{Map, Value};

use crate::{
    Problems, answer,
    digest::{Meeting, Seen, digest},
    json::{Fields, describe, read_objects},
    problem::excerpt,
    read::{Reading, Stop},
    record::{SegmentText, TraceRecord, joined},
};

/// Fields that describe the verdict; all others describe the item.
const VERDICT: [&str; 6] = [
    "judge",
    "failure",
    "summary",
    "candidates",
    "answers",
    "ratings",
];

const KNOWN: &str = "key, condition, model, mode, demographics, vignette, question, options, answer, trace, steps or segments, source_file, extra, judge, candidates, answers, failure, summary or ratings; put anything else into extra";

/// What has to be remembered of the lines already read.
#[derive(Default)]
struct Before {
    items: Seen,
    verdicts: Seen,
    candidates: Seen,
}

pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let mut before = Before::default();
    read_objects(
        input,
        reading,
        &mut |fields, reading| match record(fields, &mut before, reading) {
            Some(record) => reading.deliver(record),
            None => Ok(()),
        },
    )
}

impl Before {
    /// Reports a key that means something else here than before; `None` for a line that repeats an earlier one.
    fn meet(&mut self, fields: &Fields, key: &str, reading: &mut Reading<'_>) -> Option<Meeting> {
        let part = |wanted: &dyn Fn(&str) -> bool| fields.canonical(wanted);
        let item = digest(&[part(&|name| !VERDICT.contains(&name))]);
        let verdict = digest(&[part(&|name| VERDICT.contains(&name))]);
        // Several judges may have looked at one item: a line for each, with the item repeated.
        let by_judge = digest(&[key, &part(&|name| name == "judge")]);
        let meetings = (
            self.items.meet(digest(&[key]), item, fields.line),
            self.verdicts.meet(by_judge, verdict, fields.line),
        );
        let (what, first) = match meetings {
            (Meeting::Different(first), _) => ("item", first),
            (_, Meeting::Different(first)) => ("verdict of the same judge", first),
            (_, Meeting::Same(first)) => {
                reading.identical(fields.line, format!("item {}", excerpt(key)), first);
                return None;
            }
            (_, Meeting::New) => return Some(Meeting::New),
        };
        let expected = format!("a key of its own, or the {what} just as on line {first}");
        reading.problem(fields.problem("key", excerpt(key), expected));
        Some(Meeting::Different(first))
    }
}

/// The record of one line, unless it has a problem or repeats an earlier one.
fn record(
    mut fields: Fields,
    before: &mut Before,
    reading: &mut Reading<'_>,
) -> Option<TraceRecord> {
    let known_problems = reading.problems.count();
    let line = fields.line;
    let key = fields.required("key", "a key that names the item", &mut reading.problems);
    // The rest of the line is checked even when its key is wrong, but then its candidates' keys are nobody's.
    let is_new = match &key {
        Some(key) => before.meet(&fields, key, reading)? == Meeting::New,
        None => false,
    };
    let mut apart = Seen::default();
    let known_candidates = if is_new {
        &mut before.candidates
    } else {
        &mut apart
    };
    let problems = &mut reading.problems;
    // The trace is taken out with its segments; steps need to know that it was there.
    let text = fields.text_of("trace").unwrap_or_default();
    let steps = step::steps(&mut fields, &text, problems);
    let segments = segments(&mut fields, problems);
    let mut record = TraceRecord {
        line,
        condition: fields.words("condition", problems),
        model: fields.words("model", problems),
        mode: fields.words("mode", problems),
        demographics: demographics(&mut fields, problems),
        vignette: fields.text("vignette", problems).unwrap_or_default(),
        question: fields.text("question", problems).unwrap_or_default(),
        options: fields.texts("options", problems),
        answer: fields.words("answer", problems),
        segments,
        steps,
        source_file: fields.words("source_file", problems),
        extra: fields
            .object("extra", problems)
            .map_or_else(Map::new, Fields::rest),
        judge: outcome::judge(&mut fields, problems),
        outcome: outcome::outcome(&mut fields, problems),
        candidates: Vec::new(),
        answers: Vec::new(),
        ratings: Vec::new(),
        said: Vec::new(),
        key: key.unwrap_or_default(),
    };
    let trace = joined(&record.segments);
    let (candidates, keys) =
        candidate::candidates(&mut fields, &record, &trace, known_candidates, reading);
    record.candidates = candidates;
    record.answers = answer::answers(&mut fields, reading);
    let ratings = rating::ratings(&mut fields, &keys, &trace, reading);
    (record.ratings, record.said) = ratings;
    fields.refuse_rest(KNOWN, &mut reading.problems);
    (reading.problems.count() == known_problems).then_some(record)
}

/// `trace`, or `segments` that make it up; exactly one of them.
fn segments(fields: &mut Fields, problems: &mut Problems) -> Vec<SegmentText> {
    let both = fields.has("trace") && fields.has("segments");
    if both {
        problems.add(fields.problem("trace", "both trace and segments", "one of them"));
    }
    if !fields.has("segments") {
        // Also takes away a `segments` that is null.
        fields.value("segments");
        let text = fields.required("trace", "the text of the trace", problems);
        return text
            .map(|text| SegmentText { label: None, text })
            .into_iter()
            .collect();
    }
    fields.value("trace");
    let mut segments = Vec::new();
    let count = problems.count();
    for mut segment in fields.objects("segments", problems) {
        let label = segment.words("label", problems);
        let text = segment.required("text", "the text of the segment", problems);
        segments.extend(text.map(|text| SegmentText { label, text }));
        segment.refuse_rest("label or text", problems);
    }
    if segments.is_empty() && problems.count() == count {
        problems.add(fields.problem("segments", "an empty list", "at least one segment"));
    }
    segments
}

/// Facts about the person, sorted by name.
fn demographics(fields: &mut Fields, problems: &mut Problems) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for (name, value) in fields
        .object("demographics", problems)
        .map(Fields::rest)
        .unwrap_or_default()
    {
        match value {
            Value::String(text) => facts.push((name, text)),
            Value::Number(number) => facts.push((name, number.to_string())),
            Value::Null => {}
            other => problems.add(fields.problem(
                &format!("demographics.{}", excerpt(&name)),
                describe(&other),
                "text or a number",
            )),
        }
    }
    facts.sort_unstable();
    facts
}
