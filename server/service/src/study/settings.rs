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
use store::AnyConnection;

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
/// [`Refusal::StateStep`] when the step does not lead there or is the sign-off, which freezes labels, [`Refusal::ReasonNeeded`] when a signed-off study is
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
        // Signing off freezes labels under somebody's name: `snapshot::sign_off`.
        (_, StudyState::SignedOff | StudyState::Draft) => return Err(Refusal::StateStep.into()),
    };
    store::study::set_state(&mut tx, id, from, reached).await?;
    if from == StudyState::SignedOff {
        let reopened = store::snapshot::Reopened {
            at: app.now(),
            by: actor.user.as_str().to_owned(),
            reason: reason.trim().to_owned(),
        };
        store::snapshot::reopen(&mut tx, id, &reopened).await?;
    }
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

/// Whether the labels of a study may still change. Asked under the lock of its chain, because a sign-off may have come
/// between reading and writing.
///
/// # Errors
/// [`Refusal::StudyClosed`] once the study is signed off.
pub async fn open_in(connection: &mut AnyConnection, id: &StudyId) -> Result<()> {
    let study = store::study::get(connection, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    if study.state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    Ok(())
}
