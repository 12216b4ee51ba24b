//! Recording what settles a unit.

mod check;
mod confirm;
mod question;
mod seen;

pub use confirm::{Confirmed, confirm};
pub(crate) use question::check_answer;
pub use seen::Change;
pub(crate) use seen::Seen;

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_in;
use crate::unit::{Letters, RulingView, refresh_item, ruling_view};
use check::{check, merge_allowed, moved};
use domain::id::{RulingId, StudyId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::ruling::{Cause, Outcome, Proposal, Settled, Value, settle};
use domain::scheme::{CategoryRef, Scheme, Validity};
use domain::study::StudyState;
use domain::unit::UnitKind;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
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
    /// The final span where it is another one: start and end in code points of the trace.
    #[serde(default)]
    pub span: Option<(u32, u32)>,
    /// The unit of the same item that this missed tag is the same as; it then has no value of its own.
    #[serde(default)]
    pub merged_into: Option<UnitId>,
    /// The final answer to a question about the item: one value, or several where the question takes several.
    #[serde(default)]
    pub answer: Vec<String>,
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
    let bench = Bench::open(&mut tx, &study).await?;
    let (ruling, listed) = bench.rule(&mut tx, app, actor, unit, &new).await?;
    let details =
        json!({"outcome": ruling.outcome, "version": ruling.version, "item": listed.unit.item});
    let audit = Audit {
        study: Some(&study),
        action: Action::Rule,
        verb: "record",
        subject: unit.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(ruling_view(ruling, &listed.unit.basis, &bench.letters))
}

/// What ruling in a study needs, read once for however many units. The caller holds the lock of the study's chain.
pub(crate) struct Bench {
    study: StudyId,
    scheme: Arc<Scheme>,
    version: i64,
    letters: Letters,
}

/// A ruling that may be written.
pub(crate) struct Prepared {
    /// The ruling.
    pub ruling: Ruling,
    /// The answer, where the unit is a question about the item.
    pub answer: Vec<String>,
    /// The unit.
    pub listed: Listed,
}

impl Bench {
    /// Reads the scheme and the raters.
    pub(crate) async fn open(tx: &mut AnyConnection, study: &StudyId) -> Result<Self> {
        let (scheme, version) = scheme_in(tx, study).await?;
        Ok(Self {
            study: study.clone(),
            scheme,
            version,
            letters: Letters::of(tx, study).await?,
        })
    }

    /// Checks, settles and writes one ruling, closes the unit's discussion and derives its item anew.
    pub(crate) async fn rule(
        &self,
        tx: &mut AnyConnection,
        app: &Services,
        actor: &Actor,
        unit: &UnitId,
        new: &NewRuling,
    ) -> Result<(Ruling, Listed)> {
        let prepared = self.prepare(tx, app, actor, unit, new).await?;
        self.write(tx, app, prepared).await
    }

    /// Checks and settles one ruling, and writes nothing.
    pub(crate) async fn prepare(
        &self,
        tx: &mut AnyConnection,
        app: &Services,
        actor: &Actor,
        unit: &UnitId,
        new: &NewRuling,
    ) -> Result<Prepared> {
        let listed = store::unit::queue_row(tx, unit)
            .await?
            .ok_or(Refusal::NotFound)?;
        check(new, &self.scheme, &listed)?;
        if !store::unit::all_in(tx, &listed.unit.item).await? {
            return Err(Refusal::NotAllIn.into());
        }
        if listed.unit.basis != new.basis {
            return Err(Refusal::Conflict.into());
        }
        merge_allowed(tx, &listed, new).await?;
        let rated = store::ruling::rated_item_of(tx, unit, actor.user.as_str()).await?;
        let (settled, answer) = match question::of(&listed, &self.scheme)? {
            Some(question) => question::settled(new, rated, &listed, question)?,
            None => (settle(&proposal(new, rated), &values(&listed))?, Vec::new()),
        };
        let category = if new.merged_into.is_some() {
            None
        } else {
            category(new, &settled, &listed, &self.scheme)?
        };
        let item = store::item::get(tx, &listed.unit.item, store::item::OPEN)
            .await?
            .ok_or(Refusal::NotFound)?;
        question::is_there(&answer, &listed, &self.scheme, &item)?;
        let ruling = Ruling {
            span: moved(new, &item.trace)?,
            seen: Seen::of(&listed, &item.trace_sha256, self.version).to_json(),
            ..ruling(app, actor, new, &settled, category, &self.letters)?
        };
        Ok(Prepared {
            ruling,
            answer,
            listed,
        })
    }

    /// Writes a ruling as it was prepared.
    pub(crate) async fn write(
        &self,
        tx: &mut AnyConnection,
        app: &Services,
        prepared: Prepared,
    ) -> Result<(Ruling, Listed)> {
        let Prepared {
            ruling,
            answer,
            listed,
        } = prepared;
        let unit = &listed.unit.id;
        if !add(tx, &self.study, unit, &ruling).await? {
            return Err(Refusal::Conflict.into());
        }
        if listed.unit.kind == UnitKind::Item && ruling.outcome != Outcome::Unresolved {
            store::ruled_answer::put(tx, &ruling.id, &answer).await?;
        }
        store::discussion::close(tx, unit).await?;
        reconcile(tx, &self.study).await?;
        refresh_item(tx, app, &self.study, &listed.unit.item).await?;
        store::study::bump_revision(tx, &self.study).await?;
        Ok((ruling, listed))
    }
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
        merged: new.merged_into.is_some(),
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
        span: None,
        merged_into: new
            .merged_into
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        seen: String::new(),
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
