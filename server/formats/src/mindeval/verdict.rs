//! Verdicts of a run's judges. The file only grows: lines of errors and verdicts on earlier inputs stay and do not count.

use domain::count::count;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use domain::scheme::QuestionKind;
use serde_json::{Map, Value};

use crate::{
    Notice, Problem, Tree, answer,
    input::lines::Lines,
    json::describe,
    problem::excerpt,
    read::{Reading, Stop},
    record::{AnswerRecord, JudgeRecord},
};

/// What a judge said of one item.
pub(super) enum Verdict {
    Judged(Vec<AnswerRecord>),
    Failed(String),
}

/// The verdicts of one judge that count, by key.
pub(super) struct Verdicts {
    pub judge: JudgeRecord,
    file: String,
    lines: BTreeMap<String, (u64, Verdict)>,
}

impl Verdicts {
    pub(super) fn take(&mut self, key: &str) -> Option<Verdict> {
        self.lines.remove(key).map(|(_, verdict)| verdict)
    }

    /// Names verdicts on what is not in the run.
    pub(super) fn account(self, reading: &mut Reading<'_>) {
        for (key, (line, _)) in self.lines {
            reading.leave_out(Notice {
                line: Some(line),
                subject: format!("{}: {}", self.file, excerpt(&key)),
                reason: "a verdict on what is not among the finished sessions".to_owned(),
            });
        }
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
        judges.push(Verdicts {
            judge,
            file: name,
            lines,
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

/// The last verdict of each key; an error counts only where no verdict stands. A torn last line is being written.
fn lines(
    tree: &mut dyn Tree,
    name: &str,
    by_reply: bool,
    reading: &mut Reading<'_>,
) -> io::Result<(Found, u64)> {
    let mut lines = Lines::new(tree.open(name)?);
    let (mut all, mut shas): (Found, BTreeMap<String, String>) = Default::default();
    let (mut errors, mut other, mut torn): (u64, u64, Option<Problem>) = (0, 0, None);
    let mut unknown = BTreeSet::new();
    while let Some((number, line)) = lines.next()? {
        if let Some(problem) = torn.take() {
            reading.problem(problem);
        }
        let object = match line.as_deref().map(serde_json::from_str::<Value>) {
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
        if let Some(error) = object.get("_error") {
            errors += 1;
            let kind = error
                .as_str()
                .and_then(|text| text.split(':').next())
                .unwrap_or("error")
                .to_owned();
            all.entry(key).or_insert((number, Verdict::Failed(kind)));
            continue;
        }
        let sha = object
            .get("input_sha")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let before = shas.insert(key.clone(), sha.clone());
        if let Some(before) = before {
            let reason = if before == sha {
                "a verdict that a later line repeats"
            } else {
                "a verdict on an earlier input"
            };
            let line = all.get(&key).map(|(line, _)| *line);
            reading.leave_out(Notice {
                line,
                subject: format!("{name}: {}", excerpt(&key)),
                reason: reason.to_owned(),
            });
        }
        let verdict = Verdict::Judged(answers(object, &key, name, number, &mut unknown, reading));
        all.insert(key, (number, verdict));
    }
    account(name, errors, torn.is_some(), unknown, reading);
    Ok((all, other))
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

/// Fields of a verdict that are no answers.
const ASIDE: [&str; 11] = [
    "key",
    "input_sha",
    "member",
    "episode",
    "turn",
    "usage",
    "answer",
    "reasoning_content",
    "justification",
    "Overall score",
    "Average score",
];

/// The answers of one verdict. A score that the judge's own words do not hold was filled in by its parser, and is missing.
fn answers(
    object: Map<String, Value>,
    key: &str,
    name: &str,
    line: u64,
    unknown: &mut BTreeSet<String>,
    reading: &mut Reading<'_>,
) -> Vec<AnswerRecord> {
    let raw = object
        .get("answer")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let justification = object
        .get("justification")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let (mut answers, mut ticked): (Vec<AnswerRecord>, BTreeMap<String, Vec<String>>) =
        Default::default();
    for (field, value) in object {
        if ASIDE.contains(&field.as_str()) {
            continue;
        }
        if let Some(question) = answer::question(reading.book, &field) {
            let filled_in = raw.as_deref().map(|raw| scored(raw, &field));
            if filled_in == Some(None) {
                reading.leave_out(Notice {
                    line: Some(line),
                    subject: format!("{name}: {}, {}", excerpt(key), excerpt(&field)),
                    reason: format!("{value} stands in the verdict and not in the judge's answer; taken as missing"),
                });
                continue;
            }
            let own = filled_in
                .flatten()
                .filter(|own| value.as_f64() != Some(*own));
            let value = own.map_or(value, Value::from);
            match answer::values(question, &value, reading.zeros()) {
                Ok(values) => answers.push(AnswerRecord {
                    question: question.id.clone(),
                    values,
                    rationale: String::new(),
                }),
                Err(found) => {
                    let problem = Problem::new(line, found, answer::expected(question));
                    reading.problem(problem.field(format!("{name}: {}", excerpt(&field))));
                }
            }
            continue;
        }
        tick(&field, &value, (name, line), &mut ticked, unknown, reading);
    }
    for (id, mut values) in ticked {
        if let Some(question) = reading
            .book
            .questions()
            .iter()
            .find(|question| question.id == id)
        {
            values.sort_by_key(|value| {
                question
                    .levels
                    .iter()
                    .position(|level| level.word() == value)
            });
        }
        answers.push(AnswerRecord {
            question: id,
            values,
            rationale: String::new(),
        });
    }
    answer::in_order(&mut answers, reading.book);
    if let Some(first) = answers.first_mut() {
        first.rationale = justification;
    }
    answers
}

/// A field that is named after a level of a question that takes several.
fn tick(
    field: &str,
    value: &Value,
    (name, line): (&str, u64),
    ticked: &mut BTreeMap<String, Vec<String>>,
    unknown: &mut BTreeSet<String>,
    reading: &mut Reading<'_>,
) {
    let mut multi = reading
        .book
        .questions()
        .iter()
        .filter(|question| question.kind == QuestionKind::Multi);
    let Some((question, level)) =
        multi.find_map(|question| Some((question, question.level(field)?)))
    else {
        unknown.insert(field.to_owned());
        return;
    };
    let set = ticked.entry(question.id.clone()).or_default();
    match value.as_i64().or_else(|| value.as_bool().map(i64::from)) {
        Some(0) => {}
        Some(1) => set.push(level.word().to_owned()),
        _ => {
            let problem = Problem::new(line, describe(value), "0 or 1");
            reading.problem(problem.field(format!("{name}: {}", excerpt(field))));
        }
    }
}

/// The score that stands after a criterion's name in a judge's own words.
fn scored(raw: &str, criterion: &str) -> Option<f64> {
    let at = raw.to_lowercase().rfind(&criterion.to_lowercase())?;
    let rest = raw.get(at + criterion.len()..)?;
    let number: String = rest
        .chars()
        .skip_while(|c| !c.is_ascii_digit() && *c != '\n')
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    number.trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests;
