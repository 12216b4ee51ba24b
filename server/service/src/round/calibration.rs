//! Calibration: feedback after submitting, agreement of the round, and whether a rater passed.

use crate::actor::Actor;
use crate::agreement::{letter, named};
use crate::auth::require;
use crate::desk::{DeskItem, item_of};
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::{open_in, scheme_in};
use domain::annotation::Judgement;
use domain::id::{AssignmentId, BatchId, CandidateId, ItemId, StudyId, UserId};
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use domain::scheme::{DisagreementRule, Scheme, Validity};
use domain::unit::compare;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::annotation::StoredAnnotation;
use store::round::Calibration;

/// What a rater sees after a calibration item.
#[derive(Clone, Debug, Serialize)]
pub struct Feedback {
    /// The study.
    pub study: StudyId,
    /// What was judged.
    pub item: DeskItem,
    /// Tag by tag.
    pub rows: Vec<FeedbackRow>,
    /// The others are measured against one of them.
    pub by_reference: bool,
    /// Tags that do not differ by the study's rule.
    pub agree: u64,
    /// The scheme in force.
    #[serde(skip)]
    pub scheme: Arc<Scheme>,
}

/// One tag with one's own judgement and the others'.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeedbackRow {
    /// The tag.
    pub candidate: CandidateId,
    /// The name of its category.
    pub title: String,
    /// Where it stands in the trace.
    pub spans: Vec<(u32, u32, String)>,
    /// One's own: validity and severity.
    pub mine: (Option<Validity>, Option<f64>),
    /// The others': validity, severity, comment.
    pub theirs: Vec<(Option<Validity>, Option<f64>, String)>,
    /// They differ by the study's rule.
    pub differs: bool,
}

/// A calibration item that the rater has given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MyFeedback {
    /// The batch's name.
    pub batch_name: String,
    /// The assignment.
    pub assignment: AssignmentId,
    /// Its place in the rater's order.
    pub position: i64,
}

/// The calibration items that whoever asks has given: there may be feedback on them.
///
/// # Errors
/// When the database fails.
pub async fn my_feedback(app: &Services, actor: &Actor) -> Result<Vec<MyFeedback>> {
    let mut db = app.db.read().await?;
    let given = store::round::given(&mut db, &actor.user).await?;
    let one = |(batch_name, assignment, position)| MyFeedback {
        batch_name,
        assignment,
        position,
    };
    Ok(given.into_iter().map(one).collect())
}

/// A calibration batch in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibrated {
    /// The rater who is the reference, by letter; empty when raters are compared with each other.
    pub reference: String,
    /// The share of tags that must agree; nothing when nobody has to pass.
    pub pass_share: Option<f64>,
    /// Rater by rater.
    pub raters: Vec<RaterScore>,
}

/// How a rater did in a calibration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaterScore {
    /// The rater's letter.
    pub letter: String,
    /// The name people read; nothing for whoever sees no names.
    pub name: Option<String>,
    /// Tags that were compared.
    pub tags: u64,
    /// Of these, tags that do not differ by the study's rule.
    pub agree: u64,
    /// Of these, tags with exactly the same validity and severity.
    pub exact: u64,
    /// Whether the share reaches what is asked; nothing before something was compared, or when nothing is asked.
    pub passed: Option<bool>,
}

/// Says what a calibration batch is measured against, and what share of tags has to agree.
///
/// # Errors
/// [`Refusal::InputInvalid`] when the batch is no calibration, the reference does not rate in it, or the share is none.
pub async fn calibrate(
    app: &Services,
    actor: &Actor,
    batch: &BatchId,
    reference: Option<UserId>,
    pass_share: Option<f64>,
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let (found, _) = store::batch::get(&mut tx, batch)
        .await?
        .ok_or(Refusal::NotFound)?;
    require(&mut tx, actor, &found.study, Action::BatchManage).await?;
    store::audit::lock(&mut tx, found.study.as_str()).await?;
    open_in(&mut tx, &found.study).await?;
    let rows = store::assignment::of_batch(&mut tx, batch).await?;
    let rates = |user: &UserId| rows.iter().any(|row| row.rater == *user);
    let sound = reference.as_ref().is_none_or(rates)
        && pass_share.is_none_or(|share| (0.0..=1.0).contains(&share));
    if found.round != "calibration" || !sound {
        return Err(Refusal::InputInvalid.into());
    }
    let details = json!({"reference": reference, "pass_share": pass_share});
    let calibration = Calibration {
        reference,
        pass_share,
    };
    store::round::put(&mut tx, batch, &calibration).await?;
    let audit = Audit {
        study: Some(&found.study),
        action: Action::BatchManage,
        verb: "calibrate",
        subject: batch.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await
}

/// What a rater sees after they submitted a calibration item and those they are measured against have too. When it was
/// first shown is noted, and the rater cannot change their judgement afterwards.
///
/// # Errors
/// [`Refusal::NotFound`] when it is not theirs or no calibration, [`Refusal::NotAllIn`] while a judgement is missing.
pub async fn feedback(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
) -> Result<Feedback> {
    let mut db = app.db.read().await?;
    let batch = store::round::of_assignment(&mut db, assignment, &actor.user)
        .await?
        .ok_or(Refusal::NotFound)?;
    let held = store::assignment::get(&mut db, assignment)
        .await?
        .ok_or(Refusal::NotFound)?;
    let roles = store::member::roles(&mut db, &held.study, &actor.user).await?;
    if !roles.is_some_and(|roles| roles.contains(&Role::Rater)) {
        return Err(Refusal::Forbidden.into());
    }
    let rule = store::round::calibration(&mut db, &batch).await?;
    let all = store::annotation::calibrated(
        &mut db,
        &batch,
        &held.item,
        &actor.user,
        rule.reference.as_ref(),
    )
    .await?;
    let (mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|a| a.rater == actor.user);
    let mine = mine.into_iter().next().ok_or(Refusal::NotAllIn)?;
    let blinding = store::study::get(&mut db, &held.study)
        .await?
        .ok_or(Refusal::NotFound)?
        .blinding;
    let (scheme, _) = scheme_in(&mut db, &held.study).await?;
    let item = store::item::get(&mut db, &held.item, blinding)
        .await?
        .ok_or(Refusal::NotFound)?;
    let candidates = store::candidate::of_item(&mut db, &held.item, true).await?;
    drop(db);
    shown(app, actor, &held.study, (&held.item, assignment)).await?;
    let rows: Vec<FeedbackRow> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let own = mine.body.judgements.get(&candidate.id)?;
            let theirs: Vec<&Judgement> = others
                .iter()
                .filter_map(|other| other.body.judgements.get(&candidate.id))
                .collect();
            let code = candidate.category.subcategory;
            let code = code.as_ref().unwrap_or(&candidate.category.category);
            Some(FeedbackRow {
                title: scheme.name_of(code).unwrap_or(code).to_owned(),
                spans: candidate.spans,
                mine: (own.validity, own.severity),
                differs: theirs
                    .iter()
                    .any(|other| differ(own, other, &scheme.disagreement)),
                theirs: theirs
                    .into_iter()
                    .map(|other| (other.validity, other.severity, other.comment.clone()))
                    .collect(),
                candidate: candidate.id,
            })
        })
        .collect();
    Ok(Feedback {
        study: held.study,
        item: item_of(item, &scheme),
        agree: rows.iter().filter(|row| !row.differs).count() as u64,
        rows,
        by_reference: rule.reference.is_some(),
        scheme,
    })
}

async fn shown(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    (item, assignment): (&ItemId, &AssignmentId),
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let place = "calibration";
    if !store::round::disclose(&mut tx, study, item, &actor.user, place, app.now()).await? {
        return Ok(());
    }
    let audit = Audit {
        study: Some(study),
        action: Action::Review,
        verb: "feedback",
        subject: assignment.as_str(),
        details: json!({"item": item}),
    };
    app.commit(tx, actor, audit).await
}

/// Whether two judgements differ by the study's rule; that somebody asks to discuss a tag is no difference.
fn differ(one: &Judgement, other: &Judgement, rule: &DisagreementRule) -> bool {
    let found = compare(&[one.clone(), other.clone()], rule);
    found.severity || found.validity || found.category
}

/// How the raters of a calibration batch did, over items of which all are in.
///
/// # Errors
/// [`Refusal::NotFound`] when there is no such batch, [`Refusal::InputInvalid`] when it is no calibration.
pub async fn calibration(app: &Services, actor: &Actor, batch: &BatchId) -> Result<Calibrated> {
    let mut db = app.db.snapshot().await?;
    let (found, _) = store::batch::get(&mut db, batch)
        .await?
        .ok_or(Refusal::NotFound)?;
    let roles = require(&mut db, actor, &found.study, Action::AgreementRead).await?;
    if found.round != "calibration" {
        return Err(Refusal::InputInvalid.into());
    }
    let rule = store::round::calibration(&mut db, batch).await?;
    let (scheme, _) = scheme_in(&mut db, &found.study).await?;
    let members = store::unit::raters(&mut db, &found.study).await?;
    let last = store::import::last_seq(&mut db, &found.study).await?;
    let rows = store::assignment::of_batch(&mut db, batch).await?;
    let mut items: BTreeMap<ItemId, Vec<StoredAnnotation>> = BTreeMap::new();
    for annotation in store::annotation::latest_of_range(&mut db, &found.study, 0, last).await? {
        if annotation.batch == *batch && annotation.ratable {
            items
                .entry(annotation.item.clone())
                .or_default()
                .push(annotation);
        }
    }
    let expected = |user: &UserId| rows.iter().any(|row| row.rater == *user);
    let per_item = usize::try_from(found.raters_per_item).unwrap_or(usize::MAX);
    let raters = members
        .iter()
        .enumerate()
        .filter(|(_, member)| {
            expected(&member.user) && rule.reference.as_ref() != Some(&member.user)
        })
        .map(|(at, member)| {
            let mut score = RaterScore {
                letter: letter(at),
                name: named(&roles).then(|| member.display_name.clone()),
                tags: 0,
                agree: 0,
                exact: 0,
                passed: None,
            };
            for annotations in items.values().filter(|all| all.len() >= per_item) {
                score.add(annotations, &member.user, &rule, &scheme);
            }
            score.passed = rule
                .pass_share
                .filter(|_| score.tags > 0)
                .map(|share| score.agree as f64 >= share * score.tags as f64);
            score
        })
        .collect();
    let reference = rule
        .reference
        .as_ref()
        .and_then(|user| members.iter().position(|member| member.user == *user));
    Ok(Calibrated {
        reference: reference.map(letter).unwrap_or_default(),
        pass_share: rule.pass_share,
        raters,
    })
}

impl RaterScore {
    /// Counts the tags of an item: against the reference, or against every other rater at once.
    fn add(
        &mut self,
        annotations: &[StoredAnnotation],
        rater: &UserId,
        rule: &Calibration,
        scheme: &Scheme,
    ) {
        let Some(mine) = annotations.iter().find(|a| a.rater == *rater) else {
            return;
        };
        let others: Vec<&StoredAnnotation> = annotations
            .iter()
            .filter(|a| a.rater != *rater)
            .filter(|a| rule.reference.as_ref().is_none_or(|user| a.rater == *user))
            .collect();
        for (candidate, own) in &mine.body.judgements {
            let theirs: Vec<&Judgement> = others
                .iter()
                .filter_map(|other| other.body.judgements.get(candidate))
                .collect();
            if theirs.is_empty() {
                continue;
            }
            let same = |other: &&Judgement| {
                other.validity == own.validity && other.severity == own.severity
            };
            self.tags += 1;
            self.exact += u64::from(theirs.iter().all(same));
            let agrees = |other: &&Judgement| !differ(own, other, &scheme.disagreement);
            self.agree += u64::from(theirs.iter().all(agrees));
        }
    }
}
