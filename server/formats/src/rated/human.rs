//! Clinicians' severities of the replies in windows of MindEval 2 conversations: one JSON document with `items`.

use std::collections::HashMap;
use std::io::BufRead;

use serde_json::{Map, Value};

use super::{Rated, deliver};
use crate::{
    Notice, Problem,
    json::{describe, doc::Doc},
    read::{Reading, Stop},
};

pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let Some(doc) = Doc::read(input, &mut reading.problems)? else {
        return Ok(());
    };
    let (lines, places) = (doc.lines(Some("items")), doc.places());
    let list = doc.value.get("items").and_then(Value::as_array);
    let mut items = Vec::new();
    for (at, item) in list.into_iter().flatten().enumerate() {
        let line = lines.get(at).copied().unwrap_or(1);
        let path = format!("items[{at}]");
        match item {
            Value::Object(item) => items.extend(window(item, line, &path, &places, reading)),
            other => reading.problem(Problem::new(line, describe(other), "an object").field(path)),
        }
    }
    reading.leave_out(Notice {
        line: None,
        subject: "rating, form_issues, content_issues".to_owned(),
        reason: "they are about the simulated member, not about the counsellor's reply".to_owned(),
    });
    deliver(items, reading)
}

fn text<'a>(of: &'a Map<String, Value>, name: &str) -> &'a str {
    of.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The replies of one window, each with what came before it.
fn window(
    item: &Map<String, Value>,
    line: u64,
    path: &str,
    places: &HashMap<String, (u64, u64)>,
    reading: &mut Reading<'_>,
) -> Vec<Rated> {
    let id = text(item, "item_id");
    if id.is_empty() {
        reading.problem(
            Problem::new(line, "nothing", "the item's id").field(format!("{path}.item_id")),
        );
        return Vec::new();
    }
    let mut replies = replies(item, id, line);
    let ratings = item.get("ratings").and_then(Value::as_array);
    for (at, rating) in ratings.into_iter().flatten().enumerate() {
        let path = format!("{path}.ratings[{at}]");
        let line = places.get(&path).map_or(line, |(line, _)| *line);
        let Value::Object(rating) = rating else {
            reading.problem(Problem::new(line, describe(rating), "an object").field(path));
            continue;
        };
        let turn = rating.get("turn").cloned().unwrap_or_default();
        let Some((_, reply)) = replies.iter_mut().find(|(number, _)| *number == turn) else {
            let found = describe(&turn);
            reading.problem(
                Problem::new(line, found, "a turn of this item").field(format!("{path}.turn")),
            );
            continue;
        };
        one_rating(rating, reply, line, &path, reading);
    }
    let rated = replies.into_iter().map(|(_, rated)| rated);
    rated
        .filter(|rated| !rated.segments.is_empty() && !rated.said.is_empty())
        .collect()
}

/// The replies of a window by their turns, without what anybody said of them.
fn replies(item: &Map<String, Value>, id: &str, line: u64) -> Vec<(Value, Rated)> {
    let turns = item.get("turns").and_then(Value::as_array);
    let mut so_far = String::new();
    let mut replies: Vec<(Value, Rated)> = Vec::new();
    for turn in turns.into_iter().flatten().filter_map(Value::as_object) {
        let number = turn.get("turn").cloned().unwrap_or_default();
        let reply = text(turn, "counsellor");
        let mut rated = Rated::at(line, format!("{id}/t{number}"));
        rated.text(reply);
        rated.vignette.clone_from(&so_far);
        rated.model =
            Some(text(item, "counsellor_model").to_owned()).filter(|name| !name.is_empty());
        rated.facts = [
            ("session", text(item, "conversation_id")),
            ("system", text(item, "system")),
        ]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
        replies.push((number, rated));
        for (who, said) in [("Counsellor", reply), ("Member", text(turn, "member"))] {
            if !said.is_empty() {
                so_far = format!(
                    "{so_far}{}{who}: {said}",
                    if so_far.is_empty() { "" } else { "\n\n" }
                );
            }
        }
    }
    replies
}

/// What one person said of a reply.
fn one_rating(
    rating: &Map<String, Value>,
    reply: &mut Rated,
    line: u64,
    path: &str,
    reading: &mut Reading<'_>,
) {
    let who = text(rating, "annotator");
    if who.is_empty() {
        reading
            .problem(Problem::new(line, "nothing", "who rated").field(format!("{path}.annotator")));
        return;
    }
    let field = |ends: [&'static str; 2]| {
        let given = ends
            .into_iter()
            .find_map(|name| Some((name, rating.get(name)?)));
        given.filter(|(_, value)| !value.is_null())
    };
    let severity = match field(["counsellor_severity", "counselor_severity"]) {
        Some((_, Value::String(word))) if !word.trim().is_empty() => word.as_str(),
        None | Some((_, Value::String(_))) => return,
        Some((name, other)) => {
            let problem = Problem::new(line, describe(other), "a severity as text");
            reading.problem(problem.field(format!("{path}.{name}")));
            return;
        }
    };
    reply.says(line, who, false, "counsellor_severity", severity);
    let issues: Vec<&str> = match field(["counsellor_issues", "counselor_issues"]) {
        None => Vec::new(),
        Some((_, Value::String(text))) => text
            .split([',', ';'])
            .map(str::trim)
            .filter(|issue| !issue.is_empty())
            .collect(),
        Some((name, Value::Array(list))) => {
            let mut issues = Vec::new();
            for (at, issue) in list.iter().enumerate() {
                match issue.as_str() {
                    Some(issue) => issues.push(issue),
                    None => {
                        let problem = Problem::new(line, describe(issue), "an issue as text");
                        reading.problem(problem.field(format!("{path}.{name}[{at}]")));
                    }
                }
            }
            issues
        }
        Some((name, other)) => {
            let expected = "a list of issues, or a text with commas between them";
            let problem = Problem::new(line, describe(other), expected);
            reading.problem(problem.field(format!("{path}.{name}")));
            return;
        }
    };
    if issues.is_empty() {
        reply.says(line, who, false, "counsellor_issues", "");
    }
    for issue in issues {
        reply.says(line, who, false, "counsellor_issues", issue);
    }
}
