//! Agreement between raters: before reconciliation and after it, as a whole and by facet.
//!
//! Units are the candidates of items given to raters in a main or imported round. The declared scale decides the
//! categories. Severity is compared where both raters gave one; where a rater judged the tag invalid, there is no
//! severity to compare.

mod compute;
mod matrix;
mod rows;

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use crate::study;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use store::result::UnitValues;

pub(crate) use compute::report as computed;
pub use compute::{BOOTSTRAP_SEED, RESAMPLES};
pub use rows::rows;

/// Before or after reconciliation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The raters' own, independent values.
    #[default]
    Raw,
    /// The same, with both raters' values replaced by the final one where a ruling is in force.
    Reconciled,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// How severe the tags are.
    #[default]
    Severity,
    /// Whether the tags are right.
    Validity,
}

/// By what the units are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Facet {
    /// All units together.
    #[default]
    None,
    /// By the candidate's category.
    Category,
    /// By the item's condition.
    Condition,
    /// By the item's model.
    Model,
    /// By pair of raters.
    RaterPair,
}

impl Stage {
    /// The word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Reconciled => "reconciled",
        }
    }
}

impl Question {
    /// The word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Severity => "severity",
            Self::Validity => "validity",
        }
    }
}

impl Facet {
    /// The word in tables; empty for all units.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Category => "category",
            Self::Condition => "condition",
            Self::Model => "model",
            Self::RaterPair => "rater_pair",
        }
    }
}

/// What to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct AgreementQuery {
    /// Before or after reconciliation.
    pub stage: Stage,
    /// What is compared.
    pub question: Question,
    /// By what the units are divided.
    pub facet: Facet,
}

/// A rater as results name them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RaterLabel {
    /// A, B, ..
    pub letter: String,
    /// The name people read; nothing for a reader, who sees no names.
    pub name: Option<String>,
}

/// One interval and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IntervalRow {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// How it was made, for example `wilson` or `cluster_bootstrap_percentile`.
    pub method: String,
}

/// One statistic with all that must travel with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatRow {
    /// Its name, as in the documentation.
    pub name: String,
    /// The estimate; nothing when undefined.
    pub estimate: Option<f64>,
    /// The lower bound of the 95 % interval.
    pub ci_low: Option<f64>,
    /// The upper bound.
    pub ci_high: Option<f64>,
    /// How the interval was made; empty without one.
    pub method: String,
    /// Another interval for the same estimate, for example kappa's analytic one.
    pub other: Option<IntervalRow>,
    /// Units used.
    pub n_units: u64,
    /// Units left out.
    pub n_dropped: u64,
    /// Why, with counts.
    pub dropped: Vec<(String, u64)>,
    /// Why the estimate or, with an estimate, the interval is not there.
    pub undefined_reason: Option<String>,
    /// Resamples that were undefined, of [`RESAMPLES`].
    pub undefined_resamples: u64,
}

/// Counts of pairs of answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matrix {
    /// Whose answers are the rows.
    pub row_rater: String,
    /// Whose answers are the columns.
    pub column_rater: String,
    /// The categories, in the declared order.
    pub labels: Vec<String>,
    /// Counts, row by row.
    pub counts: Vec<Vec<u64>>,
}

/// The results for one value of the facet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The value; empty for all units.
    pub facet_value: String,
    /// The name people read.
    pub title: String,
    /// The statistics.
    pub stats: Vec<StatRow>,
    /// For each pair of raters.
    pub confusion: Vec<Matrix>,
    /// How often each rater used each category.
    pub marginals: Vec<(String, Vec<u64>)>,
    /// Units with more than one point between two severities.
    pub far_apart: u64,
}

/// Agreement, ready to be shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgreementReport {
    /// What was asked.
    pub query: AgreementQuery,
    /// The scheme's version that counts.
    pub scheme_version: i64,
    /// The declared categories.
    pub labels: Vec<String>,
    /// The raters.
    pub raters: Vec<RaterLabel>,
    /// Items with a unit.
    pub n_items: u64,
    /// Units.
    pub n_units: u64,
    /// The results.
    pub groups: Vec<Group>,
}

/// Reports of each study at its latest revision.
#[derive(Debug, Default)]
pub struct Cache(Mutex<HashMap<(StudyId, AgreementQuery), (i64, Arc<AgreementReport>)>>);

impl Cache {
    fn get(
        &self,
        study: &StudyId,
        query: AgreementQuery,
        revision: i64,
    ) -> Option<Arc<AgreementReport>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&(study.clone(), query))
            .filter(|(at, _)| *at == revision)
            .map(|(_, report)| report.clone())
    }

    fn put(
        &self,
        study: &StudyId,
        query: AgreementQuery,
        revision: i64,
        report: &Arc<AgreementReport>,
    ) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert((study.clone(), query), (revision, report.clone()));
    }
}

/// All that a report is computed from, read in one state of the database.
pub(crate) struct Ground {
    pub revision: i64,
    pub scheme: Arc<domain::scheme::Scheme>,
    pub scheme_version: i64,
    /// Those who have submitted.
    pub raters: Vec<(domain::id::UserId, String)>,
    /// Their letters: those of the queue and of rulings, which name every rater of the study.
    pub letters: Vec<String>,
    pub units: Vec<UnitValues>,
}

/// Reads the ground of a study's agreement.
pub(crate) async fn ground(connection: &mut store::AnyConnection, id: &StudyId) -> Result<Ground> {
    let study = store::study::get(connection, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (scheme, scheme_version) = study::scheme_in(connection, id).await?;
    let raters = store::result::raters(connection, id).await?;
    let members = store::unit::raters(connection, id).await?;
    let place =
        |rater: &domain::id::UserId| members.iter().position(|member| member.user == *rater);
    let letters = raters
        .iter()
        .enumerate()
        .map(|(at, (rater, _))| letter(place(rater).unwrap_or(members.len() + at)))
        .collect();
    let units = store::result::unit_values(connection, id, &raters).await?;
    Ok(Ground {
        revision: study.revision,
        scheme,
        scheme_version,
        raters,
        letters,
        units,
    })
}

/// The agreement of a study.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered.
pub async fn report(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &AgreementQuery,
) -> Result<AgreementReport> {
    let mut db = app.db.snapshot().await?;
    let roles = require(&mut db, actor, id, Action::AgreementRead).await?;
    let study = store::study::get(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let report = if let Some(kept) = app.results.get(id, *query, study.revision) {
        kept
    } else {
        let ground = ground(&mut db, id).await?;
        let (revision, query) = (ground.revision, *query);
        let report = tokio::task::spawn_blocking(move || computed(&ground, query))
            .await
            .map_err(|_| Refusal::Internal)?;
        let report = Arc::new(report);
        app.results.put(id, query, revision, &report);
        report
    };
    let mut report = report.as_ref().clone();
    if !named(&roles) {
        report.raters.iter_mut().for_each(|rater| rater.name = None);
    }
    Ok(report)
}

/// Whether somebody with these roles sees the names of raters.
pub(crate) fn named(roles: &[Role]) -> bool {
    roles
        .iter()
        .any(|role| matches!(role, Role::Admin | Role::Coordinator | Role::Adjudicator))
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
