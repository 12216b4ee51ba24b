//! Potato's JSON Lines: one annotated instance a line, labels by schema, spans beside them.

use std::collections::HashMap;
use std::io::BufRead;

use serde_json::Value;

use super::{Rated, annotated::tag, deliver};
use crate::{
    json::{Fields, read_objects},
    read::{Reading, Stop},
};

pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let (mut items, mut at): (Vec<Rated>, HashMap<String, usize>) = Default::default();
    read_objects(input, reading, &mut |mut fields, reading| {
        let line = fields.line;
        let Some(key) = id(&mut fields, reading) else {
            return Ok(());
        };
        let who = ["user", "user_id", "annotator", "username"]
            .into_iter()
            .find_map(|name| fields.words(name, &mut reading.problems))
            .unwrap_or_else(|| "somebody".to_owned());
        let text = ["displayed_text", "text"]
            .into_iter()
            .find_map(|name| fields.words(name, &mut reading.problems))
            .unwrap_or_default();
        let place = *at.entry(key.clone()).or_insert_with(|| {
            let mut item = Rated::at(line, key);
            item.text(&text);
            items.push(item);
            items.len() - 1
        });
        let item = &mut items[place];
        labels(item, line, &who, &mut fields);
        spans(item, line, &who, &text, &mut fields, reading);
        Ok(())
    })?;
    deliver(items, reading)
}

/// Ids may be numbers.
fn id(fields: &mut Fields, reading: &mut Reading<'_>) -> Option<String> {
    let names = ["id", "instance_id"];
    let value = names
        .into_iter()
        .find_map(|name| fields.value(name))
        .unwrap_or_default();
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text),
        Value::Number(number) => Some(number.to_string()),
        other => {
            reading.problem(fields.problem(
                "id",
                crate::json::describe(&other),
                "the instance's id",
            ));
            None
        }
    }
}

/// Labels by schema: what is chosen stands as a name with a value that says yes, or as a name and its own value.
fn labels(item: &mut Rated, line: u64, who: &str, fields: &mut Fields) {
    let Some(Value::Object(schemas)) = fields.value("label_annotations") else {
        return;
    };
    for (schema, chosen) in schemas {
        let Value::Object(chosen) = chosen else {
            continue;
        };
        for (label, value) in chosen {
            let yes = match &value {
                Value::Bool(flag) => *flag,
                Value::Null => false,
                Value::String(text) => !["", "0", "false"].contains(&text.to_lowercase().as_str()),
                _ => true,
            };
            if !yes {
                continue;
            }
            // A slider or a text box has one label and its value beside it.
            let value = match value {
                Value::String(text) if label == "text_box" => text,
                Value::Number(number) if label == "slider" => number.to_string(),
                _ => label,
            };
            item.says(line, who, false, &schema, &value);
        }
    }
}

fn spans(
    item: &mut Rated,
    line: u64,
    who: &str,
    text: &str,
    fields: &mut Fields,
    reading: &mut Reading<'_>,
) {
    let Some(Value::Array(spans)) = fields.value("span_annotations") else {
        return;
    };
    for span in spans {
        let number = |name: &str| span.get(name).and_then(Value::as_u64);
        let label = ["annotation", "label", "name"]
            .into_iter()
            .find_map(|name| span.get(name).and_then(Value::as_str));
        let (Some(bounds), Some(label)) = (number("start").zip(number("end")), label) else {
            continue;
        };
        if let Some(tag) = tag(text, bounds, label, line, reading) {
            item.marked.push((who.to_owned(), tag));
        }
    }
}
