//! Giving a judgement: a version is appended and counts from then on.

use super::mine::Work;
use super::own::{again, counting, give};
use super::save::{ATTEMPTS, keep};
use super::view::{Save, SubmitOutcome};
use crate::actor::Actor;
use crate::error::Result;
use crate::services::{Audit, Services};
use domain::annotation::{Annotation, is_reason};
use domain::assignment::AssignmentState;
use domain::id::{AnnotationId, AssignmentId};
use domain::own::Step as Asked;
use domain::refusal::Refusal;
use domain::role::Action;
use serde_json::json;
use store::Tx;
use store::annotation::NewAnnotation;
use store::assignment::Step;

/// Submits the annotation, or keeps it as a draft and says what is missing. The same submission sent again gets
/// the same answer and writes nothing. Where the judge's tags are hidden, the first submission is of the rater's own tags
/// and leads to the same assignment again.
///
/// # Errors
/// As [`super::save`].
pub async fn submit(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
    mut save: Save,
) -> Result<SubmitOutcome> {
    for _ in 0..ATTEMPTS {
        let work = Work::load(app, actor, assignment).await?;
        save.annotation.in_order(&work.scheme);
        let held = &work.mine.held;
        if let Some(outcome) = again(&work, &save) {
            return Ok(outcome);
        }
        let known = work.knows(&save)?;
        if known && held.state == AssignmentState::Reopened && save.base_version != held.version {
            // What was given before, sent again after the annotation was opened again: it is no answer to that.
            return Err(Refusal::Conflict.into());
        }
        let same = known || work.current == save.annotation;
        if held.state == AssignmentState::Submitted && same {
            let mut db = app.db.read().await?;
            let next =
                store::assignment::next_open(&mut db, &held.batch, &held.rater, held.position)
                    .await?;
            let submitted_at = held.submitted_at.unwrap_or_default();
            return Ok(SubmitOutcome::Submitted {
                version: held.version,
                submitted_at,
                next,
            });
        }
        held.state.submit()?;
        work.check(&save.annotation, &save.save_id)?;
        work.agree_on_base(save.base_version, &save.annotation)?;
        let gaps = work.gaps(&save.annotation);
        if !gaps.is_empty() {
            if let Some(kept) = keep(app, actor, &work, &save).await? {
                return Ok(SubmitOutcome::Incomplete {
                    version: kept.version,
                    saved_at: kept.saved_at,
                    gaps,
                });
            }
            continue;
        }
        let written = if work.step == Asked::Own {
            give(app, actor, &work, &save).await?
        } else {
            write(app, actor, &work, &save).await?
        };
        if let Some(outcome) = written {
            return Ok(outcome);
        }
    }
    Err(Refusal::Conflict.into())
}

async fn write(
    app: &Services,
    actor: &Actor,
    work: &Work,
    save: &Save,
) -> Result<Option<SubmitOutcome>> {
    let held = &work.mine.held;
    let now = app.now();
    let whole = counting(app, work, &save.annotation).await?;
    let mut tx = app.db.begin().await?;
    let step = Step {
        saved_at: Some(now),
        submitted_at: Some(now),
        ..Step::default()
    };
    if !store::assignment::step(&mut tx, held, held.state.submit()?, step).await? {
        return Ok(None);
    }
    store::draft::put(&mut tx, &held.id, &save.annotation, &save.save_id, now).await?;
    append(app, &mut tx, work, &whole, None).await?;
    let next =
        store::assignment::next_open(&mut tx, &held.batch, &held.rater, held.position).await?;
    let version = held.version + 1;
    commit(app, actor, tx, work, "submit", json!({"version": version})).await?;
    Ok(Some(SubmitOutcome::Submitted {
        version,
        submitted_at: now,
        next,
    }))
}

/// Reports that the item cannot be rated: the reason as a code, the note in words. Returns the next open assignment.
///
/// # Errors
/// [`Refusal::Conflict`] on an older version, [`Refusal::AssignmentClosed`] when nothing can be changed,
/// [`Refusal::ReasonNeeded`] without a code, or with `other` and no note.
pub async fn cannot_rate(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
    base_version: i64,
    reason: String,
    note: String,
) -> Result<Option<AssignmentId>> {
    let body = Annotation {
        comment: note.trim().to_owned(),
        ..Annotation::default()
    };
    if !is_reason(&reason) || (reason == "other" && body.comment.is_empty()) {
        return Err(Refusal::ReasonNeeded.into());
    }
    let work = Work::load(app, actor, assignment).await?;
    let held = &work.mine.held;
    let to = held.state.cannot_be_rated()?;
    work.check(&body, "")?;
    if base_version != held.version {
        return Err(Refusal::Conflict.into());
    }
    let mut tx = app.db.begin().await?;
    let step = Step {
        submitted_at: Some(app.now()),
        ..Step::default()
    };
    if !store::assignment::step(&mut tx, held, to, step).await? {
        return Err(Refusal::Conflict.into());
    }
    append(app, &mut tx, &work, &body, Some(&reason)).await?;
    let next =
        store::assignment::next_open(&mut tx, &held.batch, &held.rater, held.position).await?;
    commit(
        app,
        actor,
        tx,
        &work,
        "cannot_rate",
        json!({"reason": reason}),
    )
    .await?;
    Ok(next)
}

/// Appends the annotation and derives the item's units anew. Assignment first, then the study's chain: every use
/// case takes its locks in this order.
async fn append(
    app: &Services,
    tx: &mut Tx,
    work: &Work,
    body: &Annotation,
    not_ratable: Option<&str>,
) -> Result<()> {
    let held = &work.mine.held;
    store::audit::lock(tx, held.study.as_str()).await?;
    crate::study::open_in(tx, &held.study).await?;
    let id = AnnotationId::new(app.id());
    let new = NewAnnotation {
        id: &id,
        study: &held.study,
        assignment: &held.id,
        item: &held.item,
        rater: &held.rater,
        scheme_version: work.mine.scheme_version,
        not_ratable,
        at: app.now(),
        body,
    };
    store::annotation::submit(tx, &new, &work.scheme).await?;
    store::study::bump_revision(tx, &held.study).await?;
    crate::unit::refresh_item(tx, app, &held.study, &held.item).await
}

pub(super) async fn commit(
    app: &Services,
    actor: &Actor,
    tx: Tx,
    work: &Work,
    verb: &str,
    details: serde_json::Value,
) -> Result<()> {
    let held = &work.mine.held;
    let audit = Audit {
        study: Some(&held.study),
        action: Action::Annotate,
        verb,
        subject: held.id.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await
}
