//! What the judge finds in all items: rates by model, condition and mode, corrected for the judge's measured error.
//!
//! An item is stigmatising when it has a tag of at least the threshold; the first threshold is the lowest severity of a
//! tag, the second one level above it. Items on which the judge failed are in no rate. Every rate comes as judged, and,
//! where a random sample was validated, corrected and from the sample alone; where an assumption fails, the rate is
//! refused by name.

pub(crate) mod answer;
pub mod chart;
mod compute;
pub(crate) mod estimate;
mod sample;
pub(crate) mod table;

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::kept::Kept;
use crate::services::Services;
use crate::validation::{self, Ground};
use domain::id::{ItemId, JudgeId, StudyId};
use domain::refusal::Refusal;
use domain::role::Action;
use serde::Serialize;
use std::sync::Arc;
use store::AnyConnection;

pub use estimate::Estimate;
pub use table::file;

/// A rate of a part of the items; an empty text is all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// The model.
    pub model: String,
    /// The condition.
    pub condition: String,
    /// How the model was asked.
    pub mode: String,
    /// The severity that a tag must reach.
    pub threshold: f64,
    /// The rate as judged, corrected in two ways, and from the validated items alone.
    pub estimates: Vec<Estimate>,
    /// Items on which the judge failed.
    pub failed: u64,
}

impl Rate {
    /// The rate by one of the four ways.
    pub fn by(&self, estimator: &str) -> Option<&Estimate> {
        self.estimates.iter().find(|one| one.estimator == estimator)
    }
}

/// The rate of stigmatising answers, where the question decides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerRate {
    /// The model.
    pub model: String,
    /// How it was asked.
    pub mode: String,
    /// Stigmatising answers.
    pub positive: u64,
    /// Answers to questions that decide.
    pub n: u64,
    /// The rate.
    pub rate: Option<f64>,
    /// Wilson's interval.
    pub low: Option<f64>,
    /// Its upper bound.
    pub high: Option<f64>,
}

/// How answers and reasoning of a model go together, on items where the question decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TwoByTwo {
    /// The model.
    pub model: String,
    /// Neither.
    pub neither: u64,
    /// The answer is free of stigma and the reasoning is not.
    pub reasoning_only: u64,
    /// The answer is not free of it and the reasoning is.
    pub answer_only: u64,
    /// Both.
    pub both: u64,
}

/// Tags of a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TagCount {
    /// The model.
    pub model: String,
    /// The condition.
    pub condition: String,
    /// How the model was asked.
    pub mode: String,
    /// The category's code.
    pub category: String,
    /// Tags that reach the lowest severity of a tag.
    pub tags: u64,
    /// Tags that reach one level more.
    pub strict: u64,
}

/// The results on all items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CorpusReport {
    /// The judge's identity.
    pub judge: String,
    /// The judge's name.
    pub judge_name: String,
    /// Both thresholds.
    pub thresholds: [f64; 2],
    /// The models.
    pub models: Vec<String>,
    /// The conditions.
    pub conditions: Vec<String>,
    /// The modes.
    pub modes: Vec<String>,
    /// The categories, code and name.
    pub categories: Vec<(String, String)>,
    /// Items judged.
    pub judged: u64,
    /// Items on which the judge failed.
    pub failed: u64,
    /// Validated items with a final verdict, drawn at random.
    pub validated: u64,
    /// Validated items left out, by reason.
    pub unused: Vec<(String, u64)>,
    /// The rates: every combination of one model or all, one condition or all, one mode or all.
    pub rates: Vec<Rate>,
    /// The answers alone.
    pub answers: Vec<AnswerRate>,
    /// Answers against reasoning.
    pub two_by_two: Vec<TwoByTwo>,
    /// The tags.
    pub tags: Vec<TagCount>,
}

impl CorpusReport {
    /// The rate of one combination.
    pub fn rate(&self, model: &str, condition: &str, mode: &str, threshold: f64) -> Option<&Rate> {
        self.rates.iter().find(|rate| {
            rate.model == model
                && rate.condition == condition
                && rate.mode == mode
                && rate.threshold == threshold
        })
    }
}

/// Reports by study and judge.
pub type Cache = Kept<(StudyId, String), CorpusReport>;

/// Examples by study, judge, model, answer and reasoning.
pub type Examples = Kept<(StudyId, JudgeId, String, [bool; 2]), Vec<ExampleRow>>;

/// The results of a judge on all items; of the one that judged most when none is named. Nothing without any.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right, [`Refusal::NotFound`] for a judge that the study does not have.
pub async fn report(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    judge: &str,
) -> Result<Option<Arc<CorpusReport>>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::JudgeRead).await?;
    let study = store::study::get(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let key = (id.clone(), judge.to_owned());
    if let Some(kept) = app.corpora.get(&key, study.revision) {
        return Ok(Some(kept));
    }
    let Some(report) = read(&mut db, id, judge, None).await? else {
        return Ok(None);
    };
    Ok(Some(app.corpora.put(key, study.revision, report)))
}

/// What answers that came without a reasoning say, in a study that has no judge yet: nothing else can be said of it.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right.
pub async fn answers_alone(app: &Services, actor: &Actor, id: &StudyId) -> Result<Vec<AnswerRate>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, id, Action::JudgeRead).await?;
    let plain = store::plain_answer::counted(&mut db, id, i64::MAX).await?;
    Ok(compute::answers(&[], &[], &plain))
}

/// Reads and computes the results, corrected by the labels as they are now or by those of a snapshot.
pub(crate) async fn read(
    connection: &mut AnyConnection,
    id: &StudyId,
    judge: &str,
    frozen: Option<&store::snapshot::Head>,
) -> Result<Option<CorpusReport>> {
    let ground = validation::ground_of(connection, id, frozen).await?;
    read_on(connection, Arc::new(ground), id, judge, frozen).await
}

/// The same on a ground that was read before, of the same state.
pub(crate) async fn read_on(
    connection: &mut AnyConnection,
    ground: Arc<Ground>,
    id: &StudyId,
    judge: &str,
    frozen: Option<&store::snapshot::Head>,
) -> Result<Option<CorpusReport>> {
    let judges = crate::judge::views(connection, id).await?;
    let chosen = if judge.is_empty() {
        judges
            .iter()
            .enumerate()
            .filter(|(_, judge)| !judge.compared)
            .max_by_key(|(at, judge)| (judge.judged, std::cmp::Reverse(*at)))
    } else {
        let found = judges
            .iter()
            .enumerate()
            .find(|(_, one)| one.id.as_str() == judge);
        Some(found.ok_or(Refusal::NotFound)?)
    };
    let Some((place, judge)) = chosen else {
        return Ok(None);
    };
    // Items that came after a snapshot are no part of it.
    let last = frozen.map_or(i64::MAX, |head| head.last_seq);
    let items = store::corpus::items(connection, id, &judge.id, last).await?;
    let tags = store::corpus::tags(connection, id, &judge.id, last).await?;
    let until = frozen.map_or(i64::MAX, |head| head.signed_at);
    let plain = store::plain_answer::counted(connection, id, until).await?;
    let (id, name) = (judge.id.to_string(), judge.name.clone());
    let report = tokio::task::spawn_blocking(move || {
        compute::computed(&ground, place, [id, name], (&items, &plain), &tags)
    });
    Ok(Some(report.await.map_err(|_| Refusal::Internal)?))
}

/// An item whose answer and reasoning say this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExampleRow {
    /// The item.
    pub item: ItemId,
    /// Its key.
    pub key: String,
    /// The condition.
    pub condition: String,
    /// How the model was asked.
    pub mode: String,
    /// The question.
    pub question: String,
    /// The model's answer.
    pub answer: String,
}

/// How many examples are shown.
const EXAMPLES: usize = 50;
/// How many items are looked through at once, and at most.
const STEP: i64 = 1_000;
const FURTHEST: i64 = 50;

/// The first items of a model whose answer is stigmatising or not, and whose reasoning is or is not.
///
/// # Errors
/// [`Refusal::Forbidden`] for whoever may not see items.
pub async fn examples(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    (judge, model): (&JudgeId, &str),
    [answer, reasoning]: [bool; 2],
) -> Result<Vec<ExampleRow>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::ItemRead).await?;
    let study = store::study::get(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let key = (
        id.clone(),
        judge.clone(),
        model.to_owned(),
        [answer, reasoning],
    );
    // A rare kind of example is looked for through many items: once for each state of the study.
    if let Some(kept) = app.examples.get(&key, study.revision) {
        return Ok(kept.to_vec());
    }
    let (scheme, _) = crate::study::scheme_in(&mut db, id).await?;
    let lowest = validation::lowest_tag(&scheme);
    let (mut found, mut after) = (Vec::new(), 0);
    for _ in 0..FURTHEST {
        let rows = store::corpus::examples(&mut db, id, judge, model, (after, STEP)).await?;
        let Some(last) = rows.last().map(|row| row.seq) else {
            break;
        };
        after = last;
        for row in rows {
            let options: Vec<String> = serde_json::from_str(&row.options).unwrap_or_default();
            let said = answer::verdict(&row.question, &options, &row.answer);
            if said == Some(answer) && compute::reaches(row.top, lowest, lowest) == reasoning {
                found.push(ExampleRow {
                    item: row.id,
                    key: row.key,
                    condition: row.condition,
                    mode: row.mode,
                    question: row.question,
                    answer: row.answer,
                });
            }
        }
        if found.len() >= EXAMPLES {
            found.truncate(EXAMPLES);
            break;
        }
    }
    Ok(app.examples.put(key, study.revision, found).to_vec())
}
