//! Which line of a file that only grows is in force.
//!
//! A conversation that was made anew is judged anew: its input, and with it `input_sha`, is another, and verdicts on the input before
//! stay in the file. The hash is over the judge's prompt, which a run does not hold, so it cannot be made again here; what can be
//! told is in which order inputs came up, and what is no hash at all.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::{Notice, problem::excerpt, read::Reading};

/// How many digits the hash of an input has.
const DIGITS: usize = 16;

/// The line of a key that counts.
pub(super) enum Current {
    Judged(u64, Map<String, Value>),
    Failed(u64, String),
}

struct Line<T> {
    number: u64,
    sha: String,
    said: T,
}

/// All lines of a file, by key.
#[derive(Default)]
pub(super) struct Met {
    judged: BTreeMap<String, Vec<Line<Map<String, Value>>>>,
    failed: BTreeMap<String, Vec<Line<String>>>,
}

impl Met {
    pub(super) fn judged(
        &mut self,
        key: String,
        number: u64,
        sha: String,
        said: Map<String, Value>,
    ) {
        let lines = self.judged.entry(key).or_default();
        lines.push(Line { number, sha, said });
    }

    pub(super) fn failed(&mut self, key: String, number: u64, sha: String, said: String) {
        let lines = self.failed.entry(key).or_default();
        lines.push(Line { number, sha, said });
    }

    /// What counts, in the order of the file: of each key the last line on the input that came up last. Everything else is named.
    pub(super) fn current(
        mut self,
        name: &str,
        reading: &mut Reading<'_>,
    ) -> Vec<(String, Current)> {
        let hashed = self
            .judged
            .values()
            .flatten()
            .any(|line| is_hash(&line.sha));
        let mut found: Vec<(u64, String, Current)> = Vec::new();
        let mut left: Vec<(u64, String, &str)> = Vec::new();
        let keys: BTreeSet<String> = self
            .judged
            .keys()
            .chain(self.failed.keys())
            .cloned()
            .collect();
        for key in keys {
            let lines = self.judged.remove(&key).unwrap_or_default();
            let errors = self.failed.remove(&key).unwrap_or_default();
            let current = current_of(&lines, hashed);
            let mut kept = None;
            for line in lines {
                if Some(line.number) == current.as_ref().map(|(number, _)| *number) {
                    kept = Some(line);
                    continue;
                }
                let same = current.as_ref().is_some_and(|(_, sha)| *sha == line.sha);
                let reason = if same {
                    "a verdict that a later line repeats"
                } else if current.is_some() {
                    "a verdict on an earlier input"
                } else {
                    "a verdict on an earlier input, and none on the present one"
                };
                left.push((line.number, key.clone(), reason));
            }
            match kept {
                Some(line) => {
                    let later = |error: &&Line<String>| {
                        error.number > line.number
                            && is_hash(&error.sha)
                            && is_hash(&line.sha)
                            && error.sha != line.sha
                    };
                    if let Some(error) = errors.iter().find(later) {
                        let reason = "a failed call on another input than that of the verdict before it, which may be an earlier one";
                        left.push((error.number, key.clone(), reason));
                    }
                    found.push((line.number, key, Current::Judged(line.number, line.said)));
                }
                None => {
                    let first = errors.into_iter().next();
                    found.extend(
                        first.map(|line| {
                            (line.number, key, Current::Failed(line.number, line.said))
                        }),
                    );
                }
            }
        }
        left.sort();
        for (line, key, reason) in left {
            reading.leave_out(Notice {
                line: Some(line),
                subject: format!("{name}: {}", excerpt(&key)),
                reason: reason.to_owned(),
            });
        }
        found.sort_by_key(|(line, ..)| *line);
        found
            .into_iter()
            .map(|(_, key, current)| (key, current))
            .collect()
    }
}

/// The line in force and its input. Among hashes a word that is none can be the hash of no input; a line without one is older than
/// any that has one.
fn current_of<T>(lines: &[Line<T>], hashed: bool) -> Option<(u64, String)> {
    let possible = |line: &&Line<T>| !hashed || line.sha.is_empty() || is_hash(&line.sha);
    let mut inputs: Vec<&str> = Vec::new();
    for line in lines.iter().filter(possible) {
        if !inputs.contains(&line.sha.as_str()) {
            inputs.push(&line.sha);
        }
    }
    let newest = inputs
        .iter()
        .rev()
        .find(|sha| !sha.is_empty())
        .or(inputs.last())?;
    let line = lines.iter().rev().find(|line| line.sha == *newest)?;
    Some((line.number, line.sha.clone()))
}

fn is_hash(sha: &str) -> bool {
    sha.len() == DIGITS && sha.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::{Line, current_of};

    /// The line in force, counted from 1, of lines on these inputs.
    fn current(shas: &[&str]) -> Option<u64> {
        let lines: Vec<Line<()>> = (1..)
            .zip(shas)
            .map(|(number, sha)| Line {
                number,
                sha: (*sha).to_owned(),
                said: (),
            })
            .collect();
        current_of(&lines, shas.iter().any(|sha| super::is_hash(sha))).map(|(number, _)| number)
    }

    const A: &str = "a6cecc1b78e51061";
    const B: &str = "e1988ad9f06c144a";

    #[test]
    fn the_input_that_came_up_last_is_in_force_also_where_an_earlier_one_comes_back() {
        assert_eq!(current(&[A, B]), Some(2));
        assert_eq!(
            current(&[A, B, A]),
            Some(2),
            "a copied line makes no input present"
        );
        assert_eq!(current(&[A, B, B]), Some(3), "the last line on one input");
        assert_eq!(current(&["old", "new"]), Some(2), "a file without hashes");
    }

    #[test]
    fn what_is_no_hash_is_of_no_input_where_others_have_hashes() {
        assert_eq!(current(&[A, "old"]), Some(1));
        assert_eq!(current(&["stale", B]), Some(2));
        assert_eq!(current(&[A, ""]), Some(1), "nothing says on which input");
        assert_eq!(current(&["", ""]), Some(2));
        let lines = [Line {
            number: 1,
            sha: "stale".to_owned(),
            said: (),
        }];
        assert_eq!(
            current_of(&lines, true),
            None,
            "the only verdict is on no input of the run"
        );
    }
}
