//! Items as they were when a snapshot was made, for tables and statistics of it.

use super::Head;
use crate::annotation::frozen_of_range;
use crate::error::{Error, Result};
use crate::ruling::{Ruling, frozen};
use crate::unit::{ItemFacts, Standing, Unit, unit_of_row};
use domain::assignment::AssignmentState;
use domain::id::{CandidateId, ItemId, UnitId};
use domain::ruling::Outcome;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// The facts of the items whose place is above `after` and at most `up_to`, as they were. Whoever had answered an item of
/// which all were in is counted as submitted; of other items nothing is told.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn facts(
    connection: &mut AnyConnection,
    head: &Head,
    after: i64,
    up_to: i64,
) -> Result<Vec<ItemFacts>> {
    let rows = sqlx::query(
        "SELECT i.id, i.seq, i.trace_sha256 FROM items i WHERE i.study_id = $1 AND i.seq > $2 AND i.seq <= $3 ORDER BY i.seq",
    )
    .bind(head.study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(&mut *connection)
    .await?;
    let mut items = Vec::with_capacity(rows.len());
    let missed_match = head.missed_match();
    for row in &rows {
        items.push(ItemFacts {
            item: ItemId::new(row.try_get::<String, _>(0)?),
            seq: row.try_get(1)?,
            trace_sha256: row.try_get(2)?,
            candidates: Vec::new(),
            assignments: Vec::new(),
            annotations: Vec::new(),
            units: Vec::new(),
            discussed: Vec::new(),
            missed_match: missed_match.clone(),
        });
    }
    let places: HashMap<ItemId, usize> = items
        .iter()
        .enumerate()
        .map(|(at, item)| (item.item.clone(), at))
        .collect();
    let units = "SELECT f.unit_id, f.item_id, f.seq, f.kind, f.category, f.subcategory, f.state, f.ratings, f.distance, \
                 f.weight, f.kinds, f.basis, f.said, r.version, r.basis, r.outcome FROM snapshot_units f \
                 LEFT JOIN rulings r ON r.id = f.ruling_id LEFT JOIN candidates c ON c.id = f.unit_id \
                 WHERE f.snapshot_id = $1 AND f.seq > $2 AND f.seq <= $3 ORDER BY f.seq, c.ordinal, f.unit_id";
    let rows = sqlx::query(units)
        .bind(head.id.as_str())
        .bind(after)
        .bind(up_to)
        .fetch_all(&mut *connection)
        .await?;
    for row in &rows {
        let (unit, standing) = unit(row)?;
        let Some(item) = places.get(&unit.item).and_then(|at| items.get_mut(*at)) else {
            continue;
        };
        if unit.kind == domain::unit::UnitKind::Candidate {
            let id = CandidateId::new(unit.id.as_str());
            item.candidates
                .push((id, unit.category.clone(), unit.subcategory.clone()));
        }
        item.units.push((unit, standing));
    }
    for annotation in frozen_of_range(connection, &head.id, &head.study, after, up_to).await? {
        let Some(item) = places
            .get(&annotation.item)
            .and_then(|at| items.get_mut(*at))
        else {
            continue;
        };
        item.annotations
            .retain(|earlier| earlier.rater != annotation.rater);
        item.assignments
            .push((annotation.rater.clone(), AssignmentState::Submitted));
        item.annotations.push(annotation);
    }
    Ok(items)
}

fn unit(row: &AnyRow) -> Result<(Unit, Option<Standing>)> {
    let unit = unit_of_row(row, 0)?;
    let Some(version) = row.try_get::<Option<i64>, _>(13)? else {
        return Ok((unit, None));
    };
    let outcome = Outcome::parse(row.try_get(15)?)
        .ok_or_else(|| Error::inconsistent("rulings", "outcome", unit.id.as_str()))?;
    let standing = Standing {
        version,
        basis: row.try_get(14)?,
        outcome,
    };
    Ok((unit, Some(standing)))
}

/// The rulings that were in force on units of the items of a range.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn rulings(
    connection: &mut AnyConnection,
    head: &Head,
    after: i64,
    up_to: i64,
) -> Result<HashMap<UnitId, Ruling>> {
    frozen(connection, &head.id, after, up_to).await
}
