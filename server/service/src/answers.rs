//! Import of answers without any reasoning: a question, its options and the model's choice. They are counted beside the
//! items and never among them, because there is nothing in them to tag.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::import::{ImportReport, Problem, Progress, Stated, Tell};
use crate::services::{Audit, Services};
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use store::plain_answer::PlainAnswer;
use tokio::sync::mpsc;

/// The name of the format.
pub const FORMAT: &str = "plain-answer-jsonl";
/// How the model was asked where nothing says it.
const MODE: &str = "Vanilla";
/// How many answers are written at once.
const BLOCK: usize = 100;
/// The longest line.
const LONGEST: u64 = 16 << 20;
/// The most problems that are listed.
const MOST_PROBLEMS: usize = 200;
/// What a record with something to tag has.
const REASONED: [&str; 5] = ["reasoning", "trace", "tags", "candidates", "messages"];

/// What is to be read, and what is known of it.
#[derive(Clone)]
struct Asked {
    path: PathBuf,
    stated: Stated,
}

/// What came of reading a file.
#[derive(Default)]
struct Outcome {
    problems: Vec<Problem>,
    more: u64,
    sha256: String,
}

/// Whether a file begins with an answer that has no reasoning.
pub fn is_plain(path: &Path) -> bool {
    let mut line = String::new();
    let Ok(file) = File::open(path) else {
        return false;
    };
    let read = BufReader::new(file).take(LONGEST).read_line(&mut line);
    read.is_ok()
        && record(line.trim_start_matches('\u{feff}')).is_ok_and(|record| is_answer(&record))
}

fn record(line: &str) -> std::result::Result<Map<String, Value>, serde_json::Error> {
    serde_json::from_str(line)
}

fn is_answer(record: &Map<String, Value>) -> bool {
    let empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    };
    let asked = record.get("options").is_some_and(Value::is_array) && question(record).is_some();
    asked
        && record.get("answer").is_some_and(Value::is_string)
        && REASONED
            .iter()
            .all(|name| record.get(*name).is_none_or(empty))
}

fn question(record: &Map<String, Value>) -> Option<&str> {
    let text = |name: &str| record.get(name)?.as_str().filter(|text| !text.is_empty());
    text("question_only").or_else(|| text("question"))
}

/// What a file would bring, in a transaction that its caller takes back: files that are tried in one transaction are
/// compared with each other as with what the study has.
///
/// # Errors
/// When the file cannot be read or the database fails.
pub(crate) async fn trial(
    app: &Services,
    tx: &mut store::Tx,
    study: &StudyId,
    (path, stated): (&Path, &Stated),
    tell: Tell<'_>,
) -> Result<ImportReport> {
    let asked = Asked {
        path: path.to_owned(),
        stated: stated.clone(),
    };
    let outcome = check(&asked).await?;
    if !outcome.problems.is_empty() {
        return Ok(refused(outcome));
    }
    write(app, tx, study, (asked, &outcome), tell).await
}

/// Reads the whole file and keeps nothing but what is wrong with it.
async fn check(asked: &Asked) -> Result<Outcome> {
    let first = asked.clone();
    let checked = tokio::task::spawn_blocking(move || read(&first, &mut |_| true));
    let checked = checked.await.map_err(|_| Refusal::Internal)?;
    Ok(checked.map_err(|_| Refusal::InputInvalid)?)
}

fn refused(outcome: Outcome) -> ImportReport {
    ImportReport {
        format: FORMAT.to_owned(),
        problems: outcome.problems,
        more_problems: outcome.more,
        ..ImportReport::default()
    }
}

/// Writes the answers of a checked file that are new.
async fn write(
    app: &Services,
    tx: &mut store::Tx,
    study: &StudyId,
    (asked, outcome): (Asked, &Outcome),
    tell: Tell<'_>,
) -> Result<ImportReport> {
    let mut report = ImportReport {
        format: FORMAT.to_owned(),
        ..ImportReport::default()
    };
    let (sender, mut blocks) = mpsc::channel(4);
    let reading = tokio::task::spawn_blocking(move || {
        let mut block = Vec::with_capacity(BLOCK);
        let read = read(&asked, &mut |answer| {
            block.push(answer);
            block.len() < BLOCK || sender.blocking_send(std::mem::take(&mut block)).is_ok()
        });
        let _ = sender.blocking_send(block);
        read
    });
    let mut met = 0;
    while let Some(block) = blocks.recv().await {
        met += block.len() as u64;
        report.new.answers +=
            store::plain_answer::insert(&mut *tx, study, &block, app.now()).await?;
        tell(Progress {
            bytes: met,
            total: 0,
            records: met,
        });
    }
    let again = reading.await.map_err(|_| Refusal::Internal)?;
    let again = again.map_err(|_| Refusal::InputInvalid)?;
    if again.sha256 != outcome.sha256 {
        return Err(Refusal::Conflict.into());
    }
    report.identical = met - report.new.answers;
    Ok(report)
}

/// Imports a file of answers, all of it or nothing. The same record on the same line again is known.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right, [`Refusal::StudyClosed`] once the study is signed off.
pub(crate) async fn run(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    path: &Path,
    (file_name, stated, dry_run): (&str, &Stated, bool),
    tell: Tell<'_>,
) -> Result<ImportReport> {
    require(&mut *app.db.read().await?, actor, study, Action::ImportRun).await?;
    let asked = Asked {
        path: path.to_owned(),
        stated: stated.clone(),
    };
    let outcome = check(&asked).await?;
    if !outcome.problems.is_empty() {
        return Ok(refused(outcome));
    }
    let mut tx = app.db.begin().await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    crate::study::open_in(&mut tx, study).await?;
    let report = write(app, &mut tx, study, (asked, &outcome), tell).await?;
    if dry_run {
        tx.rollback().await.map_err(store::Error::from)?;
        return Ok(report);
    }
    let id = app.id();
    let new = store::import::NewImport {
        id: &id,
        study,
        at: app.now(),
        by: (!actor.is_operator()).then_some(actor.user.as_str()),
        format: FORMAT,
        file_name,
        file_sha256: &outcome.sha256,
        counts: [
            0,
            0,
            0,
            i64::try_from(report.identical).unwrap_or(i64::MAX),
            0,
        ],
    };
    store::import::record(&mut tx, &new).await?;
    store::study::bump_revision(&mut tx, study).await?;
    let details = json!({"format": FORMAT, "sha256": outcome.sha256, "answers": report.new.answers, "identical": report.identical});
    let audit = Audit {
        study: Some(study),
        action: Action::ImportRun,
        verb: "answers",
        subject: &id,
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(report)
}

/// Reads a file answer by answer, for as long as somebody takes them.
fn read(asked: &Asked, take: &mut dyn FnMut(PlainAnswer) -> bool) -> io::Result<Outcome> {
    let mut input = BufReader::new(File::open(&asked.path)?);
    let (mut outcome, mut digest) = (Outcome::default(), Sha256::new());
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        // Only a line feed ends a line: other separators are characters of a text.
        if (&mut input).take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        digest.update(&bytes);
        let text =
            std::str::from_utf8(&bytes).map(|text| text.trim_start_matches('\u{feff}').trim());
        match text {
            Ok("") => {}
            Ok(text) => match answer(asked, line, text) {
                Ok(answer) => {
                    if !take(answer) {
                        break;
                    }
                }
                Err(found) => outcome.note(line, found),
            },
            Err(_) => outcome.note(line, "bytes that are no UTF-8"),
        }
    }
    outcome.sha256 = hex::encode(digest.finalize());
    Ok(outcome)
}

impl Outcome {
    fn note(&mut self, line: u64, found: &str) {
        if self.problems.len() >= MOST_PROBLEMS {
            self.more += 1;
            return;
        }
        self.problems.push(Problem {
            line,
            column: None,
            field: None,
            found: found.to_owned(),
            expected: "a question with options and an answer, and no reasoning".to_owned(),
        });
    }
}

fn answer(asked: &Asked, line: u64, text: &str) -> std::result::Result<PlainAnswer, &'static str> {
    let record = record(text).map_err(|_| "no JSON object")?;
    if !is_answer(&record) {
        return Err("something else");
    }
    let text_of = |name: &str| {
        let text = record.get(name).and_then(Value::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let model = text_of("model").or_else(|| asked.stated.model.clone());
    let mode = text_of("mode").or_else(|| asked.stated.mode.clone());
    let mode = mode.unwrap_or_else(|| MODE.to_owned());
    let model = model.unwrap_or_default();
    let key = Sha256::digest(format!("{line}\0{model}\0{mode}\0{text}"));
    Ok(PlainAnswer {
        key: hex::encode(key),
        model,
        condition: text_of("condition").unwrap_or_default(),
        mode,
        question: question(&record).unwrap_or_default().to_owned(),
        options: record
            .get("options")
            .map(Value::to_string)
            .unwrap_or_default(),
        answer: text_of("answer").unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::{is_answer, record};

    #[test]
    fn an_answer_is_plain_only_without_anything_to_tag() {
        let plain = |rest: &str| {
            let text = format!(r#"{{"question":"How?","options":["a","b"],"answer":"a"{rest}}}"#);
            is_answer(&record(&text).unwrap())
        };
        assert!(
            plain("") && plain(r#","reasoning":"","code":1.0"#) && plain(r#","reasoning":null"#)
        );
        assert!(!plain(r#","reasoning":"Because.""#) && !plain(r#","tags":[]"#));
        assert!(!is_answer(
            &record(r#"{"question":"How?","answer":"a"}"#).unwrap()
        ));
    }
}
