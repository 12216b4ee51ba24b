//! Calibration in numbers: what it is measured against, agreement of the round, and whether a rater passed.

use crate::actor::Actor;
use crate::agreement::{letter, named};
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::{open_in, scheme_in};
use domain::annotation::{Answer, Judgement};
use domain::id::{BatchId, ItemId, UserId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::Scheme;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use store::annotation::StoredAnnotation;
use store::round::Calibration;

use super::compare::{self, Compared, said};

/// A calibration batch in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibrated {
    /// The rater who is the reference, by letter; empty when raters are compared with each other.
    pub reference: String,
    /// The share of labels that must agree; nothing when nobody has to pass.
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
    /// Labels that were compared: judgements of tags, and answers to questions about the item.
    pub compared: u64,
    /// Of these, labels that do not differ by the study's rule.
    pub agree: u64,
    /// Of these, labels that are exactly the same: a tag's validity and severity, or the answer.
    pub exact: u64,
    /// Whether the share reaches what is asked; nothing before something was compared, or when nothing is asked.
    pub passed: Option<bool>,
}

/// Says what a calibration batch is measured against, and what share of labels has to agree.
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
                compared: 0,
                agree: 0,
                exact: 0,
                passed: None,
            };
            for annotations in items.values().filter(|all| all.len() >= per_item) {
                score.add(annotations, &member.user, &rule, &scheme);
            }
            score.passed = rule
                .pass_share
                .filter(|_| score.compared > 0)
                .map(|share| score.agree as f64 >= share * score.compared as f64);
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
    /// Counts the labels of an item: against the reference, or against every other rater at once.
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
            self.count(compare::tag(own, &theirs, &scheme.disagreement));
        }
        for question in &scheme.item_questions {
            let theirs: Vec<&Answer> = others.iter().filter_map(|a| said(a, question)).collect();
            self.count(compare::answer(said(mine, question), &theirs, question));
        }
    }

    fn count(&mut self, found: Option<Compared>) {
        let Some(found) = found else { return };
        self.compared += 1;
        self.agree += u64::from(!found.differs);
        self.exact += u64::from(found.exact);
    }
}
