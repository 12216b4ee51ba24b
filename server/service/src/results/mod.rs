//! What the answers of a study add up to: the scheme's measures, for each judge, each rater and the final labels.
//!
//! A measure is data of the scheme; nothing here knows any scheme by name.

mod cover;
mod differ;
mod interval;
mod load;
mod measure;
mod take;

use crate::actor::Actor;
use crate::agreement::named;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::Scheme;
use serde::Serialize;
use store::AnyConnection;
use store::snapshot::Head;

pub use cover::Coverage;
pub(crate) use load::{Item, Said, Source, page, shared};

/// What is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    /// The study.
    pub study: &'a StudyId,
    /// Its scheme.
    pub scheme: &'a Scheme,
    /// The raters with the name that is written for each.
    pub raters: &'a [(domain::id::UserId, String)],
    /// The snapshot to read instead of the study as it is now.
    pub frozen: Option<&'a Head>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultRow {
    /// The judge's name, the rater's name, or `final`.
    pub source: String,
    /// By what items are divided; empty for all.
    pub facet: String,
    /// The value of the facet.
    pub facet_value: String,
    /// The name of the measure.
    pub statistic: String,
    /// The estimate; nothing when there is nothing to measure.
    pub estimate: Option<f64>,
    /// The lower bound of the 95 % interval.
    pub ci_low: Option<f64>,
    /// The upper bound.
    pub ci_high: Option<f64>,
    /// How many items, or groups of items, it rests on.
    pub n: u64,
}

/// The results of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// The scheme's id.
    pub scheme: String,
    /// The raters' names as sources, in the order of their letters.
    pub raters: Vec<String>,
    /// The figures, source by source in the order of the scheme.
    pub rows: Vec<ResultRow>,
    /// How far the questions are settled that the final figures rest on.
    pub coverage: Vec<Coverage>,
}

/// The results of a study.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered.
pub async fn report(app: &Services, actor: &Actor, id: &StudyId) -> Result<Results> {
    let mut db = app.db.snapshot().await?;
    let roles = require(&mut db, actor, id, Action::AgreementRead).await?;
    let (scheme, _) = crate::study::scheme_in(&mut db, id).await?;
    let raters = store::unit::raters(&mut db, id).await?;
    let names = named(&roles);
    let name = |(at, rater): (usize, store::unit::Rater)| {
        let shown = if names {
            rater.name
        } else {
            format!("rater_{}", at + 1)
        };
        (rater.user, shown)
    };
    let raters: Vec<_> = raters.into_iter().enumerate().map(name).collect();
    let ask = Ask {
        study: id,
        scheme: &scheme,
        raters: &raters,
        frozen: None,
    };
    let (rows, coverage) = computed(&mut db, ask).await?;
    Ok(Results {
        scheme: scheme.id.clone(),
        raters: raters.into_iter().map(|(_, name)| name).collect(),
        rows,
        coverage,
    })
}

/// The figures of a study whose raters are named like this.
pub(crate) async fn rows(db: &mut AnyConnection, ask: Ask<'_>) -> Result<Vec<ResultRow>> {
    Ok(computed(db, ask).await?.0)
}

/// The figures, and on how much of the study the final ones rest.
async fn computed(db: &mut AnyConnection, ask: Ask<'_>) -> Result<(Vec<ResultRow>, Vec<Coverage>)> {
    let scheme = ask.scheme;
    if scheme.measures.is_empty() {
        return Ok(Default::default());
    }
    let items = load::items(db, ask).await?;
    let found = tokio::task::spawn_blocking({
        let scheme = scheme.clone();
        move || (measure::all(&scheme, &items), cover::of(&scheme, &items))
    });
    Ok(found.await.map_err(|_| Refusal::Internal)?)
}
