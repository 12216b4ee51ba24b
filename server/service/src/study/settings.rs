//! What may be changed of a study: its blinding and its state.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::study::{Blinding, StudyState};
use serde_json::json;

/// The longest reason for a step, in characters.
const LONGEST_REASON: usize = 500;

/// Changes what raters do not see.
///
/// # Errors
/// [`Refusal::BlindingFixed`] once a submission exists, [`Refusal::StudyClosed`] once the study is signed off.
pub async fn set_blinding(app: &Services, actor: &Actor, id: &StudyId, to: Blinding) -> Result<()> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, id, Action::StudyManage).await?;
    store::audit::lock(&mut tx, id.as_str()).await?;
    let study = store::study::get(&mut tx, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    if study.state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    let submissions = store::study::submissions(&mut tx, id).await?;
    let to = study.blinding.change(to, submissions)?;
    store::study::set_blinding(&mut tx, id, to).await?;
    let details = json!({"from": study.blinding, "to": to});
    let audit = Audit {
        study: Some(id),
        action: Action::StudyManage,
        verb: "blinding",
        subject: id.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await
}

/// Moves a study on.
///
/// # Errors
/// [`Refusal::StateStep`] when the step does not lead there, [`Refusal::ReasonNeeded`] when a signed-off study is
/// reopened without one, [`Refusal::TextTooLong`] for a reason that is a text.
pub async fn set_state(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    to: StudyState,
    reason: &str,
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, id, Action::StudyManage).await?;
    if reason.chars().count() > LONGEST_REASON {
        return Err(Refusal::TextTooLong.into());
    }
    store::audit::lock(&mut tx, id.as_str()).await?;
    let from = store::study::get(&mut tx, id)
        .await?
        .ok_or(Refusal::NotFound)?
        .state;
    let reached = match (from, to) {
        (StudyState::SignedOff, StudyState::Reconciling) => from.reopen(reason)?,
        (_, StudyState::Collecting) => from.collect()?,
        (_, StudyState::Reconciling) => from.reconcile()?,
        (_, StudyState::SignedOff) => from.sign_off()?,
        (_, StudyState::Draft) => return Err(Refusal::StateStep.into()),
    };
    store::study::set_state(&mut tx, id, from, reached).await?;
    let details = json!({"from": from, "to": reached, "reason": reason.trim()});
    let audit = Audit {
        study: Some(id),
        action: Action::StudyManage,
        verb: "state",
        subject: id.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await
}
