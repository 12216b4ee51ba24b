//! Signing off: what stands in the way, and freezing the labels once nothing does.

use super::manifest::{Counts, manifest};
use super::read::row;
use super::{Label, Readiness, SnapshotRow, UnsettledRow, canonical};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::name;
use crate::services::{Audit, Services};
use crate::study::scheme_of;
use domain::id::{SnapshotId, StudyId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::Scheme;
use domain::snapshot::{LeftOut, leave_out};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use store::AnyConnection;
use store::snapshot::{Head, Unsettled};

/// How many items are held at a time.
const STEP: i64 = 1_000;
/// The longest reason and the longest statement, in characters.
const LONGEST_REASON: usize = 500;
const LONGEST_STATEMENT: usize = 2_000;

/// What somebody signs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SignOff {
    /// The name under which they answer for it.
    pub name: String,
    /// What they state.
    pub statement: String,
    /// The basis of the [`Readiness`] they saw; empty when nothing is left out.
    pub basis: String,
    /// What is left out although it is not settled, one by one.
    pub left_out: Vec<LeftOut>,
    /// What is left out by state: everything in it that is not named one by one.
    pub groups: Vec<Group>,
}

/// Everything that stands in a state, left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// `open`, `disputed`, `in_discussion` or `stale`.
    pub state: String,
    /// Why.
    pub reason: String,
}

/// What stands in the way of signing a study off.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right to see labels.
pub async fn readiness(app: &Services, actor: &Actor, study: &StudyId) -> Result<Readiness> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::SnapshotRead).await?;
    let found = store::study::get(&mut db, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (scheme, _) = crate::study::scheme_in(&mut db, study).await?;
    let unsettled = store::snapshot::unsettled(&mut db, study).await?;
    Ok(Readiness {
        state: found.state,
        basis: basis(&unsettled),
        unsettled: unsettled
            .into_iter()
            .map(|one| shown(one, &scheme))
            .collect(),
    })
}

fn shown(one: Unsettled, scheme: &Scheme) -> UnsettledRow {
    let code = if one.subcategory.is_empty() {
        one.category
    } else {
        one.subcategory
    };
    UnsettledRow {
        category_name: scheme.name_of(&code).unwrap_or(&code).to_owned(),
        unit: one.unit,
        kind: one.kind,
        item_key: one.item_key,
        state: one.state,
    }
}

/// Names what is not settled, so that nobody leaves out what they did not see.
fn basis(unsettled: &[Unsettled]) -> String {
    let mut digest = Sha256::new();
    for one in unsettled {
        digest.update(one.unit.as_bytes());
        digest.update([0]);
        digest.update(one.state.as_bytes());
        digest.update([0]);
    }
    hex::encode(digest.finalize())
}

/// Freezes the labels of a study and signs it off. From then on nothing of it changes until it is opened again with a
/// reason, and what follows is another snapshot.
///
/// # Errors
/// [`Refusal::UnitsOpen`] while a unit is neither settled nor left out, [`Refusal::ReasonNeeded`] when one is left out
/// without a reason, [`Refusal::Conflict`] when what is not settled changed since it was looked at,
/// [`Refusal::NameInvalid`] without a name, [`Refusal::StateStep`] from a draft or a study that is signed off.
pub async fn sign_off(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    new: SignOff,
) -> Result<SnapshotRow> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::SignOff).await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    let found = store::study::get(&mut tx, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    let signed = found.state.sign_off()?;
    let attested_as = name::to_read(&new.name)?;
    let left_out = left_out(&mut tx, study, &new).await?;
    let (scheme_hash, scheme_version) = store::study::scheme_hash(&mut tx, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    let scheme = scheme_of(&mut tx, &scheme_hash).await?;
    let latest = store::snapshot::list(&mut tx, study).await?;
    let mut head = Head {
        id: SnapshotId::new(app.id()),
        study: study.clone(),
        number: latest.first().map_or(0, |head| head.number) + 1,
        content_hash: String::new(),
        manifest: String::new(),
        labels: 0,
        last_seq: store::import::last_seq(&mut tx, study).await?,
        scheme_hash,
        scheme_version,
        signed_by: actor.user.as_str().to_owned(),
        attested_as,
        statement: new.statement.trim().to_owned(),
        signed_at: app.now(),
        reopened: None,
    };
    store::snapshot::insert(&mut tx, &head).await?;
    store::snapshot::freeze(&mut tx, &head.id, study).await?;
    let (counts, mut digest) = labels(&mut tx, &mut head, &scheme).await?;
    let hash = head.scheme_hash.clone();
    let manifest = manifest(&mut tx, &found, (&scheme, &hash), &left_out, &counts).await?;
    head.manifest = canonical(&manifest);
    digest.update(format!("],\"manifest\":{}}}", head.manifest));
    head.content_hash = hex::encode(digest.finalize());
    store::snapshot::seal(&mut tx, &head).await?;
    store::study::set_state(&mut tx, study, found.state, signed).await?;
    let details = json!({
        "number": head.number, "content_hash": head.content_hash, "labels": head.labels, "left_out": left_out.len(),
        "attested_as": head.attested_as,
    });
    let subject = head.id.clone();
    let audit = Audit {
        study: Some(study),
        action: Action::SignOff,
        verb: "sign",
        subject: subject.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(row(head, actor.display_name.clone(), String::new(), true))
}

/// What is left out, each with its reason, when it is exactly what is not settled.
async fn left_out(tx: &mut AnyConnection, study: &StudyId, new: &SignOff) -> Result<Vec<LeftOut>> {
    let too_long = |text: &str, most: usize| text.chars().count() > most;
    let reasons = new.left_out.iter().map(|one| &one.reason);
    let reasons = reasons.chain(new.groups.iter().map(|group| &group.reason));
    if too_long(&new.statement, LONGEST_STATEMENT)
        || reasons
            .into_iter()
            .any(|reason| too_long(reason, LONGEST_REASON))
    {
        return Err(Refusal::TextTooLong.into());
    }
    let unsettled = store::snapshot::unsettled(tx, study).await?;
    let names: Vec<&str> = unsettled.iter().map(|one| one.unit.as_str()).collect();
    let mut out = new.left_out.clone();
    for one in &unsettled {
        let named = new.left_out.iter().any(|other| other.unit == one.unit);
        let group = new.groups.iter().find(|group| group.state == one.state);
        if let Some(group) = group.filter(|_| !named) {
            out.push(LeftOut {
                unit: one.unit.clone(),
                reason: group.reason.clone(),
            });
        }
    }
    let out = leave_out(&names, &out)?;
    // Whoever leaves something out says which list they saw.
    if !out.is_empty() && new.basis != basis(&unsettled) {
        return Err(Refusal::Conflict.into());
    }
    Ok(out)
}

/// Writes every label and hashes them as they pass.
async fn labels(
    tx: &mut AnyConnection,
    head: &mut Head,
    scheme: &Scheme,
) -> Result<(Counts, Sha256)> {
    let (mut counts, mut digest) = (Counts::default(), Sha256::new());
    let mut written = store::snapshot::Labels::of(head.id.clone());
    digest.update("{\"labels\":[");
    let mut after = 0;
    while after < head.last_seq {
        let up_to = after + STEP;
        for labelled in store::snapshot::labelled(tx, &head.study, after, up_to).await? {
            let label = Label::of(labelled, scheme);
            counts.add(&label);
            let body = canonical(&json!(label));
            if written.count() > 0 {
                digest.update(",");
            }
            digest.update(&body);
            written.push(&label.unit_id, body);
        }
        written.flush(tx).await?;
        after = up_to;
    }
    head.labels = written.count();
    Ok((counts, digest))
}
