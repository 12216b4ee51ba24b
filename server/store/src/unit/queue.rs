//! The queue: units that differ, the most distant first. Each state is read in the order of its index, so that a
//! page costs a page however many units wait.

use super::{Unit, unit_of_row};
use crate::error::Result;
use domain::id::{ItemId, StudyId, UnitId};
use domain::unit::UnitState;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row};

/// Which units of a study; an empty text is any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueFilter {
    /// The states shown.
    pub states: Vec<UnitState>,
    /// Of this category.
    pub category: String,
    /// Of items of this condition.
    pub condition: String,
    /// Of items of this model.
    pub model: String,
    /// `candidate` or `missed`.
    pub unit_kind: String,
    /// With this kind of difference: severity, validity, category or asked; `unanimous` where every rater said the
    /// same, `within` where they differ by less than the rule's distance.
    pub kind: String,
    /// Of items of this batch.
    pub batch: String,
    /// Whose discussion waits for this person.
    pub assigned: String,
    /// Only units that staff took out, which are never shown otherwise.
    pub excluded: bool,
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

const FIELDS: &str = "SELECT u.id, u.item_id, u.seq, u.kind, u.category, u.subcategory, u.state, u.ratings, u.distance, \
     u.weight, u.kinds, u.basis, u.said, i.source_key, i.condition, i.model, COALESCE(r.outcome, '') \
     FROM units u JOIN items i ON i.id = u.item_id LEFT JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 ";

const FILTER: &str = "u.study_id = $1 AND ($2 = '' OR u.category = $2) \
     AND ($3 = '' OR EXISTS (SELECT 1 FROM items i WHERE i.id = u.item_id AND i.condition = $3)) \
     AND ($4 = '' OR EXISTS (SELECT 1 FROM items i WHERE i.id = u.item_id AND i.model = $4)) \
     AND ($5 = '' OR u.kind = $5) AND ($6 = '' OR ',' || u.kinds || ',' LIKE '%,' || $6 || ',%' \
      OR ($6 = 'unanimous' AND u.kinds = '' AND u.distance = 0 AND u.ratings > 1) \
      OR ($6 = 'within' AND u.kinds = '' AND u.distance > 0)) \
     AND ($7 = '' OR EXISTS (SELECT 1 FROM batch_items x WHERE x.batch_id = $7 AND x.item_id = u.item_id)) \
     AND ($8 = '' OR EXISTS (SELECT 1 FROM discussions d WHERE d.unit_id = u.id AND d.open = 1 AND d.assigned_to = $8)) \
     AND ($9 = 1) = (u.id IN (SELECT e.unit_id FROM exclusions e WHERE e.study_id = $1 AND e.latest = 1 AND e.active = 1))";

const NOT_EXCLUDED: &str = "u.id NOT IN (SELECT e.unit_id FROM exclusions e WHERE e.study_id = $1 AND e.latest = 1 AND e.active = 1)";

impl QueueFilter {
    fn bind<'q>(
        &'q self,
        query: Query<'q, Any, AnyArguments>,
        study: &'q StudyId,
    ) -> Query<'q, Any, AnyArguments> {
        query
            .bind(study.as_str())
            .bind(&self.category)
            .bind(&self.condition)
            .bind(&self.model)
            .bind(&self.unit_kind)
            .bind(&self.kind)
            .bind(&self.batch)
            .bind(&self.assigned)
            .bind(i64::from(self.excluded))
    }

    /// Whether only the states narrow it.
    fn is_open(&self) -> bool {
        Self {
            states: Vec::new(),
            ..self.clone()
        } == Self::default()
    }
}

/// One part a state, each in the order of the index; the parts are made of literals and words of the domain only.
fn parts(states: &[UnitState], part: impl Fn(&str) -> String) -> String {
    let parts: Vec<String> = states
        .iter()
        .map(|state| {
            format!(
                "SELECT * FROM ({}) AS {state}_",
                part(state.as_str()),
                state = state.as_str()
            )
        })
        .collect();
    parts.join(" UNION ALL ")
}

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
    let near = parts(&filter.states, |state| {
        format!(
            "SELECT u.id, u.weight, u.seq FROM units u WHERE u.state = '{state}' AND {FILTER} \
             ORDER BY u.weight DESC, u.seq, u.id LIMIT $10"
        )
    });
    if near.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "{FIELDS}JOIN (SELECT p.id, p.weight, p.seq FROM ({near}) AS p ORDER BY p.weight DESC, p.seq, p.id LIMIT $11 OFFSET $12) \
         AS shown ON shown.id = u.id ORDER BY u.weight DESC, u.seq, u.id"
    );
    let query = filter.bind(sqlx::query(AssertSqlSafe(sql)), study);
    let rows = query
        .bind(offset + limit)
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
    let rows = if filter.is_open() {
        let sql = format!(
            "SELECT u.state, COUNT(*) FROM units u WHERE u.study_id = $1 AND {NOT_EXCLUDED} GROUP BY u.state ORDER BY u.state"
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(study.as_str())
            .fetch_all(connection)
            .await?
    } else {
        let sql = format!(
            "SELECT u.state, COUNT(*) FROM units u WHERE {FILTER} GROUP BY u.state ORDER BY u.state"
        );
        filter
            .bind(sqlx::query(AssertSqlSafe(sql)), study)
            .fetch_all(connection)
            .await?
    };
    rows.iter()
        .map(|row| Ok((super::state_of("", row.try_get(0)?)?, row.try_get(1)?)))
        .collect()
}

/// One unit as a list shows it.
///
/// # Errors
/// When the database fails.
pub async fn queue_row(connection: &mut AnyConnection, unit: &UnitId) -> Result<Option<Listed>> {
    let row = sqlx::query(AssertSqlSafe(format!("{FIELDS}WHERE u.id = $1")))
        .bind(unit.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(listed).transpose()
}

/// The units of an item, candidates first.
///
/// # Errors
/// When the database fails.
pub async fn of_item(connection: &mut AnyConnection, item: &ItemId) -> Result<Vec<Listed>> {
    let rows = sqlx::query(AssertSqlSafe(format!(
        "{FIELDS}WHERE u.item_id = $1 ORDER BY u.kind, u.id"
    )))
    .bind(item.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(listed).collect()
}

/// The units before and after this one among those that need a ruling.
///
/// # Errors
/// When the database fails.
pub async fn neighbours(
    connection: &mut AnyConnection,
    study: &StudyId,
    of: &Unit,
) -> Result<Neighbours> {
    let before = [
        "u.weight > $2",
        "u.weight = $2 AND u.seq < $3",
        "u.weight = $2 AND u.seq = $3 AND u.id < $4",
    ];
    let after = [
        "u.weight < $2",
        "u.weight = $2 AND u.seq > $3",
        "u.weight = $2 AND u.seq = $3 AND u.id > $4",
    ];
    Ok(Neighbours {
        previous: nearest(
            connection,
            study,
            of,
            before,
            ["weight", "seq DESC", "id DESC"],
        )
        .await?,
        next: nearest(connection, study, of, after, ["weight DESC", "seq", "id"]).await?,
    })
}

/// The first unit in this order of those under one of the conditions, each of which an index can find.
async fn nearest(
    connection: &mut AnyConnection,
    study: &StudyId,
    of: &Unit,
    conditions: [&str; 3],
    order: [&str; 3],
) -> Result<Option<UnitId>> {
    let states: Vec<UnitState> = UnitState::ALL
        .into_iter()
        .filter(|state| state.needs_ruling())
        .collect();
    let order = order.join(", ");
    let found: Vec<String> = conditions
        .iter()
        .enumerate()
        .map(|(at, condition)| {
            let near = parts(&states, |state| {
                format!(
                    "SELECT u.id, u.weight, u.seq FROM units u WHERE u.study_id = $1 AND u.state = '{state}' \
                     AND {NOT_EXCLUDED} AND {condition} ORDER BY {order} LIMIT 1"
                )
            });
            format!("SELECT * FROM ({near}) AS near_{at}")
        })
        .collect();
    let sql = format!(
        "SELECT found.id FROM ({}) AS found ORDER BY {order} LIMIT 1",
        found.join(" UNION ALL ")
    );
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(study.as_str())
        .bind(of.weight)
        .bind(of.seq)
        .bind(of.id.as_str())
        .fetch_optional(connection)
        .await?;
    Ok(row
        .map(|row| row.try_get::<String, _>(0).map(UnitId::new))
        .transpose()?)
}

fn listed(row: &AnyRow) -> Result<Listed> {
    Ok(Listed {
        unit: unit_of_row(row, 0)?,
        item_key: row.try_get(13)?,
        condition: row.try_get(14)?,
        model: row.try_get(15)?,
        outcome: row.try_get(16)?,
    })
}
