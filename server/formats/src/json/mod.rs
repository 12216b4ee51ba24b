//! JSON objects taken apart field by field, each problem with the path of its field.

pub(crate) mod doc;
mod fields;

use std::io::BufRead;

use serde_json::{Value, error::Category};

pub(crate) use fields::Fields;

use crate::{
    Column, Problem,
    input::lines::Lines,
    problem::excerpt,
    read::{Reading, Stop},
};

/// Calls `each` with every line that is a JSON object; blank lines are passed over.
pub(crate) fn read_objects(
    input: impl BufRead,
    reading: &mut Reading<'_>,
    each: &mut dyn FnMut(Fields, &mut Reading<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut lines = Lines::new(input);
    // A line break inside a string tears one record in two: the second half is no problem of its own.
    let mut torn = false;
    while let Some((number, line)) = lines.next()? {
        let object = line.and_then(|text| {
            if text.trim().is_empty() {
                Ok(None)
            } else {
                parse(number, text, &mut torn)
            }
        });
        match object {
            Ok(Some(fields)) => each(fields, reading)?,
            Ok(None) => {}
            Err(problem) => reading.problem(problem),
        }
    }
    Ok(())
}

fn parse(line: u64, text: &str, torn: &mut bool) -> Result<Option<Fields>, Problem> {
    let whole = || Problem::new(line, "", "one JSON object on each line");
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => {
            *torn = false;
            let fields = Fields::top(line, map);
            if text.contains("\\u0000") && fields.values().any(has_nul) {
                return Err(Problem::new(
                    line,
                    "a NUL character",
                    "text without NUL characters",
                ));
            }
            Ok(Some(fields))
        }
        Ok(other) => Err(Problem {
            found: describe(&other),
            ..whole()
        }),
        Err(_) if *torn && !text.trim_start().starts_with('{') => Ok(None),
        Err(error) => {
            *torn = error.classify() == Category::Eof;
            Err(broken(line, text, &error))
        }
    }
}

/// What the parser says, in terms of the file.
fn broken(line: u64, text: &str, error: &serde_json::Error) -> Problem {
    if error.classify() == Category::Eof {
        return Problem::new(
            line,
            "a record that stops before it is complete",
            "one whole JSON object on each line; the file may have been cut off",
        )
        .column(Column::Character(text.chars().count() as u64));
    }
    let byte = text.floor_char_boundary(error.column().saturating_sub(1));
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or_default();
    let found = text[byte..].chars().next().map_or_else(
        || "the end of the line".to_owned(),
        |c| excerpt(&format!("{c:?}")),
    );
    Problem::new(line, found, format!("JSON ({reason})"))
        .column(Column::Character(text[..byte].chars().count() as u64 + 1))
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(list) => list.iter().any(has_nul),
        Value::Object(map) => map
            .iter()
            .any(|(name, value)| name.contains('\0') || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A value in words that give no text away.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(_) => "true or false".to_owned(),
        Value::Number(number) => excerpt(&number.to_string()),
        Value::String(text) if text.trim().is_empty() => "empty text".to_owned(),
        Value::String(_) => "text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Problems;

    fn fields(json: &str) -> Fields {
        parse(4, json, &mut false).unwrap().unwrap()
    }

    fn found(problems: &Problems) -> Vec<String> {
        problems.list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_of_the_wrong_kind_are_named_without_their_text() {
        let mut problems = Problems::default();
        let mut object = fields(r#"{"a":"secret","b":3,"c":[{"d":true}],"e":{},"f":["x",1]}"#);
        assert_eq!(object.number("a", "a number", &mut problems), None);
        assert_eq!(object.text("b", &mut problems), None);
        let mut inner = object.objects("c", &mut problems).remove(0);
        assert_eq!(inner.text("d", &mut problems), None);
        assert!(object.objects("e", &mut problems).is_empty());
        assert_eq!(object.texts("f", &mut problems), ["x"]);
        assert_eq!(
            found(&problems),
            [
                "line 4, a: found text; expected a number",
                "line 4, b: found 3; expected text",
                "line 4, c[0].d: found true or false; expected text",
                "line 4, e: found an object; expected a list of objects",
                "line 4, f: found 1; expected text or a list of texts",
            ]
        );
    }

    #[test]
    fn null_is_absent() {
        let mut problems = Problems::default();
        let mut object = fields(r#"{"a":null}"#);
        assert!(!object.has("a"));
        assert_eq!(object.required("a", "a name", &mut problems), None);
        assert_eq!(
            found(&problems),
            ["line 4, a: found nothing; expected a name"]
        );
    }

    #[test]
    fn broken_json_is_placed_in_characters() {
        let problem = parse(2, r#"{"ü": nan}"#, &mut false).err().unwrap();
        assert_eq!(
            problem.to_string(),
            "line 2, column 8: found 'a'; expected JSON (expected ident)"
        );
        let problem = parse(2, "[1]", &mut false).err().unwrap();
        assert_eq!(
            problem.to_string(),
            "line 2: found a list; expected one JSON object on each line"
        );
    }

    #[test]
    fn equal_content_is_equal_text() {
        let canonical = |json| fields(json).canonical(|name| name != "x");
        assert_eq!(
            canonical(r#"{"a":{"c":1,"b":[2]},"x":9,"n":null}"#),
            canonical(r#"{"x":1,"a":{"b":[2],"c":1}}"#)
        );
        assert_ne!(canonical(r#"{"a":[1,[2]]}"#), canonical(r#"{"a":[[1],2]}"#));
        assert_ne!(canonical(r#"{"a":"1"}"#), canonical(r#"{"a":1}"#));
    }

    #[test]
    fn nul_characters_are_refused_wherever_they_hide() {
        assert!(parse(1, r#"{"a":[{"b":"\u0000"}]}"#, &mut false).is_err());
        assert!(parse(1, r#"{"a":"\\u0000"}"#, &mut false).is_ok());
    }
}
