//! Items as staff see them: what is judged and what the judge said, never what raters said.

mod divide;
mod points;

use crate::actor::Actor;
use crate::auth::require;
use crate::desk::{DeskCandidate, DeskItem, candidates_of, item_of};
use crate::error::Result;
use crate::import::steps::asks_of_steps;
use crate::services::Services;
use crate::study::{open_in, scheme_in};
use divide::is_free;
use domain::id::{ItemId, StudyId};
use domain::refusal::Refusal;
use domain::role::{Action, may};
use domain::scheme::Scheme;
use points::{are_free, asks_for_points};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::Tx;

pub use divide::{Division, divide};
pub use points::{LONGEST_POINT, MOST_POINTS, set_points};
pub use store::item::ItemFilter;

/// What a change of an item by staff begins with: the item, held against others who write, and its scheme.
async fn begin(
    tx: &mut Tx,
    actor: &Actor,
    item: &ItemId,
) -> Result<(store::item::StoredItem, Arc<Scheme>)> {
    let found = store::item::get(tx, item, store::item::OPEN)
        .await?
        .ok_or(Refusal::NotFound)?;
    require(tx, actor, &found.study, Action::ImportRun).await?;
    store::audit::lock(tx, found.study.as_str()).await?;
    open_in(tx, &found.study).await?;
    let (scheme, _) = scheme_in(tx, &found.study).await?;
    Ok((found, scheme))
}

/// The most rows of a page.
const PAGE_LIMIT: u32 = 500;

/// Which page: after which item, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ItemPage {
    /// The number of the last item of the page before; 0 for the first page.
    pub after: i64,
    /// How many rows.
    pub limit: u32,
}

impl Default for ItemPage {
    fn default() -> Self {
        Self {
            after: 0,
            limit: 50,
        }
    }
}

/// A page of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// How many there are in all.
    pub total: u64,
    /// What [`ItemPage::after`] is for the next page; nothing on the last.
    pub next: Option<i64>,
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ItemRow {
    /// The item.
    pub id: ItemId,
    /// Its number in the study.
    pub seq: i64,
    /// Its key in its file.
    pub key: String,
    /// The condition of the person in the vignette.
    pub condition: String,
    /// The model that wrote the trace.
    pub model: String,
    /// Candidates of all judges.
    pub candidates: u64,
    /// Candidates whose evidence stands nowhere in the trace.
    pub unanchored: u64,
    /// A judge was asked and gave nothing usable.
    pub judge_failed: bool,
    /// How many raters have it.
    pub assigned: u64,
    /// How many of them have answered.
    pub done: u64,
}

/// One item looked over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemView {
    /// The item.
    pub id: ItemId,
    /// Its study.
    pub study: StudyId,
    /// What is judged. Nothing is hidden, but from somebody who still has the item to judge.
    pub item: DeskItem,
    /// SHA-256 of the trace, in hex.
    pub trace_sha256: String,
    /// Whether the person asking still has the item to judge: then they see of the judge what their desk shows.
    pub to_judge: bool,
    /// The judges' tags.
    pub candidates: Vec<DeskCandidate>,
    /// The judges' runs.
    pub runs: Vec<RunRow>,
    /// Whether the scheme is about the steps of the trace.
    pub has_steps: bool,
    /// Whether the person asking may still change where they begin and end.
    pub divisible: bool,
    /// Whether the scheme asks which of the expected points an answer makes.
    pub has_points: bool,
    /// Whether the person asking may still change the points.
    pub points_open: bool,
}

/// A judge's run over an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunRow {
    /// The judge's name.
    pub judge: String,
    /// The language model behind it.
    pub model: String,
    /// The version of its prompt.
    pub prompt_version: String,
    /// Whether there is a verdict.
    pub judged: bool,
    /// The kind of failure.
    pub failure: String,
    /// The judge's summary.
    pub summary: String,
}

/// The items of a study in the order of import.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right to see items outside an assignment.
pub async fn list(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    filter: ItemFilter,
    page: ItemPage,
) -> Result<Page<ItemRow>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::ItemRead).await?;
    let limit = i64::from(page.limit.clamp(1, PAGE_LIMIT));
    // One row more than asked for tells whether there is a next page.
    let mut rows = store::item::list(&mut db, study, &filter, page.after, limit + 1).await?;
    let total = count(store::item::count(&mut db, study, &filter).await?);
    let more = i64::try_from(rows.len()).is_ok_and(|found| found > limit);
    rows.truncate(limit as usize);
    let next = if more {
        rows.last().map(|row| row.seq)
    } else {
        None
    };
    Ok(Page {
        rows: rows.into_iter().map(row).collect(),
        total,
        next,
    })
}

fn row(item: store::item::ListedItem) -> ItemRow {
    ItemRow {
        id: item.id,
        seq: item.seq,
        key: item.source_key,
        condition: item.condition,
        model: item.model,
        candidates: count(item.candidates),
        unanchored: count(item.unanchored),
        judge_failed: item.failed > 0,
        assigned: count(item.assigned),
        done: count(item.done),
    }
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// One item with the judges' tags.
///
/// # Errors
/// [`Refusal::NotFound`] when there is no such item, [`Refusal::Forbidden`] without the right to see it.
pub async fn get(app: &Services, actor: &Actor, item: &ItemId) -> Result<ItemView> {
    let mut db = app.db.read().await?;
    let found = store::item::get(&mut db, item, store::item::OPEN)
        .await?
        .ok_or(Refusal::NotFound)?;
    let roles = require(&mut db, actor, &found.study, Action::ItemRead).await?;
    let (scheme, _) = scheme_in(&mut db, &found.study).await?;
    let has_steps = asks_of_steps(&scheme);
    let divisible =
        has_steps && may(&roles, Action::ImportRun) && is_free(&mut db, item, &scheme).await?;
    let has_points = asks_for_points(&scheme);
    let points_open =
        has_points && may(&roles, Action::ImportRun) && are_free(&mut db, item, &scheme).await?;
    let to_judge = store::assignment::to_judge(&mut db, item, &actor.user).await?;
    let (found, candidates, runs) = match &to_judge {
        Some((mine, hidden)) => {
            let blinded = store::item::get(&mut db, item, *hidden).await?;
            let severity = hidden.judge_severity;
            let shown = store::candidate::shown(&mut db, mine, &actor.user, severity).await?;
            (blinded.ok_or(Refusal::NotFound)?, shown, Vec::new())
        }
        None => {
            let candidates = store::candidate::of_item(&mut db, item, false).await?;
            (found, candidates, store::item::runs(&mut db, item).await?)
        }
    };
    Ok(ItemView {
        to_judge: to_judge.is_some(),
        id: found.id.clone(),
        study: found.study.clone(),
        trace_sha256: found.trace_sha256.clone(),
        item: item_of(found, &scheme),
        candidates: candidates_of(candidates),
        runs: runs.into_iter().map(run).collect(),
        has_steps,
        divisible,
        has_points,
        points_open,
    })
}

fn run(run: store::item::Run) -> RunRow {
    RunRow {
        judge: run.judge,
        model: run.model,
        prompt_version: run.prompt_version,
        judged: run.outcome == "judged",
        failure: run.failure,
        summary: run.summary,
    }
}
