//! What agreement is computed from: one row a candidate unit, one entry a rater.

use crate::error::{Error, Result};
use domain::id::{StudyId, UnitId, UserId};
use domain::ruling::Outcome;
use domain::scheme::Validity;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// A candidate unit of an item that was given to raters in a counting round.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitValues {
    /// The unit.
    pub unit: UnitId,
    /// The place of its item: units of one item are not independent.
    pub seq: i64,
    /// The item's key.
    pub item_key: String,
    /// The candidate's key.
    pub source_key: String,
    /// Its category.
    pub category: String,
    /// The item's condition.
    pub condition: String,
    /// The item's model.
    pub model: String,
    /// What each rater said, by the rater's place in the list of raters.
    pub values: Vec<RaterValue>,
    /// The ruling in force that still rests on what is there.
    pub ruling: Option<FinalValue>,
}

/// One rater's value of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaterValue {
    /// The rater's place in the list of raters.
    pub rater: usize,
    /// Whether the rater found the item ratable.
    pub ratable: bool,
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
}

/// What a ruling made of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinalValue {
    /// How it was reached.
    pub outcome: Outcome,
    /// The final validity.
    pub validity: Option<Validity>,
    /// The final severity.
    pub severity: Option<f64>,
}

/// The raters who have submitted in a counting round, in the order of members.
///
/// # Errors
/// When the database fails.
pub async fn raters(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<Vec<(UserId, String)>> {
    let rows = sqlx::query(
        "SELECT u.id, u.display_name, MIN(COALESCE(m.position, 1000000)) AS place FROM annotations a \
         JOIN assignments s ON s.id = a.assignment_id JOIN batches b ON b.id = s.batch_id \
         JOIN users u ON u.id = a.rater_id \
         LEFT JOIN members m ON m.study_id = a.study_id AND m.user_id = a.rater_id AND m.role = 'rater' \
         WHERE a.study_id = $1 AND a.latest = 1 AND b.round IN ('main', 'imported') \
         GROUP BY u.id, u.display_name ORDER BY place, u.id",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((UserId::new(row.try_get::<String, _>(0)?), row.try_get(1)?)))
        .collect()
}

/// Every candidate unit of the counting rounds with what these raters said of it, in the order of items; nothing
/// of an item of which not every annotation is in.
///
/// # Errors
/// When the database fails or holds a word that the domain does not know.
pub async fn unit_values(
    connection: &mut AnyConnection,
    study: &StudyId,
    raters: &[(UserId, String)],
) -> Result<Vec<UnitValues>> {
    let mut units = bare_units(connection, study).await?;
    let places: HashMap<String, usize> = units
        .iter()
        .enumerate()
        .map(|(at, u)| (u.unit.as_str().to_owned(), at))
        .collect();
    let columns: HashMap<&str, usize> = raters
        .iter()
        .enumerate()
        .map(|(at, (id, _))| (id.as_str(), at))
        .collect();
    let rows = sqlx::query(
        "SELECT c.id, a.rater_id, a.ratable, COALESCE(j.validity, ''), j.severity FROM annotations a \
         JOIN assignments s ON s.id = a.assignment_id JOIN batches b ON b.id = s.batch_id \
         JOIN candidates c ON c.item_id = a.item_id \
         JOIN units u ON u.id = c.id AND u.said <> '[]' \
         LEFT JOIN judgements j ON j.annotation_id = a.id AND j.candidate_id = c.id \
         WHERE a.study_id = $1 AND a.latest = 1 AND b.round IN ('main', 'imported') \
         AND (a.ratable = 0 OR j.candidate_id IS NOT NULL)",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    for row in &rows {
        let unit: String = row.try_get(0)?;
        let rater: String = row.try_get(1)?;
        let (Some(&at), Some(&column)) = (places.get(&unit), columns.get(rater.as_str())) else {
            continue;
        };
        units[at].values.push(RaterValue {
            rater: column,
            ratable: row.try_get::<i64, _>(2)? != 0,
            validity: validity("judgements", &unit, row.try_get(3)?)?,
            severity: row.try_get(4)?,
        });
    }
    for unit in &mut units {
        unit.values.sort_by_key(|value| value.rater);
    }
    Ok(units)
}

async fn bare_units(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<UnitValues>> {
    let rows = sqlx::query(
        "SELECT c.id, i.seq, i.source_key, c.source_key, c.category, i.condition, i.model, \
         COALESCE(r.outcome, ''), COALESCE(r.validity, ''), r.severity \
         FROM candidates c JOIN items i ON i.id = c.item_id \
         LEFT JOIN units u ON u.id = c.id AND u.state = 'ruled' \
         LEFT JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 \
         WHERE c.study_id = $1 AND EXISTS (SELECT 1 FROM batch_items x JOIN batches b ON b.id = x.batch_id \
         WHERE x.item_id = c.item_id AND b.round IN ('main', 'imported')) ORDER BY i.seq, c.ordinal",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let unit: String = row.try_get(0)?;
            let word: String = row.try_get(7)?;
            let ruling = if word.is_empty() {
                None
            } else {
                Some(FinalValue {
                    outcome: Outcome::parse(&word)
                        .ok_or_else(|| Error::inconsistent("rulings", "outcome", &unit))?,
                    validity: validity("rulings", &unit, row.try_get(8)?)?,
                    severity: row.try_get(9)?,
                })
            };
            Ok(UnitValues {
                seq: row.try_get(1)?,
                item_key: row.try_get(2)?,
                source_key: row.try_get(3)?,
                category: row.try_get(4)?,
                condition: row.try_get(5)?,
                model: row.try_get(6)?,
                values: Vec::new(),
                ruling,
                unit: UnitId::new(unit),
            })
        })
        .collect()
}

fn validity(table: &'static str, id: &str, word: String) -> Result<Option<Validity>> {
    match word.as_str() {
        "" => Ok(None),
        word => Validity::parse(word)
            .map(Some)
            .ok_or_else(|| Error::inconsistent(table, "validity", id)),
    }
}
