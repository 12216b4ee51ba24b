//! Discussions in lists: what asks for somebody, without a word of what was said.

use crate::error::Result;
use crate::row::{count, flag};
use domain::id::{StudyId, UnitId, UserId};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A discussion in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The unit.
    pub unit: UnitId,
    /// Its study.
    pub study: StudyId,
    /// The study's name.
    pub study_name: String,
    /// The item's key.
    pub item_key: String,
    /// The code of the unit's category.
    pub category: String,
    /// The code of its subcategory; may be empty.
    pub subcategory: String,
    /// Whether it takes messages.
    pub open: bool,
    /// The person asked to settle it; empty for nobody in particular.
    pub assigned_to: String,
    /// How many messages it has.
    pub messages: i64,
    /// How many of them by others the person asking has not seen.
    pub unread: i64,
}

const FIELDS: &str = "SELECT d.unit_id, d.study_id, s.name, i.source_key, COALESCE(u.category, ''), COALESCE(u.subcategory, ''), \
     d.open, d.assigned_to, d.messages, \
     (SELECT COUNT(*) FROM messages m WHERE m.unit_id = d.unit_id AND m.author <> $1 AND m.seq > COALESCE(\
      (SELECT r.seq FROM discussion_reads r WHERE r.unit_id = d.unit_id AND r.user_id = $1), 0)) \
     FROM discussions d JOIN studies s ON s.id = d.study_id JOIN items i ON i.id = d.item_id \
     LEFT JOIN units u ON u.id = d.unit_id ";

/// The discussions of items that the person rated, in studies where they still rate; open ones first.
///
/// # Errors
/// When the database fails.
pub async fn of_person(connection: &mut AnyConnection, person: &UserId) -> Result<Vec<Listed>> {
    let sql = format!(
        "{FIELDS}WHERE EXISTS (SELECT 1 FROM assignments a JOIN batches b ON b.id = a.batch_id WHERE a.item_id = d.item_id \
         AND a.rater_id = $1 AND a.state IN ('submitted', 'reopened', 'not_ratable') AND b.round IN ('main', 'imported')) \
         AND EXISTS (SELECT 1 FROM members x WHERE x.study_id = d.study_id AND x.user_id = $1 AND x.role = 'rater' \
         AND x.active = 1) ORDER BY d.open DESC, d.opened_at, d.unit_id"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(person.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(listed).collect()
}

/// The discussions of a study; open ones first.
///
/// # Errors
/// When the database fails.
pub async fn of_study(
    connection: &mut AnyConnection,
    study: &StudyId,
    person: &UserId,
) -> Result<Vec<Listed>> {
    let sql = format!("{FIELDS}WHERE d.study_id = $2 ORDER BY d.open DESC, d.opened_at, d.unit_id");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(person.as_str())
        .bind(study.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(listed).collect()
}

fn listed(row: &AnyRow) -> Result<Listed> {
    Ok(Listed {
        unit: UnitId::new(row.try_get::<String, _>(0)?),
        study: StudyId::new(row.try_get::<String, _>(1)?),
        study_name: row.try_get(2)?,
        item_key: row.try_get(3)?,
        category: row.try_get(4)?,
        subcategory: row.try_get(5)?,
        open: flag(row, 6)?,
        assigned_to: row.try_get(7)?,
        messages: count(row, 8)?,
        unread: count(row, 9)?,
    })
}
