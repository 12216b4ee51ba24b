//! Units with all that their final value follows from, a range of items at a time.

use crate::error::{Error, Result};
use crate::unit::{Unit, unit_of_row};
use domain::id::StudyId;
use domain::ruling::Outcome;
use domain::scheme::Validity;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A unit with what names it and what settles it.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled {
    /// The unit.
    pub unit: Unit,
    /// The item's key in its file.
    pub item_key: String,
    /// The item's condition.
    pub condition: String,
    /// The item's model.
    pub model: String,
    /// The hash of the item's trace.
    pub trace_sha256: String,
    /// The candidate's key in its file; empty for a missed tag.
    pub source_key: String,
    /// The judge that proposed it; empty for a missed tag.
    pub judge: String,
    /// The severity that the judge proposed.
    pub judge_severity: Option<f64>,
    /// The ruling in force.
    pub ruling: Option<Ruled>,
    /// The code of the reason for which staff took it out; empty when they did not.
    pub excluded: String,
}

/// What of a ruling makes a final value.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruled {
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
}

/// The units of the items whose place is above `after` and at most `up_to`: item by item, candidates in the order of the
/// desk, then missed tags.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn labelled(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<Vec<Labelled>> {
    let rows = sqlx::query(
        "SELECT u.id, u.item_id, u.seq, u.kind, u.category, u.subcategory, u.state, u.ratings, u.distance, u.weight, u.kinds, \
         u.basis, u.said, i.source_key, i.condition, i.model, i.trace_sha256, COALESCE(c.source_key, ''), \
         COALESCE(g.name, ''), c.severity, r.version, r.outcome, r.validity, r.category, r.subcategory, r.severity, \
         COALESCE(x.reason, '') FROM units u JOIN items i ON i.id = u.item_id LEFT JOIN candidates c ON c.id = u.id \
         LEFT JOIN judges g ON g.id = c.judge_id LEFT JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 \
         LEFT JOIN exclusions x ON x.unit_id = u.id AND x.latest = 1 AND x.active = 1 \
         WHERE i.study_id = $1 AND i.seq > $2 AND i.seq <= $3 \
         ORDER BY i.seq, CASE WHEN c.ordinal IS NULL THEN 1 ELSE 0 END, c.ordinal, u.id",
    )
    .bind(study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

fn read(row: &AnyRow) -> Result<Labelled> {
    Ok(Labelled {
        unit: unit_of_row(row, 0)?,
        item_key: row.try_get(13)?,
        condition: row.try_get(14)?,
        model: row.try_get(15)?,
        trace_sha256: row.try_get(16)?,
        source_key: row.try_get(17)?,
        judge: row.try_get(18)?,
        judge_severity: row.try_get(19)?,
        ruling: ruled(row)?,
        excluded: row.try_get(26)?,
    })
}

fn ruled(row: &AnyRow) -> Result<Option<Ruled>> {
    let Some(version) = row.try_get::<Option<i64>, _>(20)? else {
        return Ok(None);
    };
    let unit: &str = row.try_get(0)?;
    let (outcome, validity): (&str, &str) = (row.try_get(21)?, row.try_get(22)?);
    let validity = match validity {
        "" => None,
        word => Some(
            Validity::parse(word)
                .ok_or_else(|| Error::inconsistent("rulings", "validity", unit))?,
        ),
    };
    Ok(Some(Ruled {
        version,
        outcome: Outcome::parse(outcome)
            .ok_or_else(|| Error::inconsistent("rulings", "outcome", unit))?,
        validity,
        category: row.try_get(23)?,
        subcategory: row.try_get(24)?,
        severity: row.try_get(25)?,
    }))
}
