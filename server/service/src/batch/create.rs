//! Planning and making a batch: the same arithmetic, once without and once with writing.

use super::sample::{allocate, draw, hide, order, pair};
use super::{BatchPlan, NewBatch, Round, Stratum};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::name;
use crate::services::{Audit, Services};
use domain::id::{AssignmentId, BatchId, ItemId, StudyId, UserId};
use domain::own;
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use domain::study::StudyState;
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use store::AnyConnection;
use store::batch::{Eligible, NewAssignment, StoredBatch};

/// The largest share of items whose tags of the judge are hidden, in percent: some must be shown to compare with.
const HIDDEN_LIMIT: u32 = 99;
/// The most raters of one item.
const RATERS_LIMIT: u32 = 20;

/// What came of the arithmetic.
struct Drawn {
    plan: BatchPlan,
    /// In the order drawn.
    items: Vec<ItemId>,
    /// For each rater their items in their own order.
    work: Vec<(UserId, Vec<ItemId>)>,
    /// The items whose tags of the judge are hidden at first.
    hidden: HashSet<ItemId>,
}

/// Says what a batch would be, and changes nothing. The seed in the answer makes this very batch.
///
/// # Errors
/// As [`create`].
pub async fn plan(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    new: NewBatch,
) -> Result<BatchPlan> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::BatchManage).await?;
    let seed = new.seed.unwrap_or_else(|| app.seed());
    Ok(compute(&mut db, study, &new, seed).await?.plan)
}

/// Draws a batch and assigns it, all in one transaction: no item is ever in two samples.
///
/// # Errors
/// [`Refusal::NotEnoughItems`], [`Refusal::NotEnoughRaters`], [`Refusal::InputInvalid`] for a size of nothing or a
/// rater who is none, [`Refusal::StudyClosed`] once the study is signed off.
pub async fn create(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    new: NewBatch,
) -> Result<BatchId> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::BatchManage).await?;
    // Two samples of one study come after each other, so that the second sees what the first took.
    store::audit::lock(&mut tx, study.as_str()).await?;
    let found = store::study::get(&mut tx, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    if found.state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    let seed = new.seed.unwrap_or_else(|| app.seed());
    let drawn = compute(&mut tx, study, &new, seed).await?;
    let batch = StoredBatch {
        id: BatchId::new(app.id()),
        study: study.clone(),
        name: name::to_read(&new.name)?,
        round: new.round.as_str().to_owned(),
        seed,
        stratify: new.stratify.as_str().to_owned(),
        requested: i64::from(new.size),
        raters_per_item: i64::from(new.raters_per_item),
        hidden_percent: i64::from(new.hidden_percent),
        created_at: app.now(),
        created_by: (!actor.is_operator()).then(|| actor.user.clone()),
    };
    let mut assignments = Vec::new();
    for (rater, items) in drawn.work {
        for (item, position) in items.into_iter().zip(1_i64..) {
            let id = AssignmentId::new(app.id());
            assignments.push(NewAssignment {
                id,
                judge_hidden: drawn.hidden.contains(&item),
                item,
                rater: rater.clone(),
                position,
            });
        }
    }
    store::batch::insert(&mut tx, &batch, &drawn.items, &assignments).await?;
    if found.state == StudyState::Draft {
        store::study::set_state(&mut tx, study, found.state, found.state.collect()?).await?;
    }
    store::study::bump_revision(&mut tx, study).await?;
    let details = json!({"seed": seed, "items": drawn.items.len(), "round": batch.round, "stratify": batch.stratify,
        "hidden_percent": batch.hidden_percent, "hidden": drawn.hidden.len()});
    let subject = batch.id.as_str();
    let audit = Audit {
        study: Some(study),
        action: Action::BatchManage,
        verb: "create",
        subject,
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(batch.id)
}

async fn compute(
    connection: &mut AnyConnection,
    study: &StudyId,
    new: &NewBatch,
    seed: i64,
) -> Result<Drawn> {
    if new.size == 0 || new.raters_per_item == 0 || new.raters_per_item > RATERS_LIMIT {
        return Err(Refusal::InputInvalid.into());
    }
    let raters = raters(connection, study, new).await?;
    if new.hidden_percent > 0 {
        may_hide(connection, study, new).await?;
    }
    // Whoever calibrated on an item has seen the judge's tags of it, so they can no longer be hidden.
    let fresh = new.round == Round::Calibration || new.hidden_percent > 0;
    let eligible = store::batch::eligible(connection, study, new.stratify.as_str(), fresh).await?;
    if eligible.len() < new.size as usize {
        return Err(Refusal::NotEnoughItems.into());
    }
    let strata = strata(&eligible);
    let (values, places): (Vec<_>, Vec<_>) = strata.into_iter().unzip();
    let available: Vec<usize> = places.iter().map(Vec::len).collect();
    let counts = allocate(&available, new.size as usize);
    let drawn = draw(seed, &places, &counts);
    let pairs = pair(drawn.len(), raters.len(), new.raters_per_item as usize);
    let mut work = Vec::with_capacity(raters.len());
    for (place, (rater, position)) in raters.iter().enumerate() {
        let mine = pairs
            .iter()
            .zip(&drawn)
            .filter(|(chosen, _)| chosen.contains(&place))
            .map(|(_, item)| *item);
        let mine: Vec<usize> = mine.collect();
        let ordered = order(seed, *position, mine.len())
            .into_iter()
            .map(|at| eligible[mine[at]].item.clone());
        work.push((rater.clone(), ordered.collect::<Vec<_>>()));
    }
    let hidden: HashSet<ItemId> = hide(seed, drawn.len(), new.hidden_percent)
        .into_iter()
        .zip(&drawn)
        .filter(|(hidden, _)| *hidden)
        .map(|(_, at)| eligible[*at].item.clone())
        .collect();
    let strata = values.into_iter().zip(&available).zip(&counts);
    let plan = BatchPlan {
        seed,
        available: eligible.len() as u64,
        strata: strata
            .map(|((value, available), drawn)| Stratum {
                value,
                available: *available as u64,
                drawn: *drawn as u64,
            })
            .collect(),
        raters: work
            .iter()
            .map(|(rater, items)| (rater.clone(), items.len() as u64))
            .collect(),
        hidden: hidden.len() as u64,
    };
    Ok(Drawn {
        hidden,
        plan,
        items: drawn
            .into_iter()
            .map(|at| eligible[at].item.clone())
            .collect(),
        work,
    })
}

/// Refuses to hide the judge's tags where it makes no sense: in practice, or where nobody is asked for tags of their own.
async fn may_hide(connection: &mut AnyConnection, study: &StudyId, new: &NewBatch) -> Result<()> {
    let (scheme, _) = crate::study::scheme_in(connection, study).await?;
    if new.round != Round::Main || new.hidden_percent > HIDDEN_LIMIT || !own::can_hide(&scheme) {
        return Err(Refusal::InputInvalid.into());
    }
    Ok(())
}

/// The chosen raters in the order of the study, each with their place in it.
async fn raters(
    connection: &mut AnyConnection,
    study: &StudyId,
    new: &NewBatch,
) -> Result<Vec<(UserId, i64)>> {
    let members = store::member::list(connection, study).await?;
    let raters: Vec<(UserId, i64)> = members
        .into_iter()
        .filter(|member| {
            member.role == Role::Rater && member.active && new.raters.contains(&member.user)
        })
        .map(|member| (member.user, member.position))
        .collect();
    let mut asked: Vec<&UserId> = new.raters.iter().collect();
    asked.sort_unstable();
    asked.dedup();
    if raters.len() < asked.len() {
        return Err(Refusal::InputInvalid.into());
    }
    if raters.len() < new.raters_per_item as usize {
        return Err(Refusal::NotEnoughRaters.into());
    }
    Ok(raters)
}

/// The places of the items of each stratum, strata in the order of their values.
fn strata(eligible: &[Eligible]) -> BTreeMap<String, Vec<usize>> {
    let mut strata: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, item) in eligible.iter().enumerate() {
        strata.entry(item.stratum.clone()).or_default().push(place);
    }
    strata
}
