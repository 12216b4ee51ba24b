//! Rulings: versions of what settles a unit. The earlier ones stay.

use crate::bind::real;
use crate::db::expect_rows;
use crate::error::{Error, Result};
use domain::id::{RulingId, SnapshotId, StudyId, UnitId};
use domain::ruling::{Cause, Outcome};
use domain::scheme::Validity;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// One version of what settles a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Its identity.
    pub id: RulingId,
    /// Counted from 1.
    pub version: i64,
    /// How it was reached.
    pub outcome: Outcome,
    /// The final validity.
    pub validity: Option<Validity>,
    /// The final category; empty where there is none.
    pub category: String,
    /// The final subcategory; may be empty.
    pub subcategory: String,
    /// The final severity.
    pub severity: Option<f64>,
    /// Why the raters differed.
    pub cause: Option<Cause>,
    /// `low`, `medium`, `high` or empty.
    pub confidence: String,
    /// The reasoning.
    pub note: String,
    /// The manual needs work here.
    pub guideline_needs_work: bool,
    /// Both raters are on record as agreeing.
    pub agreed_by_raters: bool,
    /// The rater whose value was adopted; empty when none was.
    pub adopted_from: String,
    /// Who ruled.
    pub ruled_by: String,
    /// The name of who ruled, as people read it.
    pub ruled_by_name: String,
    /// Epoch milliseconds.
    pub ruled_at: i64,
    /// What it rests on.
    pub basis: String,
    /// The final span where it was moved: start, end, words.
    pub span: Option<(u32, u32, String)>,
    /// The unit that this missed tag was folded into; empty otherwise.
    pub merged_into: String,
    /// What it saw, as JSON; empty for a ruling made before that was kept.
    pub seen: String,
}

/// Adds a version on top of `expected`, the one the writer saw; tells whether it was still the latest.
///
/// # Errors
/// When the database fails.
pub async fn add(
    connection: &mut AnyConnection,
    study: &StudyId,
    unit: &UnitId,
    ruling: &Ruling,
) -> Result<bool> {
    let expected = ruling.version - 1;
    let row = sqlx::query("SELECT COALESCE(MAX(version), 0) FROM rulings WHERE unit_id = $1")
        .bind(unit.as_str())
        .fetch_one(&mut *connection)
        .await?;
    if row.try_get::<i64, _>(0)? != expected {
        return Ok(false);
    }
    let replaced = sqlx::query("UPDATE rulings SET latest = 0 WHERE unit_id = $1 AND latest = 1")
        .bind(unit.as_str())
        .execute(&mut *connection)
        .await?;
    expect_rows("rulings", replaced.rows_affected(), u64::from(expected > 0))?;
    insert(connection, study, unit, ruling).await?;
    Ok(true)
}

async fn insert(
    connection: &mut AnyConnection,
    study: &StudyId,
    unit: &UnitId,
    ruling: &Ruling,
) -> Result<()> {
    let query = sqlx::query(
        "INSERT INTO rulings (id, study_id, unit_id, version, latest, outcome, validity, category, subcategory, severity, \
         cause, confidence, note, guideline_needs_work, agreed_by_raters, adopted_from, ruled_by, ruled_at, basis, \
         span_start, span_end, quote, merged_into, seen) \
         VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)",
    )
    .bind(ruling.id.as_str())
    .bind(study.as_str())
    .bind(unit.as_str())
    .bind(ruling.version)
    .bind(ruling.outcome.as_str())
    .bind(ruling.validity.map_or("", Validity::as_str))
    .bind(&ruling.category)
    .bind(&ruling.subcategory);
    let span = ruling.span.as_ref();
    real(query, ruling.severity)
        .bind(ruling.cause.map_or("", Cause::as_str))
        .bind(&ruling.confidence)
        .bind(&ruling.note)
        .bind(i64::from(ruling.guideline_needs_work))
        .bind(i64::from(ruling.agreed_by_raters))
        .bind(&ruling.adopted_from)
        .bind(&ruling.ruled_by)
        .bind(ruling.ruled_at)
        .bind(&ruling.basis)
        .bind(span.map(|span| i64::from(span.0)))
        .bind(span.map(|span| i64::from(span.1)))
        .bind(span.map_or("", |span| span.2.as_str()))
        .bind(&ruling.merged_into)
        .bind(&ruling.seen)
        .execute(connection)
        .await?;
    Ok(())
}

/// Every version of a unit's ruling, the newest first.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn history(connection: &mut AnyConnection, unit: &UnitId) -> Result<Vec<Ruling>> {
    let rows = sqlx::query(
        "SELECT r.id, r.version, r.outcome, r.validity, r.category, r.subcategory, r.severity, r.cause, r.confidence, r.note, \
         r.guideline_needs_work, r.agreed_by_raters, r.adopted_from, r.ruled_by, COALESCE(p.display_name, ''), r.ruled_at, \
         r.basis, r.span_start, r.span_end, r.quote, r.merged_into, r.seen FROM rulings r LEFT JOIN users p ON p.id = r.ruled_by WHERE r.unit_id = $1 ORDER BY r.version DESC",
    )
    .bind(unit.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| ruling(row, 0)).collect()
}

/// The rulings that a snapshot holds of units of the items whose place is above `after` and at most `up_to`.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub(crate) async fn frozen(
    connection: &mut AnyConnection,
    snapshot: &SnapshotId,
    after: i64,
    up_to: i64,
) -> Result<HashMap<UnitId, Ruling>> {
    let rows = sqlx::query(
        "SELECT r.id, r.version, r.outcome, r.validity, r.category, r.subcategory, r.severity, r.cause, r.confidence, r.note, \
         r.guideline_needs_work, r.agreed_by_raters, r.adopted_from, r.ruled_by, COALESCE(p.display_name, ''), r.ruled_at, \
         r.basis, r.span_start, r.span_end, r.quote, r.merged_into, r.seen, r.unit_id FROM snapshot_units f JOIN rulings r ON r.id = f.ruling_id LEFT JOIN users p ON p.id = r.ruled_by \
         WHERE f.snapshot_id = $1 AND f.seq > $2 AND f.seq <= $3",
    )
    .bind(snapshot.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((UnitId::new(row.try_get::<String, _>(22)?), ruling(row, 0)?)))
        .collect()
}

/// Whether the person was ever given an item to rate, in any round, and did not hand it back.
///
/// # Errors
/// When the database fails.
pub async fn rated_item_of(
    connection: &mut AnyConnection,
    unit: &UnitId,
    person: &str,
) -> Result<bool> {
    let row = sqlx::query(
        "SELECT COUNT(*) FROM units u JOIN assignments a ON a.item_id = u.item_id \
         WHERE u.id = $1 AND a.rater_id = $2 AND a.state <> 'withdrawn'",
    )
    .bind(unit.as_str())
    .bind(person)
    .fetch_one(connection)
    .await?;
    Ok(row.try_get::<i64, _>(0)? > 0)
}

/// A ruling from twenty-two columns beginning at `at`, in the order of the fields.
pub(crate) fn ruling(row: &AnyRow, at: usize) -> Result<Ruling> {
    let id: String = row.try_get(at)?;
    let outcome: &str = row.try_get(at + 2)?;
    let validity: &str = row.try_get(at + 3)?;
    let cause: &str = row.try_get(at + 7)?;
    Ok(Ruling {
        version: row.try_get(at + 1)?,
        outcome: Outcome::parse(outcome)
            .ok_or_else(|| Error::inconsistent("rulings", "outcome", &id))?,
        validity: optional(validity, Validity::parse)
            .map_err(|()| Error::inconsistent("rulings", "validity", &id))?,
        category: row.try_get(at + 4)?,
        subcategory: row.try_get(at + 5)?,
        severity: row.try_get(at + 6)?,
        cause: optional(cause, Cause::parse)
            .map_err(|()| Error::inconsistent("rulings", "cause", &id))?,
        confidence: row.try_get(at + 8)?,
        note: row.try_get(at + 9)?,
        guideline_needs_work: row.try_get::<i64, _>(at + 10)? != 0,
        agreed_by_raters: row.try_get::<i64, _>(at + 11)? != 0,
        adopted_from: row.try_get(at + 12)?,
        ruled_by: row.try_get(at + 13)?,
        ruled_by_name: row.try_get(at + 14)?,
        ruled_at: row.try_get(at + 15)?,
        basis: row.try_get(at + 16)?,
        span: span(row, at + 17, &id)?,
        merged_into: row.try_get(at + 20)?,
        seen: row.try_get(at + 21)?,
        id: RulingId::new(id),
    })
}

fn span(row: &AnyRow, at: usize, id: &str) -> Result<Option<(u32, u32, String)>> {
    let bounds = row
        .try_get::<Option<i64>, _>(at)?
        .zip(row.try_get::<Option<i64>, _>(at + 1)?);
    let Some((start, end)) = bounds else {
        return Ok(None);
    };
    let bound = |value: i64| {
        u32::try_from(value).map_err(|_| Error::inconsistent("rulings", "span_start", id))
    };
    Ok(Some((bound(start)?, bound(end)?, row.try_get(at + 2)?)))
}

/// An empty word is no value; another one must be known.
fn optional<T>(word: &str, parse: fn(&str) -> Option<T>) -> std::result::Result<Option<T>, ()> {
    if word.is_empty() {
        Ok(None)
    } else {
        parse(word).map(Some).ok_or(())
    }
}
