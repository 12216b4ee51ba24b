//! Handing back, resuming and reopening.

use super::mine::{Work, judge_seen};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use domain::assignment::AssignmentState;
use domain::id::AssignmentId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::study::StudyState;
use serde_json::json;
use store::Tx;
use store::assignment::{Held, Step};

/// Hands an item back without penalty; the draft is kept. Returns the next open assignment.
///
/// # Errors
/// [`Refusal::AssignmentClosed`] after a submission.
pub async fn hand_back(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
) -> Result<Option<AssignmentId>> {
    let work = Work::load(app, actor, assignment).await?;
    let held = &work.mine.held;
    if held.state != AssignmentState::Withdrawn {
        let step = Step {
            withdrawn_by: "rater",
            ..Step::default()
        };
        let mut tx = take(app, held, held.state.hand_back()?, step).await?;
        derive_anew(app, &mut tx, held).await?;
        leave(
            app,
            actor,
            tx,
            held,
            Action::Annotate,
            "hand_back",
            json!({}),
        )
        .await?;
    }
    let mut db = app.db.read().await?;
    Ok(store::assignment::next_open(&mut db, &held.batch, &held.rater, held.position).await?)
}

/// Takes up again what was handed back. Returns the version that the next save must name.
///
/// # Errors
/// [`Refusal::AssignmentClosed`] when it was not handed back, [`Refusal::NotFound`] when somebody else has it now.
pub async fn resume(app: &Services, actor: &Actor, assignment: &AssignmentId) -> Result<i64> {
    let work = Work::load(app, actor, assignment).await?;
    let held = &work.mine.held;
    if held.state.is_open() {
        return Ok(held.version);
    }
    let to = held.state.resume(work.mine.draft.is_some())?;
    let mut tx = take(app, held, to, Step::default()).await?;
    derive_anew(app, &mut tx, held).await?;
    leave(app, actor, tx, held, Action::Annotate, "resume", json!({})).await?;
    Ok(held.version + 1)
}

/// Opens one's own submission again; it counts until the next one. Returns the version that the next save must name.
///
/// # Errors
/// [`Refusal::RulingExists`] when a ruling rests on it, [`Refusal::DiscussionBegun`] once the item is discussed,
/// [`Refusal::OtherSeen`] once the rater was shown another's judgement of it, [`Refusal::AssignmentClosed`] when nothing
/// was submitted, [`Refusal::JudgeSeen`] once the rater was shown what the judge said and was hidden before.
pub async fn reopen(app: &Services, actor: &Actor, assignment: &AssignmentId) -> Result<i64> {
    let work = Work::load(app, actor, assignment).await?;
    let held = &work.mine.held;
    if held.state == AssignmentState::Reopened {
        return Ok(held.version);
    }
    let mut db = app.db.read().await?;
    let ruled = store::assignment::any_ruling(&mut db, &held.item).await?;
    let discussed = store::discussion::begun(&mut db, &held.item).await?;
    if store::round::was_shown(&mut db, &held.item, &held.rater).await? {
        return Err(Refusal::OtherSeen.into());
    }
    if judge_seen(&mut db, &work.mine, &work.scheme).await? {
        return Err(Refusal::JudgeSeen.into());
    }
    drop(db);
    let to = held.state.reopen(ruled, discussed)?;
    let tx = take(app, held, to, Step::default()).await?;
    leave(app, actor, tx, held, Action::Annotate, "reopen", json!({})).await?;
    Ok(held.version + 1)
}

/// Opens a rater's submission again for them, with a reason, even where a ruling rests on it: it goes stale when
/// the rater changes something.
///
/// # Errors
/// [`Refusal::ReasonNeeded`] without a reason, [`Refusal::AssignmentClosed`] when nothing was submitted.
pub async fn reopen_for(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
    reason: &str,
) -> Result<i64> {
    let mut db = app.db.read().await?;
    let held = store::assignment::get(&mut db, assignment)
        .await?
        .ok_or(Refusal::NotFound)?;
    require(&mut db, actor, &held.study, Action::BatchManage).await?;
    drop(db);
    if reason.trim().is_empty() {
        return Err(Refusal::ReasonNeeded.into());
    }
    if held.study_state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    let tx = take(
        app,
        &held,
        held.state.reopen(false, false)?,
        Step::default(),
    )
    .await?;
    leave(
        app,
        actor,
        tx,
        &held,
        Action::BatchManage,
        "reopen",
        json!({"reason": reason.trim()}),
    )
    .await?;
    Ok(held.version + 1)
}

/// Takes the step in a transaction of its own, unless somebody else took one since.
pub(crate) async fn take(
    app: &Services,
    held: &Held,
    to: AssignmentState,
    step: Step,
) -> Result<Tx> {
    let mut tx = app.db.begin().await?;
    if store::assignment::step(&mut tx, held, to, step).await? {
        Ok(tx)
    } else {
        Err(Refusal::Conflict.into())
    }
}

/// The units of an item depend on who is expected to rate it.
pub(crate) async fn derive_anew(app: &Services, tx: &mut Tx, held: &Held) -> Result<()> {
    store::audit::lock(tx, held.study.as_str()).await?;
    crate::study::open_in(tx, &held.study).await?;
    store::study::bump_revision(tx, &held.study).await?;
    crate::unit::refresh_item(tx, app, &held.study, &held.item).await
}

/// Leaves the audit row and commits.
pub(crate) async fn leave(
    app: &Services,
    actor: &Actor,
    tx: Tx,
    held: &Held,
    action: Action,
    verb: &str,
    details: serde_json::Value,
) -> Result<()> {
    let audit = Audit {
        study: Some(&held.study),
        action,
        verb,
        subject: held.id.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await
}
