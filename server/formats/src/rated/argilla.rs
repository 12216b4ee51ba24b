//! Argilla-shaped JSON Lines: answers of several people side by side under names with dots, as the human ratings of MindEval 1
//! are published.

use domain::count::count;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use domain::annotation::shortest;
use domain::scheme::{ItemQuestion, QuestionKind};
use serde_json::Value;

use super::{Rated, deliver};
use crate::{
    Notice, Problem, ZeroRule, answer,
    json::{Fields, describe, read_objects},
    problem::excerpt,
    read::{Reading, Stop},
    record::SegmentText,
};

/// The end of the name that holds the people who answered.
pub(crate) const USERS: &str = ".responses.users";
/// What is expected in place of a 0 that somebody has to decide about.
const ZERO: &str =
    "a value of the scale, or the choice to take every 0 as missing or to keep it (zeros)";
/// How many conversations the published file has, and how many of its last ones are examples in the judge's prompt.
const PUBLISHED: (usize, usize) = (60, 5);
/// How long Argilla's own names of people are.
const LONG_NAME: usize = 36;

pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let mut items = Vec::new();
    let mut zeros = 0;
    read_objects(input, reading, &mut |fields, reading| {
        items.extend(record(fields, reading, &mut zeros));
        Ok(())
    })?;
    let taken = match reading.zeros() {
        ZeroRule::Missing => Some("values of 0, below the scale, taken as missing"),
        ZeroRule::Keep => Some("values of 0, below the scale, kept as numbers"),
        ZeroRule::Report => None,
    };
    if let Some(reason) = taken.filter(|_| zeros > 0) {
        reading.leave_out(Notice {
            line: None,
            subject: zeros.to_string(),
            reason: reason.to_owned(),
        });
    }
    few_shot(&mut items, reading);
    name_people(&mut items);
    deliver(items, reading)
}

/// Marks the examples in the published judge's prompt. The file does not say which they are: its order does, so a file of as many
/// conversations in another order has none that could be told.
fn few_shot(items: &mut [Rated], reading: &mut Reading<'_>) {
    if items.len() != PUBLISHED.0 {
        return;
    }
    let numbers: Option<Vec<u64>> = items.iter().map(|item| number_of(&item.key)).collect();
    let (first, last) = items.split_at_mut(PUBLISHED.0 - PUBLISHED.1);
    let ordered = numbers.is_none_or(|numbers| {
        let (before, after) = numbers.split_at(first.len());
        before.iter().max() < after.iter().min()
    });
    let keys: Vec<String> = last.iter().map(|item| excerpt(&item.key)).collect();
    let reason = if ordered {
        for item in last {
            item.extra
                .insert("in_judge_few_shot".to_owned(), true.into());
        }
        "the last five of sixty conversations, as in the published file: taken for the examples in its judge's prompt, so that no judge is compared on them"
    } else {
        "the last five of sixty conversations, but not by their numbers: not taken for the examples in the published judge's prompt; mark those on the page Judge"
    };
    reading.leave_out(Notice {
        line: None,
        subject: keys.join(", "),
        reason: reason.to_owned(),
    });
}

/// The number at the end of a key.
fn number_of(key: &str) -> Option<u64> {
    let digits = key.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    key[digits..].parse().ok()
}

/// Argilla names people by long identities: the first part is enough of a name where no other person of the file has the same.
fn name_people(items: &mut [Rated]) {
    let said = || items.iter().flat_map(|item| &item.said);
    let mut of_name: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for said in said() {
        of_name
            .entry(first_part(&said.who))
            .or_default()
            .insert(&said.who);
    }
    let names: BTreeMap<String, String> = said()
        .map(|said| {
            let alone = of_name
                .get(first_part(&said.who))
                .is_none_or(|people| people.len() == 1);
            let name = if alone {
                short(&said.who)
            } else {
                long(&said.who)
            };
            (said.who.clone(), name)
        })
        .collect();
    for said in items.iter_mut().flat_map(|item| &mut item.said) {
        if let Some(name) = names.get(&said.who) {
            said.who.clone_from(name);
        }
    }
}

/// What stood there, in full where it is a short text.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| describe(value), excerpt)
}

fn first_part(user: &str) -> &str {
    user.split('-').next().unwrap_or(user)
}

fn short(user: &str) -> String {
    if user.len() == LONG_NAME {
        format!("rater {}", first_part(user))
    } else {
        user.to_owned()
    }
}

fn long(user: &str) -> String {
    if user.len() == LONG_NAME {
        format!("rater {user}")
    } else {
        user.to_owned()
    }
}

fn record(mut fields: Fields, reading: &mut Reading<'_>, zeros: &mut u64) -> Option<Rated> {
    let problems = &mut reading.problems;
    let key = fields.required("id", "the record's id", problems)?;
    let line = fields.line;
    let mut item = Rated::at(line, key);
    item.model = fields.words("model", problems);
    item.vignette = fields.text("member_profile", problems).unwrap_or_default();
    for mut message in fields.objects("messages", problems) {
        let label = message
            .words("role", problems)
            .map(|role| match role.as_str() {
                "assistant" => "Counsellor".to_owned(),
                "user" => "Member".to_owned(),
                _ => role,
            });
        let text = message.words("content", problems);
        item.segments
            .extend(text.map(|text| SegmentText { label, text }));
    }
    if item.segments.is_empty() {
        let text = fields.words("conversation", problems).unwrap_or_default();
        item.text(&text);
    }
    let names: Vec<String> = fields
        .names()
        .filter_map(|name| name.strip_suffix(USERS).map(str::to_owned))
        .collect();
    let mut given: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    for name in names {
        if let Some(answers) = submitted(&name, &mut fields, reading) {
            given.insert(name, answers);
        }
    }
    questions(&mut item, given, reading, zeros);
    Some(item)
}

/// What people handed in under a name; nothing, and a problem, where nobody can say whose a value is.
fn submitted(
    name: &str,
    fields: &mut Fields,
    reading: &mut Reading<'_>,
) -> Option<Vec<(String, Value)>> {
    let mut list = |end: &str| match fields.value(&format!("{name}{end}")) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    let (values, users) = (list(".responses"), list(USERS));
    let states = list(".responses.status");
    if values.len() != users.len() {
        let found = format!(
            "{} of {}",
            count(values.len(), "value", "values"),
            count(users.len(), "person", "people")
        );
        reading.problem(fields.problem(
            &format!("{name}.responses"),
            found,
            "one value of each person",
        ));
        return None;
    }
    let mut said: Vec<(String, Value)> = Vec::new();
    for (at, (value, user)) in values.into_iter().zip(&users).enumerate() {
        let handed_in = states.get(at).is_none_or(|state| state == "submitted");
        let Some(user) = user.as_str().filter(|_| handed_in && !value.is_null()) else {
            continue;
        };
        match said.iter().find(|(who, _)| who == user) {
            None => said.push((user.to_owned(), value)),
            Some((_, before)) if *before == value => {}
            Some((_, before)) => {
                let expected = format!(
                    "one value of each person; this one also gave {}",
                    shown(before)
                );
                let field = format!("{name} of {}", short(user));
                reading.problem(fields.problem(&field, shown(&value), expected));
            }
        }
    }
    Some(said)
}

/// A question called `a+b` in files is the mean of both; any other name stands for itself.
fn questions(
    item: &mut Rated,
    mut given: BTreeMap<String, Vec<(String, Value)>>,
    reading: &mut Reading<'_>,
    zeros: &mut u64,
) {
    for question in reading.book.questions() {
        let parts = question
            .aliases
            .iter()
            .map(|alias| alias.split('+').map(str::trim));
        let Some(parts) = parts
            .filter(|parts| parts.clone().count() > 1)
            .find(|parts| parts.clone().all(|part| given.contains_key(part)))
        else {
            continue;
        };
        let parts: Vec<Vec<(String, f64)>> = parts
            .filter_map(|part| Some((part, given.remove(part)?)))
            .map(|(part, answers)| scores(part, answers, question, item.line, reading, zeros))
            .collect();
        for (user, _) in parts.first().into_iter().flatten() {
            let of_user = |part: &Vec<(String, f64)>| {
                part.iter()
                    .find(|(who, _)| who == user)
                    .map(|(_, score)| *score)
            };
            let values: Option<Vec<f64>> = parts.iter().map(of_user).collect();
            let Some(values) = values else { continue };
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            item.says(item.line, user, false, &question.id, &shortest(mean));
        }
    }
    for (name, answers) in given {
        match answer::question(reading.book, &name) {
            Some(question) if question.kind == QuestionKind::Ordinal => {
                for (user, score) in scores(&name, answers, question, item.line, reading, zeros) {
                    item.says(item.line, &user, false, &question.id, &shortest(score));
                }
            }
            asked => plain(item, &name, answers, asked.is_some(), zeros, reading),
        }
    }
}

/// The scores of one name. Each must be a level of the question's scale: a mean that hides one which is not would say what nobody
/// said. A 0 below the scale is what the caller takes it for.
fn scores(
    name: &str,
    answers: Vec<(String, Value)>,
    question: &ItemQuestion,
    line: u64,
    reading: &mut Reading<'_>,
    zeros: &mut u64,
) -> Vec<(String, f64)> {
    let level = |value: f64| question.levels.iter().any(|level| level.value == value);
    let own = question.is_called(name);
    let mut scores = Vec::new();
    for (user, value) in answers {
        // A score may be written as text; a level's name is a score where the name is the question's own.
        let number = match &value {
            Value::String(text) => text.trim().parse().ok().or_else(|| {
                let named = question.level(text).filter(|_| own);
                named.map(|level| level.value)
            }),
            other => other.as_f64(),
        };
        match number {
            Some(score) if level(score) => scores.push((user, score)),
            Some(0.0) => {
                *zeros += 1;
                match reading.zeros() {
                    ZeroRule::Missing => {}
                    ZeroRule::Keep => scores.push((user, 0.0)),
                    ZeroRule::Report => {
                        let field = format!("{} of {}", excerpt(name), short(&user));
                        reading.problem(Problem::new(line, "0", ZERO).field(field));
                    }
                }
            }
            _ => {
                let words: Vec<String> = question
                    .levels
                    .iter()
                    .map(|level| question.word(level))
                    .collect();
                let expected = format!("one of {}", words.join(", "));
                let problem = Problem::new(line, shown(&value), expected);
                reading.problem(problem.field(format!("{} of {}", excerpt(name), short(&user))));
            }
        }
    }
    scores
}

/// What was answered in other ways than on a scale, and what the scheme does not ask about: of this, texts are passed over.
fn plain(
    item: &mut Rated,
    name: &str,
    answers: Vec<(String, Value)>,
    asked: bool,
    zeros: &mut u64,
    reading: &mut Reading<'_>,
) {
    for (user, value) in answers {
        let several = match value {
            Value::Array(list) => list,
            one => vec![one],
        };
        for value in several {
            let text = match &value {
                Value::String(text) if asked => text.clone(),
                Value::String(_) => continue,
                Value::Number(number) => {
                    if !asked && number.as_f64() == Some(0.0) {
                        *zeros += 1;
                        if reading.zeros() == ZeroRule::Missing {
                            continue;
                        }
                    }
                    number.as_f64().map_or_else(String::new, shortest)
                }
                other => {
                    let problem = Problem::new(item.line, describe(other), "a number or a text");
                    reading.problem(problem.field(format!(
                        "{} of {}",
                        excerpt(name),
                        short(&user)
                    )));
                    continue;
                }
            };
            item.says(item.line, &user, false, name, &text);
        }
    }
}
