//! Studies: create, find, look over, settings.

mod schemes;
mod settings;

pub use schemes::{scheme, scheme_in, scheme_of, scheme_text};
pub use settings::{open_in, set_blinding, set_state};

use crate::actor::Actor;
use crate::auth::{require, require_server};
use crate::error::Result;
use crate::name;
use crate::services::{Audit, Services};
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::{Action, Role, may};
use domain::scheme::{self, Scheme};
use domain::study::{Blinding, StudyState};
use serde::Serialize;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use store::study::StoredScheme;

/// Where a new study's scheme comes from.
#[derive(Clone, Debug)]
pub enum SchemeSource {
    /// A built-in scheme by its name.
    Builtin(String),
    /// The text of a scheme file.
    Toml(String),
}

/// A study in a list.
#[derive(Clone, Debug, Serialize)]
pub struct StudyRow {
    /// The study.
    pub id: StudyId,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub state: StudyState,
    /// The title of its scheme.
    pub scheme_title: String,
    /// What the person asking is in it.
    pub roles: Vec<Role>,
    /// How many items it has.
    pub items: i64,
    /// Assignments done.
    pub submitted: i64,
    /// Assignments given.
    pub expected: i64,
}

/// One import.
#[derive(Clone, Debug, Serialize)]
pub struct ImportRow {
    /// Epoch milliseconds.
    pub at: i64,
    /// Who ran it.
    pub by_name: String,
    /// Which format.
    pub format: String,
    /// The file's name.
    pub file_name: String,
    /// New items.
    pub items: i64,
    /// New candidates.
    pub candidates: i64,
    /// New ratings.
    pub ratings: i64,
    /// What was there already.
    pub identical: i64,
    /// New rulings.
    pub rulings: i64,
}

/// What a study holds, in numbers.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Counts {
    /// Items.
    pub items: i64,
    /// Candidates of all judges.
    pub candidates: i64,
    /// Runs of a judge that found nothing.
    pub judged_negative: i64,
    /// Runs of a judge that failed.
    pub judge_failures: i64,
    /// Candidates whose evidence stands nowhere in the trace.
    pub unanchored: i64,
    /// Batches.
    pub batches: i64,
    /// Assignments given.
    pub assignments: i64,
    /// Assignments done.
    pub submitted: i64,
    /// Units that wait for a ruling; like the two below, 0 for whoever may not see disagreements.
    pub disputed: i64,
    /// Units that are settled.
    pub ruled: i64,
    /// Units whose ruling rests on something that changed.
    pub stale: i64,
}

/// A study looked over.
#[derive(Clone, Debug, Serialize)]
pub struct StudyView {
    /// The study.
    pub id: StudyId,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub state: StudyState,
    /// Its scheme.
    #[serde(serialize_with = "crate::wire::shared")]
    pub scheme: Arc<Scheme>,
    /// The version that counts.
    pub scheme_version: i64,
    /// The hash that names the scheme.
    pub scheme_hash: String,
    /// What raters do not see.
    pub blinding: Blinding,
    /// A submission exists, so blinding cannot change.
    pub blinding_fixed: bool,
    /// What the person asking is in it.
    pub roles: Vec<Role>,
    /// What it holds.
    pub counts: Counts,
    /// Its imports, latest first.
    pub imports: Vec<ImportRow>,
}

/// Creates a study; whoever creates it coordinates it.
///
/// # Errors
/// [`Refusal::NameTaken`], [`Refusal::NameInvalid`], [`Refusal::SchemeUnknown`], [`Refusal::SchemeBroken`].
pub async fn create(
    app: &Services,
    actor: &Actor,
    study_name: &str,
    source: SchemeSource,
) -> Result<StudyId> {
    require_creator(app, actor).await?;
    let study_name = name::to_read(study_name)?;
    let body = match source {
        SchemeSource::Builtin(id) => scheme::builtin(&id)
            .ok_or(Refusal::SchemeUnknown)?
            .to_owned(),
        SchemeSource::Toml(text) => text,
    };
    let (scheme, hash) = scheme::parse(&body).map_err(|_| Refusal::SchemeBroken)?;
    let created_by = (!actor.is_operator()).then(|| actor.user.clone());
    let study = store::study::Study {
        id: StudyId::new(app.id()),
        name: study_name,
        state: StudyState::Draft,
        scheme_version: 1,
        blinding: scheme.display.blinded,
        created_at: app.now(),
        created_by: created_by.clone(),
        revision: 1,
    };
    let mut tx = app.db.begin().await?;
    let stored = StoredScheme {
        hash: &hash,
        id: &scheme.id,
        version: i64::from(scheme.version),
        title: &scheme.title,
        body: &body,
    };
    store::study::put_scheme(&mut tx, &stored).await?;
    if !store::study::insert(&mut tx, &study, &name::folded(&study.name)).await? {
        return Err(Refusal::NameTaken.into());
    }
    store::audit::open_chain(&mut tx, study.id.as_str()).await?;
    store::study::add_scheme_version(&mut tx, &study, 1, &hash, "").await?;
    if let Some(user) = &created_by {
        store::member::put(
            &mut tx,
            &study.id,
            user,
            Role::Coordinator,
            study.created_at,
        )
        .await?;
    }
    let audit = Audit {
        study: Some(&study.id),
        action: Action::StudyCreate,
        verb: "done",
        subject: study.id.as_str(),
        details: json!({"scheme": scheme.id, "scheme_hash": hash}),
    };
    app.commit(tx, actor, audit).await?;
    Ok(study.id)
}

/// An administrator, or somebody who coordinates a study already.
async fn require_creator(app: &Services, actor: &Actor) -> Result<()> {
    if actor.is_admin {
        return require_server(actor, Action::StudyCreate);
    }
    let mut db = app.db.read().await?;
    let roles = store::member::roles_everywhere(&mut db, &actor.user).await?;
    let roles: Vec<Role> = roles.into_iter().map(|(_, role)| role).collect();
    if may(&roles, Action::StudyCreate) {
        Ok(())
    } else {
        Err(Refusal::Forbidden.into())
    }
}

/// The studies of whoever asks; an administrator sees all.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &Services, actor: &Actor) -> Result<Vec<StudyRow>> {
    let mut db = app.db.read().await?;
    let only = (!actor.is_admin).then_some(&actor.user);
    let listed = store::study::list(&mut db, only).await?;
    let mut roles: HashMap<StudyId, Vec<Role>> = HashMap::new();
    for (study, role) in store::member::roles_everywhere(&mut db, &actor.user).await? {
        roles.entry(study).or_default().push(role);
    }
    let admin = actor.is_admin.then_some(Role::Admin);
    let row = |study: store::study::Listed| StudyRow {
        roles: admin
            .into_iter()
            .chain(roles.remove(&study.id).unwrap_or_default())
            .collect(),
        id: study.id,
        name: study.name,
        state: study.state,
        scheme_title: study.scheme_title,
        items: study.items,
        submitted: study.submitted,
        expected: study.expected,
    };
    Ok(listed.into_iter().map(row).collect())
}

/// The study of this name or id, if whoever asks belongs to it.
///
/// # Errors
/// [`Refusal::NotFound`] otherwise.
pub async fn find(app: &Services, actor: &Actor, name_or_id: &str) -> Result<StudyId> {
    let mut db = app.db.read().await?;
    let id = store::study::find(&mut db, name_or_id, &name::folded(name_or_id))
        .await?
        .ok_or(Refusal::NotFound)?;
    require(&mut db, actor, &id, Action::StudyRead).await?;
    Ok(id)
}

/// A study looked over: counts and progress, never judgements.
///
/// # Errors
/// [`Refusal::NotFound`] for somebody who is no member.
pub async fn overview(app: &Services, actor: &Actor, id: &StudyId) -> Result<StudyView> {
    let mut db = app.db.snapshot().await?;
    let roles = require(&mut db, actor, id, Action::StudyRead).await?;
    let study = store::study::get(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (hash, _) = store::study::scheme_hash(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (scheme, scheme_version) = scheme_in(&mut db, id).await?;
    // Counted over the whole corpus: once for each state of the study.
    let holdings = match app.holdings.get(id, study.revision) {
        Some(kept) => kept,
        None => {
            let counted = store::study::holdings(&mut db, id).await?;
            app.holdings.put(id.clone(), study.revision, counted)
        }
    };
    let work = store::study::counts(&mut db, id).await?;
    let counts = told(Counts::of(*holdings, work), &roles);
    let submissions = store::study::submissions(&mut db, id).await?;
    let imports = store::study::imports(&mut db, id).await?;
    Ok(StudyView {
        id: study.id,
        name: study.name,
        state: study.state,
        scheme,
        scheme_version,
        scheme_hash: hash,
        blinding: study.blinding,
        blinding_fixed: submissions > 0,
        roles,
        counts,
        imports: imports.into_iter().map(Into::into).collect(),
    })
}

/// What a person may know of the counts. How many units differ tells a rater something of the other's judgement,
/// while their own can still be changed.
fn told(counts: Counts, roles: &[Role]) -> Counts {
    if may(roles, Action::DisagreementRead) {
        return counts;
    }
    Counts {
        disputed: 0,
        ruled: 0,
        stale: 0,
        ..counts
    }
}

/// What somebody is in a study.
///
/// # Errors
/// [`Refusal::NotFound`] for somebody who is no member.
pub async fn roles(app: &Services, actor: &Actor, id: &StudyId) -> Result<Vec<Role>> {
    require(&mut *app.db.read().await?, actor, id, Action::StudyRead).await
}

/// Whether somebody may import into a study: asked before an upload is taken.
///
/// # Errors
/// As the authorisation table says.
pub async fn may_import(app: &Services, actor: &Actor, id: &StudyId) -> Result<()> {
    require(&mut *app.db.read().await?, actor, id, Action::ImportRun)
        .await
        .map(drop)
}

impl Counts {
    fn of(holdings: store::study::Holdings, work: store::study::Counts) -> Self {
        Self {
            items: holdings.items,
            candidates: holdings.candidates,
            judged_negative: holdings.judged_negative,
            judge_failures: holdings.judge_failures,
            unanchored: holdings.unanchored,
            batches: work.batches,
            assignments: work.assignments,
            submitted: work.submitted,
            disputed: work.disputed,
            ruled: work.ruled,
            stale: work.stale,
        }
    }
}

impl From<store::study::Import> for ImportRow {
    fn from(from: store::study::Import) -> Self {
        Self {
            at: from.at,
            by_name: from.by_name,
            format: from.format,
            file_name: from.file_name,
            items: from.items,
            candidates: from.candidates,
            ratings: from.ratings,
            identical: from.identical,
            rulings: from.rulings,
        }
    }
}
