//! What was read can be written as our own JSON Lines and read again without loss.

mod common;

use std::convert::Infallible;

use domain::span::{AnchorKind, Span};
use formats::{
    ReadOptions, read,
    record::{
        CandidateRecord, ItemRatingRecord, JudgeOutcome, JudgeRecord, MissedRecord, RatingRecord,
        SegmentText, TraceRecord,
    },
    sniff,
    write::json_line,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use common::Book;

fn records(bytes: &[u8]) -> Vec<TraceRecord> {
    let mut records = Vec::new();
    let format = sniff(bytes).unwrap_or_else(|problem| panic!("{problem}"));
    let end = read::<Infallible>(
        format,
        bytes,
        &Book,
        &ReadOptions::default(),
        &mut |record| {
            records.push(record);
            Ok(())
        },
    );
    assert!(end.is_ok(), "{end:?}");
    records
}

/// Written and read again; every record then stands on a line of its own.
fn again(records: &[TraceRecord]) -> Vec<TraceRecord> {
    let lines: Vec<String> = records.iter().map(json_line).collect();
    self::records(lines.join("\n").as_bytes())
}

/// The record with the line number that it gets by being written.
fn on_line(mut record: TraceRecord, line: u64) -> TraceRecord {
    record.line = line;
    record
        .candidates
        .iter_mut()
        .for_each(|candidate| candidate.line = line);
    record
        .ratings
        .iter_mut()
        .for_each(|rating| rating.line = line);
    record.demographics.sort();
    record
}

fn numbered(records: Vec<TraceRecord>) -> Vec<TraceRecord> {
    (1..)
        .zip(records)
        .map(|(line, record)| on_line(record, line))
        .collect()
}

// Fault row 64 (doccano #1821): what comes out goes in again, whichever format it came from.
#[test]
fn records_of_every_format_survive_our_own() {
    for bytes in [
        &include_bytes!("sound/own.jsonl")[..],
        include_bytes!("sound/tagged.jsonl"),
        include_bytes!("sound/dual.csv"),
    ] {
        let first = records(bytes);
        let second = again(&first);
        assert_eq!(second, numbered(first));
        assert_eq!(again(&second), second);
    }
}

fn words() -> impl Strategy<Value = String> {
    "[a-z🙂“\"\\\\]{1,4}[ \n\u{2028}\ta-zé']{0,8}"
}

fn maybe_words() -> impl Strategy<Value = Option<String>> {
    prop::option::of(words())
}

fn segments() -> impl Strategy<Value = Vec<SegmentText>> {
    prop::collection::vec(
        (prop::option::of(words()), words()).prop_map(|(label, text)| SegmentText { label, text }),
        1..4,
    )
}

/// A candidate whose only span begins at the first code point of the trace, which is never white space.
fn candidate(
    key: usize,
    trace: &str,
    length: usize,
    severity: Option<u32>,
    texts: [Option<String>; 2],
) -> CandidateRecord {
    let quote: String = trace.chars().take(length).collect();
    let span = Span::new(0, quote.chars().count() as u32).unwrap_or_else(|error| panic!("{error}"));
    let [code_name, explanation] = texts;
    CandidateRecord {
        line: 1,
        key: format!("c{key}"),
        code: "F5".to_owned(),
        code_name,
        category: Some("4".to_owned()),
        subcategory: Some("4.5".to_owned()),
        severity: severity.map(|halves| f64::from(halves) / 2.0),
        explanation,
        evidence: vec![quote.clone()],
        anchor: AnchorKind::Normalised,
        spans: vec![(span, quote)],
    }
}

fn rating(rater: usize, candidate: usize, severity: u32, comment: String) -> RatingRecord {
    RatingRecord {
        line: 1,
        rater: format!("r{rater}"),
        candidate_key: format!("c{candidate}"),
        validity: (severity == 1).then(|| "invalid".to_owned()),
        severity: Some(f64::from(severity)),
        better: if severity > 3 {
            vec!["4.1".to_owned(), "6".to_owned()]
        } else {
            Vec::new()
        },
        discuss: severity.is_multiple_of(2),
        comment,
    }
}

/// What a rater who rated no candidate says of the item: a missed tag on the last code points of the trace, none, a number,
/// or why it cannot be rated.
fn said(kind: usize, trace: &str, comment: String) -> ItemRatingRecord {
    let length = trace.chars().count() as u32;
    let quote: String = trace.chars().last().into_iter().collect();
    let span = Span::new(length - 1, length).ok().map(|span| (span, quote));
    let tag = |span| MissedRecord {
        code: "6.1".to_owned(),
        severity: Some(2.0),
        span,
        comment: comment.clone(),
    };
    let visible = span.filter(|(_, quote)| !quote.trim().is_empty());
    ItemRatingRecord {
        line: 1,
        rater: format!("s{kind}"),
        answers: Vec::new(),
        missed: match kind {
            0 => vec![tag(visible), tag(None)],
            _ => Vec::new(),
        },
        nothing_missed: kind == 1,
        missed_count: (kind == 2).then_some(0),
        not_ratable: (kind == 3).then(|| "known_case".to_owned()),
        comment,
    }
}

/// An item that was judged, without candidates yet.
fn item(key: String, segments: Vec<SegmentText>, texts: [Option<String>; 5]) -> TraceRecord {
    let [condition, model, mode, answer, source_file] = texts;
    TraceRecord {
        line: 1,
        key,
        condition,
        model,
        mode,
        demographics: vec![
            ("age".to_owned(), "34".to_owned()),
            ("gender".to_owned(), "woman".to_owned()),
        ],
        vignette: "Ana sleeps badly.\n".to_owned(),
        question: String::new(),
        options: vec!["Yes".to_owned(), "No".to_owned()],
        answer,
        segments,
        steps: Vec::new(),
        source_file,
        extra: Map::from_iter([("note".to_owned(), json!({"a": [1, 2.5, null]}))]),
        judge: JudgeRecord {
            name: "j".to_owned(),
            model: None,
            prompt_version: Some("2".to_owned()),
            params: Value::Null,
        },
        outcome: JudgeOutcome::Judged { summary: None },
        candidates: Vec::new(),
        answers: Vec::new(),
        ratings: Vec::new(),
        said: Vec::new(),
    }
}

fn record() -> impl Strategy<Value = TraceRecord> {
    let texts = [
        maybe_words(),
        maybe_words(),
        maybe_words(),
        maybe_words(),
        maybe_words(),
    ];
    let candidates = prop::collection::vec(
        (
            1..6usize,
            prop::option::of(2..=10u32),
            [maybe_words(), maybe_words()],
        ),
        0..4,
    );
    let ratings = prop::collection::vec((1..=5u32, "[a-z =\n\"]{0,6}"), 0..4);
    (words(), segments(), texts, candidates, ratings).prop_map(
        |(key, segments, texts, candidates, ratings)| {
            let mut record = item(key, segments, texts);
            let trace = record.trace();
            let built = candidates.into_iter().enumerate();
            record.candidates = built
                .map(|(key, (length, severity, texts))| {
                    candidate(key, &trace, length, severity, texts)
                })
                .collect();
            if !record.candidates.is_empty() {
                let built = ratings.into_iter().enumerate();
                record.ratings = built
                    .map(|(rater, (severity, comment))| rating(rater, 0, severity, comment))
                    .collect();
            }
            record.said = (0..5)
                .map(|kind| said(kind, &trace, "=why?".to_owned()))
                .collect();
            record
        },
    )
}

proptest! {
    #[test]
    fn any_record_survives(record in record()) {
        prop_assert_eq!(again(std::slice::from_ref(&record)), vec![record]);
    }
}
