//! Agreement between raters: before reconciliation and after it, as a whole and by facet.
//!
//! Units are the candidates of items given to raters in a main or imported round, or for a question about the item the
//! items themselves. The declared scale decides the categories. Severity is compared where both raters gave one; where a rater judged the tag invalid, there is no
//! severity to compare. Estimates are computed at once; intervals that take long to resample follow in the background
//! and are kept by the hash of what they follow from.

mod answers;
mod cache;
mod compute;
mod ground;
mod matrix;
mod pairs;
mod questions;
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
use ground::bare;
use questions::resolved;
pub(crate) use resample::Outcomes;
use resample::Work;
use std::collections::HashMap;
use std::sync::Arc;
use store::AnyConnection;

pub(crate) use answers::Answers;
pub use cache::Cache;
pub(crate) use ground::{Ground, ground};
pub use questions::{levels, named as name_of, questions, with_levels};
pub use resample::{BOOTSTRAP_SEED, RESAMPLES};
pub use rows::rows;
pub use types::{
    AgreementQuery, AgreementReport, Facet, Group, IntervalRow, Matrix, Named, PairRow, Question,
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

/// Estimates without the intervals that take long to resample, which are not begun either.
///
/// # Errors
/// As [`report`].
pub async fn estimates(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    queries: &[AgreementQuery],
) -> Result<Vec<AgreementReport>> {
    let mut asked = Asked::open(app, actor, id, queries).await?;
    asked.remember(app);
    Ok(asked.shown())
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
        let (scheme, _) = crate::study::scheme_in(&mut db, id).await?;
        let resolve = |query: &AgreementQuery| {
            let question = resolved(&scheme, &query.question)?;
            Ok(AgreementQuery {
                question,
                ..query.clone()
            })
        };
        let queries: Vec<AgreementQuery> = queries
            .iter()
            .map(resolve)
            .collect::<std::result::Result<_, Refusal>>()?;
        let kept = |query: &AgreementQuery| app.results.get(id, query, study.revision);
        let mut computed: Vec<Option<Arc<Computed>>> = queries.iter().map(kept).collect();
        let missing: Vec<AgreementQuery> = queries
            .iter()
            .zip(&computed)
            .filter(|(_, kept)| kept.is_none())
            .map(|(query, _)| query.clone())
            .collect();
        if !missing.is_empty() {
            let new = compute_all(grounds(&mut db, id, missing).await?).await?;
            let mut new = new.into_iter().map(Arc::new);
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
        let reports = self.shown();
        let begin = |(mut report, computed): (AgreementReport, &Arc<Computed>)| {
            if !computed.works.is_empty() {
                report.resampling =
                    app.results
                        .begin(app, &self.study, &computed.works, &self.outcomes);
            }
            report
        };
        reports.into_iter().zip(&self.computed).map(begin).collect()
    }

    /// The reports with the names that this person sees.
    fn shown(&self) -> Vec<AgreementReport> {
        let show = |computed: &Arc<Computed>| {
            let mut report = computed.report.clone();
            if !self.named {
                report.raters.iter_mut().for_each(|rater| rater.name = None);
            }
            report
        };
        self.computed.iter().map(show).collect()
    }
}

/// What each report is computed from: tags and the answers to questions about items are read once.
async fn grounds(
    db: &mut AnyConnection,
    id: &StudyId,
    queries: Vec<AgreementQuery>,
) -> Result<Vec<(Arc<Ground>, AgreementQuery)>> {
    let of_tags = |query: &&AgreementQuery| query.question.is_of_tags();
    let tags = if queries.iter().any(|query| of_tags(&query)) {
        let mut of_tags = queries.iter().filter(of_tags);
        let places = of_tags.any(|query| matches!(query.facet, Facet::Condition | Facet::Model));
        Arc::new(ground(db, id, places).await?)
    } else {
        Arc::new(bare(db, id).await?)
    };
    let answers = if queries.iter().all(|query| of_tags(&query)) {
        None
    } else {
        Some(Answers::read(db, tags.ask(id, None)).await?)
    };
    let mut of: HashMap<Question, Arc<Ground>> = HashMap::new();
    let pair = |query: AgreementQuery| {
        let ground = match &answers {
            Some(answers) if !query.question.is_of_tags() => of
                .entry(query.question.clone())
                .or_insert_with(|| Arc::new(answers.ground(&tags, &query.question)))
                .clone(),
            _ => tags.clone(),
        };
        (ground, query)
    };
    Ok(queries.into_iter().map(pair).collect())
}

async fn compute_all(asked: Vec<(Arc<Ground>, AgreementQuery)>) -> Result<Vec<Computed>> {
    let all = move || {
        let one = |(ground, query): &(Arc<Ground>, AgreementQuery)| computed(ground, query);
        asked.iter().map(one).collect()
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
    let computed = tokio::task::spawn_blocking(move || computed(&own, &query))
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
