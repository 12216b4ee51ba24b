//! Taking a unit out of the results with a reason, and putting it back.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_in;
use domain::annotation::COMMENT_LIMIT;
use domain::id::UnitId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::study::StudyState;
use serde_json::json;
use store::exclusion::Exclusion;

/// Takes a unit out with a reason of the scheme's list, or puts it back when the reason is empty. `expected` is the
/// version that was seen, 0 when the unit was never out. Judgements and rulings stay as they are.
///
/// # Errors
/// [`Refusal::ReasonNeeded`] for a reason that the scheme does not list, or for putting back what is not out;
/// [`Refusal::Conflict`] when somebody changed it since; [`Refusal::StudyClosed`].
pub async fn set(
    app: &Services,
    actor: &Actor,
    unit: &UnitId,
    expected: i64,
    reason: &str,
    note: &str,
) -> Result<i64> {
    let mut tx = app.db.begin().await?;
    let (study, _) = store::unit::place(&mut tx, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    require(&mut tx, actor, &study, Action::Triage).await?;
    if note.chars().count() > COMMENT_LIMIT {
        return Err(Refusal::TextTooLong.into());
    }
    store::audit::lock(&mut tx, study.as_str()).await?;
    let held = store::study::get(&mut tx, &study)
        .await?
        .ok_or(Refusal::NotFound)?;
    if held.state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    let (scheme, _) = scheme_in(&mut tx, &study).await?;
    let listed = scheme
        .retention
        .excluded_reasons
        .iter()
        .any(|known| known.code == reason);
    let before = store::exclusion::of_unit(&mut tx, unit).await?;
    let out = before.as_ref().is_some_and(|before| before.active);
    if !(listed || (reason.is_empty() && out)) {
        return Err(Refusal::ReasonNeeded.into());
    }
    let version = expected.saturating_add(1);
    let new = Exclusion {
        unit: unit.clone(),
        version,
        active: !reason.is_empty(),
        reason: reason.to_owned(),
        note: note.trim().to_owned(),
        by: actor.user.as_str().to_owned(),
        at: app.now(),
    };
    if !store::exclusion::add(&mut tx, &study, &new).await? {
        return Err(Refusal::Conflict.into());
    }
    store::study::bump_revision(&mut tx, &study).await?;
    let verb = if new.active { "exclude" } else { "restore" };
    let audit = Audit {
        study: Some(&study),
        action: Action::Triage,
        verb,
        subject: unit.as_str(),
        details: json!({"reason": reason, "version": version}),
    };
    app.commit(tx, actor, audit).await?;
    Ok(version)
}
