//! Label Studio's JSON export: tasks with completed annotations of choices, ratings, numbers, texts and labelled spans.

use std::io::BufRead;

use domain::span::Span;
use serde_json::{Map, Value};

use super::{Rated, annotated::tag, deliver};
use crate::{
    Problem,
    json::{describe, doc::Doc},
    problem::excerpt,
    read::{Reading, Stop},
    record::SegmentText,
};

pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let Some(doc) = Doc::read(input, &mut reading.problems)? else {
        return Ok(());
    };
    let lines = doc.lines(None);
    let mut items = Vec::new();
    for (at, task) in doc.value.as_array().into_iter().flatten().enumerate() {
        let line = lines.get(at).copied().unwrap_or(1);
        match task {
            Value::Object(task) => items.push(item(task, at, line, reading)),
            other => reading
                .problem(Problem::new(line, describe(other), "a task").field(format!("[{at}]"))),
        }
    }
    deliver(items, reading)
}

fn item(task: &Map<String, Value>, at: usize, line: u64, reading: &mut Reading<'_>) -> Rated {
    let data = task.get("data").and_then(Value::as_object);
    let plain = |name: &str| data.and_then(|data| data.get(name)).and_then(Value::as_str);
    let key = plain("key").or_else(|| plain("id")).map(str::to_owned);
    let key = key.unwrap_or_else(|| {
        task.get("id")
            .map_or_else(|| at.to_string(), Value::to_string)
    });
    let mut item = Rated::at(line, key);
    let named = ["trace", "text", "response", "answer"]
        .into_iter()
        .find_map(plain);
    let longest = || {
        data.into_iter()
            .flatten()
            .filter_map(|(_, value)| value.as_str())
            .max_by_key(|text| text.len())
    };
    let text = named.or_else(longest).unwrap_or_default().to_owned();
    if !text.trim().is_empty() {
        item.segments = vec![SegmentText {
            label: None,
            text: text.clone(),
        }];
    }
    plain("vignette")
        .unwrap_or_default()
        .clone_into(&mut item.vignette);
    plain("question")
        .unwrap_or_default()
        .clone_into(&mut item.question);
    item.model = plain("model").map(str::to_owned);
    item.condition = plain("condition").map(str::to_owned);
    let annotations = task.get("annotations").and_then(Value::as_array);
    for (number, annotation) in annotations.into_iter().flatten().enumerate() {
        if annotation.get("was_cancelled").and_then(Value::as_bool) == Some(true) {
            continue;
        }
        let who = person(annotation.get("completed_by"));
        let results = annotation.get("result").and_then(Value::as_array);
        for (place, result) in results.into_iter().flatten().enumerate() {
            let path = format!("[{at}].annotations[{number}].result[{place}].value");
            said(&mut item, &who, (result, &path), &text, reading);
        }
    }
    item
}

/// People are known by number, or by address or name where the export has them.
fn person(by: Option<&Value>) -> String {
    let name = |of: &Map<String, Value>| {
        ["email", "username", "id"]
            .into_iter()
            .find_map(|name| of.get(name).cloned())
    };
    let who = match by {
        Some(Value::Object(of)) => name(of),
        other => other.cloned(),
    };
    match who {
        Some(Value::String(text)) => text.split('@').next().unwrap_or_default().to_owned(),
        Some(Value::Number(number)) => format!("user {number}"),
        _ => "somebody".to_owned(),
    }
}

fn said(
    item: &mut Rated,
    who: &str,
    (result, path): (&Value, &str),
    text: &str,
    reading: &mut Reading<'_>,
) {
    let criterion = result
        .get("from_name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let Some(value) = result.get("value").and_then(Value::as_object) else {
        return;
    };
    let line = item.line;
    if let Some(labels) = value.get("labels").and_then(Value::as_array) {
        let bound = |name: &str| value.get(name).and_then(Value::as_u64);
        let Some((start, end)) = bound("start").zip(bound("end")) else {
            return;
        };
        let words = value.get("text").and_then(Value::as_str);
        let bounds = match placed(text, (start, end), words) {
            Ok(bounds) => bounds,
            Err(expected) => {
                let found = match words {
                    Some(words) => format!("{start} to {end} for {}", excerpt(words)),
                    None => format!("{start} to {end}"),
                };
                reading.problem(Problem::new(line, found, expected).field(path));
                return;
            }
        };
        for label in labels.iter().filter_map(Value::as_str) {
            if let Some(tag) = tag(text, bounds, label, line, reading) {
                item.marked.push((who.to_owned(), tag));
            }
        }
        return;
    }
    for kind in ["choices", "text", "rating", "number", "taxonomy"] {
        let values = match value.get(kind) {
            Some(Value::Array(list)) => list.iter().filter_map(plain).collect(),
            Some(other) => plain(other).into_iter().collect::<Vec<_>>(),
            None => continue,
        };
        for value in values {
            item.says(line, who, false, criterion, &value);
        }
    }
}

/// The span in code points. Label Studio has counted those and UTF-16 units, and writes down the words that were marked: they decide.
fn placed(text: &str, (start, end): (u64, u64), words: Option<&str>) -> Result<(u64, u64), String> {
    let bounds = u32::try_from(start).ok().zip(u32::try_from(end).ok());
    let points = bounds.and_then(|(start, end)| Span::new(start, end).ok());
    let units = bounds.and_then(|(start, end)| Span::from_utf16(text, start..end).ok());
    let mut inside = [points, units]
        .into_iter()
        .flatten()
        .filter_map(|span| Some((span, span.slice(text).ok()?)))
        .peekable();
    if inside.peek().is_none() {
        let length = text.chars().count();
        return Err(format!(
            "offsets within the text, which has {length} characters"
        ));
    }
    let same = |(_, found): &(Span, &str)| words.is_none_or(|words| flat(found) == flat(words));
    match inside.find(same) {
        Some((span, _)) => Ok((span.start().into(), span.end().into())),
        None => Err("offsets of these words, in characters or UTF-16 units".to_owned()),
    }
}

/// White space does not count, also where its signs are written out.
fn flat(words: &str) -> String {
    let plain = words.replace("\\n", " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(path) => path.last().and_then(plain),
        _ => None,
    }
}
