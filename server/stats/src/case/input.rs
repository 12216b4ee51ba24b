//! Reading the fields of a case, with the place in every message.

use super::CaseError;
use crate::categories::{Categories, Scale, Value, number};
use crate::ratings::Ratings;
use crate::weights::Weights;
use serde_json::{Map, Value as Json};

/// The case as it came.
pub(super) struct Input(Map<String, Json>);

impl Input {
    pub fn parse(text: &str) -> Result<Self, CaseError> {
        let parsed = serde_json::from_str(text)
            .or_else(|first| serde_json::from_str(&nan_to_null(text)).map_err(|_| first));
        match parsed {
            Ok(Json::Object(fields)) => Ok(Self(fields)),
            Ok(other) => Err(CaseError::new(
                "case",
                format!("expected an object, found {}", kind(&other)),
            )),
            Err(error) => Err(CaseError::new(
                format!("line {}, column {}", error.line(), error.column()),
                describe(&error),
            )),
        }
    }

    /// A field that is there and not null.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub fn text(&self, name: &str) -> Result<String, CaseError> {
        match self.get(name) {
            Some(Json::String(text)) => Ok(text.clone()),
            Some(other) => Err(CaseError::new(
                name,
                format!("expected a string, found {}", kind(other)),
            )),
            None => Err(CaseError::new(name, "missing")),
        }
    }

    pub fn real(&self, name: &str) -> Result<f64, CaseError> {
        self.get(name)
            .ok_or_else(|| CaseError::new(name, "missing"))
            .and_then(|value| as_number(value, name))
    }

    pub fn real_or(&self, name: &str, default: f64) -> Result<f64, CaseError> {
        self.get(name)
            .map_or(Ok(default), |value| as_number(value, name))
    }

    pub fn flag(&self, name: &str) -> Result<bool, CaseError> {
        match self.get(name) {
            None => Ok(false),
            Some(Json::Bool(flag)) => Ok(*flag),
            Some(other) => Err(CaseError::new(
                name,
                format!("expected true or false, found {}", kind(other)),
            )),
        }
    }

    pub fn count(&self, name: &str) -> Result<u64, CaseError> {
        let value = self.real(name)?;
        if value >= 0.0 && value.fract() == 0.0 && value < 9e15 {
            Ok(value as u64)
        } else {
            Err(CaseError::new(
                name,
                format!("expected a whole number from 0, found {value}"),
            ))
        }
    }

    pub fn list(&self, name: &str) -> Result<&[Json], CaseError> {
        match self.get(name) {
            Some(Json::Array(items)) => Ok(items),
            Some(other) => Err(CaseError::new(
                name,
                format!("expected a list, found {}", kind(other)),
            )),
            None => Err(CaseError::new(name, "missing")),
        }
    }

    /// Numbers with gaps.
    pub fn numbers(&self, name: &str) -> Result<Vec<Option<f64>>, CaseError> {
        let cell = |(i, value): (usize, &Json)| {
            if value.is_null() {
                Ok(None)
            } else {
                as_number(value, &format!("{name}, entry {}", i + 1)).map(Some)
            }
        };
        self.list(name)?.iter().enumerate().map(cell).collect()
    }

    pub fn scale(&self) -> Result<Scale, CaseError> {
        match self.get("scale") {
            None => Ok(Scale::Nominal),
            Some(_) => self
                .text("scale")?
                .parse()
                .map_err(|message| CaseError::new("scale", message)),
        }
    }

    /// The matrix, with a column appended when given.
    pub fn ratings(&self, extra: Option<&str>) -> Result<Ratings, CaseError> {
        let missing: Vec<String> = match self.get("missing_tokens") {
            None => Vec::new(),
            Some(_) => self
                .list("missing_tokens")?
                .iter()
                .filter_map(Json::as_str)
                .map(|token| token.trim().to_owned())
                .collect(),
        };
        let mut rows: Vec<Vec<Option<Value>>> = Vec::new();
        for (i, row) in self.list("ratings")?.iter().enumerate() {
            let Json::Array(cells) = row else {
                return Err(CaseError::new(
                    format!("ratings, row {}", i + 1),
                    format!("expected a list, found {}", kind(row)),
                ));
            };
            let cell = |(j, value): (usize, &Json)| {
                as_value(value, &missing).map_err(|found| {
                    CaseError::new(
                        format!("ratings, row {}, column {}", i + 1, j + 1),
                        format!("expected a number, a string or null, found {found}"),
                    )
                })
            };
            rows.push(
                cells
                    .iter()
                    .enumerate()
                    .map(cell)
                    .collect::<Result<_, _>>()?,
            );
            if rows[0].len() != cells.len() {
                let message = format!(
                    "has {} ratings where row 1 has {}",
                    cells.len(),
                    rows[0].len()
                );
                return Err(CaseError::new(format!("ratings, row {}", i + 1), message));
            }
        }
        if let Some(name) = extra {
            let column = self.list(name)?;
            if column.len() != rows.len() {
                return Err(CaseError::new(
                    name,
                    format!("has {} values for {} items", column.len(), rows.len()),
                ));
            }
            for (i, (row, value)) in rows.iter_mut().zip(column).enumerate() {
                row.push(as_value(value, &missing).map_err(|found| {
                    CaseError::new(format!("{name}, entry {}", i + 1), format!("found {found}"))
                })?);
            }
        }
        let categories = self.categories()?;
        Ratings::from_values(categories.as_deref(), &rows)
            .map_err(|error| CaseError::new("ratings", error))
    }

    fn categories(&self) -> Result<Option<Vec<Value>>, CaseError> {
        if self.get("categories").is_none() {
            return Ok(None);
        }
        let entry = |(i, value): (usize, &Json)| match as_value(value, &[]) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(CaseError::new(
                format!("categories, entry {}", i + 1),
                "null is not a category",
            )),
            Err(found) => Err(CaseError::new(
                format!("categories, entry {}", i + 1),
                format!("expected a number or a string, found {found}"),
            )),
        };
        self.list("categories")?
            .iter()
            .enumerate()
            .map(entry)
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Agreement weights; entries are numbers or strings such as `5/6`.
    pub fn weights(&self, categories: &Categories) -> Result<Option<Weights>, CaseError> {
        if self.get("weights").is_none() {
            return Ok(None);
        }
        let mut matrix = Vec::new();
        for (i, row) in self.list("weights")?.iter().enumerate() {
            let Json::Array(cells) = row else {
                return Err(CaseError::new(
                    format!("weights, row {}", i + 1),
                    format!("expected a list, found {}", kind(row)),
                ));
            };
            let cell = |(j, value): (usize, &Json)| {
                as_number(value, &format!("weights, row {}, column {}", i + 1, j + 1))
            };
            matrix.push(
                cells
                    .iter()
                    .enumerate()
                    .map(cell)
                    .collect::<Result<Vec<f64>, _>>()?,
            );
        }
        if matrix.len() != categories.len() {
            return Err(CaseError::new(
                "weights",
                format!("{} rows for {} categories", matrix.len(), categories.len()),
            ));
        }
        Weights::custom(matrix)
            .map(Some)
            .map_err(|error| CaseError(error.to_string()))
    }
}

/// A rating: null for a missing one, the kind of value as error.
pub(super) fn as_value(json: &Json, missing: &[String]) -> Result<Option<Value>, String> {
    match json {
        Json::Null => Ok(None),
        Json::Number(number) => Ok(number.as_f64().map(Value::Number)),
        Json::String(word) if missing.iter().any(|token| token == word.trim()) => Ok(None),
        Json::String(word) => Ok(Some(Value::Word(word.clone()))),
        Json::Bool(flag) => Ok(Some(Value::Word(flag.to_string()))),
        other => Err(kind(other)),
    }
}

/// A number, or a string that spells one or a fraction.
fn as_number(json: &Json, place: &str) -> Result<f64, CaseError> {
    let found = match json {
        Json::Number(number) => number.as_f64(),
        Json::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Json::String(text) => match text.split_once('/') {
            None => number(text),
            Some((above, below)) => number(above)
                .zip(number(below))
                .map(|(above, below)| above / below),
        },
        _ => None,
    };
    found
        .filter(|x| x.is_finite())
        .ok_or_else(|| CaseError::new(place, format!("expected a number, found {}", kind(json))))
}

/// The value for a message, long ones only by their kind.
fn kind(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(_) | Json::Number(_) => json.to_string(),
        Json::String(_) => "a string".to_owned(),
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

/// The parser's message without its position, which stands before it already.
fn describe(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message
        .rsplit_once(" at line ")
        .map_or(message.clone(), |(text, _)| text.to_owned())
}

/// Python writes not-a-number as a bare `NaN`; outside of strings that becomes null.
fn nan_to_null(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut quoted, mut escaped, mut rest) = (false, false, text);
    while let Some(c) = rest.chars().next() {
        if !quoted && rest.starts_with("NaN") {
            out.push_str("null");
            rest = &rest[3..];
            continue;
        }
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = quoted;
        } else if c == '"' {
            quoted = !quoted;
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}
