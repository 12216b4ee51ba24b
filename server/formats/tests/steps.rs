//! Steps beside a trace in one piece.

mod common;

use common::Book;
use formats::record::TraceRecord;
use formats::write::json_line;
use formats::{Format, ReadError, ReadOptions, read};
use serde_json::{Value, json};
use std::convert::Infallible;

fn take(line: &Value) -> Result<TraceRecord, Vec<String>> {
    let (text, mut found) = (line.to_string(), Vec::new());
    let read = read::<Infallible>(
        Format::ConsiliumJsonl,
        text.as_bytes(),
        &Book,
        &ReadOptions::default(),
        &mut |record| {
            found.push(record);
            Ok(())
        },
    );
    match read {
        Ok(_) => Ok(found.remove(0)),
        Err(ReadError::Problems(problems)) => {
            Err(problems.list.iter().map(ToString::to_string).collect())
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn steps_lie_in_a_trace_that_stays_in_one_piece() {
    let steps = json!([{"start": 0, "end": 6, "quote": "🙂 One."}, {"label": "End", "start": 7, "end": 11}]);
    let found = take(&json!({"key": "a", "trace": "🙂 One. Two.", "steps": steps})).unwrap();
    assert_eq!(found.segments.len(), 1, "offsets run through all of it");
    let places: Vec<_> = found
        .steps
        .iter()
        .map(|step| (step.label.as_deref(), step.span.start(), step.span.end()))
        .collect();
    assert_eq!(places, [(None, 0, 6), (Some("End"), 7, 11)]);
    let again = take(&serde_json::from_str(&json_line(&found)).unwrap()).unwrap();
    assert_eq!(again, found, "and go out as they came");
}

#[test]
fn steps_that_cannot_be_are_refused_with_the_reason() {
    let of = |steps: Value| take(&json!({"key": "a", "trace": "🙂 One. Two.", "steps": steps}));
    for (steps, told) in [
        (
            json!([{"start": 0, "end": 6}, {"start": 5, "end": 11}]),
            "steps[1].start: found 5; expected 6 or more, the end of the step before",
        ),
        (
            json!([{"start": 8, "end": 12}]),
            "steps[0].end: found 12, past the end of a trace of 11 code points; expected offsets in code points within the trace",
        ),
        (
            json!([{"start": 8, "end": 12, "quote": "Two."}]),
            "expected offsets in code points, 7..11 here; these count UTF-16 units",
        ),
        (
            json!([{"start": 6, "end": 7}]),
            "steps[0].start: found blanks at 6..7; expected a step with words in it",
        ),
        (json!([]), "steps: found an empty list"),
    ] {
        let problems = of(steps).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains(told), "{problems:?}");
    }
    let beside = take(
        &json!({"key": "a", "segments": [{"text": "One."}], "steps": [{"start": 0, "end": 4}]}),
    );
    assert!(beside.unwrap_err()[0].contains("found steps without a trace"));
}
