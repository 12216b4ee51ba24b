//! Is the judge good enough? Its tags against the final labels and against each rater alone, under a stated rule.
//!
//! Items enter when every rater asked has answered, so nothing here tells one rater's answer early. Precision is of the
//! judge's tags. Recall is of the tags of the reference, on the items where it is on record whether the judge missed any;
//! without such items it is refused. Intervals resample items, because tags of one trace are not independent.

mod anchoring;
mod compare;
mod compute;
mod count;
mod failures;
mod figure;
mod ground;
mod label;
mod pilot;
mod rule;
mod severity;
#[cfg(test)]
mod tests;
pub(crate) mod verdict;

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::kept::Kept;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use anchoring::{Anchoring, ArmRow};
pub use compare::{Comparison, Difference, compare};
pub(crate) use compute::{all, computed};
pub(crate) use count::Reference;
pub(crate) use figure::Intervals;
pub use figure::{Bounds, Figure};
pub(crate) use ground::{Ground, Item, Stand, ground, ground_of, lowest_tag};
pub(crate) use pilot::{Pilot, pilot};
pub use rule::{CategoryRule, Rule, SeverityRule};
pub use severity::{AltRater, AltReport, Bin};

/// Which part of a split counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Both parts.
    #[default]
    All,
    /// The part that prompts may be tuned on.
    Dev,
    /// The part held out.
    Test,
}

impl Part {
    /// The word in addresses and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Dev => "dev",
            Self::Test => "test",
        }
    }
}

/// What to validate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct ValidationQuery {
    /// The judge's identity; the first judge when empty.
    pub judge: String,
    /// `final` or a rater's letter; the final labels when empty.
    pub against: String,
    /// The rule's word; the scheme's when empty.
    pub rule: String,
    /// Whether items that the judge saw in its prompt count as well.
    pub few_shot: bool,
    /// Which part of the split counts.
    pub part: Part,
}

/// One cell of the grid: a rule and its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The rule.
    pub rule: Rule,
    /// Precision, recall and F1.
    pub figures: Vec<Figure>,
}

/// The figures of a part of the tags or items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facet {
    /// By what: `category`, `condition`, `model` or `severity_band`.
    pub facet: &'static str,
    /// The value.
    pub value: String,
    /// The name people read.
    pub title: String,
    /// Precision, recall and F1.
    pub figures: Vec<Figure>,
}

/// Two sides, and how near they come.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CeilingRow {
    /// Who is measured.
    pub who: String,
    /// Against whom.
    pub against: String,
    /// Precision, recall and F1 of tags under the rule.
    pub tags: Vec<Figure>,
    /// Agreement of severities.
    pub severity: Vec<Figure>,
}

/// A tag on which judge and reference lie far apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// The unit.
    pub unit: String,
    /// The item.
    pub item: String,
    /// The item's key.
    pub key: String,
    /// The name of the category.
    pub category: String,
    /// `rejected`, `missed` or `severity`.
    pub kind: &'static str,
    /// The judge's severity.
    pub judge: Option<f64>,
    /// The severity of the reference.
    pub reference: Option<f64>,
    /// How far apart.
    pub distance: f64,
}

/// How the words that raters marked lie against the judge's.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Overlap {
    /// Spans that raters marked.
    pub spans: u64,
    /// Of these, spans with a word in common with one of the judge's.
    pub touched: u64,
    /// The mean share of common code points among those of either, over the touched.
    pub jaccard: Option<f64>,
}

/// Validation of one judge against one reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidationReport {
    /// What was asked, with every default filled in.
    pub query: ValidationQuery,
    /// The judge's name.
    pub judge: String,
    /// The rule of the scheme.
    pub scheme_rule: Rule,
    /// The rule in front.
    pub rule: Rule,
    /// The scheme's version.
    pub scheme_version: i64,
    /// The letters of the raters.
    pub raters: Vec<String>,
    /// Items compared.
    pub items: u64,
    /// Of these, items where it is on record what was missed.
    pub covered: u64,
    /// Items left out because the judge saw them in its prompt.
    pub few_shot_excluded: u64,
    /// Such items that count all the same.
    pub few_shot_included: u64,
    /// Items on which the judge failed.
    pub failed: u64,
    /// Items that the judge was not asked about.
    pub not_judged: u64,
    /// Items of the other part of the split.
    pub other_part: u64,
    /// Tags left out under the rule in front, by reason.
    pub dropped: Vec<(String, u64)>,
    /// Every rule.
    pub grid: Vec<Cell>,
    /// The rule in front by category, condition, model and severity band.
    pub facets: Vec<Facet>,
    /// The judge's severities against those of the reference.
    pub severity: Vec<Figure>,
    /// What the reference says at each severity that the judge gave.
    pub reliability: Vec<Bin>,
    /// The categories of the confusion, the last one standing for no tag.
    pub categories: Vec<String>,
    /// Rows: the reference's category; columns: the judge's.
    pub confusion: Vec<Vec<u64>>,
    /// Humans against each other, and the judge against each and the final labels.
    pub ceiling: Vec<CeilingRow>,
    /// The alternative-annotator test.
    pub alt_test: AltReport,
    /// Where they lie furthest apart.
    pub worst: Vec<Worst>,
    /// How the marked words lie against each other.
    pub overlap: Overlap,
    /// Items with the judge's tags hidden at first against the others, where there are any.
    pub anchoring: Option<Anchoring>,
    /// Whether intervals are still to be resampled; Wilson's stand in their place until then.
    pub resampling: bool,
}

impl ValidationReport {
    /// The figures of the rule in front.
    pub fn front(&self) -> &[Figure] {
        let cell = self.grid.iter().find(|cell| cell.rule == self.rule);
        cell.map_or(&[], |cell| &cell.figures)
    }
}

/// Reports of each study at its latest revision.
pub type Cache = Kept<(StudyId, ValidationQuery), ValidationReport>;

/// From how many items on intervals are resampled in the background.
const MANY: usize = 1_000;

/// Validates a judge; nothing when the study has none. In a large study the intervals follow, and the report says so.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered; [`Refusal::NotFound`] for a judge or a rater
/// that the study does not have.
pub async fn report(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &ValidationQuery,
) -> Result<Option<Arc<ValidationReport>>> {
    report_with(app, actor, id, query, MANY).await
}

/// The same with all its intervals, however long they take.
///
/// # Errors
/// As [`report`].
pub async fn settled(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &ValidationQuery,
) -> Result<Option<Arc<ValidationReport>>> {
    report_with(app, actor, id, query, usize::MAX).await
}

/// The report; of more items than `many` without the intervals that have to be resampled, which are then begun.
pub(crate) async fn report_with(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &ValidationQuery,
    many: usize,
) -> Result<Option<Arc<ValidationReport>>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::JudgeRead).await?;
    let study = store::study::get(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let key = (id.clone(), query.clone());
    let kept = app.validated.get(&key, study.revision);
    if let Some(kept) = kept.filter(|kept| many < usize::MAX || !kept.resampling) {
        return Ok(Some(kept));
    }
    let ground = ground(&mut db, id).await?;
    drop(db);
    if ground.judges.is_empty() {
        return Ok(None);
    }
    let revision = ground.revision;
    let ground = Arc::new(ground);
    let when = if ground.items.len() > many {
        Intervals::Later
    } else {
        Intervals::Now
    };
    let report = run(&ground, query, when).await?.ok_or(Refusal::NotFound)?;
    let report = app.validated.put(key.clone(), revision, report);
    if when == Intervals::Later {
        let app = app.clone();
        tokio::spawn(async move {
            if let Ok(Some(report)) = run(&ground, &key.1, Intervals::Now).await {
                app.validated.put(key, revision, report);
            }
        });
    }
    Ok(Some(report))
}

async fn run(
    ground: &Arc<Ground>,
    query: &ValidationQuery,
    when: Intervals,
) -> Result<Option<ValidationReport>> {
    let (ground, query) = (ground.clone(), query.clone());
    let task = tokio::task::spawn_blocking(move || computed(&ground, &query, when));
    Ok(task.await.map_err(|_| Refusal::Internal)?)
}
