//! Drawing a cross-check: so many items of each model, by a recorded seed.
//!
//! Of an item that several raters judged each reads the judgement of the next one. The judgement of an item's only rater is
//! read by another rater of the study, who must not have the item to judge.

use crate::actor::Actor;
use crate::auth::require;
use crate::batch::Stratum;
use crate::batch::sample::{draw, order};
use crate::error::Result;
use crate::name;
use crate::services::{Audit, Services};
use crate::study::open_in;
use domain::id::{AnnotationId, BatchId, ItemId, StudyId, UserId};
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, HashMap, HashSet};
use store::AnyConnection;
use store::batch::StoredBatch;
use store::round::{Drawn, NewReview};

/// What somebody wants cross-checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewCheck {
    /// Its name.
    pub name: String,
    /// How many items of each model, at most.
    pub per_model: u32,
    /// The seed; drawn when not given.
    #[serde(default)]
    pub seed: Option<i64>,
}

/// What a cross-check would be, before it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckPlan {
    /// The seed that would be used: give it back to get this very sample.
    pub seed: i64,
    /// What each model has and gives.
    pub models: Vec<Stratum>,
    /// How many reviews that makes.
    pub reviews: u64,
}

/// An item with the annotation of each of its raters.
struct Judged {
    item: ItemId,
    by: Vec<(UserId, AnnotationId)>,
    /// Who can read the judgement of the item's only rater; nobody where its raters read each other.
    readers: Vec<UserId>,
}

/// Says what a cross-check would be, and changes nothing.
///
/// # Errors
/// As [`create_check`].
pub async fn plan_check(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    new: NewCheck,
) -> Result<CheckPlan> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::BatchManage).await?;
    let seed = new.seed.unwrap_or_else(|| app.seed());
    Ok(compute(&mut db, study, &new, seed).await?.0)
}

/// Draws a cross-check: of each item drawn, every rater reads the judgement of the next one and of nobody else, or another
/// rater of the study that of the only one.
///
/// # Errors
/// [`Refusal::NothingIn`] while of no item all are in, [`Refusal::AllChecked`] when a cross-check has taken every such item,
/// [`Refusal::NobodyToReview`] when nobody can read them, [`Refusal::InputInvalid`] for a size of nothing, [`Refusal::StudyClosed`] once the study is signed off.
pub async fn create_check(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    new: NewCheck,
) -> Result<BatchId> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::BatchManage).await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    open_in(&mut tx, study).await?;
    let seed = new.seed.unwrap_or_else(|| app.seed());
    let (_, drawn) = compute(&mut tx, study, &new, seed).await?;
    let batch = StoredBatch {
        id: BatchId::new(app.id()),
        study: study.clone(),
        name: name::to_read(&new.name)?,
        round: "cross_check".to_owned(),
        seed,
        stratify: "model".to_owned(),
        requested: i64::from(new.per_model),
        raters_per_item: 2,
        hidden_percent: 0,
        created_at: app.now(),
        created_by: (!actor.is_operator()).then(|| actor.user.clone()),
    };
    let items: Vec<ItemId> = drawn.iter().map(|judged| judged.item.clone()).collect();
    let reviews = reviews(app, seed, drawn);
    store::batch::insert(&mut tx, &batch, &items, &[]).await?;
    store::round::insert(&mut tx, study, &batch.id, &reviews).await?;
    let details =
        json!({"seed": seed, "items": items.len(), "reviews": reviews.len(), "round": batch.round});
    let audit = Audit {
        study: Some(study),
        action: Action::BatchManage,
        verb: "cross_check",
        subject: batch.id.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(batch.id)
}

async fn compute(
    db: &mut AnyConnection,
    study: &StudyId,
    new: &NewCheck,
    seed: i64,
) -> Result<(CheckPlan, Vec<Judged>)> {
    if new.per_model == 0 {
        return Err(Refusal::InputInvalid.into());
    }
    let mut drawn = store::round::eligible(db, study).await?;
    if drawn.is_empty() {
        return Err(Refusal::NothingIn.into());
    }
    drawn.retain(|one| !one.checked);
    if drawn.is_empty() {
        return Err(Refusal::AllChecked.into());
    }
    let (models, mut judged) = by_model(drawn, &Readers::of(db, study).await?);
    if judged.is_empty() {
        return Err(Refusal::NobodyToReview.into());
    }
    let (names, places): (Vec<String>, Vec<Vec<usize>>) = models.into_iter().unzip();
    let counts: Vec<usize> = places
        .iter()
        .map(|places| places.len().min(new.per_model as usize))
        .collect();
    let drawn = draw(seed, &places, &counts);
    let models = names.into_iter().zip(&places).zip(&counts);
    let models = models
        .map(|((value, places), drawn)| Stratum {
            value,
            available: places.len() as u64,
            drawn: *drawn as u64,
        })
        .collect();
    let mut taken: Vec<Judged> = Vec::with_capacity(drawn.len());
    for place in drawn {
        let empty = Judged {
            item: ItemId::new(""),
            by: Vec::new(),
            readers: Vec::new(),
        };
        taken.push(std::mem::replace(&mut judged[place], empty));
    }
    let plan = CheckPlan {
        seed,
        models,
        reviews: taken.iter().map(|judged| judged.by.len() as u64).sum(),
    };
    Ok((plan, taken))
}

/// The raters of a study who can read others' judgements, and what they have to judge themselves.
struct Readers {
    active: Vec<UserId>,
    to_judge: HashSet<(ItemId, UserId)>,
}

impl Readers {
    async fn of(db: &mut AnyConnection, study: &StudyId) -> Result<Self> {
        let members = store::member::list(db, study).await?;
        // Nobody can sign in as a rater who is known from a file alone: an item given to them would wait for ever.
        let active = members
            .into_iter()
            .filter(|member| member.role == Role::Rater && member.active && member.can_sign_in)
            .map(|member| member.user);
        Ok(Self {
            active: active.collect(),
            to_judge: store::round::to_judge(db, study).await?,
        })
    }

    /// Who can read what this rater said of an item.
    fn beside(&self, item: &ItemId, rater: &UserId) -> Vec<UserId> {
        let others = self.active.iter().filter(|user| *user != rater);
        others
            .filter(|user| !self.to_judge.contains(&(item.clone(), (*user).clone())))
            .cloned()
            .collect()
    }
}

/// Items that somebody can read, and their places by model: those that two people at least judged who still rate, and those
/// that were given to one rater only.
fn by_model(drawn: Vec<Drawn>, readers: &Readers) -> (BTreeMap<String, Vec<usize>>, Vec<Judged>) {
    let mut items: Vec<(String, Judged)> = Vec::new();
    for one in drawn {
        if items.last().is_none_or(|(_, last)| last.item != one.item) {
            let empty = Judged {
                item: one.item.clone(),
                by: Vec::new(),
                readers: Vec::new(),
            };
            items.push((one.model, empty));
        }
        let Some((_, last)) = items.last_mut() else {
            continue;
        };
        // The only rater reads nothing, so it does not matter whether they still rate.
        if one.given == 1 {
            last.readers = readers.beside(&one.item, &one.rater);
        } else if !one.active {
            continue;
        }
        if last.by.iter().all(|(rater, _)| *rater != one.rater) {
            last.by.push((one.rater, one.annotation));
        }
    }
    items.retain(|(_, judged)| judged.by.len() >= 2 || !judged.readers.is_empty());
    let mut models: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, (model, _)) in items.iter().enumerate() {
        models.entry(model.clone()).or_default().push(place);
    }
    let judged = items.into_iter().map(|(_, judged)| judged).collect();
    (models, judged)
}

/// Who reads which judgement of which item: each rater that of the next one, and that of an only rater whoever has the
/// least to read, of these whoever has read the least of that rater.
fn pairs(drawn: Vec<Judged>) -> Vec<(UserId, ItemId, AnnotationId)> {
    let (shared, single): (Vec<Judged>, Vec<Judged>) =
        drawn.into_iter().partition(|judged| judged.by.len() > 1);
    let mut pairs = Vec::new();
    let mut load: HashMap<UserId, usize> = HashMap::new();
    for judged in shared {
        for (at, (rater, _)) in judged.by.iter().enumerate() {
            let (_, annotation) = &judged.by[(at + 1) % judged.by.len()];
            *load.entry(rater.clone()).or_default() += 1;
            pairs.push((rater.clone(), judged.item.clone(), annotation.clone()));
        }
    }
    let mut of_rater: HashMap<(UserId, UserId), usize> = HashMap::new();
    for judged in single {
        let Some((rater, annotation)) = judged.by.into_iter().next() else {
            continue;
        };
        let count = |reader: &UserId| {
            let of = (reader.clone(), rater.clone());
            let read = of_rater.get(&of).copied().unwrap_or_default();
            (load.get(reader).copied().unwrap_or_default(), read)
        };
        // The first of equals, in the order of the study.
        let Some(reader) = judged.readers.iter().min_by_key(|reader| count(reader)) else {
            continue;
        };
        *load.entry(reader.clone()).or_default() += 1;
        *of_rater.entry((reader.clone(), rater)).or_default() += 1;
        pairs.push((reader.clone(), judged.item, annotation));
    }
    pairs
}

/// The reviews, each reviewer's in an order of their own.
fn reviews(app: &Services, seed: i64, drawn: Vec<Judged>) -> Vec<NewReview> {
    let mut by_rater: BTreeMap<UserId, Vec<(ItemId, AnnotationId)>> = BTreeMap::new();
    for (reader, item, annotation) in pairs(drawn) {
        by_rater.entry(reader).or_default().push((item, annotation));
    }
    let mut reviews = Vec::new();
    for (place, (reviewer, work)) in (0_i64..).zip(by_rater) {
        for (at, position) in order(seed, place, work.len()).into_iter().zip(1_i64..) {
            let (item, annotation) = work[at].clone();
            reviews.push(NewReview {
                id: app.id(),
                item,
                reviewer: reviewer.clone(),
                annotation,
                position,
            });
        }
    }
    reviews
}
