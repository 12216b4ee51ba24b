//! The retained set: what is left after rulings when low severities, wrong tags and excluded reasons are gone.
//!
//! A coefficient over all units and one over the retained set answer different questions, as do raw and reconciled
//! values. Shown side by side, nobody can take one for the other.

use crate::actor::Actor;
use crate::agreement::{
    AgreementQuery, AgreementReport, Facet, Ground, Outcomes, Question, Stage, exported, ground,
    named,
};
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use crate::snapshot::{Label, parse};
use crate::study::scheme_in;
use domain::id::{SnapshotId, StudyId, UnitId};
use domain::refusal::Refusal;
use domain::retention::Standing;
use domain::role::Action;
use domain::scheme::RetentionRule;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use store::AnyConnection;
use store::result::Values;

/// How many items, or labels, are held at a time.
const STEP: i64 = 2_000;

/// The retained set in numbers, and agreement over it.
#[derive(Clone, Debug, Serialize)]
pub struct Retention {
    /// The scheme's rule.
    pub rule: RetentionRule,
    /// Units that were given to raters, candidates and missed tags.
    pub units: i64,
    /// How many stand where.
    pub standings: Vec<(Standing, i64)>,
    /// How many were taken out for which reason: its code, its name, the number.
    pub reasons: Vec<(String, String, i64)>,
    /// Agreement over the retained candidates before reconciliation.
    pub raw: AgreementReport,
    /// The same after it.
    pub reconciled: AgreementReport,
}

/// What a retained set was computed at: the study's revision, and its exclusions.
type Stamp = (i64, (i64, i64));

/// The retained sets of studies, as they were last asked for.
#[derive(Debug, Default)]
pub struct Cache(Mutex<HashMap<(StudyId, Question), (Stamp, Arc<Retention>)>>);

impl Cache {
    fn get(&self, study: &StudyId, question: &Question, stamp: Stamp) -> Option<Arc<Retention>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&(study.clone(), question.clone()))
            .filter(|(at, _)| *at == stamp)
            .map(|(_, found)| found.clone())
    }

    fn put(&self, study: &StudyId, question: &Question, stamp: Stamp, found: &Arc<Retention>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert((study.clone(), question.clone()), (stamp, found.clone()));
    }
}

/// The retained set of a study as it is now.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered; [`Refusal::NotFound`] for a question that
/// is not about tags, of which nothing is taken out.
pub async fn report(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    question: Question,
) -> Result<Retention> {
    if !question.is_of_tags() {
        return Err(Refusal::NotFound.into());
    }
    let question = &question;
    let mut db = app.db.snapshot().await?;
    let roles = require(&mut db, actor, study, Action::AgreementRead).await?;
    let found = store::study::get(&mut db, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    let stamp = (
        found.revision,
        store::snapshot::exclusions(&mut db, study).await?,
    );
    let kept = if let Some(kept) = app.retained.get(study, question, stamp) {
        kept
    } else {
        let made = Arc::new(compute(&mut db, study, question).await?);
        app.retained.put(study, question, stamp, &made);
        made
    };
    let mut kept = kept.as_ref().clone();
    if !named(&roles) {
        let both = kept.raw.raters.iter_mut();
        both.chain(kept.reconciled.raters.iter_mut())
            .for_each(|rater| rater.name = None);
    }
    Ok(kept)
}

async fn compute(
    db: &mut AnyConnection,
    study: &StudyId,
    question: &Question,
) -> Result<Retention> {
    let (scheme, _) = scheme_in(db, study).await?;
    let counted = walk(db, study, None).await?;
    let ground = Arc::new(only(&ground(db, study, false).await?, &counted.set));
    let mut outcomes = Outcomes::default();
    let mut both = Vec::new();
    for stage in [Stage::Raw, Stage::Reconciled] {
        let query = AgreementQuery {
            stage,
            question: question.clone(),
            facet: Facet::None,
        };
        both.push(exported(db, study, &ground, query, &mut outcomes).await?);
    }
    let reconciled = both.pop().ok_or(Refusal::Internal)?;
    let raw = both.pop().ok_or(Refusal::Internal)?;
    let name = |code: &str| {
        let reasons = scheme.retention.excluded_reasons.iter();
        let mut known = reasons.filter(|reason| reason.code == code);
        known.next().map_or(code, |reason| &reason.name).to_owned()
    };
    Ok(Retention {
        units: counted.standings.values().sum(),
        standings: Standing::ALL
            .into_iter()
            .map(|standing| {
                let count = counted.standings.get(&standing).copied();
                (standing, count.unwrap_or_default())
            })
            .collect(),
        reasons: counted
            .reasons
            .into_iter()
            .map(|(code, count)| (code.clone(), name(&code), count))
            .collect(),
        raw,
        reconciled,
        rule: scheme.retention.clone(),
    })
}

#[derive(Debug, Default)]
struct Counted {
    set: HashSet<UnitId>,
    standings: BTreeMap<Standing, i64>,
    reasons: BTreeMap<String, i64>,
}

impl Counted {
    fn add(&mut self, label: Label) {
        *self.standings.entry(label.standing).or_default() += 1;
        match label.standing {
            Standing::Retained => {
                self.set.insert(label.unit_id);
            }
            Standing::Excluded => *self.reasons.entry(label.excluded).or_default() += 1,
            Standing::BelowThreshold | Standing::Invalid | Standing::NoFinalValue => {}
        }
    }
}

/// The units of the retained set, now or in a snapshot.
pub(crate) async fn set(
    db: &mut AnyConnection,
    study: &StudyId,
    snapshot: Option<&SnapshotId>,
) -> Result<HashSet<UnitId>> {
    Ok(walk(db, study, snapshot).await?.set)
}

async fn walk(
    db: &mut AnyConnection,
    study: &StudyId,
    snapshot: Option<&SnapshotId>,
) -> Result<Counted> {
    let (mut counted, mut after) = (Counted::default(), 0);
    if let Some(id) = snapshot {
        loop {
            let page = store::snapshot::bodies(db, id, after, STEP).await?;
            let Some((last, _)) = page.last() else {
                return Ok(counted);
            };
            after = *last;
            for (_, body) in &page {
                counted.add(parse(body, id)?);
            }
        }
    }
    let (scheme, _) = scheme_in(db, study).await?;
    let last = store::import::last_seq(db, study).await?;
    while after < last {
        for one in store::snapshot::labelled(db, study, after, after + STEP).await? {
            counted.add(Label::of(one, &scheme));
        }
        after += STEP;
    }
    Ok(counted)
}

/// The same ground with these units alone.
pub(crate) fn only(ground: &Ground, set: &HashSet<UnitId>) -> Ground {
    let units = ground.values.units.iter();
    let units: Vec<_> = units
        .filter(|unit| set.contains(&unit.unit))
        .cloned()
        .collect();
    let items: HashSet<i64> = units.iter().map(|unit| unit.seq).collect();
    Ground {
        scheme: ground.scheme.clone(),
        scheme_version: ground.scheme_version,
        raters: ground.raters.clone(),
        letters: ground.letters.clone(),
        judges: ground.judges,
        scale: ground.scale.clone(),
        values: Values {
            units,
            waiting: Vec::new(),
            items: items.len() as u64,
        },
    }
}
