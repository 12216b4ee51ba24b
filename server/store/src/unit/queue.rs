//! The queue: units that differ, the most distant first.

use super::{Unit, unit_of_row};
use crate::error::Result;
use domain::id::{StudyId, UnitId};
use domain::unit::UnitState;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// Which units of a study; an empty text is any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueFilter {
    /// The states, joined and enclosed by commas (`,disputed,stale,`), or empty for all.
    pub states: String,
    /// Of this category.
    pub category: String,
    /// Of items of this condition.
    pub condition: String,
    /// Of items of this model.
    pub model: String,
    /// `candidate` or `missed`.
    pub unit_kind: String,
    /// With this kind of difference: severity, validity, category or asked.
    pub kind: String,
    /// Of items of this batch.
    pub batch: String,
}

/// A unit with what a list shows of its item.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The unit.
    pub unit: Unit,
    /// The item's key.
    pub item_key: String,
    /// The item's condition.
    pub condition: String,
    /// The item's model.
    pub model: String,
    /// The place of the item.
    pub seq: i64,
    /// How the ruling in force was reached; empty without one.
    pub outcome: String,
}

/// The units before and after one in the queue of work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The one before.
    pub previous: Option<UnitId>,
    /// The one after.
    pub next: Option<UnitId>,
}

const FIELDS: &str = "SELECT u.id, u.item_id, u.kind, u.category, u.subcategory, u.state, u.ratings, u.distance, u.weight, \
     u.kinds, u.basis, u.said, i.source_key, i.condition, i.model, i.seq, COALESCE(r.outcome, '') \
     FROM units u JOIN items i ON i.id = u.item_id LEFT JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 ";

const FILTER: &str = "WHERE u.study_id = $1 AND ($2 = '' OR $2 LIKE '%,' || u.state || ',%') AND ($3 = '' OR u.category = $3) \
     AND ($4 = '' OR i.condition = $4) AND ($5 = '' OR i.model = $5) AND ($6 = '' OR u.kind = $6) \
     AND ($7 = '' OR ',' || u.kinds || ',' LIKE '%,' || $7 || ',%') \
     AND ($8 = '' OR EXISTS (SELECT 1 FROM batch_items x WHERE x.batch_id = $8 AND x.item_id = u.item_id)) ";

/// A page of units, the most distant first.
///
/// # Errors
/// When the database fails.
pub async fn queue(
    connection: &mut AnyConnection,
    study: &StudyId,
    filter: &QueueFilter,
    offset: i64,
    limit: i64,
) -> Result<Vec<Listed>> {
    let sql = format!("{FIELDS}{FILTER}ORDER BY u.weight DESC, i.seq, u.id LIMIT $9 OFFSET $10");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(study.as_str())
        .bind(&filter.states)
        .bind(&filter.category)
        .bind(&filter.condition)
        .bind(&filter.model)
        .bind(&filter.unit_kind)
        .bind(&filter.kind)
        .bind(&filter.batch)
        .bind(limit)
        .bind(offset)
        .fetch_all(connection)
        .await?;
    rows.iter().map(listed).collect()
}

/// How many units each state holds under a filter; the filter's states do not matter here.
///
/// # Errors
/// When the database fails.
pub async fn counts(
    connection: &mut AnyConnection,
    study: &StudyId,
    filter: &QueueFilter,
) -> Result<Vec<(UnitState, i64)>> {
    let sql = format!(
        "SELECT u.state, COUNT(*) FROM units u JOIN items i ON i.id = u.item_id {FILTER}GROUP BY u.state ORDER BY u.state"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(study.as_str())
        .bind("")
        .bind(&filter.category)
        .bind(&filter.condition)
        .bind(&filter.model)
        .bind(&filter.unit_kind)
        .bind(&filter.kind)
        .bind(&filter.batch)
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Ok((super::state_of("", row.try_get(0)?)?, row.try_get(1)?)))
        .collect()
}

/// One unit as a list shows it.
///
/// # Errors
/// When the database fails.
pub async fn queue_row(connection: &mut AnyConnection, unit: &UnitId) -> Result<Option<Listed>> {
    let row = sqlx::query(sqlx::AssertSqlSafe(format!("{FIELDS}WHERE u.id = $1")))
        .bind(unit.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(listed).transpose()
}

/// The units before and after this one among those that need a ruling.
///
/// # Errors
/// When the database fails.
pub async fn neighbours(
    connection: &mut AnyConnection,
    study: &StudyId,
    of: &Listed,
) -> Result<Neighbours> {
    let near = |comparison: &str, order: &str| {
        format!(
            "SELECT u.id FROM units u JOIN items i ON i.id = u.item_id WHERE u.study_id = $1 \
             AND u.state IN ('disputed', 'in_discussion', 'stale') AND {comparison} ORDER BY {order} LIMIT 1"
        )
    };
    let before = near(
        "(u.weight > $2 OR (u.weight = $2 AND (i.seq < $3 OR (i.seq = $3 AND u.id < $4))))",
        "u.weight, i.seq DESC, u.id DESC",
    );
    let after = near(
        "(u.weight < $2 OR (u.weight = $2 AND (i.seq > $3 OR (i.seq = $3 AND u.id > $4))))",
        "u.weight DESC, i.seq, u.id",
    );
    let mut found = Neighbours::default();
    for (sql, slot) in [(before, &mut found.previous), (after, &mut found.next)] {
        let row = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(study.as_str())
            .bind(of.unit.weight)
            .bind(of.seq)
            .bind(of.unit.id.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        *slot = row
            .map(|row| row.try_get::<String, _>(0).map(UnitId::new))
            .transpose()?;
    }
    Ok(found)
}

fn listed(row: &AnyRow) -> Result<Listed> {
    Ok(Listed {
        unit: unit_of_row(row, 0)?,
        item_key: row.try_get(12)?,
        condition: row.try_get(13)?,
        model: row.try_get(14)?,
        seq: row.try_get(15)?,
        outcome: row.try_get(16)?,
    })
}
