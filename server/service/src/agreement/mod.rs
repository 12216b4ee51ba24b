//! Agreement between raters: before reconciliation and after it, as a whole and by facet.
//!
//! Units are the candidates of items given to raters in a main or imported round. The declared scale decides the
//! categories. Severity is compared where both raters gave one; where a rater judged the tag invalid, there is no
//! severity to compare. Estimates are computed at once; intervals that take long to resample follow in the background
//! and are kept by the hash of what they follow from.

mod cache;
mod compute;
mod ground;
mod matrix;
mod pairs;
mod resample;
mod rows;
mod slices;
mod types;

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use compute::{Computed, computed};
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::{Action, Role};
pub(crate) use resample::Outcomes;
use resample::Work;
use std::sync::Arc;
use store::AnyConnection;

pub use cache::Cache;
pub(crate) use ground::{Ground, ground};
pub use resample::{BOOTSTRAP_SEED, RESAMPLES};
pub use rows::rows;
pub use types::{
    AgreementQuery, AgreementReport, Facet, Group, IntervalRow, Matrix, PairRow, Question,
    RaterLabel, Resampling, Stage, StatRow, TestRow,
};

/// The agreement of a study. Intervals that take long to resample may be missing while they are made; see
/// [`AgreementReport::resampling`].
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered.
pub async fn report(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &AgreementQuery,
) -> Result<AgreementReport> {
    let mut reports = reports(app, actor, id, std::slice::from_ref(query)).await?;
    reports.pop().ok_or_else(|| Refusal::Internal.into())
}

/// Several reports of one state of a study, read once.
///
/// # Errors
/// As [`report`].
pub async fn reports(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    queries: &[AgreementQuery],
) -> Result<Vec<AgreementReport>> {
    let mut asked = Asked::open(app, actor, id, queries).await?;
    asked.look_up().await?;
    if app.results.is_small(asked.works()) {
        asked.resample().await?;
    }
    asked.remember(app);
    Ok(asked.answer(app))
}

/// A report with all its intervals, however long they take.
///
/// # Errors
/// As [`report`].
pub async fn settled(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &AgreementQuery,
) -> Result<AgreementReport> {
    let mut asked = Asked::open(app, actor, id, std::slice::from_ref(query)).await?;
    asked.look_up().await?;
    asked.resample().await?;
    asked.remember(app);
    let mut reports = asked.answer(app);
    reports.pop().ok_or_else(|| Refusal::Internal.into())
}

/// Reports on their way: what was computed, and the intervals found so far.
struct Asked {
    db: store::Tx,
    study: StudyId,
    revision: i64,
    named: bool,
    computed: Vec<Arc<Computed>>,
    outcomes: Outcomes,
}

impl Asked {
    /// Reads and computes what is not kept in memory.
    async fn open(
        app: &Services,
        actor: &Actor,
        id: &StudyId,
        queries: &[AgreementQuery],
    ) -> Result<Self> {
        let mut db = app.db.snapshot().await?;
        let roles = require(&mut db, actor, id, Action::AgreementRead).await?;
        let study = store::study::get(&mut db, id)
            .await?
            .ok_or(Refusal::NotFound)?;
        let kept = |query: &AgreementQuery| app.results.get(id, *query, study.revision);
        let mut computed: Vec<Option<Arc<Computed>>> = queries.iter().map(kept).collect();
        let missing: Vec<AgreementQuery> = queries
            .iter()
            .zip(&computed)
            .filter_map(|(query, kept)| kept.is_none().then_some(*query))
            .collect();
        if !missing.is_empty() {
            let places = missing
                .iter()
                .any(|query| matches!(query.facet, Facet::Condition | Facet::Model));
            let ground = ground(&mut db, id, places).await?;
            let mut new = compute_all(ground, missing)
                .await?
                .into_iter()
                .map(Arc::new);
            computed
                .iter_mut()
                .filter(|kept| kept.is_none())
                .for_each(|kept| *kept = new.next());
        }
        Ok(Self {
            db,
            study: id.clone(),
            revision: study.revision,
            named: named(&roles),
            computed: computed.into_iter().flatten().collect(),
            outcomes: Outcomes::default(),
        })
    }

    /// What is still to be resampled, each once.
    fn works(&self) -> impl Iterator<Item = &Arc<Work>> {
        let all = self.computed.iter().flat_map(|computed| &computed.works);
        self.outcomes.missing(all)
    }

    /// Finds the intervals that are kept in the database.
    async fn look_up(&mut self) -> Result<()> {
        let hashes: Vec<String> = self.works().map(|work| work.hash.clone()).collect();
        find(&mut self.db, &self.study, hashes, &mut self.outcomes).await
    }

    /// Makes the intervals that are missing.
    async fn resample(&mut self) -> Result<()> {
        let missing: Vec<Arc<Work>> = self.works().cloned().collect();
        resample_all(missing, &mut self.outcomes).await
    }

    /// Keeps in memory what was computed, with the intervals where all of them are there.
    fn remember(&mut self, app: &Services) {
        for computed in &mut self.computed {
            if !computed.works.is_empty() && self.outcomes.hold(&computed.works) {
                *computed = Arc::new(computed.completed(&self.outcomes));
            }
            app.results.put(&self.study, self.revision, computed);
        }
    }

    /// The reports as this person sees them; what is missing is begun in the background.
    fn answer(self, app: &Services) -> Vec<AgreementReport> {
        let show = |computed: &Arc<Computed>| {
            let mut report = computed.report.clone();
            if !self.named {
                report.raters.iter_mut().for_each(|rater| rater.name = None);
            }
            if !computed.works.is_empty() {
                report.resampling =
                    app.results
                        .begin(app, &self.study, &computed.works, &self.outcomes);
            }
            report
        };
        self.computed.iter().map(show).collect()
    }
}

async fn compute_all(ground: Ground, queries: Vec<AgreementQuery>) -> Result<Vec<Computed>> {
    let all = move || {
        let one = |query: &AgreementQuery| computed(&ground, *query);
        queries.iter().map(one).collect()
    };
    Ok(tokio::task::spawn_blocking(all)
        .await
        .map_err(|_| Refusal::Internal)?)
}

async fn find(
    connection: &mut AnyConnection,
    study: &StudyId,
    hashes: Vec<String>,
    outcomes: &mut Outcomes,
) -> Result<()> {
    for hash in hashes {
        if let Some(text) = store::resampling::find(connection, study, &hash).await? {
            outcomes.read(hash, &text);
        }
    }
    Ok(())
}

async fn resample_all(works: Vec<Arc<Work>>, outcomes: &mut Outcomes) -> Result<()> {
    if works.is_empty() {
        return Ok(());
    }
    let made = move || {
        works
            .iter()
            .map(|work| (work.hash.clone(), work.run(0, None)))
            .collect::<Vec<_>>()
    };
    let made = tokio::task::spawn_blocking(made)
        .await
        .map_err(|_| Refusal::Internal)?;
    outcomes.extend(made);
    Ok(())
}

/// A report with its intervals for an export, which reads in a transaction of its own. Outcomes found or made are
/// kept for the next report of the same export.
pub(crate) async fn exported(
    connection: &mut AnyConnection,
    study: &StudyId,
    ground: &Arc<Ground>,
    query: AgreementQuery,
    outcomes: &mut Outcomes,
) -> Result<AgreementReport> {
    let own = ground.clone();
    let computed = tokio::task::spawn_blocking(move || computed(&own, query))
        .await
        .map_err(|_| Refusal::Internal)?;
    let hashes = outcomes.missing(&computed.works);
    let hashes = hashes.map(|work| work.hash.clone()).collect();
    find(connection, study, hashes, outcomes).await?;
    let missing = outcomes.missing(&computed.works).cloned().collect();
    resample_all(missing, outcomes).await?;
    Ok(computed.completed(outcomes).report)
}

/// Whether somebody with these roles sees the names of raters.
pub(crate) fn named(roles: &[Role]) -> bool {
    roles
        .iter()
        .any(|role| matches!(role, Role::Admin | Role::Coordinator | Role::Adjudicator))
}

/// When a coefficient is the right one; empty for what is no coefficient.
pub fn advice(name: &str) -> &'static str {
    name.parse().map_or("", stats::Coefficient::advice)
}

/// The names of all that a report can hold, without the category of specific agreement.
pub fn names() -> Vec<&'static str> {
    let coefficients = stats::Coefficient::ALL
        .into_iter()
        .map(stats::Coefficient::name);
    let others = [
        "kappa_max",
        "specific_agreement",
        "bland_altman",
        "bowker",
        "stuart_maxwell",
        "mcnemar",
    ];
    coefficients.chain(others).collect()
}

/// A, B, .. Z, AA, ..
pub fn letter(at: usize) -> String {
    let mut at = at;
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + (at % 26) as u8));
        if at < 26 {
            break;
        }
        at = at / 26 - 1;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn raters_are_lettered_like_the_columns_of_a_sheet() {
        assert_eq!(
            [0, 1, 25, 26, 27, 51, 52].map(letter),
            ["A", "B", "Z", "AA", "AB", "AZ", "BA"]
        );
    }
}
