//! Recording what settles a unit.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_in;
use crate::unit::{Letters, RulingView, refresh_item, ruling_view};
use domain::annotation::COMMENT_LIMIT;
use domain::id::{RulingId, StudyId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::ruling::{Cause, Outcome, Proposal, Settled, Value, settle};
use domain::scheme::{CategoryRef, Scheme, Validity};
use domain::study::StudyState;
use domain::unit::UnitKind;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::AnyConnection;
use store::ruling::Ruling;
use store::unit::{Answer, Listed, Said};

/// What somebody wants to record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewRuling {
    /// The version of the ruling they saw; 0 when there was none.
    pub expected_ruling_version: i64,
    /// The basis of the unit they saw.
    pub basis: String,
    /// How it was reached.
    pub outcome: Outcome,
    /// The final validity.
    #[serde(default)]
    pub validity: Option<Validity>,
    /// The code of the final category or subcategory, where it changes.
    #[serde(default)]
    pub code: Option<String>,
    /// The final severity.
    #[serde(default)]
    pub severity: Option<f64>,
    /// Why the raters differed.
    #[serde(default)]
    pub cause: Option<Cause>,
    /// `low`, `medium`, `high` or empty.
    #[serde(default)]
    pub confidence: String,
    /// The reasoning.
    #[serde(default)]
    pub note: String,
    /// Both raters are on record as agreeing.
    #[serde(default)]
    pub agreed_by_raters: bool,
    /// The letter of the rater whose value is adopted.
    #[serde(default)]
    pub adopted_from: Option<String>,
    /// The manual needs work here.
    #[serde(default)]
    pub guideline_needs_work: bool,
}

/// Records a ruling. The independent annotations stay as they are; earlier versions of the ruling too.
///
/// # Errors
/// [`Refusal::Conflict`] when the ruling or what it rests on changed since; the rules of [`settle`]; a value off the
/// scheme; [`Refusal::StudyClosed`] in a signed-off study.
pub async fn record(
    app: &Services,
    actor: &Actor,
    unit: &UnitId,
    new: NewRuling,
) -> Result<RulingView> {
    let mut tx = app.db.begin().await?;
    let (study, _) = store::unit::place(&mut tx, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    require(&mut tx, actor, &study, Action::Rule).await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    let listed = store::unit::queue_row(&mut tx, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (scheme, _) = scheme_in(&mut tx, &study).await?;
    let letters = Letters::of(&mut tx, &study).await?;
    check(&new, &scheme)?;
    if !store::unit::all_in(&mut tx, &listed.unit.item).await? {
        return Err(Refusal::NotAllIn.into());
    }
    if listed.unit.basis != new.basis {
        return Err(Refusal::Conflict.into());
    }
    let rated = store::ruling::rated_item_of(&mut tx, unit, actor.user.as_str()).await?;
    let settled = settle(&proposal(&new, rated), &values(&listed))?;
    let ruling = ruling(
        app,
        actor,
        &new,
        &settled,
        category(&new, &settled, &listed, &scheme)?,
        &letters,
    )?;
    if !add(&mut tx, &study, unit, &ruling).await? {
        return Err(Refusal::Conflict.into());
    }
    reconcile(&mut tx, &study).await?;
    refresh_item(&mut tx, app, &study, &listed.unit.item).await?;
    store::study::bump_revision(&mut tx, &study).await?;
    let details =
        json!({"outcome": settled.outcome, "version": ruling.version, "item": listed.unit.item});
    let audit = Audit {
        study: Some(&study),
        action: Action::Rule,
        verb: "record",
        subject: unit.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(ruling_view(ruling, &listed.unit.basis, &letters))
}

/// What no outcome excuses.
fn check(new: &NewRuling, scheme: &Scheme) -> Result<()> {
    let on_scale = |value| {
        scheme
            .severity
            .as_ref()
            .is_some_and(|scale| scale.allows(value, scale.halves.ruling))
    };
    if new.severity.is_some_and(|value| !on_scale(value)) {
        return Err(Refusal::AnnotationInvalid.into());
    }
    if !["", "low", "medium", "high"].contains(&new.confidence.as_str()) {
        return Err(Refusal::InputInvalid.into());
    }
    if new.note.chars().count() > COMMENT_LIMIT {
        return Err(Refusal::TextTooLong.into());
    }
    Ok(())
}

fn proposal(new: &NewRuling, ruler_rated_item: bool) -> Proposal {
    Proposal {
        outcome: new.outcome,
        validity: new.validity,
        code: new.code.clone(),
        severity: new.severity,
        cause: new.cause,
        note: new.note.clone(),
        agreed_by_raters: new.agreed_by_raters,
        ruler_rated_item,
    }
}

/// One value a rater who answered, an empty one for whoever could not rate the item.
fn values(listed: &Listed) -> Vec<Value> {
    let value = |said: &Said| Value {
        validity: if said.answer == Answer::NotMarked {
            Some(Validity::Invalid)
        } else {
            said.validity
        },
        severity: said.severity,
    };
    listed.unit.said.iter().map(value).collect()
}

/// The final category: the one named, else the unit's own where the tag stands, none where it is invalid or open.
fn category(
    new: &NewRuling,
    settled: &Settled,
    listed: &Listed,
    scheme: &Scheme,
) -> Result<Option<CategoryRef>> {
    let unit = &listed.unit;
    if unit.kind == UnitKind::Missed && settled.validity == Some(Validity::ValidOtherSubcategory) {
        return Err(Refusal::InputInvalid.into());
    }
    if settled.outcome == Outcome::Unresolved {
        return Ok(None);
    }
    if let Some(code) = new.code.as_deref().filter(|code| !code.is_empty()) {
        return Ok(Some(scheme.find(code).ok_or(Refusal::AnnotationInvalid)?));
    }
    Ok(match settled.validity {
        Some(Validity::Invalid) => None,
        Some(Validity::ValidOtherSubcategory) => Some(CategoryRef {
            category: unit.category.clone(),
            subcategory: None,
        }),
        Some(Validity::Valid) | None => Some(CategoryRef {
            category: unit.category.clone(),
            subcategory: Some(unit.subcategory.clone()).filter(|code| !code.is_empty()),
        }),
    })
}

fn ruling(
    app: &Services,
    actor: &Actor,
    new: &NewRuling,
    settled: &Settled,
    category: Option<CategoryRef>,
    letters: &Letters,
) -> Result<Ruling> {
    let adopted = new
        .adopted_from
        .as_deref()
        .filter(|letter| !letter.is_empty());
    let adopted = adopted
        .map(|letter| letters.user_of(letter).ok_or(Refusal::InputInvalid))
        .transpose()?;
    let (category, subcategory) = category.map_or_else(Default::default, |c| {
        (c.category, c.subcategory.unwrap_or_default())
    });
    Ok(Ruling {
        id: RulingId::new(app.id()),
        version: new.expected_ruling_version.saturating_add(1),
        outcome: settled.outcome,
        validity: settled.validity,
        category,
        subcategory,
        severity: settled.severity,
        cause: new.cause,
        confidence: new.confidence.clone(),
        note: new.note.trim().to_owned(),
        guideline_needs_work: new.guideline_needs_work,
        agreed_by_raters: new.agreed_by_raters,
        adopted_from: adopted.map(UserId::as_str).unwrap_or_default().to_owned(),
        ruled_by: actor.user.as_str().to_owned(),
        ruled_by_name: actor.display_name.clone(),
        ruled_at: app.now(),
        basis: new.basis.clone(),
    })
}

async fn add(
    tx: &mut AnyConnection,
    study: &StudyId,
    unit: &UnitId,
    ruling: &Ruling,
) -> Result<bool> {
    match store::ruling::add(tx, study, unit, ruling).await {
        Err(error) if error.is_unique_violation() => Ok(false),
        added => Ok(added?),
    }
}

/// The first ruling moves the study on; an imported study may stand at its draft until then.
async fn reconcile(tx: &mut AnyConnection, study: &StudyId) -> Result<()> {
    let from = store::study::get(tx, study)
        .await?
        .ok_or(Refusal::NotFound)?
        .state;
    let to = match from {
        StudyState::SignedOff => return Err(Refusal::StudyClosed.into()),
        StudyState::Draft => from.collect()?.reconcile()?,
        StudyState::Collecting | StudyState::Reconciling => from.reconcile()?,
    };
    if to != from {
        store::study::set_state(tx, study, from, to).await?;
    }
    Ok(())
}
