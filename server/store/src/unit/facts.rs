//! What the units of an item are derived from: its candidates, the annotations that count, the rulings.

use super::{Standing, Unit, unit_of_row};
use crate::annotation::{StoredAnnotation, latest_of_range};
use crate::error::{Error, Result};
use domain::assignment::AssignmentState;
use domain::id::{CandidateId, ItemId, StudyId, UnitId, UserId};
use domain::ruling::Outcome;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// All that the units of one item follow from.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemFacts {
    /// The item.
    pub item: ItemId,
    /// Its place in the study.
    pub seq: i64,
    /// The hash of its trace.
    pub trace_sha256: String,
    /// Its candidates in order, with category and subcategory.
    pub candidates: Vec<(CandidateId, String, String)>,
    /// States of the assignments of counting rounds that are not withdrawn.
    pub assignments: Vec<(UserId, AssignmentState)>,
    /// The annotation that counts of each rater, in the raters' order.
    pub annotations: Vec<StoredAnnotation>,
    /// The units as they are kept, with the ruling in force.
    pub units: Vec<(Unit, Option<Standing>)>,
    /// The units that were ever discussed, and whether they still are.
    pub discussed: Vec<(UnitId, bool)>,
    /// When missed tags of different raters are one unit, in the study's words.
    pub missed_match: String,
}

impl ItemFacts {
    /// Whether somebody was asked and every one of them has answered.
    pub fn all_in(&self) -> bool {
        !self.assignments.is_empty() && self.assignments.iter().all(|(_, state)| state.is_in())
    }
}

/// The place of an item in its study.
///
/// # Errors
/// When the database fails.
pub async fn seq_of_item(
    connection: &mut AnyConnection,
    study: &StudyId,
    item: &ItemId,
) -> Result<Option<i64>> {
    let row = sqlx::query("SELECT seq FROM items WHERE id = $1 AND study_id = $2")
        .bind(item.as_str())
        .bind(study.as_str())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// The facts of the items whose place lies in `from..=to`, in order.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn facts(
    connection: &mut AnyConnection,
    study: &StudyId,
    from: i64,
    to: i64,
) -> Result<Vec<ItemFacts>> {
    let range = Range { study, from, to };
    let mut page = Page::open(range, connection).await?;
    page.read_candidates(range, connection).await?;
    page.read_assignments(range, connection).await?;
    page.read_units(range, connection).await?;
    page.read_discussions(range, connection).await?;
    let annotations = latest_of_range(connection, study, from - 1, to).await?;
    page.take_annotations(annotations);
    Ok(page.items)
}

#[derive(Clone, Copy)]
struct Range<'a> {
    study: &'a StudyId,
    from: i64,
    to: i64,
}

struct Page {
    items: Vec<ItemFacts>,
    at: HashMap<i64, usize>,
}

impl Page {
    async fn open(range: Range<'_>, connection: &mut AnyConnection) -> Result<Self> {
        let rows = range
            .rows("SELECT i.seq, i.id, i.trace_sha256, s.missed_match FROM items i JOIN studies s ON s.id = i.study_id WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 ORDER BY i.seq", connection)
            .await?;
        let mut page = Self {
            items: Vec::with_capacity(rows.len()),
            at: HashMap::with_capacity(rows.len()),
        };
        for row in &rows {
            let seq = row.try_get(0)?;
            page.at.insert(seq, page.items.len());
            page.items.push(ItemFacts {
                item: ItemId::new(row.try_get::<String, _>(1)?),
                seq,
                trace_sha256: row.try_get(2)?,
                candidates: Vec::new(),
                assignments: Vec::new(),
                annotations: Vec::new(),
                units: Vec::new(),
                discussed: Vec::new(),
                missed_match: row.try_get(3)?,
            });
        }
        Ok(page)
    }

    fn item(&mut self, row: &AnyRow) -> Result<&mut ItemFacts> {
        let seq: i64 = row.try_get(0)?;
        let at = self.at.get(&seq).copied();
        at.and_then(|at| self.items.get_mut(at))
            .ok_or_else(|| Error::inconsistent("items", "seq", &seq.to_string()))
    }

    async fn read_candidates(
        &mut self,
        range: Range<'_>,
        connection: &mut AnyConnection,
    ) -> Result<()> {
        let sql = "SELECT i.seq, c.id, c.category, c.subcategory FROM items i JOIN candidates c ON c.item_id = i.id \
                   WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 ORDER BY i.seq, c.ordinal";
        for row in &range.rows(sql, connection).await? {
            let candidate = (
                CandidateId::new(row.try_get::<String, _>(1)?),
                row.try_get(2)?,
                row.try_get(3)?,
            );
            self.item(row)?.candidates.push(candidate);
        }
        Ok(())
    }

    async fn read_assignments(
        &mut self,
        range: Range<'_>,
        connection: &mut AnyConnection,
    ) -> Result<()> {
        let sql = "SELECT i.seq, a.id, a.rater_id, a.state FROM items i JOIN assignments a ON a.item_id = i.id \
                   JOIN batches b ON b.id = a.batch_id WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 \
                   AND a.state <> 'withdrawn' AND b.round IN ('main', 'imported') ORDER BY i.seq, a.rater_id, a.id";
        for row in &range.rows(sql, connection).await? {
            let id: &str = row.try_get(1)?;
            let state = AssignmentState::parse(row.try_get(3)?);
            let state = state.ok_or_else(|| Error::inconsistent("assignments", "state", id))?;
            self.item(row)?
                .assignments
                .push((UserId::new(row.try_get::<String, _>(2)?), state));
        }
        Ok(())
    }

    async fn read_units(&mut self, range: Range<'_>, connection: &mut AnyConnection) -> Result<()> {
        let sql = "SELECT i.seq, u.id, u.item_id, u.seq, u.kind, u.category, u.subcategory, u.state, u.ratings, u.distance, \
                   u.weight, u.kinds, u.basis, u.said, r.version, r.basis, r.outcome FROM items i \
                   JOIN units u ON u.item_id = i.id LEFT JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 \
                   WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 ORDER BY i.seq, u.id";
        for row in &range.rows(sql, connection).await? {
            let unit = unit_of_row(row, 1)?;
            let standing = standing(row, &unit.id)?;
            self.item(row)?.units.push((unit, standing));
        }
        Ok(())
    }

    async fn read_discussions(
        &mut self,
        range: Range<'_>,
        connection: &mut AnyConnection,
    ) -> Result<()> {
        let sql = "SELECT i.seq, d.unit_id, d.open FROM items i JOIN discussions d ON d.item_id = i.id \
                   WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 ORDER BY i.seq, d.unit_id";
        for row in &range.rows(sql, connection).await? {
            let discussed = (
                UnitId::new(row.try_get::<String, _>(1)?),
                row.try_get::<i64, _>(2)? != 0,
            );
            self.item(row)?.discussed.push(discussed);
        }
        Ok(())
    }

    /// A rater whose item came back in a later batch is counted once, with what they said there.
    fn take_annotations(&mut self, annotations: Vec<StoredAnnotation>) {
        let places: HashMap<ItemId, usize> = self
            .items
            .iter()
            .enumerate()
            .map(|(at, item)| (item.item.clone(), at))
            .collect();
        let counts = |annotation: &StoredAnnotation| {
            matches!(annotation.round.as_str(), "main" | "imported")
        };
        for annotation in annotations.into_iter().filter(counts) {
            let Some(item) = places
                .get(&annotation.item)
                .and_then(|at| self.items.get_mut(*at))
            else {
                continue;
            };
            item.annotations
                .retain(|earlier| earlier.rater != annotation.rater);
            item.annotations.push(annotation);
        }
    }
}

impl Range<'_> {
    async fn rows(self, sql: &'static str, connection: &mut AnyConnection) -> Result<Vec<AnyRow>> {
        let query = sqlx::query(sql)
            .bind(self.study.as_str())
            .bind(self.from)
            .bind(self.to);
        Ok(query.fetch_all(connection).await?)
    }
}

fn standing(row: &AnyRow, unit: &UnitId) -> Result<Option<Standing>> {
    let Some(version) = row.try_get::<Option<i64>, _>(14)? else {
        return Ok(None);
    };
    let outcome = Outcome::parse(row.try_get(16)?)
        .ok_or_else(|| Error::inconsistent("rulings", "outcome", unit.as_str()))?;
    Ok(Some(Standing {
        version,
        basis: row.try_get(15)?,
        outcome,
    }))
}
