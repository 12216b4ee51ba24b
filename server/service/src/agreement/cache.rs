//! Reports that were computed already, and the resampling that runs in the background.

use super::compute::Computed;
use super::resample::{Outcomes, RESAMPLES, Work};
use super::types::{AgreementQuery, Resampling};
use crate::services::Services;
use domain::id::StudyId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Up to so many rows of ratings are resampled at once, before the answer: that takes a moment only.
const AT_ONCE: usize = 1_000;
/// Of each study so many outcomes are kept, the newest.
const KEPT: i64 = 2_000;

/// Reports of each study at its latest revision, and resampling under way.
#[derive(Debug)]
pub struct Cache {
    reports: Mutex<HashMap<(StudyId, AgreementQuery), (i64, Arc<Computed>)>>,
    /// Resamples drawn so far, by the hash of the work.
    running: Arc<Mutex<HashMap<String, Arc<AtomicUsize>>>>,
    tasks: Mutex<JoinSet<()>>,
    /// One at a time: those who rate need the machine too.
    turn: Arc<Semaphore>,
    at_once: usize,
}

impl Default for Cache {
    fn default() -> Self {
        Self::with_limit(AT_ONCE)
    }
}

impl Cache {
    /// A cache that leaves whatever has more rows than this to the background.
    pub fn with_limit(at_once: usize) -> Self {
        Self {
            reports: Mutex::default(),
            running: Arc::default(),
            tasks: Mutex::default(),
            turn: Arc::new(Semaphore::new(1)),
            at_once,
        }
    }

    pub(super) fn get(
        &self,
        study: &StudyId,
        query: &AgreementQuery,
        revision: i64,
    ) -> Option<Arc<Computed>> {
        let kept = held(&self.reports);
        kept.get(&(study.clone(), query.clone()))
            .filter(|(at, _)| *at == revision)
            .map(|(_, computed)| computed.clone())
    }

    pub(super) fn put(&self, study: &StudyId, revision: i64, computed: &Arc<Computed>) {
        let key = (study.clone(), computed.report.query.clone());
        held(&self.reports).insert(key, (revision, computed.clone()));
    }

    /// Whether all of this is resampled in a moment.
    pub(super) fn is_small<'a>(&self, works: impl Iterator<Item = &'a Arc<Work>>) -> bool {
        works.map(|work| work.ratings.n_items()).sum::<usize>() <= self.at_once
    }

    /// Begins in the background what is neither known nor begun, and says how far all of it is.
    pub(super) fn begin(
        &self,
        app: &Services,
        study: &StudyId,
        works: &[Arc<Work>],
        outcomes: &Outcomes,
    ) -> Resampling {
        let mut left = 0;
        for work in outcomes.missing(works) {
            left += RESAMPLES - self.done(app, study, work);
        }
        let total = works.len() * RESAMPLES;
        Resampling {
            done: (total - left.min(total)) as u64,
            total: total as u64,
        }
    }

    /// Resamples drawn of this work, which begins now unless it has begun.
    fn done(&self, app: &Services, study: &StudyId, work: &Arc<Work>) -> usize {
        let mut running = held(&self.running);
        if let Some(done) = running.get(&work.hash) {
            return done.load(Ordering::Relaxed).min(RESAMPLES);
        }
        let done = Arc::new(AtomicUsize::new(0));
        running.insert(work.hash.clone(), done.clone());
        let (app, study, work) = (app.clone(), study.clone(), work.clone());
        let (turn, running) = (self.turn.clone(), self.running.clone());
        let mut tasks = held(&self.tasks);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            let _turn = turn.acquire().await;
            let hash = work.hash.clone();
            if let Err(cause) = run(&app, &study, work, done).await {
                tracing::error!(%cause, "intervals could not be resampled");
            }
            held(&running).remove(&hash);
        });
        0
    }

    /// Waits until nothing runs in the background.
    pub async fn finish(&self) {
        let tasks = std::mem::take(&mut *held(&self.tasks));
        tasks.join_all().await;
    }
}

/// Resamples and keeps what came of it, with one core left to others where there are several.
async fn run(
    app: &Services,
    study: &StudyId,
    work: Arc<Work>,
    done: Arc<AtomicUsize>,
) -> crate::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = cores.saturating_sub(1).max(1);
    let hash = work.hash.clone();
    // Another server, or this one a moment ago, may have been quicker.
    let kept = store::resampling::find(&mut *app.db.read().await?, study, &hash).await?;
    if kept.is_some() {
        return Ok(());
    }
    let outcome = tokio::task::spawn_blocking(move || work.run(threads, Some(&done)))
        .await
        .map_err(|_| domain::refusal::Refusal::Internal)?;
    let mut tx = app.db.begin().await?;
    store::resampling::keep(&mut tx, study, &hash, &outcome.text(), app.now(), KEPT).await?;
    tx.commit().await.map_err(store::Error::from)?;
    Ok(())
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
