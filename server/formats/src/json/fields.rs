//! The fields of one object, taken out one after another.

use serde_json::{Map, Value};

use super::describe;
use crate::{Problem, Problems, problem::excerpt};

/// An object of the file; what is taken out of it is known, what remains is not.
pub(crate) struct Fields {
    pub(crate) line: u64,
    path: String,
    map: Map<String, Value>,
}

impl Fields {
    /// A whole record.
    pub(super) fn top(line: u64, map: Map<String, Value>) -> Self {
        Self {
            line,
            path: String::new(),
            map,
        }
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.map.values()
    }

    /// The names of the fields that have not been taken.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.map.keys()
    }

    /// The path of a field from the top of the record.
    pub(crate) fn name(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// A problem with one field.
    pub(crate) fn problem(
        &self,
        key: &str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        Problem::new(self.line, found, expected).field(self.name(key))
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.map.get(key).is_some_and(|value| !value.is_null())
    }

    /// A copy of text that stays where it is.
    pub(crate) fn text_of(&self, key: &str) -> Option<String> {
        self.map.get(key)?.as_str().map(str::to_owned)
    }

    /// The field's value, null as absent.
    pub(crate) fn value(&mut self, key: &str) -> Option<Value> {
        self.map.remove(key).filter(|value| !value.is_null())
    }

    /// Text, if there is any.
    pub(crate) fn text(&mut self, key: &str, problems: &mut Problems) -> Option<String> {
        match self.value(key)? {
            Value::String(text) => Some(text),
            other => {
                problems.add(self.problem(key, describe(&other), "text"));
                None
            }
        }
    }

    /// Text that says something; blank text is absent.
    pub(crate) fn words(&mut self, key: &str, problems: &mut Problems) -> Option<String> {
        self.text(key, problems)
            .filter(|text| !text.trim().is_empty())
    }

    /// Text that must be there.
    pub(crate) fn required(
        &mut self,
        key: &str,
        expected: &str,
        problems: &mut Problems,
    ) -> Option<String> {
        let found = match self.value(key) {
            Some(Value::String(text)) if !text.trim().is_empty() => return Some(text),
            other => describe(&other.unwrap_or_default()),
        };
        problems.add(self.problem(key, found, expected));
        None
    }

    /// A finite number, if there is one.
    pub(crate) fn number(
        &mut self,
        key: &str,
        expected: &str,
        problems: &mut Problems,
    ) -> Option<f64> {
        let value = self.value(key)?;
        let number = value.as_f64();
        if number.is_none() {
            problems.add(self.problem(key, describe(&value), expected));
        }
        number
    }

    /// One text or a list of texts.
    pub(crate) fn texts(&mut self, key: &str, problems: &mut Problems) -> Vec<String> {
        let list = match self.value(key) {
            Some(Value::Array(list)) => list,
            other => other.into_iter().collect(),
        };
        let mut texts = Vec::with_capacity(list.len());
        for value in list {
            match value {
                Value::String(text) => texts.push(text),
                other => {
                    problems.add(self.problem(key, describe(&other), "text or a list of texts"));
                }
            }
        }
        texts
    }

    /// The objects of a list; absent is empty.
    pub(crate) fn objects(&mut self, key: &str, problems: &mut Problems) -> Vec<Self> {
        let list = match self.value(key) {
            None => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(other) => {
                problems.add(self.problem(key, describe(&other), "a list of objects"));
                return Vec::new();
            }
        };
        let mut objects = Vec::with_capacity(list.len());
        for (index, value) in list.into_iter().enumerate() {
            let path = format!("{}[{index}]", self.name(key));
            match value {
                Value::Object(map) => objects.push(Self {
                    line: self.line,
                    path,
                    map,
                }),
                other => {
                    problems
                        .add(Problem::new(self.line, describe(&other), "an object").field(path));
                }
            }
        }
        objects
    }

    /// An object, if there is one.
    pub(crate) fn object(&mut self, key: &str, problems: &mut Problems) -> Option<Self> {
        match self.value(key)? {
            Value::Object(map) => Some(Self {
                line: self.line,
                path: self.name(key),
                map,
            }),
            other => {
                problems.add(self.problem(key, describe(&other), "an object"));
                None
            }
        }
    }

    /// Whatever has not been taken.
    pub(crate) fn rest(self) -> Map<String, Value> {
        self.map
    }

    /// Makes a problem of every field that has not been taken.
    pub(crate) fn refuse_rest(self, known: &str, problems: &mut Problems) {
        for key in self.map.keys() {
            problems.add(self.problem(&excerpt(key), "a field of this name", known));
        }
    }

    /// The fields that `wanted` chooses, written so that equal content is equal text: order and nulls do not count.
    pub(crate) fn canonical(&self, wanted: impl Fn(&str) -> bool) -> String {
        let mut text = String::new();
        write_fields(self.map.iter().filter(|(name, _)| wanted(name)), &mut text);
        text
    }
}

fn write_fields<'v>(fields: impl Iterator<Item = (&'v String, &'v Value)>, text: &mut String) {
    let mut fields: Vec<_> = fields.filter(|(_, value)| !value.is_null()).collect();
    fields.sort_unstable_by_key(|(name, _)| *name);
    text.push('{');
    for (name, value) in fields {
        text.push_str(&Value::from(name.as_str()).to_string());
        write_value(value, text);
    }
    text.push('}');
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => write_fields(map.iter(), text),
        Value::Array(list) => {
            text.push('[');
            for value in list {
                write_value(value, text);
                text.push(',');
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}
