//! The coding manual of a study in its versions: read one, see what changed, make the next.
//!
//! A version is never changed. A new one may add and reword, but takes no code away that judgements were made with.
//! Rulings whose category came to mean something else turn stale by it.

mod edit;
mod matching;

pub use edit::Edit;
pub use matching::{missed_match, set_missed_match};

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::{scheme_in, scheme_of};
use domain::id::{StudyId, UnitId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::diff::{Difference, differences};
use domain::scheme::{self, Scheme, SeverityScale};
use domain::study::StudyState;
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use store::study::StoredScheme;
use store::{AnyConnection, Tx};

/// How many items are derived anew at a time.
const STEP: i64 = 500;

/// The longest note on a version, in characters.
const LONGEST_NOTE: usize = 2_000;

/// A version in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VersionRow {
    /// Counted from 1.
    pub version: i64,
    /// The hash that names the scheme.
    pub hash: String,
    /// What changed and why.
    pub note: String,
    /// Epoch milliseconds.
    pub at: i64,
    /// Who made it.
    pub by: String,
    /// How many annotations that count were made under it; 0 for whoever may not see progress.
    pub annotations: i64,
    /// The units whose discussion it grew from; empty for whoever may not see disagreements.
    pub units: Vec<UnitId>,
}

/// Every version, the newest first.
///
/// # Errors
/// [`Refusal::NotFound`] for somebody who is no member.
pub async fn versions(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<VersionRow>> {
    let mut db = app.db.snapshot().await?;
    let roles = require(&mut db, actor, study, Action::StudyRead).await?;
    let staff = domain::role::may(&roles, Action::DisagreementRead);
    let versions = store::manual::versions(&mut db, study).await?;
    let row = |version: store::manual::Version| VersionRow {
        version: version.version,
        hash: version.hash,
        note: version.note,
        at: version.at,
        by: version.by,
        annotations: if staff { version.annotations } else { 0 },
        units: if staff { version.units } else { Vec::new() },
    };
    Ok(versions.into_iter().map(row).collect())
}

/// One version as it was.
///
/// # Errors
/// [`Refusal::NotFound`] for one that does not exist, or somebody who is no member.
pub async fn at(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    version: i64,
) -> Result<Arc<Scheme>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::StudyRead).await?;
    of_version(&mut db, study, version).await
}

/// What changed between two versions.
///
/// # Errors
/// As [`at`].
pub async fn changes(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    from: i64,
    to: i64,
) -> Result<Vec<Difference>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::StudyRead).await?;
    let before = of_version(&mut db, study, from).await?;
    let after = of_version(&mut db, study, to).await?;
    Ok(differences(&before, &after))
}

async fn of_version(db: &mut AnyConnection, study: &StudyId, version: i64) -> Result<Arc<Scheme>> {
    let hash = store::manual::hash_of(db, study, version)
        .await?
        .ok_or(Refusal::NotFound)?;
    scheme_of(db, &hash).await
}

/// What a new version did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Revised {
    /// The version that counts now.
    pub version: i64,
    /// Units whose ruling turned stale by it.
    pub stale: i64,
}

/// Makes the next version from an edit of the one that counts.
///
/// # Errors
/// [`Refusal::ReasonNeeded`] without a note, [`Refusal::Conflict`] when another version counts since,
/// [`Refusal::InputInvalid`] for a code that is not there, [`Refusal::SchemeBroken`] when a rule of schemes is broken,
/// [`Refusal::StudyClosed`].
pub async fn edit(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    expected: i64,
    edit: Edit,
    note: &str,
    units: &[UnitId],
) -> Result<Revised> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::StudyManage).await?;
    let (scheme, _) = scheme_in(&mut db, study).await?;
    drop(db);
    let mut next = (*scheme).clone();
    edit.apply(&mut next)?;
    next.version = next.version.saturating_add(1);
    let text = scheme::write(&next).map_err(|_| Refusal::SchemeBroken)?;
    revise(app, actor, study, expected, &text, note, units).await
}

/// Makes the next version from the text of a scheme file.
///
/// # Errors
/// As [`edit`]; [`Refusal::SchemeTakesAway`] when a code, a level or a question is missing that the version before has;
/// [`Refusal::NothingChanged`] when it says the same.
pub async fn revise(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    expected: i64,
    text: &str,
    note: &str,
    units: &[UnitId],
) -> Result<Revised> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::StudyManage).await?;
    let note = note.trim();
    if note.is_empty() {
        return Err(Refusal::ReasonNeeded.into());
    }
    if note.chars().count() > LONGEST_NOTE {
        return Err(Refusal::TextTooLong.into());
    }
    let (next, hash) = scheme::parse(text).map_err(|_| Refusal::SchemeBroken)?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    let held = store::study::get(&mut tx, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    if held.state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    let (before, version) = scheme_in(&mut tx, study).await?;
    if version != expected {
        return Err(Refusal::Conflict.into());
    }
    if next.id != before.id || takes_away(&before, &next) {
        return Err(Refusal::SchemeTakesAway.into());
    }
    let changes = differences(&before, &next);
    if changes.is_empty() {
        return Err(Refusal::NothingChanged.into());
    }
    let stored = StoredScheme {
        hash: &hash,
        id: &next.id,
        version: i64::from(next.version),
        title: &next.title,
        body: text,
    };
    store::study::put_scheme(&mut tx, &stored).await?;
    let author = store::study::Study {
        created_at: app.now(),
        created_by: (!actor.is_operator()).then(|| actor.user.clone()),
        ..held
    };
    store::study::add_scheme_version(&mut tx, &author, version + 1, &hash, note).await?;
    store::manual::adopt(&mut tx, study, version + 1, units).await?;
    let before = store::study::counts(&mut tx, study).await?.stale;
    derive_all(&mut tx, app, study).await?;
    store::study::bump_revision(&mut tx, study).await?;
    let stale = store::study::counts(&mut tx, study).await?.stale - before;
    let codes: Vec<_> = changes.iter().map(|c| json!([c.code, c.part])).collect();
    let audit = Audit {
        study: Some(study),
        action: Action::StudyManage,
        verb: "manual",
        subject: study.as_str(),
        details: json!({"version": version + 1, "hash": hash, "changes": codes, "stale": stale, "units": units}),
    };
    app.commit(tx, actor, audit).await?;
    Ok(Revised {
        version: version + 1,
        stale,
    })
}

/// Derives the units of every item anew, a page at a time.
async fn derive_all(tx: &mut Tx, app: &Services, study: &StudyId) -> Result<()> {
    let last = store::manual::last_seq(tx, study).await?;
    let mut from = 1;
    while from <= last {
        crate::unit::refresh_range(tx, app, study, from, from + STEP - 1).await?;
        from += STEP;
    }
    Ok(())
}

/// Whether something is missing that judgements may have been made with.
fn takes_away(before: &Scheme, after: &Scheme) -> bool {
    let codes = before.categories.iter().flat_map(|category| {
        let subs = category.subcategories.iter().map(|sub| &sub.id);
        std::iter::once(&category.id).chain(subs)
    });
    let mut codes = codes.map(|code| (before.find(code), after.find(code)));
    let values = |scheme: &Scheme| scheme.severity.as_ref().map(SeverityScale::values);
    let questions = |scheme: &Scheme| -> Vec<String> {
        let ids = scheme.item_questions.iter();
        ids.map(|question| question.id.clone()).collect()
    };
    let asked = questions(after);
    codes.any(|(was, is)| was != is)
        || values(before) != values(after)
        || before.unit != after.unit
        || questions(before).iter().any(|id| !asked.contains(id))
}
