//! Sound files of each format, and everything that must come out of them.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read its files has failed"
)]

mod common;

use std::convert::Infallible;

use domain::span::AnchorKind::{Elided, Normalised, Unanchored, Verbatim};
use formats::{
    Format, ReadOptions, ReadReport, read,
    record::{JudgeOutcome, TraceRecord},
    sniff,
};
use serde_json::json;

use common::Book;

const OWN: &[u8] = include_bytes!("sound/own.jsonl");
const TAGGED: &[u8] = include_bytes!("sound/tagged.jsonl");
const DUAL: &[u8] = include_bytes!("sound/dual.csv");

fn read_all(bytes: &[u8], options: &ReadOptions) -> (Vec<TraceRecord>, ReadReport) {
    let mut records = Vec::new();
    let report = read::<Infallible>(
        sniff(bytes).unwrap(),
        bytes,
        &Book,
        options,
        &mut |record| {
            records.push(record);
            Ok(())
        },
    );
    (records, report.unwrap())
}

fn records(bytes: &[u8]) -> Vec<TraceRecord> {
    read_all(bytes, &ReadOptions::default()).0
}

fn notices(report: &ReadReport) -> Vec<String> {
    report
        .left_out
        .iter()
        .map(|notice| format!("{:?} {}: {}", notice.line, notice.subject, notice.reason))
        .collect()
}

fn asking_for(raters: &[&str]) -> ReadOptions {
    ReadOptions {
        raters: Some(raters.iter().map(ToString::to_string).collect()),
        ..ReadOptions::default()
    }
}

fn summary(text: &str) -> JudgeOutcome {
    JudgeOutcome::Judged {
        summary: Some(text.to_owned()),
    }
}

#[test]
fn own_items_keep_every_field() {
    let record = &records(OWN)[0];
    assert_eq!((record.line, record.key.as_str()), (1, "ana-1"));
    assert_eq!(record.mode.as_deref(), Some("scratchpad"));
    assert_eq!(
        record.demographics,
        [
            ("age".to_owned(), "34".to_owned()),
            ("gender".to_owned(), "woman".to_owned())
        ]
    );
    assert_eq!(record.options, ["Yes", "No"]);
    assert_eq!(record.source_file.as_deref(), Some("run-3.jsonl"));
    assert_eq!(record.extra["temperature"], json!(0.2));
    assert_eq!(
        (
            record.judge.name.as_str(),
            record.judge.prompt_version.as_deref()
        ),
        ("judge-a", Some("v4"))
    );
    assert_eq!(record.judge.params, json!({"temperature": 0}));
    assert_eq!(record.outcome, summary("Two mild patterns."));
}

// Fault row 70 (mark2cure #183): one text for the whole trace, segments are ranges in it, offsets run through.
#[test]
fn segments_are_ranges_of_one_text() {
    let record = &records(OWN)[0];
    let trace = record.trace();
    let cut: Vec<&str> = record
        .segment_ranges()
        .iter()
        .map(|range| range.slice(&trace).unwrap())
        .collect();
    let texts: Vec<&str> = record
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    assert_eq!(cut, texts);
    let [(first, _), (second, _)] = &record.candidates[2].spans[..] else {
        panic!("two spans")
    };
    assert_eq!(
        (first.slice(&trace), second.slice(&trace)),
        (Ok("I worry"), Ok("I worry"))
    );
    assert!(first.start() > record.segment_ranges()[0].end() && second.start() > first.end());
}

#[test]
fn own_candidates_are_anchored_by_offset_or_by_quotation() {
    let record = &records(OWN)[0];
    let keys: Vec<&str> = record
        .candidates
        .iter()
        .map(|candidate| candidate.key.as_str())
        .collect();
    assert_eq!(
        keys,
        [
            "ana-1_judge-a_tag_0",
            "ana-1-b",
            "ana-1_judge-a_tag_2",
            "ana-1_judge-a_tag_3"
        ]
    );
    let anchors: Vec<_> = record
        .candidates
        .iter()
        .map(|candidate| candidate.anchor)
        .collect();
    assert_eq!(anchors, [Normalised, Elided, Elided, Unanchored]);
    let quotes = |index: usize| {
        record.candidates[index]
            .spans
            .iter()
            .map(|(_, quote)| quote.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(quotes(0), ["Can she be “relied on”?"]);
    assert_eq!(quotes(1), ["with help", "cope", "less than most"]);
    assert!(quotes(3).is_empty());
    assert_eq!(record.candidates[3].evidence, ["she is dangerous"]);
    let codes: Vec<_> = record
        .candidates
        .iter()
        .map(|c| {
            (
                c.code.as_str(),
                c.category.as_deref(),
                c.subcategory.as_deref(),
                c.severity,
            )
        })
        .collect();
    assert_eq!(
        codes,
        [
            ("4.5", Some("4"), Some("4.5"), Some(2.5)),
            ("6.1", Some("6"), Some("6.1"), Some(3.0)),
            ("4", Some("4"), None, None),
            ("4.1", Some("4"), Some("4.1"), None)
        ]
    );
}

#[test]
fn own_ratings_name_their_candidate_by_key_or_place() {
    let (records, report) = read_all(OWN, &ReadOptions::default());
    let ratings: Vec<_> = records[0]
        .ratings
        .iter()
        .map(|r| {
            (
                r.rater.as_str(),
                r.candidate_key.as_str(),
                r.validity.as_deref(),
                r.severity,
                r.comment.as_str(),
            )
        })
        .collect();
    assert_eq!(
        ratings,
        [
            ("dr-b", "ana-1-b", Some("valid"), Some(3.0), "Fair."),
            ("dr-c", "ana-1_judge-a_tag_0", Some("invalid"), None, ""),
            ("dr-b", "ana-1_judge-a_tag_2", None, None, "Two places?"),
        ]
    );
    assert_eq!(
        (
            report.records,
            report.candidates,
            report.ratings,
            report.identical
        ),
        (4, 4, 3, 1)
    );
    // Fault row 62 (langfuse #12938): a repetition is named and changes nothing.
    assert_eq!(notices(&report), ["Some(3) item ana-1: the same as line 1"]);
    let (records, report) = read_all(OWN, &asking_for(&["dr-c"]));
    assert_eq!((records[0].ratings.len(), report.ratings), (1, 1));
    assert!(notices(&report).contains(
        &"None dr-b: 2 ratings left out; ask for the rater by name to take them".to_owned()
    ));
}

#[test]
fn judged_failed_and_not_judged_are_three_things() {
    let records = records(OWN);
    let outcomes: Vec<_> = records
        .iter()
        .map(|record| {
            (
                record.key.as_str(),
                record.judge.name.as_str(),
                &record.outcome,
            )
        })
        .collect();
    assert_eq!(
        outcomes[1],
        ("ana-1", "judge-b", &JudgeOutcome::Judged { summary: None })
    );
    assert_eq!(
        outcomes[2],
        (
            "ben-1",
            "judge",
            &JudgeOutcome::Failed {
                kind: "PARSE_ERROR".to_owned()
            }
        )
    );
    assert_eq!(outcomes[3], ("ben-2", "judge", &JudgeOutcome::Absent));
    // Byte order mark, CRLF and a blank line change no text and no count.
    assert_eq!(
        (records[3].line, records[3].trace().as_str()),
        (6, " line one\u{2028}line two\u{85} ")
    );
}

#[test]
fn tagged_traces_bring_their_context_and_get_stable_keys() {
    let records = records(TAGGED);
    let record = &records[1];
    assert_eq!(
        record.demographics[2],
        ("gender".to_owned(), "woman".to_owned())
    );
    assert_eq!(
        (record.question.as_str(), record.answer.as_deref()),
        ("Would you work with her?", Some("Yes"))
    );
    assert_eq!(
        (&record.extra["output"], &record.extra["history"]),
        (&json!("B"), &json!(null))
    );
    assert_eq!(
        record.extra["question"],
        json!("Would you work with her?\n- (A): No\n- (B): Yes")
    );
    assert_eq!(
        records[1].key,
        format!("{}-2", records[0].key),
        "the second trace for one prompt"
    );
    assert_eq!(records[0].key.len(), 16);
    let alone = TAGGED.split(|&byte| byte == b'\n').nth(3).unwrap();
    assert_eq!(
        self::records(alone)[0].key,
        records[3].key,
        "the key does not depend on the rest of the file"
    );
}

#[test]
fn tagged_failures_are_missing_and_empty_lists_are_verdicts() {
    let (records, report) = read_all(TAGGED, &ReadOptions::default());
    let outcomes: Vec<_> = records.iter().map(|record| &record.outcome).collect();
    assert_eq!(*outcomes[0], summary("Nothing was found."));
    assert_eq!(
        *outcomes[2],
        JudgeOutcome::Failed {
            kind: "API_ERROR".to_owned()
        }
    );
    assert_eq!(
        records[2].extra["analysis_summary"],
        json!("API_ERROR: 429")
    );
    assert_eq!(*outcomes[3], JudgeOutcome::Absent);
    assert_eq!(notices(&report), ["Some(6) a trace: the same as line 1"]);
}

#[test]
fn tagged_candidates_keep_half_points_and_what_is_not_ours() {
    let records = records(TAGGED);
    let [first, second] = &records[1].candidates[..] else {
        panic!("two tags")
    };
    assert_eq!(
        (first.severity, first.anchor, first.subcategory.as_deref()),
        (Some(2.5), Unanchored, Some("6.1"))
    );
    assert_eq!(
        (second.severity, second.anchor, second.code_name.as_deref()),
        (None, Verbatim, Some("Third-person distancing"))
    );
    assert_eq!(
        records[1].extra["tags"],
        json!({second.key.clone(): {"confidence": 0.4}})
    );
}

#[test]
fn dual_rows_of_one_trace_become_one_record() {
    let (records, report) = read_all(DUAL, &ReadOptions::default());
    assert_eq!(sniff(DUAL), Ok(Format::DualAnnotationCsv));
    assert_eq!(
        (
            report.records,
            report.candidates,
            report.ratings,
            report.identical
        ),
        (2, 3, 4, 1)
    );
    assert_eq!(
        notices(&report),
        [
            "Some(9) candidate 9_tag_0: the same as line 2",
            "None test_annotator: 1 rating left out; ask for the rater by name to take them"
        ]
    );
    let keys: Vec<_> = records
        .iter()
        .map(|record| (record.key.as_str(), record.line, record.candidates.len()))
        .collect();
    assert_eq!(keys, [("9", 2, 2), ("p_1", 5, 1)]);
    assert_eq!(
        (records[0].answer.as_deref(), records[1].answer.as_deref()),
        (Some("Yes"), None)
    );
    assert_eq!(
        (&records[0].outcome, &records[1].outcome),
        (
            &summary("One pattern."),
            &JudgeOutcome::Judged { summary: None }
        )
    );
    assert_eq!(
        records[0].extra["order"],
        json!({"9_tag_0": "1", "9_tag_1": "3"})
    );
}

#[test]
fn dual_evidence_is_anchored_as_well_as_it_can_be() {
    let records = records(DUAL);
    let anchors: Vec<_> = records[0]
        .candidates
        .iter()
        .map(|c| (c.anchor, c.spans[0].1.as_str()))
        .collect();
    assert_eq!(
        anchors,
        [
            (Normalised, "Most people would"),
            (Normalised, "Most people would… not.")
        ]
    );
}

#[test]
fn dual_ratings_and_comments_are_kept_as_written() {
    let ratings = |records: &[TraceRecord]| -> Vec<(String, String, Option<f64>, String)> {
        records
            .iter()
            .flat_map(|r| &r.ratings)
            .map(|r| {
                (
                    r.candidate_key.clone(),
                    r.rater.clone(),
                    r.severity,
                    r.comment.clone(),
                )
            })
            .collect()
    };
    let row = |key: &str, rater: &str, severity, comment: &str| {
        (
            key.to_owned(),
            rater.to_owned(),
            severity,
            comment.to_owned(),
        )
    };
    assert_eq!(
        ratings(&records(DUAL)),
        [
            row(
                "9_tag_0",
                "annotator_1",
                Some(3.0),
                "=unsure,\r\n\"see\" rubric"
            ),
            row("9_tag_0", "annotator_2", Some(2.0), ""),
            row("9_tag_1", "annotator_2", Some(5.0), ""),
            row("p_1_tag_0", "annotator_1", None, "only a comment"),
        ]
    );
    let (asked, _) = read_all(DUAL, &asking_for(&["test_annotator"]));
    assert_eq!(
        ratings(&asked),
        [row("9_tag_0", "test_annotator", Some(4.0), "")]
    );
}
