//! The demonstration study, loaded through the ordinary use cases with times spread over the days before now.

mod ratings;

use crate::actor::Actor;
use crate::batch::{NewBatch, Round, Stratify};
use crate::error::Result;
use crate::import::{ImportOptions, ImportSource};
use crate::services::{Audit, Services};
use crate::source::{Clock, FixedClock};
use crate::study::SchemeSource;
use crate::{account, batch, import, member, study};
use domain::id::{BatchId, StudyId};
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use serde_json::json;
use std::io::Cursor;
use std::sync::Arc;

/// The name of the study.
pub const STUDY: &str = "Stigma demo";

/// The accounts: name, display name, role in the study (`Admin` is the server's).
pub const ACCOUNTS: [(&str, &str, Role); 4] = [
    ("admin", "Administrator", Role::Admin),
    ("coordinator", "Coordinator", Role::Coordinator),
    ("dr_lind", "Dr Lind", Role::Rater),
    ("dr_okafor", "Dr Okafor", Role::Rater),
];

const TRACES: &str = include_str!("../../demo/traces.jsonl");
const RATINGS: &str = include_str!("../../demo/ratings.jsonl");

/// How long before now the study began: long enough for all that happened in it.
const DAYS: i64 = 6;
const HOUR: i64 = 3_600_000;
const SEED: i64 = 2_604;

/// Loads the demonstration study; all accounts get this password. What is there already stays as it is, and a load
/// that was interrupted is finished.
///
/// # Errors
/// When the password is too short or the database fails.
pub async fn load(app: &Services, password: &str) -> Result<StudyId> {
    let operator = Actor::operator();
    if let Some(loaded) = loaded(app, &operator).await? {
        return Ok(loaded);
    }
    let clock = FixedClock::at(app.now() - DAYS * 24 * HOUR);
    let then = Services {
        clock: clock.clone() as Arc<dyn Clock>,
        ..app.clone()
    };
    for (name, display_name, role) in ACCOUNTS {
        let added = account::add(
            &then,
            &operator,
            name,
            display_name,
            role == Role::Admin,
            password,
        )
        .await;
        if !matches!(&added, Err(error) if error.refusal() == Refusal::NameTaken) {
            added?;
        }
    }
    let study = match study::find(&then, &operator, STUDY).await {
        Ok(study) => study,
        Err(_) => {
            study::create(
                &then,
                &operator,
                STUDY,
                SchemeSource::Builtin("stigma".to_owned()),
            )
            .await?
        }
    };
    for (name, _, role) in ACCOUNTS
        .into_iter()
        .filter(|(_, _, role)| *role != Role::Admin)
    {
        member::add(&then, &operator, &study, name, role).await?;
    }
    let coordinator = account::find(&then, &operator, "coordinator").await?;
    clock.advance(HOUR);
    let source = ImportSource::Reader(Box::new(Cursor::new(TRACES.as_bytes())));
    let options = ImportOptions::default();
    let report = import::run(
        &then,
        &coordinator,
        &study,
        source,
        "traces.jsonl",
        options,
        &|_| {},
    )
    .await?;
    if !report.problems.is_empty() {
        return Err(Refusal::ImportRefused.into());
    }
    clock.advance(HOUR);
    let batch = only_batch(&then, &coordinator, &study).await?;
    ratings::play(&then, &clock, &study, &batch, RATINGS).await?;
    mark(&then, &operator, &study).await?;
    Ok(study)
}

/// The study, if it was loaded to its end before.
async fn loaded(app: &Services, operator: &Actor) -> Result<Option<StudyId>> {
    let Ok(study) = study::find(app, operator, STUDY).await else {
        return Ok(None);
    };
    let mut db = app.db.read().await?;
    let action = format!("{}.{MARK}", Action::StudyManage.as_str());
    let marks = store::audit::page(&mut db, study.as_str(), [&action, "", ""], i64::MAX, 1).await?;
    Ok((!marks.is_empty()).then_some(study))
}

const MARK: &str = "demonstration";

async fn mark(app: &Services, operator: &Actor, study: &StudyId) -> Result<()> {
    let tx = app.db.begin().await?;
    let subject = study.as_str();
    let audit = Audit {
        study: Some(study),
        action: Action::StudyManage,
        verb: MARK,
        subject,
        details: json!({}),
    };
    app.commit(tx, operator, audit).await
}

/// The one batch, made when there is none: every item, both raters.
async fn only_batch(app: &Services, coordinator: &Actor, study: &StudyId) -> Result<BatchId> {
    if let Some(batch) = batch::list(app, coordinator, study)
        .await?
        .into_iter()
        .next()
    {
        return Ok(batch.id);
    }
    let members = member::list(app, coordinator, study).await?;
    let raters = members
        .into_iter()
        .filter(|m| m.role == Role::Rater)
        .map(|m| m.user)
        .collect();
    let items = TRACES
        .lines()
        .filter(|line| !line.trim().is_empty())
        .count();
    let new = NewBatch {
        name: "First round".to_owned(),
        round: Round::Main,
        size: u32::try_from(items).unwrap_or(u32::MAX),
        seed: Some(SEED),
        stratify: Stratify::None,
        raters,
        raters_per_item: 2,
        hidden_percent: 0,
    };
    batch::create(app, coordinator, study, new).await
}
