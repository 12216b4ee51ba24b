//! Drafts on their way to the database: those that wait for one study are written in one transaction.
//!
//! A commit costs the disk the same for one draft as for thirty. Whoever comes while one is under way waits for its end,
//! and then one of the waiting writes for all of them. Nobody waits for company: who comes alone writes at once.

use crate::actor::Actor;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::audit::Entry;
use store::draft::Draft;
use tokio::sync::{Mutex as Turn, oneshot};

/// The most drafts of one transaction.
const TOGETHER: usize = 32;

/// The lanes of all studies. One each, so that a study that is busy (an import holds its chain) stops no other.
#[derive(Debug, Default)]
pub struct Lanes(Mutex<HashMap<StudyId, Arc<Lane>>>);

impl Lanes {
    fn of(&self, study: &StudyId) -> Arc<Lane> {
        let mut lanes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lanes.entry(study.clone()).or_default().clone()
    }
}

/// What a test waits for.
#[cfg(any(test, feature = "testing"))]
impl Lanes {
    /// How many drafts of the study wait.
    pub fn waiting(&self, study: &StudyId) -> usize {
        self.of(study).queue().len()
    }

    /// Whether drafts of the study were taken from those that wait and are being written.
    pub fn writing(&self, study: &StudyId) -> bool {
        let lane = self.of(study);
        lane.turn.try_lock().is_err() && lane.queue().is_empty()
    }
}

#[derive(Debug, Default)]
struct Lane {
    waiting: Mutex<Vec<Waiting>>,
    turn: Arc<Turn<()>>,
}

#[derive(Debug)]
struct Waiting {
    actor: Actor,
    draft: Draft,
    answer: oneshot::Sender<Result<bool>>,
}

/// Keeps a draft; false when somebody else wrote since its writer read. When this returns it is on the disk.
pub(super) async fn keep(app: &Services, actor: &Actor, draft: Draft) -> Result<bool> {
    let lane = app.drafts.of(&draft.held.study);
    let (answer, mut kept) = oneshot::channel();
    lane.queue().push(Waiting {
        actor: actor.clone(),
        draft,
        answer,
    });
    loop {
        tokio::select! {
            biased;
            kept = &mut kept => return kept.unwrap_or_else(|_| Err(Refusal::Internal.into())),
            turn = lane.turn.clone().lock_owned() => {
                let (app, lane) = (app.clone(), lane.clone());
                // On its own: whoever writes for others may be gone before it is done.
                let written = tokio::spawn(async move {
                    lane.write(&app).await;
                    drop(turn);
                });
                if written.await.is_err() {
                    return Err(Refusal::Internal.into());
                }
            }
        }
    }
}

impl Lane {
    fn queue(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The drafts that are written next, one an assignment. A second one of the same waits until the first is in, and
    /// one whose sender hung up is not written.
    fn take(&self) -> Vec<Waiting> {
        let mut queue = self.queue();
        queue.retain(|waiting| !waiting.answer.is_closed());
        let mut taken = HashSet::new();
        queue
            .extract_if(.., |waiting| {
                taken.len() < TOGETHER && taken.insert(waiting.draft.held.id.clone())
            })
            .collect()
    }

    /// Writes what waits. Drafts that cannot be written together are written one by one, so that none fails for another.
    async fn write(&self, app: &Services) {
        let group = self.take();
        match write(app, &group).await {
            Ok(kept) => {
                for (waiting, kept) in group.into_iter().zip(kept) {
                    // Nobody listens any more when the connection broke meanwhile.
                    let _ = waiting.answer.send(Ok(kept));
                }
            }
            Err(error) => {
                tracing::warn!(%error, drafts = group.len(), "drafts are written one by one");
                for waiting in group {
                    let kept = write(app, std::slice::from_ref(&waiting)).await;
                    let _ = waiting.answer.send(kept.map(|kept| kept.contains(&true)));
                }
            }
        }
    }
}

/// One transaction: each draft whose assignment is as its writer saw it is kept and leaves its audit row.
async fn write(app: &Services, group: &[Waiting]) -> Result<Vec<bool>> {
    let Some(first) = group.first() else {
        return Ok(Vec::new());
    };
    let drafts: Vec<&Draft> = group.iter().map(|waiting| &waiting.draft).collect();
    let mut tx = app.db.begin().await?;
    let kept = store::draft::keep(&mut tx, &drafts).await?;
    let kept: Vec<bool> = drafts
        .iter()
        .map(|draft| kept.contains(&draft.held.id))
        .collect();
    let action = format!("{}.save", Action::Annotate.as_str());
    let rows: Vec<(&Waiting, String)> = group
        .iter()
        .zip(&kept)
        .filter(|(_, kept)| **kept)
        .map(|(waiting, _)| {
            let version = waiting.draft.held.version + 1;
            (waiting, json!({"version": version}).to_string())
        })
        .collect();
    let entries: Vec<Entry<'_>> = rows
        .iter()
        .map(|(waiting, details)| Entry {
            at: waiting.draft.at,
            actor: waiting.actor.user.as_str(),
            action: &action,
            subject: waiting.draft.held.id.as_str(),
            details,
        })
        .collect();
    if !entries.is_empty() {
        let study = first.draft.held.study.as_str();
        store::audit::append(&mut tx, study, &entries).await?;
        tx.commit().await.map_err(store::Error::from)?;
    }
    Ok(kept)
}
