//! Confirming units on which every rater said the same, many at once after a look.

use super::{Bench, NewRuling};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use domain::id::{StudyId, UnitId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::ruling::Outcome;
use domain::unit::{UnitState, agreed_value};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::unit::{Answer, Listed};

/// How many units one confirmation takes.
const LIMIT: usize = 500;

/// A unit somebody looked at, and what it rested on then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmed {
    /// The unit.
    pub unit: UnitId,
    /// Its basis as it was seen.
    pub basis: String,
}

/// Records the shared value of each unit as the raters' consensus. All or none: a unit that is not unanimous, or that
/// changed since it was looked at, refuses the whole. Returns how many were confirmed.
///
/// # Errors
/// [`Refusal::InputInvalid`] for none, too many, or a unit on which the raters do not all say the same;
/// [`Refusal::Conflict`] when one changed since; [`Refusal::StudyClosed`].
pub async fn confirm(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    units: &[Confirmed],
) -> Result<usize> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::Rule).await?;
    if units.is_empty() || units.len() > LIMIT {
        return Err(Refusal::InputInvalid.into());
    }
    store::audit::lock(&mut tx, study.as_str()).await?;
    let bench = Bench::open(&mut tx, study).await?;
    for seen in units {
        let (of, _) = store::unit::place(&mut tx, &seen.unit)
            .await?
            .ok_or(Refusal::NotFound)?;
        if of != *study {
            return Err(Refusal::NotFound.into());
        }
        let listed = store::unit::queue_row(&mut tx, &seen.unit)
            .await?
            .ok_or(Refusal::NotFound)?;
        let new = shared(&listed, &seen.basis)?;
        bench.rule(&mut tx, app, actor, &seen.unit, &new).await?;
    }
    let ids: Vec<&str> = units.iter().map(|seen| seen.unit.as_str()).collect();
    let audit = Audit {
        study: Some(study),
        action: Action::Rule,
        verb: "confirm",
        subject: study.as_str(),
        details: json!({"units": ids}),
    };
    app.commit(tx, actor, audit).await?;
    Ok(units.len())
}

/// The ruling that says no more than the raters did.
fn shared(listed: &Listed, basis: &str) -> Result<NewRuling> {
    let unit = &listed.unit;
    if unit.basis != basis {
        return Err(Refusal::Conflict.into());
    }
    let values: Vec<_> = super::values(listed);
    let alike = values.windows(2).all(|pair| pair[0] == pair[1])
        && unit
            .said
            .windows(2)
            .all(|pair| pair[0].values == pair[1].values);
    let plain = unit.said.iter().all(|said| said.answer == Answer::Plain);
    if unit.state != UnitState::Agreed || values.len() < 2 || !alike || !plain {
        return Err(Refusal::InputInvalid.into());
    }
    let value = agreed_value(&values);
    Ok(NewRuling {
        expected_ruling_version: 0,
        basis: basis.to_owned(),
        outcome: Outcome::Consensus,
        validity: value.validity,
        code: None,
        severity: value.severity,
        cause: None,
        confidence: String::new(),
        note: String::new(),
        agreed_by_raters: true,
        adopted_from: None,
        guideline_needs_work: false,
        span: None,
        merged_into: None,
        answer: unit
            .said
            .first()
            .map(|said| said.values.clone())
            .unwrap_or_default(),
    })
}
