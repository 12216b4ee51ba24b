//! The published schema and the reader know the same fields.

mod common;

use std::collections::BTreeSet;

use formats::{Format, Problem, ReadError, ReadOptions, validate};
use serde_json::{Map, Value, json};

use common::Book;

const SCHEMA: &str = include_str!("../../../docs/schema/trace.schema.json");

fn problems_of(record: &Value) -> Vec<Problem> {
    let line = record.to_string();
    match validate(
        Format::ConsiliumJsonl,
        line.as_bytes(),
        &Book,
        &ReadOptions::default(),
    ) {
        Err(ReadError::Problems(problems)) => problems.list,
        _ => Vec::new(),
    }
}

/// The objects of a record: where the schema describes each, and where a record holds one.
fn objects() -> [(&'static str, &'static str, &'static str); 9] {
    [
        ("/properties", "", ""),
        ("/$defs/segment/properties", "/segments/0", "segments[0]."),
        ("/$defs/step/properties", "/steps/0", "steps[0]."),
        ("/$defs/judge/properties", "/judge", "judge."),
        (
            "/$defs/candidate/properties",
            "/candidates/0",
            "candidates[0].",
        ),
        (
            "/$defs/span/properties",
            "/candidates/0/spans/0",
            "candidates[0].spans[0].",
        ),
        ("/$defs/rating/properties", "/ratings/0", "ratings[0]."),
        (
            "/$defs/missed/properties",
            "/ratings/1/missed/0",
            "ratings[1].missed[0].",
        ),
        (
            "/$defs/span/properties",
            "/ratings/1/missed/0/span",
            "ratings[1].missed[0].span.",
        ),
    ]
}

/// A record in which every object is there, though empty.
fn skeleton() -> Value {
    json!({"key": "a", "segments": [{"text": "t"}], "steps": [{}], "judge": {}, "candidates": [{"spans": [{}]}], "ratings": [{}, {"missed": [{"span": {}}]}]})
}

#[test]
fn every_field_of_the_schema_is_known_and_no_other() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    for (described, held, path) in objects() {
        let names: BTreeSet<&String> = schema
            .pointer(described)
            .and_then(Value::as_object)
            .map(Map::keys)
            .into_iter()
            .flatten()
            .collect();
        assert!(names.len() > 1, "{described}");
        let mut record = skeleton();
        let object = record
            .pointer_mut(held)
            .and_then(Value::as_object_mut)
            .expect("the skeleton has every object");
        for &name in &names {
            object.entry(name).or_insert(Value::Null);
        }
        object.insert("zeal".to_owned(), Value::Null);
        let unknown: Vec<Problem> = problems_of(&record)
            .into_iter()
            .filter(|problem| problem.found == "a field of this name")
            .collect();
        let [only] = unknown.as_slice() else {
            panic!("{described}: {unknown:?}")
        };
        assert_eq!(only.field, Some(format!("{path}zeal")));
        let listed = only
            .expected
            .split(';')
            .next()
            .unwrap_or_default()
            .replace(" or ", ", ");
        let listed: BTreeSet<String> = listed.split(", ").map(str::to_owned).collect();
        assert_eq!(listed.iter().collect::<BTreeSet<_>>(), names, "{described}");
    }
}

#[test]
fn the_examples_of_the_guide_are_read_without_problems() {
    let guide = include_str!("../../../docs/formats.md");
    let examples: Vec<&str> = guide
        .split("```json\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert_eq!(examples.len(), 2);
    for (example, format) in examples
        .into_iter()
        .zip([Format::ConsiliumJsonl, Format::TaggedTraceJsonl])
    {
        let record: Value = serde_json::from_str(example).expect("an example is JSON");
        let line = record.to_string();
        assert_eq!(formats::sniff(line.as_bytes()), Ok(format));
        let report = validate(format, line.as_bytes(), &Book, &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(report.records, 1);
    }
}
