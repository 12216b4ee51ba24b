//! Playing the ratings of the demonstration: each rater opens, saves and submits at a desk of their own.

use crate::actor::Actor;
use crate::desk::{self, DeskView, Save};
use crate::error::{Error, Result};
use crate::services::Services;
use crate::source::FixedClock;
use crate::{account, batch};
use domain::annotation::{Annotation, Judgement, MissedTag};
use domain::assignment::AssignmentState;
use domain::id::{BatchId, CandidateId, MissedTagId, StudyId};
use domain::scheme::Validity;
use domain::span::anchor;
use serde::Deserialize;
use std::collections::HashMap;

const MINUTE: i64 = 60_000;

/// One line: one rater's annotation of one trace.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    rater: String,
    key: String,
    comment: String,
    nothing_missed: bool,
    missed_count: Option<u32>,
    judgements: Vec<Judged>,
    missed: Vec<Missed>,
    submitted: bool,
    #[serde(default)]
    not_ratable: Option<NotRatable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    candidate: String,
    validity: Option<Validity>,
    severity: Option<f64>,
    better: Vec<String>,
    comment: String,
    #[serde(default)]
    discuss: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Missed {
    category: String,
    severity: Option<f64>,
    quote: String,
    comment: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NotRatable {
    reason: String,
    note: String,
}

/// Plays every line whose assignment has not been begun.
pub(super) async fn play(
    app: &Services,
    clock: &FixedClock,
    study: &StudyId,
    batch: &BatchId,
    lines: &str,
) -> Result<()> {
    let operator = Actor::operator();
    let mut db = app.db.read().await?;
    let candidates = store::candidate::of_range(&mut db, study, 0, i64::MAX).await?;
    drop(db);
    let keys: HashMap<String, CandidateId> = candidates
        .into_iter()
        .map(|c| (c.source_key, c.id))
        .collect();
    let assignments = batch::assignments(app, &operator, batch).await?;
    for text in lines.lines().filter(|line| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(text).map_err(|_| broken("ratings.jsonl"))?;
        let rater = account::find(app, &operator, &line.rater).await?;
        let mine =
            |row: &&batch::AssignmentRow| row.rater == rater.user && row.item_key == line.key;
        let row = assignments
            .iter()
            .find(mine)
            .ok_or_else(|| broken(&line.key))?;
        clock.advance(2 * 60 * MINUTE);
        if row.state == AssignmentState::NotStarted {
            let view = desk::open(app, &rater, &row.id).await?;
            clock.advance(9 * MINUTE);
            judge(app, &rater, view, line, &keys).await?;
        }
    }
    Ok(())
}

async fn judge(
    app: &Services,
    rater: &Actor,
    view: DeskView,
    line: Line,
    keys: &HashMap<String, CandidateId>,
) -> Result<()> {
    if let Some(why) = line.not_ratable {
        desk::cannot_rate(
            app,
            rater,
            &view.assignment,
            view.version,
            why.reason,
            why.note,
        )
        .await?;
        return Ok(());
    }
    let submitted = line.submitted;
    let annotation = annotation(app, &view, line, keys)?;
    let save = |base_version| Save {
        base_version,
        save_id: app.id(),
        annotation: annotation.clone(),
    };
    let saved = desk::save(app, rater, &view.assignment, save(view.version)).await?;
    if submitted {
        desk::submit(app, rater, &view.assignment, save(saved.version)).await?;
    }
    Ok(())
}

fn annotation(
    app: &Services,
    view: &DeskView,
    line: Line,
    keys: &HashMap<String, CandidateId>,
) -> Result<Annotation> {
    let mut annotation = Annotation {
        nothing_missed: line.nothing_missed,
        missed_count: line.missed_count,
        comment: line.comment,
        ..Annotation::default()
    };
    for said in line.judgements {
        let candidate = keys
            .get(&said.candidate)
            .ok_or_else(|| broken(&said.candidate))?;
        let judgement = Judgement {
            validity: said.validity,
            severity: said.severity,
            better: said.better,
            comment: said.comment,
            discuss: said.discuss,
        };
        annotation.judgements.insert(candidate.clone(), judgement);
    }
    for tag in line.missed {
        let span = anchor(&view.item.trace, &tag.quote)
            .spans
            .first()
            .copied()
            .ok_or_else(|| broken(&line.key))?;
        let words = span
            .slice(&view.item.trace)
            .map_err(|_| broken(&line.key))?;
        annotation.missed.push(MissedTag {
            id: MissedTagId::new(app.id()),
            code: tag.category,
            severity: tag.severity,
            span: Some((span.start(), span.end())),
            quote: words.to_owned(),
            comment: tag.comment,
        });
    }
    Ok(annotation)
}

/// The files are part of the program, so a mistake in them is a mistake of the program.
fn broken(key: &str) -> Error {
    store::Error::inconsistent("demo", "ratings", key).into()
}
