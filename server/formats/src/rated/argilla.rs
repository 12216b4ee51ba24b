//! Argilla-shaped JSON Lines: answers of several people side by side under names with dots, as the human ratings of MindEval 1
//! are published.

use domain::count::count;
use std::collections::BTreeMap;
use std::io::BufRead;

use domain::annotation::shortest;
use serde_json::Value;

use super::{Rated, Said, deliver};
use crate::{
    Notice, ZeroRule,
    json::{Fields, describe, read_objects},
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
    if items.len() == PUBLISHED.0 {
        for item in items.iter_mut().skip(PUBLISHED.0 - PUBLISHED.1) {
            item.extra
                .insert("in_judge_few_shot".to_owned(), true.into());
        }
    }
    deliver(items, reading)
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
    let mut scores: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
    for name in names {
        let list = |fields: &mut Fields, end: &str| match fields.value(&format!("{name}{end}")) {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        };
        let values = list(&mut fields, ".responses");
        let users = list(&mut fields, USERS);
        let states = list(&mut fields, ".responses.status");
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
            continue;
        }
        for (at, (value, user)) in values.iter().zip(&users).enumerate() {
            let submitted = states.get(at).is_none_or(|state| state == "submitted");
            let Some(user) = user.as_str().filter(|_| submitted) else {
                continue;
            };
            let Some(number) = value.as_f64() else {
                if !matches!(value, Value::Null | Value::String(_)) {
                    reading.problem(fields.problem(
                        &format!("{name}.responses"),
                        describe(value),
                        "a number",
                    ));
                }
                continue;
            };
            if number == 0.0 {
                *zeros += 1;
                match reading.zeros() {
                    ZeroRule::Missing => continue,
                    ZeroRule::Keep => {}
                    ZeroRule::Report => {
                        let field = format!("{name}.responses[{at}]");
                        reading.problem(fields.problem(&field, "0", ZERO));
                        continue;
                    }
                }
            }
            scores
                .entry(name.clone())
                .or_default()
                .push((user.to_owned(), number));
        }
    }
    questions(&mut item, scores, reading);
    Some(item)
}

/// A question called `a+b` in files is the mean of both; any other name stands for itself.
fn questions(
    item: &mut Rated,
    mut scores: BTreeMap<String, Vec<(String, f64)>>,
    reading: &mut Reading<'_>,
) {
    for question in reading.book.questions() {
        let Some(parts) = question.aliases.iter().find(|alias| {
            alias
                .split('+')
                .all(|part| scores.contains_key(part.trim()))
        }) else {
            continue;
        };
        let parts: Vec<Vec<(String, f64)>> = parts
            .split('+')
            .filter_map(|part| scores.remove(part.trim()))
            .collect();
        let first = parts.first().cloned().unwrap_or_default();
        for (user, _) in first {
            let of_user = |part: &Vec<(String, f64)>| {
                part.iter()
                    .find(|(who, _)| *who == user)
                    .map(|(_, score)| *score)
            };
            let values: Option<Vec<f64>> = parts.iter().map(of_user).collect();
            let Some(values) = values else { continue };
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            item.said.push(Said {
                line: item.line,
                column: None,
                who: short(&user),
                judge: false,
                criterion: question.id.clone(),
                value: shortest(mean),
                rationale: String::new(),
                computed: true,
            });
        }
    }
    for (name, values) in scores {
        for (user, value) in values {
            item.says(item.line, &short(&user), false, &name, &shortest(value));
        }
    }
}

/// Argilla names people by long identities: their first part is enough of a name.
fn short(user: &str) -> String {
    let first = user.split('-').next().unwrap_or(user);
    if user.len() == 36 {
        format!("rater {first}")
    } else {
        user.to_owned()
    }
}
