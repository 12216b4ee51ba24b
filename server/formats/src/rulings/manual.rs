//! A published coding manual whose examples carry their final severity, keyed by the number of the candidate.

use std::{collections::HashMap, io::BufRead};

use serde_json::Value;

use super::{Part, RulingKey, RulingRecord, table::Known};
use crate::{
    Column, Problem, Resolved,
    json::{describe, doc::Doc},
    problem::excerpt,
    read::{Reading, Stop},
};

/// Lists that may hold a subcategory's examples.
const EXAMPLES: [&str; 2] = ["examples", "calibration_examples"];

/// Reads the examples of every subcategory. Their place in the manual is their final category.
pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let Some(doc) = Doc::read(input, &mut reading.problems)? else {
        return Ok(());
    };
    let mut manual = Manual {
        places: doc.places(),
        known: Known::default(),
        examples: 0,
    };
    for (at, category) in list(&doc.value, "categories").iter().enumerate() {
        let id = text(category, "id");
        for (below, sub) in list(category, "subcategories").iter().enumerate() {
            let path = format!("categories[{at}].subcategories[{below}]");
            manual.subcategory(&id, sub, &path, reading);
        }
    }
    if manual.examples == 0 && reading.problems.count() == 0 {
        let expected = "examples with order and average_rating below categories and subcategories";
        reading.problem(Problem::new(1, "a manual without examples", expected));
    }
    Ok(())
}

struct Manual {
    places: HashMap<String, (u64, u64)>,
    known: Known,
    examples: u64,
}

impl Manual {
    fn subcategory(&mut self, id: &str, sub: &Value, path: &str, reading: &mut Reading<'_>) {
        let (code, name) = (text(sub, "code"), text(sub, "name"));
        let written = if code.is_empty() {
            format!("{id}.{name}")
        } else {
            code
        };
        let category = reading.book.resolve(&written, None);
        let examples = EXAMPLES.into_iter().flat_map(|key| {
            let each = list(sub, key).iter().enumerate();
            each.map(move |(at, example)| (format!("{path}.{key}[{at}]"), example))
        });
        let mut asked = false;
        for (place, example) in examples {
            self.examples += 1;
            if category.is_none() && !asked {
                let expected = reading.book.codes_expected();
                reading.problem(self.problem(path, "", excerpt(&written), &expected));
                asked = true;
            }
            self.example(example, &place, category.as_ref(), reading);
        }
    }

    fn example(
        &mut self,
        example: &Value,
        path: &str,
        category: Option<&Resolved>,
        reading: &mut Reading<'_>,
    ) {
        let order = match example.get("order") {
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::String(text)) if !text.trim().is_empty() => text.trim().to_owned(),
            other => {
                let found = describe(other.unwrap_or(&Value::Null));
                reading.problem(self.problem(path, "order", found, "the number of a candidate"));
                return;
            }
        };
        let Some(severity) = example.get("average_rating").and_then(Value::as_f64) else {
            let found = describe(example.get("average_rating").unwrap_or(&Value::Null));
            reading.problem(self.problem(path, "average_rating", found, "a number"));
            return;
        };
        let (line, column) = self.places.get(path).copied().unwrap_or((1, 1));
        let mut record = RulingRecord::of(line, RulingKey::Order(order));
        record.severity = Some(severity);
        record.category = category.cloned();
        record.published = true;
        for (part, field) in [(Part::Key, "order"), (Part::Value, "average_rating")] {
            let column = Column::Character(column);
            record.place(part, line, column, format!("{path}.{field}"));
        }
        if category.is_some() {
            self.known.take(record, reading);
        }
    }

    fn problem(&self, path: &str, field: &str, found: String, expected: &str) -> Problem {
        let (line, column) = self.places.get(path).copied().unwrap_or((1, 1));
        let field = if field.is_empty() {
            path.to_owned()
        } else {
            format!("{path}.{field}")
        };
        Problem::new(line, found, expected)
            .field(field)
            .column(Column::Character(column))
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A text or a number as text; empty when there is none.
fn text(value: &Value, key: &str) -> String {
    match value.get(key) {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}
