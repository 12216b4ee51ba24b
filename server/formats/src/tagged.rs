//! Tagged-trace JSON Lines: the runs of the stigma study, tags without offsets and traces without keys.

use std::{collections::HashMap, io::BufRead};

use serde_json::{Map, Value};

use crate::{
    Problems, Resolved, Who,
    digest::{Digest, Meeting, Seen, digest, short_hex},
    json::{Fields, read_objects},
    read::{Reading, Stop},
    record::{CandidateRecord, JudgeOutcome, JudgeRecord, SegmentText, TraceRecord},
    verdict,
};

/// Facts about the person, each a field of its own.
const DEMOGRAPHICS: [&str; 3] = ["education", "race", "gender"];

/// What has to be remembered of the lines already read.
#[derive(Default)]
struct Before {
    traces: Seen,
    prompts: HashMap<Digest, u32>,
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

/// The record of one line, unless it has a problem or repeats an earlier one.
fn record(
    mut fields: Fields,
    before: &mut Before,
    reading: &mut Reading<'_>,
) -> Option<TraceRecord> {
    let known_problems = reading.problems.count();
    let content = digest(&[fields.canonical(|_| true)]);
    let problems = &mut reading.problems;
    let asked = fields.text("question", problems).unwrap_or_default();
    let question = fields.words("question_only", problems);
    let trace = fields.required("reasoning", "the text of the trace", problems);
    let mut record = TraceRecord {
        line: fields.line,
        key: String::new(),
        condition: fields.words("condition", problems),
        model: fields.words("model", problems),
        mode: fields.words("mode", problems),
        demographics: demographics(&mut fields, problems),
        vignette: fields.text("vignette", problems).unwrap_or_default(),
        question: question.unwrap_or_else(|| asked.clone()),
        options: fields.texts("options", problems),
        answer: fields.words("answer", problems),
        steps: Vec::new(),
        segments: trace
            .map(|text| SegmentText { label: None, text })
            .into_iter()
            .collect(),
        source_file: fields.words("source_file", problems),
        extra: Map::new(),
        judge: JudgeRecord::unnamed(),
        outcome: JudgeOutcome::Absent,
        candidates: Vec::new(),
        answers: Vec::new(),
        ratings: Vec::new(),
        said: Vec::new(),
    };
    // The key is made of both, so what the file's place says must be known by now.
    let stated = reading.stated();
    record.model = record.model.or_else(|| stated.model.clone());
    record.mode = record.mode.or_else(|| stated.mode.clone());
    if !record.segments.is_empty() {
        record.key = key(&fields, &record, &asked, content, before, reading)?;
    }
    if asked != record.question {
        record.extra.insert("question".to_owned(), asked.into());
    }
    verdict(&mut fields, &mut record, reading);
    record.extra.append(&mut fields.rest());
    (reading.problems.count() == known_problems).then_some(record)
}

fn demographics(fields: &mut Fields, problems: &mut Problems) -> Vec<(String, String)> {
    let facts = DEMOGRAPHICS
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), fields.words(name, problems)?)));
    facts.collect()
}

/// A key made of what was asked and of whom, so that importing again finds the same item; a counter tells apart
/// several traces for one prompt.
fn key(
    fields: &Fields,
    record: &TraceRecord,
    asked: &str,
    content: Digest,
    before: &mut Before,
    reading: &mut Reading<'_>,
) -> Option<String> {
    let [model, mode] =
        [&record.model, &record.mode].map(|text| text.as_deref().unwrap_or_default());
    let prompt = digest(&[&record.vignette, asked, model, mode]);
    let trace = digest(&[&prompt[..], record.trace().as_bytes()]);
    match before.traces.meet(trace, content, record.line) {
        Meeting::Same(first) => {
            reading.identical(record.line, "a trace".to_owned(), first);
            None
        }
        Meeting::Different(first) => {
            reading.problem(fields.problem(
                "tags",
                format!("the trace of line {first} with other fields"),
                "one verdict on each trace",
            ));
            None
        }
        Meeting::New => {
            let count = before.prompts.entry(prompt).or_default();
            *count += 1;
            let name = short_hex(prompt);
            Some(if *count == 1 {
                name
            } else {
                format!("{name}-{count}")
            })
        }
    }
}

/// Fills in what the judge said. A failure is written where the summary would stand, with an empty list of tags.
fn verdict(fields: &mut Fields, record: &mut TraceRecord, reading: &mut Reading<'_>) {
    let summary = fields.words("analysis_summary", &mut reading.problems);
    let judged = fields.has("tags");
    let tags = fields.objects("tags", &mut reading.problems);
    let failure = summary.as_deref().and_then(failure).map(str::to_owned);
    if let Some(kind) = failure {
        if !tags.is_empty() {
            reading.problem(fields.problem(
                "tags",
                format!("tags beside {kind}"),
                "no tags when the judge failed",
            ));
        }
        record
            .extra
            .extend(summary.map(|text| ("analysis_summary".to_owned(), Value::from(text))));
        record.outcome = JudgeOutcome::Failed { kind };
        return;
    }
    if judged {
        record.outcome = JudgeOutcome::Judged { summary };
    }
    let trace = record.trace();
    let mut unknown = Map::new();
    for (index, tag) in tags.into_iter().enumerate() {
        let key = format!("{}_tag_{index}", record.key);
        record
            .candidates
            .extend(candidate(tag, key, &trace, &mut unknown, reading));
    }
    if !unknown.is_empty() {
        record.extra.insert("tags".to_owned(), unknown.into());
    }
}

/// The word in capitals before the message, such as `API_ERROR` or `PARSE_ERROR`.
fn failure(summary: &str) -> Option<&str> {
    let summary = summary.trim_start();
    let end = summary
        .find(|c: char| c != '_' && !c.is_ascii_uppercase())
        .unwrap_or(summary.len());
    Some(&summary[..end]).filter(|word| word.ends_with("_ERROR"))
}

/// One tag; fields that are not ours are kept under its key.
fn candidate(
    mut fields: Fields,
    key: String,
    trace: &str,
    unknown: &mut Map<String, Value>,
    reading: &mut Reading<'_>,
) -> Option<CandidateRecord> {
    let name = fields.words("name", &mut reading.problems);
    let code = fields.required(
        "code",
        &reading.book.codes_expected(),
        &mut reading.problems,
    );
    let resolved = code
        .as_deref()
        .and_then(|code| verdict::resolve(&fields, "code", code, name.as_deref(), reading));
    let severity = verdict::severity(&mut fields, Who::Judge, reading);
    let explanation = fields.words("explanation", &mut reading.problems);
    let evidence = verdict::evidence(&mut fields, reading);
    if evidence.is_empty() {
        reading.problem(fields.problem("evidence", "nothing", "the quoted words"));
    }
    let line = fields.line;
    let rest = fields.rest();
    if !rest.is_empty() {
        unknown.insert(key.clone(), rest.into());
    }
    let Resolved {
        category,
        subcategory,
    } = resolved?;
    let (anchor, spans) = verdict::anchored(trace, &evidence);
    Some(CandidateRecord {
        line,
        key,
        code: code?,
        code_name: name,
        category: Some(category),
        subcategory,
        severity,
        explanation,
        evidence,
        anchor,
        spans,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_a_word_in_capitals_at_the_beginning() {
        assert_eq!(failure("API_ERROR: 429"), Some("API_ERROR"));
        assert_eq!(failure(" PARSE_ERROR"), Some("PARSE_ERROR"));
        assert_eq!(failure("An API_ERROR is mentioned."), None);
        assert_eq!(failure("NO PATTERN."), None);
    }
}
