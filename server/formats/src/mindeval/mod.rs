//! A run of MindEval 2: conversations by member and session, and the verdicts of its judges.
//!
//! Under a scheme that judges replies every reply is an item, with the conversation before it; under any other scheme a
//! session is one.

mod run;
mod session;
mod verdict;

use std::collections::BTreeSet;
use std::io::{self, Read};

use domain::scheme::UnitOfAnnotation;
use serde_json::Value;

use crate::{
    Notice, Problem, Tree,
    problem::excerpt,
    read::{Reading, Stop},
    record::{JudgeOutcome, JudgeRecord, SegmentText, TraceRecord},
};
use run::Counsellor;
use session::{Reply, Session};
use verdict::{Verdict, Verdicts};

/// The part of a name that every session has.
const TRACE: &str = "/trace.jsonl";
/// How many files that are left out are named.
const NAMED: usize = 10;

/// Whether these files are a run.
pub(crate) fn recognises(names: &[String]) -> bool {
    names.iter().any(|name| place(name).is_some())
}

/// What a session's trace lies under: the folder of the run, the member, the session.
fn place(name: &str) -> Option<(&str, &str, &str)> {
    let folder = name.strip_suffix(TRACE)?;
    let (rest, episode) = folder.rsplit_once('/')?;
    let (rest, member) = rest.strip_suffix("/arc")?.rsplit_once('/')?;
    let root = rest.strip_suffix("members")?;
    (root.is_empty() || root.ends_with('/')).then_some((root, member, episode))
}

pub(crate) fn read(tree: &mut dyn Tree, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let names = tree.names().to_vec();
    let roots: BTreeSet<&str> = names
        .iter()
        .filter_map(|name| place(name))
        .map(|(root, ..)| root)
        .collect();
    say_what_is_left(&names, &roots, reading);
    let mut met: Vec<(&str, Counsellor)> = Vec::new();
    for root in roots {
        let counsellor = run::counsellor(tree, &format!("{root}run.json"), reading)?;
        let same = |(_, other): &&(&str, Counsellor)| other.prefix == counsellor.prefix;
        if let Some((other, _)) = met.iter().find(same) {
            let found = format!("the counsellor of {other}run.json again");
            let expected = "runs of different counsellors, or with different seeds, told apart by their run.json";
            reading.problem(Problem::new(1, found, expected).field(format!("{root}run.json")));
            continue;
        }
        one(tree, &names, root, &counsellor, reading)?;
        met.push((root, counsellor));
    }
    Ok(())
}

/// One of the runs.
fn one(
    tree: &mut dyn Tree,
    names: &[String],
    root: &str,
    counsellor: &Counsellor,
    reading: &mut Reading<'_>,
) -> Result<(), Stop> {
    let by_reply = reading.book.unit() == UnitOfAnnotation::Reply;
    let mut judges = verdict::read_all(tree, root, by_reply, reading)?;
    let mut memory: Option<(String, String)> = None;
    for name in names {
        let Some((_, member, episode)) = place(name).filter(|(of, ..)| *of == root) else {
            continue;
        };
        let before = memory
            .take()
            .filter(|(of, _)| of == member)
            .map(|(_, log)| log);
        let folder = name.trim_end_matches(TRACE);
        let session = session::read(tree, name, member, episode, reading)?;
        let log = text_of(tree, &format!("{folder}/log.md"))?;
        memory = log.map(|log| (member.to_owned(), log));
        if let Some(mut session) = session {
            session.memory = before.unwrap_or_default();
            session.situation =
                text_of(tree, &format!("{folder}/situation.yaml"))?.map_or(Value::Null, situation);
            session.counsellor = counsellor.clone();
            let items = if by_reply {
                replies(&session)
            } else {
                vec![whole(&session)]
            };
            for item in items {
                judged(item, &session, &mut judges, reading)?;
            }
        }
    }
    for judge in judges {
        judge.account(reading);
    }
    Ok(())
}

/// Names the files beside a run: they are not read, and whoever sent them would think they were.
fn say_what_is_left(names: &[String], roots: &BTreeSet<&str>, reading: &mut Reading<'_>) {
    let own = |name: &str| {
        let mut within = roots.iter().filter_map(|root| name.strip_prefix(root));
        within.any(|name| {
            name == "run.json" || name.starts_with("members/") || name.starts_with("judge/")
        })
    };
    // Archives of some systems hold shadows of files, which nobody put there.
    let hidden = |name: &str| {
        name.split('/')
            .any(|part| part.starts_with('.') || part == "__MACOSX")
    };
    let left: Vec<&String> = names
        .iter()
        .filter(|name| !own(name) && !hidden(name))
        .collect();
    if left.is_empty() {
        return;
    }
    let named: Vec<String> = left.iter().take(NAMED).map(|name| excerpt(name)).collect();
    let more = match left.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    reading.leave_out(Notice {
        line: None,
        subject: named.join(", ") + &more,
        reason: "no part of the run, and not read; import what is judged by itself".to_owned(),
    });
}

/// The text of a file that may be missing.
fn text_of(tree: &mut dyn Tree, name: &str) -> io::Result<Option<String>> {
    // Names are sorted, and every session asks for several.
    if tree
        .names()
        .binary_search_by(|known| known.as_str().cmp(name))
        .is_err()
    {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    tree.open(name)?.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
}

/// Comments, then JSON.
fn situation(text: String) -> Value {
    let json: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect();
    serde_json::from_str(&json.join("\n")).unwrap_or(Value::String(text))
}

fn bare(session: &Session, key: String, segments: Vec<SegmentText>) -> TraceRecord {
    let mut record = TraceRecord {
        line: session.line,
        key,
        condition: None,
        model: session.counsellor.model.clone(),
        mode: None,
        demographics: vec![
            ("member".to_owned(), session.member.clone()),
            ("session".to_owned(), session.name()),
        ],
        vignette: String::new(),
        question: String::new(),
        options: Vec::new(),
        answer: None,
        segments,
        steps: Vec::new(),
        source_file: None,
        extra: serde_json::Map::new(),
        judge: JudgeRecord::unnamed(),
        outcome: JudgeOutcome::Absent,
        candidates: Vec::new(),
        answers: Vec::new(),
        ratings: Vec::new(),
        said: Vec::new(),
    };
    if !session.situation.is_null() {
        record
            .extra
            .insert("situation".to_owned(), session.situation.clone());
    }
    record
        .extra
        .insert("termination".to_owned(), session.termination.clone().into());
    record
}

/// What the counsellor knew of earlier sessions.
fn memory(session: &Session) -> String {
    if session.memory.trim().is_empty() {
        "Memory: no earlier sessions.".to_owned()
    } else {
        format!("Memory of earlier sessions:\n{}", session.memory.trim())
    }
}

/// Every reply with what was said before it.
fn replies(session: &Session) -> Vec<TraceRecord> {
    let mut so_far = memory(session);
    let mut records = Vec::new();
    for turn in &session.turns {
        if let Some(Reply { text, reasoning }) = &turn.reply {
            let segment = SegmentText {
                label: None,
                text: text.clone(),
            };
            let mut record = bare(
                session,
                format!("{}/t{}", session.name(), turn.number),
                vec![segment],
            );
            record.line = turn.line;
            record.vignette.clone_from(&so_far);
            record
                .demographics
                .push(("turn".to_owned(), turn.number.to_string()));
            if let Some(reasoning) = reasoning {
                record
                    .extra
                    .insert("reasoning".to_owned(), reasoning.clone().into());
            }
            records.push(record);
            so_far = format!("{so_far}\n\nCounsellor: {text}");
        }
        if !turn.member.is_empty() {
            so_far = format!("{so_far}\n\nMember: {}", turn.member);
        }
    }
    records
}

/// The session as one item.
fn whole(session: &Session) -> TraceRecord {
    let mut segments = Vec::new();
    for turn in &session.turns {
        let reply = turn
            .reply
            .as_ref()
            .map(|reply| ("Counsellor", reply.text.as_str()));
        let member = Some(("Member", turn.member.as_str())).filter(|(_, text)| !text.is_empty());
        segments.extend(
            reply
                .into_iter()
                .chain(member)
                .map(|(label, text)| SegmentText {
                    label: Some(label.to_owned()),
                    text: text.to_owned(),
                }),
        );
    }
    let mut record = bare(session, session.name(), segments);
    record.vignette = memory(session);
    record
}

/// One record a judge; without a judge one all the same.
fn judged(
    mut record: TraceRecord,
    session: &Session,
    judges: &mut [Verdicts],
    reading: &mut Reading<'_>,
) -> Result<(), Stop> {
    if record.segments.is_empty() {
        reading.leave_out(Notice {
            line: Some(record.line),
            subject: excerpt(&record.key),
            reason: "a session in which nothing was said".to_owned(),
        });
        return Ok(());
    }
    let mut any = false;
    for judge in judges {
        let key = record.key.strip_prefix(&session.counsellor.prefix);
        match judge.take(key.unwrap_or(&record.key), &session.key()) {
            None => continue,
            Some(Verdict::Failed(kind)) => {
                record.outcome = JudgeOutcome::Failed { kind };
                record.answers = Vec::new();
            }
            Some(Verdict::Judged(answers)) => {
                record.outcome = JudgeOutcome::Judged { summary: None };
                record.answers = answers;
            }
        }
        any = true;
        record.judge = judge.judge.clone();
        reading.deliver(record.clone())?;
    }
    if any { Ok(()) } else { reading.deliver(record) }
}
