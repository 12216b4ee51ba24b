//! The independence report: what the record says of how each item was judged.
//!
//! Times of opening, saving and submitting are those of the log, whose rows are chained; the tables must agree with them.
//! A rater is shown another's judgement in three places only, and each notes it: calibration feedback, cross-checks and
//! discussions.

use crate::actor::Actor;
use crate::agreement::letter;
use crate::audit::walk;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use crate::source::rfc3339;
use domain::id::StudyId;
use domain::independence::{Finding, Part, all_in};
use domain::refusal::Refusal;
use domain::role::Action;
use formats::write::{Cell, Columns, Table};
use serde::Serialize;
use std::collections::HashMap;
use store::independence::{Logged, Shown, Worked};

/// The items that a page of the report holds.
const PAGE: i64 = 100;

/// How far apart log and table may be, in milliseconds: one is written at the end of the transaction of the other.
const SLACK: u64 = 60_000;

/// The record of a study, a page of items at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Independence {
    /// The chain of the log is whole, so that its times can be believed.
    pub chain_whole: bool,
    /// How many items are found how, over the whole study.
    pub findings: Vec<(Finding, u64)>,
    /// The items of this page that raters were given.
    pub items: Vec<ItemRecord>,
    /// Where the next page begins; nothing on the last.
    pub next: Option<i64>,
}

/// How one item was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ItemRecord {
    /// The item's key in its file.
    pub item_key: String,
    /// What the record says.
    pub finding: Finding,
    /// When all were in first.
    pub all_in: Option<i64>,
    /// Rater by rater.
    pub raters: Vec<RaterRecord>,
}

/// One rater's part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RaterRecord {
    /// The rater's letter.
    pub letter: String,
    /// It came with a file.
    pub imported: bool,
    /// First opened.
    pub opened: Option<i64>,
    /// First saved.
    pub saved: Option<i64>,
    /// First submitted.
    pub submitted: Option<i64>,
    /// When the version that counts was submitted, if it is another one.
    pub changed: Option<i64>,
    /// When they were first shown another's judgement.
    pub shown: Option<i64>,
    /// Where: `calibration`, `cross_check` or `discussion`.
    pub shown_in: String,
}

/// The record of a study: totals, and the items after a place.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right to see the audit log.
pub async fn report(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    after: i64,
) -> Result<Independence> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::AuditRead).await?;
    let last = store::import::last_seq(&mut db, study).await?;
    let record = Record::read(&mut db, study).await?;
    let up_to = after.saturating_add(PAGE);
    let items = record.items(store::independence::worked(&mut db, study, after, up_to).await?);
    let mut findings: HashMap<Finding, u64> = HashMap::new();
    let mut from = 0;
    while from < last {
        let page = store::independence::worked(&mut db, study, from, from + PAGE * 20).await?;
        for item in record.items(page) {
            *findings.entry(item.finding).or_default() += 1;
        }
        from += PAGE * 20;
    }
    let count = |finding: Finding| findings.get(&finding).copied().unwrap_or_default();
    Ok(Independence {
        chain_whole: walk(&mut db, study.as_str()).await?.is_ok(),
        findings: Finding::ALL
            .map(|finding| (finding, count(finding)))
            .to_vec(),
        items,
        next: (up_to < last).then_some(up_to),
    })
}

/// The whole record as CSV, one row a rater of an item.
///
/// # Errors
/// As [`report`].
pub async fn csv(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<u8>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::AuditRead).await?;
    let last = store::import::last_seq(&mut db, study).await?;
    let record = Record::read(&mut db, study).await?;
    let columns = Columns::new()
        .text("item_key", "The item's key in the file it came from.")
        .text(
            "finding",
            "What the record says of the item; see the documentation.",
        )
        .one_of(Finding::ALL.map(Finding::as_str))
        .text("rater", "The rater's letter.")
        .text("source", "Whether it was judged here or came with a file.")
        .one_of(["judged", "imported"])
        .time("opened_at", "First opened, by the log.")
        .time("saved_at", "First saved, by the log.")
        .time("submitted_at", "First submitted.")
        .time(
            "changed_at",
            "When the version that counts was submitted, if it is another one.",
        )
        .time(
            "all_in_at",
            "When all of the item's raters had submitted first.",
        )
        .time(
            "shown_at",
            "When the rater was first shown another's judgement of the item.",
        )
        .text("shown_in", "Where: calibration, cross_check or discussion.");
    let mut table = Table::new(Vec::new(), &columns, false).map_err(|_| Refusal::Internal)?;
    let mut from = 0;
    while from < last {
        let page = store::independence::worked(&mut db, study, from, from + PAGE * 20).await?;
        for item in record.items(page) {
            for rater in &item.raters {
                let times = [
                    rater.opened,
                    rater.saved,
                    rater.submitted,
                    rater.changed,
                    item.all_in,
                    rater.shown,
                ]
                .map(|at| at.map(rfc3339));
                let mut cells = vec![
                    Cell::Text(&item.item_key),
                    Cell::Text(item.finding.as_str()),
                    Cell::Text(&rater.letter),
                    Cell::Text(if rater.imported { "imported" } else { "judged" }),
                ];
                cells.extend(
                    times
                        .iter()
                        .map(|at| at.as_deref().map_or(Cell::Empty, Cell::Time)),
                );
                cells.push(Cell::Text(&rater.shown_in));
                table.row(&cells).map_err(|_| Refusal::Internal)?;
            }
        }
        from += PAGE * 20;
    }
    Ok(table.finish().map_err(|_| Refusal::Internal)?.0)
}

/// What the log and the notes of a study say.
struct Record {
    logged: HashMap<String, Logged>,
    /// The first showing of each item to each rater.
    shown: HashMap<(String, String), Shown>,
    letters: HashMap<String, String>,
}

impl Record {
    async fn read(db: &mut store::AnyConnection, study: &StudyId) -> Result<Self> {
        let mut shown: HashMap<(String, String), Shown> = HashMap::new();
        for one in store::independence::shown(db, study).await? {
            // They come by time, so the first one of each stays.
            let key = (one.item.clone(), one.rater.clone());
            shown.entry(key).or_insert(one);
        }
        let members = store::unit::raters(db, study).await?;
        let letters = members.into_iter().enumerate();
        Ok(Self {
            logged: store::independence::logged(db, study).await?,
            shown,
            letters: letters
                .map(|(at, member)| (member.user.as_str().to_owned(), letter(at)))
                .collect(),
        })
    }

    fn items(&self, worked: Vec<Worked>) -> Vec<ItemRecord> {
        let mut items: Vec<Vec<Worked>> = Vec::new();
        for one in worked {
            match items.last_mut() {
                Some(last) if last[0].item == one.item => last.push(one),
                _ => items.push(vec![one]),
            }
        }
        items.iter().map(|raters| self.item(raters)).collect()
    }

    fn item(&self, worked: &[Worked]) -> ItemRecord {
        let parts: Vec<Part> = worked.iter().map(|one| self.part(one)).collect();
        let raters = worked.iter().zip(&parts);
        ItemRecord {
            item_key: worked[0].item_key.clone(),
            finding: Finding::of(&parts),
            all_in: all_in(&parts),
            raters: raters.map(|(one, part)| self.rater(one, *part)).collect(),
        }
    }

    fn part(&self, one: &Worked) -> Part {
        let logged = self.logged.get(&one.assignment);
        let submissions = logged.map_or(0, |logged| logged.submissions);
        Part {
            imported: one.imported,
            first: one.first,
            last: one.last,
            shown: self.showing(one).map(|shown| shown.at),
            logged: submissions == one.versions
                && logged
                    .and_then(|logged| logged.submitted)
                    .zip(one.first)
                    .is_none_or(|(log, table)| log.abs_diff(table) <= SLACK),
        }
    }

    fn showing(&self, one: &Worked) -> Option<&Shown> {
        self.shown.get(&(one.item.clone(), one.rater.clone()))
    }

    fn rater(&self, one: &Worked, part: Part) -> RaterRecord {
        let logged = self
            .logged
            .get(&one.assignment)
            .copied()
            .unwrap_or_default();
        RaterRecord {
            letter: self.letters.get(&one.rater).cloned().unwrap_or_default(),
            imported: one.imported,
            opened: logged.opened,
            saved: logged.saved,
            submitted: one.first,
            changed: one.last.filter(|last| Some(*last) != one.first),
            shown: part.shown,
            shown_in: self
                .showing(one)
                .map(|shown| shown.place.clone())
                .unwrap_or_default(),
        }
    }
}
