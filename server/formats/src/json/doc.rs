//! A file that is one JSON document, with the line of each element of its lists.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use serde_json::Value;

use crate::{Column, Problem, Problems, input::utf8, problem::excerpt};

/// The largest document that is held in memory.
const LARGEST: u64 = 512 << 20;

/// A document.
pub(crate) struct Doc {
    pub value: Value,
    text: String,
}

impl Doc {
    /// Reads the whole input; nothing, and a problem, when it is no JSON.
    pub(crate) fn read(
        mut input: impl BufRead,
        problems: &mut Problems,
    ) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        input.by_ref().take(LARGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST {
            problems.add(Problem::new(
                1,
                "more than 512 MiB in one document",
                "a smaller file",
            ));
            return Ok(None);
        }
        let text = match utf8(&bytes, 1) {
            Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
            Err(problem) => {
                problems.add(problem);
                return Ok(None);
            }
        };
        match serde_json::from_str(&text) {
            Ok(value) => Ok(Some(Self { value, text })),
            Err(error) => {
                let message = error.to_string();
                let reason = message.split(" at line ").next().unwrap_or_default();
                let problem = Problem::new(
                    error.line() as u64,
                    "broken JSON",
                    format!("JSON ({})", excerpt(reason)),
                );
                problems.add(problem.column(Column::Character(error.column() as u64)));
                Ok(None)
            }
        }
    }

    /// Where every object begins, line and character, by its path from the top, such as `list[0].field`.
    pub(crate) fn places(&self) -> HashMap<String, (u64, u64)> {
        let (mut places, mut open) = (HashMap::new(), Vec::<Open>::new());
        let (mut line, mut column, mut name) = (1, 0, String::new());
        let mut characters = self.text.chars();
        while let Some(c) = characters.next() {
            column += 1;
            match c {
                '\n' => (line, column) = (line + 1, 0),
                '"' => {
                    name = string(&mut characters, &mut line);
                    // Line ends inside a string are escaped, so it is as long as what was read of it.
                    column += name.chars().count() as u64 + 1;
                }
                '{' | '[' => {
                    let path = open
                        .last()
                        .map_or_else(String::new, |outer| outer.path(&name));
                    if c == '{' {
                        places.insert(path.clone(), (line, column));
                    }
                    let at = (c == '[').then_some(0);
                    open.push(Open { path, at });
                }
                '}' | ']' => {
                    open.pop();
                }
                ',' => {
                    if let Some(Open { at: Some(at), .. }) = open.last_mut() {
                        *at += 1;
                    }
                }
                _ => {}
            }
        }
        places
    }

    /// The lines on which the elements of a list begin: the list under `key` of the outermost object, or the outermost list.
    pub(crate) fn lines(&self, key: Option<&str>) -> Vec<u64> {
        let target = if key.is_some() { 2 } else { 1 };
        let (mut depth, mut line, mut expects) = (0_u32, 1_u64, false);
        let (mut inside, mut lines) = (false, Vec::new());
        let mut last = String::new();
        let mut characters = self.text.chars();
        while let Some(c) = characters.next() {
            let begins = inside && depth == target && expects && !c.is_whitespace() && c != ']';
            if begins {
                lines.push(line);
                expects = false;
            }
            match c {
                '\n' => line += 1,
                '"' => {
                    let text = string(&mut characters, &mut line);
                    if depth == 1 {
                        last = text;
                    }
                }
                '[' | '{' => {
                    depth += 1;
                    let here = c == '[' && depth == target && key.is_none_or(|key| key == last);
                    if here && !inside {
                        inside = true;
                        expects = true;
                    }
                }
                ']' | '}' => {
                    if depth == target && inside {
                        return lines;
                    }
                    depth = depth.saturating_sub(1);
                }
                ',' if depth == target => expects = true,
                _ => {}
            }
        }
        lines
    }
}

/// An object or list that is not closed yet.
struct Open {
    path: String,
    /// The place of the next element of a list.
    at: Option<usize>,
}

impl Open {
    /// The path of what begins inside, after this name.
    fn path(&self, name: &str) -> String {
        match self.at {
            Some(at) => format!("{}[{at}]", self.path),
            None if self.path.is_empty() => name.to_owned(),
            None => format!("{}.{name}", self.path),
        }
    }
}

/// The rest of a string after its opening mark.
fn string(characters: &mut std::str::Chars<'_>, line: &mut u64) -> String {
    let mut text = String::new();
    while let Some(c) = characters.next() {
        match c {
            '"' => break,
            '\\' => {
                text.push(c);
                text.extend(characters.next());
            }
            c => {
                *line += u64::from(c == '\n');
                text.push(c);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Doc;
    use crate::Problems;

    fn doc(text: &str) -> Doc {
        Doc::read(text.as_bytes(), &mut Problems::default())
            .expect("in memory")
            .expect("JSON")
    }

    #[test]
    fn every_element_has_the_line_it_begins_on() {
        let text = "{\n \"metadata\": {\"items\": [1,\n2]},\n \"items\": [\n  {\"a\": \"[\\\"\"},\n  {\"b\": [1,\n 2]}, 3\n ]\n}";
        assert_eq!(doc(text).lines(Some("items")), [5, 6, 7]);
        assert_eq!(doc("[1,\n\n[2,\n3],\n4]").lines(None), [1, 3, 5]);
        assert_eq!(doc("{\"items\": []}").lines(Some("items")), [0_u64; 0]);
    }

    #[test]
    fn every_object_has_a_place() {
        let text = "{\n \"a\": [\n  {\"b\": {}},\n  3, {\"c\\\"d\": [{}]}\n ]\n}";
        let mut places: Vec<_> = doc(text).places().into_iter().collect();
        places.sort();
        let places: Vec<_> = places
            .iter()
            .map(|(path, at)| (path.as_str(), *at))
            .collect();
        // Line 3 is `  {"b": {}},`, line 4 is `  3, {"c\"d": [{}]}`; characters count from 1.
        let expected = [
            ("", (1, 1)),
            ("a[0]", (3, 3)),
            ("a[0].b", (3, 9)),
            ("a[2]", (4, 6)),
            ("a[2].c\\\"d[0]", (4, 16)),
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn broken_json_is_placed() {
        let mut problems = Problems::default();
        assert!(
            Doc::read("{\n\"a\": }".as_bytes(), &mut problems)
                .expect("in memory")
                .is_none()
        );
        assert_eq!((problems.list[0].line, problems.count()), (2, 1));
    }
}
