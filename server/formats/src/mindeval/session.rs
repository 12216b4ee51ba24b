//! One session of a run: turns in which the counsellor speaks first and the member answers, and a last line about the whole.

use std::io;

use serde_json::{Map, Value};

use super::run::Counsellor;
use crate::{
    Notice, Problem, Tree,
    input::lines::Lines,
    json::describe,
    problem::excerpt,
    read::{Reading, Stop},
};

/// How a session ends that is to be judged.
const KNOWN_ENDS: [&str; 2] = ["max_turns", "member_terminated"];

/// A session that is over.
pub(super) struct Session {
    pub line: u64,
    pub member: String,
    pub episode: String,
    pub turns: Vec<Turn>,
    pub termination: String,
    pub memory: String,
    pub situation: Value,
    pub counsellor: Counsellor,
}

impl Session {
    /// Member and session, as verdicts name them.
    pub(super) fn key(&self) -> String {
        format!("{}/{}", self.member, self.episode)
    }

    /// The same with whose session it was, so that those of several counsellors stay apart.
    pub(super) fn name(&self) -> String {
        format!("{}{}", self.counsellor.prefix, self.key())
    }
}

/// One turn.
pub(super) struct Turn {
    pub line: u64,
    pub number: u64,
    /// Nothing at the member's opening.
    pub reply: Option<Reply>,
    pub member: String,
}

/// What the counsellor said.
pub(super) struct Reply {
    pub text: String,
    pub reasoning: Option<String>,
}

/// Reads a session; nothing, and a notice, when it is not to be judged.
pub(super) fn read(
    tree: &mut dyn Tree,
    name: &str,
    member: &str,
    episode: &str,
    reading: &mut Reading<'_>,
) -> Result<Option<Session>, Stop> {
    let (turns, last) = lines(tree, name, reading)?;
    let leave_out = |reading: &mut Reading<'_>, reason: &str| {
        reading.leave_out(Notice {
            line: None,
            subject: format!("{member}/{episode}"),
            reason: reason.to_owned(),
        });
        Ok(None)
    };
    let Some((line, last)) = last else {
        return leave_out(reading, "the session is not finished");
    };
    let termination = last
        .get("termination")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    if termination == "error" {
        return leave_out(
            reading,
            "the session ended in an error and is not to be judged",
        );
    }
    if !KNOWN_ENDS.contains(&termination.as_str()) {
        let how = if termination.is_empty() {
            "it is not said how the session ended".to_owned()
        } else {
            format!(
                "the session ended as {}, which is not known",
                excerpt(&termination)
            )
        };
        reading.leave_out(Notice {
            line: Some(line),
            subject: name.to_owned(),
            reason: how + "; taken as finished",
        });
    }
    for turn in turns
        .iter()
        .filter(|turn| turn.number > 0 && turn.reply.is_none())
    {
        reading.leave_out(Notice {
            line: Some(turn.line),
            subject: format!("{member}/{episode}/t{}", turn.number),
            reason: "the counsellor said nothing: there is no reply to judge".to_owned(),
        });
    }
    let session = Session {
        line,
        member: member.to_owned(),
        episode: episode.to_owned(),
        turns,
        termination,
        memory: String::new(),
        situation: Value::Null,
        counsellor: Counsellor::default(),
    };
    compare(&session, &last, name, reading);
    Ok(Some(session))
}

/// The turns and the last line. A torn line at the end is a session that was being written.
fn lines(
    tree: &mut dyn Tree,
    name: &str,
    reading: &mut Reading<'_>,
) -> io::Result<(Vec<Turn>, Option<(u64, Map<String, Value>)>)> {
    let mut lines = Lines::new(tree.open(name)?);
    let (mut turns, mut last, mut torn): (Vec<Turn>, _, Option<Problem>) = (Vec::new(), None, None);
    while let Some((number, line)) = lines.next()? {
        if let Some(problem) = torn.take() {
            reading.problem(problem);
        }
        let text = match line {
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => text,
            Err(problem) => {
                reading.problem(problem.field(name.to_owned()));
                continue;
            }
        };
        let object = match serde_json::from_str(text) {
            Ok(Value::Object(object)) => object,
            Ok(other) => {
                reading.problem(
                    Problem::new(number, describe(&other), "one JSON object on each line")
                        .field(name.to_owned()),
                );
                continue;
            }
            Err(_) => {
                let found = "a line that is no JSON";
                torn = Some(
                    Problem::new(number, found, "one JSON object on each line")
                        .field(name.to_owned()),
                );
                continue;
            }
        };
        match object.get("type").and_then(Value::as_str) {
            Some("turn") => {
                let found = turn(&object, number, name, reading);
                let again = |found: &Turn| turns.iter().find(|turn| turn.number == found.number);
                if let Some(first) = found.as_ref().and_then(again) {
                    let expected = format!("every turn once; line {} has it already", first.line);
                    let text = object
                        .get("turn")
                        .map_or_else(String::new, Value::to_string);
                    let problem = Problem::new(number, format!("turn {text} again"), expected);
                    reading.problem(problem.field(name.to_owned()));
                } else {
                    turns.extend(found);
                }
            }
            Some("session") => {
                if let Some((first, _)) = &last {
                    let expected = format!("one session in a file; line {first} ends it already");
                    let problem = Problem::new(number, "the end of a second session", expected);
                    reading.problem(problem.field(name.to_owned()));
                }
                last = Some((number, object));
            }
            _ => {}
        }
    }
    Ok((turns, last.filter(|_| torn.is_none())))
}

fn turn(
    object: &Map<String, Value>,
    line: u64,
    name: &str,
    reading: &mut Reading<'_>,
) -> Option<Turn> {
    let Some(number) = object.get("turn").and_then(Value::as_u64) else {
        let found = describe(object.get("turn").unwrap_or(&Value::Null));
        reading.problem(
            Problem::new(line, found, "the number of the turn").field(format!("{name}: turn")),
        );
        return None;
    };
    let text = |key: &str| {
        object
            .get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned)
    };
    let reasoning = object
        .get("meta")
        .and_then(|meta| meta.get("counselor"))
        .and_then(|of| of.get("reasoning_content"));
    let reasoning = reasoning.and_then(Value::as_str).map(str::to_owned);
    Some(Turn {
        line,
        number,
        reply: text("counselor_utterance").map(|text| Reply { text, reasoning }),
        member: text("utterance").unwrap_or_default(),
    })
}

/// `member_messages` has its roles turned round: the counsellor is its user. What it says must be what the turns say.
fn compare(session: &Session, last: &Map<String, Value>, name: &str, reading: &mut Reading<'_>) {
    let Some(messages) = last.get("member_messages").and_then(Value::as_array) else {
        return;
    };
    let counsellor = messages
        .iter()
        .filter(|message| message.get("role").is_some_and(|role| role == "user"));
    let said: Vec<&str> = counsellor
        .filter_map(|message| message.get("content").and_then(Value::as_str))
        .filter(|said| !said.trim().is_empty())
        .collect();
    let turns: Vec<&str> = session
        .turns
        .iter()
        .filter_map(|turn| turn.reply.as_ref())
        .map(|reply| reply.text.as_str())
        .collect();
    if let Some((at, found)) = said
        .iter()
        .enumerate()
        .find(|(at, text)| turns.get(*at).is_none_or(|turn| turn != *text))
    {
        let field = format!("{name}: member_messages");
        let expected = format!("what the counsellor says in reply {} of the turns", at + 1);
        reading.problem(Problem::new(session.line, excerpt(found), expected).field(field));
    }
}
