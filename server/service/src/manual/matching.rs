//! When missed tags of different raters are one unit: shown to everybody who reconciles, and switchable.

use super::derive_all;
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use domain::id::StudyId;
use domain::missed::MatchRule;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::study::StudyState;
use serde_json::json;

/// The rule in force.
///
/// # Errors
/// [`Refusal::NotFound`] for somebody who is no member.
pub async fn missed_match(app: &Services, actor: &Actor, study: &StudyId) -> Result<MatchRule> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::StudyRead).await?;
    let word = store::manual::missed_match(&mut db, study).await?;
    Ok(MatchRule::parse(&word).unwrap_or_default())
}

/// Changes the rule and derives every unit anew: a ruling on a missed tag whose unit is another one then is stale.
///
/// # Errors
/// [`Refusal::StudyClosed`] in a signed-off study.
pub async fn set_missed_match(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    to: MatchRule,
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::StudyManage).await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    let held = store::study::get(&mut tx, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    if held.state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    let from = store::manual::missed_match(&mut tx, study).await?;
    let word = String::from(to);
    store::manual::set_missed_match(&mut tx, study, &word).await?;
    derive_all(&mut tx, app, study).await?;
    store::study::bump_revision(&mut tx, study).await?;
    let audit = Audit {
        study: Some(study),
        action: Action::StudyManage,
        verb: "missed_match",
        subject: study.as_str(),
        details: json!({"from": from, "to": word}),
    };
    app.commit(tx, actor, audit).await
}
