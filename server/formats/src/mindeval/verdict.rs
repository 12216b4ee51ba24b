//! Verdicts of a run's judges. The file only grows: lines of errors and verdicts on earlier inputs stay and do not count.

mod answers;
mod current;
mod score;
mod summary;

use domain::count::count;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde_json::{Map, Value};

use crate::{
    CodeBook, Notice, Problem, Tree, answer,
    input::lines::Lines,
    json::describe,
    problem::excerpt,
    read::{Reading, Stop},
    record::{AnswerRecord, JudgeRecord},
};
use answers::answers;
use current::{Current, Met};
use summary::Summary;

/// The name of the question that every verdict on a reply answers.
const SEVERITY: &str = "severity";

/// What a judge said of one item.
pub(super) enum Verdict {
    Judged(Vec<AnswerRecord>),
    Failed(String),
}

/// The verdicts of one judge that count, by key.
pub(super) struct Verdicts {
    pub judge: JudgeRecord,
    file: String,
    lines: Found,
    summary: Summary,
}

impl Verdicts {
    /// The verdict on an item of a session, both as the judge names them.
    pub(super) fn take(&mut self, key: &str, session: &str) -> Option<Verdict> {
        let (_, verdict) = self.lines.remove(key)?;
        if let Verdict::Judged(answers) = &verdict {
            self.summary.count(session, answers);
        }
        Some(verdict)
    }

    /// Names verdicts on what is not in the run, and figures that its own summary has otherwise.
    pub(super) fn account(self, reading: &mut Reading<'_>) {
        for (key, (line, _)) in self.lines {
            reading.leave_out(Notice {
                line: Some(line),
                subject: format!("{}: {}", self.file, excerpt(&key)),
                reason: "a verdict on what is not among the finished sessions".to_owned(),
            });
        }
        self.summary.compare(reading);
    }
}

/// The judges of the kind that the scheme asks for: of replies, or of sessions.
pub(super) fn read_all(
    tree: &mut dyn Tree,
    root: &str,
    by_reply: bool,
    reading: &mut Reading<'_>,
) -> Result<Vec<Verdicts>, Stop> {
    let folder = format!("{root}judge/");
    let names: Vec<String> = tree
        .names()
        .iter()
        .filter(|name| name.starts_with(&folder) && name.ends_with("/verdicts.jsonl"))
        .cloned()
        .collect();
    let mut judges = Vec::new();
    for name in names {
        let version = name[folder.len()..]
            .trim_end_matches("/verdicts.jsonl")
            .to_owned();
        let judge = judge(
            tree,
            &name.replace("verdicts.jsonl", "judge.json"),
            &version,
            reading,
        )?;
        let (lines, other) = lines(tree, &name, by_reply, reading)?;
        if lines.is_empty() && other > 0 {
            let what = if by_reply { "sessions" } else { "replies" };
            reading.leave_out(Notice {
                line: None,
                subject: name,
                reason: format!(
                    "{} on {what}, which this scheme does not judge",
                    count(other, "verdict", "verdicts")
                ),
            });
            continue;
        }
        let summary = name.replace("verdicts.jsonl", "summary.json");
        judges.push(Verdicts {
            judge,
            lines,
            summary: Summary::read(tree, summary, by_reply, reading.book)?,
            file: name,
        });
    }
    Ok(judges)
}

fn judge(
    tree: &mut dyn Tree,
    name: &str,
    version: &str,
    reading: &mut Reading<'_>,
) -> io::Result<JudgeRecord> {
    let mut judge = JudgeRecord {
        name: version.to_owned(),
        ..JudgeRecord::unnamed()
    };
    let Some(text) = super::text_of(tree, name)? else {
        return Ok(judge);
    };
    match serde_json::from_str::<Map<String, Value>>(&text) {
        Ok(mut settings) => {
            let mut text = |key: &str| {
                settings
                    .remove(key)
                    .as_ref()
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            };
            judge.model = text("model");
            judge.prompt_version =
                text("prompt_sha256").map(|hash| hash.chars().take(12).collect());
            text("prompt");
            judge.params = Value::Object(settings);
        }
        Err(error) => {
            let problem = Problem::new(
                error.line() as u64,
                "broken JSON",
                "the settings of the judge as JSON",
            );
            reading.problem(problem.field(name.to_owned()));
        }
    }
    Ok(judge)
}

type Found = BTreeMap<String, (u64, Verdict)>;

/// The verdict of each key that counts; an error counts only where no verdict does. A torn last line is being written.
fn lines(
    tree: &mut dyn Tree,
    name: &str,
    by_reply: bool,
    reading: &mut Reading<'_>,
) -> io::Result<(Found, u64)> {
    let mut lines = Lines::new(tree.open(name)?);
    let mut met = Met::default();
    let (mut errors, mut other, mut torn): (u64, u64, Option<Problem>) = (0, 0, None);
    while let Some((number, line)) = lines.next()? {
        if let Some(problem) = torn.take() {
            reading.problem(problem);
        }
        let mut object = match line.as_deref().map(serde_json::from_str::<Value>) {
            Ok(_) if line.as_deref().is_ok_and(|text| text.trim().is_empty()) => continue,
            Ok(Ok(Value::Object(object))) => object,
            Ok(Ok(value)) => {
                let problem =
                    Problem::new(number, describe(&value), "one JSON object on each line");
                reading.problem(problem.field(name.to_owned()));
                continue;
            }
            Ok(Err(_)) => {
                let problem = Problem::new(
                    number,
                    "a line that is no JSON",
                    "one JSON object on each line",
                );
                torn = Some(problem.field(name.to_owned()));
                continue;
            }
            Err(problem) => {
                reading.problem((*problem).clone().field(name.to_owned()));
                continue;
            }
        };
        if object.contains_key("turn") != by_reply {
            other += 1;
            continue;
        }
        let Some(key) = object.get("key").and_then(Value::as_str).map(str::to_owned) else {
            reading.problem(
                Problem::new(number, "nothing", "the key of the verdict")
                    .field(format!("{name}: key")),
            );
            continue;
        };
        let sha = object.get("input_sha").and_then(Value::as_str);
        let sha = sha.unwrap_or_default().to_owned();
        if let Some(error) = failed(&mut object, reading.book) {
            errors += 1;
            met.failed(key, number, sha, error);
        } else {
            met.judged(key, number, sha, object);
        }
    }
    let mut found = Found::new();
    let mut unknown = BTreeSet::new();
    for (key, line) in met.current(name, reading) {
        let verdict = match line {
            Current::Failed(number, kind) => (number, Verdict::Failed(kind)),
            Current::Judged(number, object) => {
                let of = (name, number);
                agree(&object, &key, of, reading);
                if by_reply {
                    must_answer(&object, of, reading);
                }
                let answers = answers(object, &key, name, number, &mut unknown, reading);
                (number, Verdict::Judged(answers))
            }
        };
        found.insert(key, verdict);
    }
    account(name, errors, torn.is_some(), unknown, reading);
    Ok((found, other))
}

/// The kind of the failure that a line tells of. Some programs write an error of nothing beside a verdict, which is none.
fn failed(object: &mut Map<String, Value>, book: &dyn CodeBook) -> Option<String> {
    let error = object.remove("_error")?;
    let said = match &error {
        Value::Null => "",
        Value::String(text) => text.trim(),
        _ => "error",
    };
    let judged = || {
        object
            .keys()
            .any(|field| answer::question(book, field).is_some())
    };
    if said.is_empty() && judged() {
        return None;
    }
    let kind = said.split(':').next().unwrap_or_default();
    Some(if kind.is_empty() { "error" } else { kind }.to_owned())
}

/// The parts of a key stand beside it once more: what they say must be what it says.
fn agree(
    object: &Map<String, Value>,
    key: &str,
    (name, line): (&str, u64),
    reading: &mut Reading<'_>,
) {
    let parts: Vec<&str> = key.split('/').collect();
    for (field, part) in ["member", "episode", "turn"].into_iter().zip(parts) {
        let part = part
            .strip_prefix('t')
            .filter(|_| field == "turn")
            .unwrap_or(part);
        let beside = match object.get(field) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => continue,
        };
        if beside != part {
            let expected = format!("{}, as in the key {}", excerpt(part), excerpt(key));
            let problem = Problem::new(line, excerpt(&beside), expected);
            reading.problem(problem.field(format!("{name}: {field}")));
        }
    }
}

/// A verdict on a reply without its severity is none, and must not pass for one.
fn must_answer(object: &Map<String, Value>, (name, line): (&str, u64), reading: &mut Reading<'_>) {
    let Some(question) = answer::question(reading.book, SEVERITY) else {
        return;
    };
    if !object.keys().any(|field| question.is_called(field)) {
        let problem = Problem::new(line, "nothing", answer::expected(question));
        reading.problem(problem.field(format!("{name}: {SEVERITY}")));
    }
}

/// What of a file of verdicts does not count.
fn account(
    name: &str,
    errors: u64,
    torn: bool,
    unknown: BTreeSet<String>,
    reading: &mut Reading<'_>,
) {
    let mut leave_out = |subject: String, reason: String| {
        reading.leave_out(Notice {
            line: None,
            subject,
            reason,
        });
    };
    if errors > 0 {
        let failed = count(errors, "line of a failed call", "lines of failed calls");
        leave_out(name.to_owned(), failed);
    }
    if torn {
        leave_out(name.to_owned(), "a last line that is not whole".to_owned());
    }
    for field in unknown {
        leave_out(
            format!("{name}: {}", excerpt(&field)),
            "a field that no question of the scheme is called by".to_owned(),
        );
    }
}

#[cfg(test)]
mod tests;
