//! Units: what they are derived from, what is kept of them, and the queue of those that differ.

mod facts;
mod queue;

use crate::bulk::Bulk;
use crate::error::{Error, Result};
use crate::json;
use domain::id::{ItemId, StudyId, UnitId, UserId};
use domain::ruling::Outcome;
use domain::scheme::Validity;
use domain::unit::{UnitKind, UnitState};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

pub use facts::{ItemFacts, facts, seq_of_item};
pub use queue::{Listed, Neighbours, QueueFilter, counts, neighbours, of_item, queue, queue_row};

/// What one rater said of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// The rater.
    pub rater: UserId,
    /// How to read the rest.
    #[serde(default, skip_serializing_if = "Answer::is_plain")]
    pub answer: Answer,
    /// Whether the tag is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validity: Option<Validity>,
    /// How severe it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<f64>,
    /// Codes that fit better.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub better: Vec<String>,
    /// The values chosen in answer to a question about the item.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// How what a rater said of a unit is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The rater judged it, or left it empty.
    #[default]
    Plain,
    /// The rater found that the item cannot be rated.
    NotRatable,
    /// The rater looked for missed tags and did not mark this one.
    NotMarked,
}

impl Answer {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
    fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

/// A unit as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The unit: the identity of its candidate, or of a missed tag.
    pub id: UnitId,
    /// Its item.
    pub item: ItemId,
    /// The place of the item in the study.
    pub seq: i64,
    /// What it is.
    pub kind: UnitKind,
    /// The category it was proposed or added under.
    pub category: String,
    /// The subcategory; may be empty.
    pub subcategory: String,
    /// Where it stands.
    pub state: UnitState,
    /// How many raters gave it a value.
    pub ratings: i64,
    /// The greatest distance between two severities.
    pub distance: f64,
    /// The rank in the queue.
    pub weight: f64,
    /// Which parts differ, joined by a comma.
    pub kinds: String,
    /// Hash of all that a ruling would rest on.
    pub basis: String,
    /// What each rater said; empty until every annotation is in.
    pub said: Vec<Said>,
}

/// The ruling in force, as far as a unit's state needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Counted from 1.
    pub version: i64,
    /// What it rests on.
    pub basis: String,
    /// How it was reached.
    pub outcome: Outcome,
}

/// A rater of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rater {
    /// The account.
    pub user: UserId,
    /// The name they sign in with.
    pub name: String,
    /// The name people read.
    pub display_name: String,
    /// Whether they still hold the role.
    pub active: bool,
}

/// The raters of a study in their stable order, those who left included.
///
/// # Errors
/// When the database fails.
pub async fn raters(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Rater>> {
    let rows = sqlx::query(
        "SELECT u.id, u.name, u.display_name, m.active FROM members m JOIN users u ON u.id = m.user_id \
         WHERE m.study_id = $1 AND m.role = 'rater' ORDER BY m.position, u.id",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Rater {
                user: UserId::new(row.try_get::<String, _>(0)?),
                name: row.try_get(1)?,
                display_name: row.try_get(2)?,
                active: row.try_get::<i64, _>(3)? != 0,
            })
        })
        .collect()
}

/// Units that are new, heaped up and written together.
#[derive(Debug)]
pub struct NewUnits(Bulk<15>);

impl Default for NewUnits {
    fn default() -> Self {
        Self(Bulk::new(
            "INSERT INTO units (id, study_id, item_id, seq, kind, category, subcategory, state, ratings, distance, weight, \
             kinds, basis, said, updated_at)",
        ))
    }
}

impl NewUnits {
    /// Adds a unit.
    pub fn push(&mut self, study: &StudyId, unit: &Unit, now: i64) {
        self.0.push([
            unit.id.as_str().into(),
            study.as_str().into(),
            unit.item.as_str().into(),
            unit.seq.into(),
            unit.kind.as_str().into(),
            unit.category.as_str().into(),
            unit.subcategory.as_str().into(),
            unit.state.as_str().into(),
            unit.ratings.into(),
            Some(unit.distance).into(),
            Some(unit.weight).into(),
            unit.kinds.as_str().into(),
            unit.basis.as_str().into(),
            json::write(&unit.said).into(),
            now.into(),
        ]);
    }

    /// Writes them.
    ///
    /// # Errors
    /// When the database fails or one of them is there already.
    pub async fn flush(&mut self, connection: &mut AnyConnection) -> Result<()> {
        self.0.flush(connection).await
    }
}

/// Writes a unit over what was kept of it.
///
/// # Errors
/// When the database fails or the unit is not there.
pub async fn update(connection: &mut AnyConnection, unit: &Unit, now: i64) -> Result<()> {
    let done = sqlx::query(
        "UPDATE units SET category = $1, subcategory = $2, state = $3, ratings = $4, distance = $5, weight = $6, kinds = $7, \
         basis = $8, said = $9, updated_at = $10, seq = $11 WHERE id = $12 AND item_id = $13 AND kind = $14",
    )
    .bind(&unit.category)
    .bind(&unit.subcategory)
    .bind(unit.state.as_str())
    .bind(unit.ratings)
    .bind(unit.distance)
    .bind(unit.weight)
    .bind(&unit.kinds)
    .bind(&unit.basis)
    .bind(json::write(&unit.said))
    .bind(now)
    .bind(unit.seq)
    .bind(unit.id.as_str())
    .bind(unit.item.as_str())
    .bind(unit.kind.as_str())
    .execute(connection)
    .await?;
    crate::db::expect_rows("units", done.rows_affected(), 1)
}

/// Removes a unit that nobody ruled on.
///
/// # Errors
/// When the database fails or a ruling rests on the unit.
pub async fn delete(connection: &mut AnyConnection, unit: &UnitId) -> Result<()> {
    let done = sqlx::query("DELETE FROM units WHERE id = $1")
        .bind(unit.as_str())
        .execute(connection)
        .await?;
    crate::db::expect_rows("units", done.rows_affected(), 1)
}

/// Whether a unit or a candidate of this identity exists outside the item.
///
/// # Errors
/// When the database fails.
pub async fn taken_elsewhere(
    connection: &mut AnyConnection,
    unit: &UnitId,
    item: &ItemId,
) -> Result<bool> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM units WHERE id = $1 AND item_id <> $2) \
         + (SELECT COUNT(*) FROM candidates WHERE id = $1 AND item_id <> $2)",
    )
    .bind(unit.as_str())
    .bind(item.as_str())
    .fetch_one(&mut *connection)
    .await?;
    Ok(row.try_get::<i64, _>(0)? > 0)
}

/// The study and the item of a unit.
///
/// # Errors
/// When the database fails.
pub async fn place(
    connection: &mut AnyConnection,
    unit: &UnitId,
) -> Result<Option<(StudyId, ItemId)>> {
    let row = sqlx::query("SELECT study_id, item_id FROM units WHERE id = $1")
        .bind(unit.as_str())
        .fetch_optional(connection)
        .await?;
    row.map(|row| {
        Ok((
            StudyId::new(row.try_get::<String, _>(0)?),
            ItemId::new(row.try_get::<String, _>(1)?),
        ))
    })
    .transpose()
}

/// Whether somebody was asked to rate the item and every one of them has answered.
///
/// # Errors
/// When the database fails.
pub async fn all_in(connection: &mut AnyConnection, item: &ItemId) -> Result<bool> {
    let row = sqlx::query(
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN a.state IN ('not_started', 'in_progress') THEN 1 ELSE 0 END), 0) AS BIGINT) \
         FROM assignments a JOIN batches b ON b.id = a.batch_id \
         WHERE a.item_id = $1 AND a.state <> 'withdrawn' AND b.round IN ('main', 'imported')",
    )
    .bind(item.as_str())
    .fetch_one(connection)
    .await?;
    Ok(row.try_get::<i64, _>(0)? > 0 && row.try_get::<i64, _>(1)? == 0)
}

pub(crate) fn said_of_text(unit: &str, text: &str) -> Result<Vec<Said>> {
    if text == "[]" {
        return Ok(Vec::new());
    }
    json::read("units", "said", unit, text)
}

pub(crate) fn state_of(unit: &str, word: &str) -> Result<UnitState> {
    UnitState::parse(word).ok_or_else(|| Error::inconsistent("units", "state", unit))
}

pub(crate) fn kind_of(unit: &str, word: &str) -> Result<UnitKind> {
    UnitKind::parse(word).ok_or_else(|| Error::inconsistent("units", "kind", unit))
}

/// A unit from thirteen columns beginning at `at`, in the order of [`Unit`]'s fields.
pub(crate) fn unit_of_row(row: &AnyRow, at: usize) -> Result<Unit> {
    let id: String = row.try_get(at)?;
    Ok(Unit {
        item: ItemId::new(row.try_get::<String, _>(at + 1)?),
        seq: row.try_get(at + 2)?,
        kind: kind_of(&id, row.try_get(at + 3)?)?,
        category: row.try_get(at + 4)?,
        subcategory: row.try_get(at + 5)?,
        state: state_of(&id, row.try_get(at + 6)?)?,
        ratings: row.try_get(at + 7)?,
        distance: row.try_get(at + 8)?,
        weight: row.try_get(at + 9)?,
        kinds: row.try_get(at + 10)?,
        basis: row.try_get(at + 11)?,
        said: said_of_text(&id, row.try_get(at + 12)?)?,
        id: UnitId::new(id),
    })
}
