//! What agreement is computed from, as it was when a snapshot was made.

use super::Head;
use crate::error::{Error, Result};
use crate::result::{FinalValue, RaterValue, UnitValues, Values};
use domain::id::{UnitId, UserId};
use domain::ruling::Outcome;
use domain::scheme::Validity;
use sqlx::{AnyConnection, Row};
use std::collections::{HashMap, HashSet};

/// The raters whose annotations the snapshot holds, in the order of members.
///
/// # Errors
/// When the database fails.
pub async fn raters(connection: &mut AnyConnection, head: &Head) -> Result<Vec<(UserId, String)>> {
    let rows = sqlx::query(
        "SELECT u.id, u.display_name, MIN(COALESCE(m.position, 1000000)) AS place FROM snapshot_annotations f \
         JOIN annotations a ON a.id = f.annotation_id JOIN users u ON u.id = a.rater_id \
         LEFT JOIN members m ON m.study_id = a.study_id AND m.user_id = a.rater_id AND m.role = 'rater' \
         WHERE f.snapshot_id = $1 GROUP BY u.id, u.display_name ORDER BY place, u.id",
    )
    .bind(head.id.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((UserId::new(row.try_get::<String, _>(0)?), row.try_get(1)?)))
        .collect()
}

/// Every candidate of the items that counting rounds held then, with what these raters said of it.
///
/// # Errors
/// When the database fails or holds a word that the domain does not know.
pub async fn values(
    connection: &mut AnyConnection,
    head: &Head,
    raters: &[(UserId, String)],
) -> Result<Values> {
    let mut units = bare(connection, head).await?;
    let places: HashMap<String, usize> = units
        .iter()
        .enumerate()
        .map(|(at, unit)| (unit.unit.as_str().to_owned(), at))
        .collect();
    let columns: HashMap<&str, usize> = raters
        .iter()
        .enumerate()
        .map(|(at, (id, _))| (id.as_str(), at))
        .collect();
    let rows = sqlx::query(
        "SELECT u.unit_id, a.rater_id, a.ratable, COALESCE(j.validity, ''), j.severity FROM snapshot_annotations f \
         JOIN annotations a ON a.id = f.annotation_id JOIN snapshot_units u ON u.snapshot_id = f.snapshot_id \
         AND u.item_id = a.item_id AND u.kind = 'candidate' AND u.said <> '[]' \
         LEFT JOIN judgements j ON j.annotation_id = a.id AND j.candidate_id = u.unit_id \
         WHERE f.snapshot_id = $1 AND (a.ratable = 0 OR j.candidate_id IS NOT NULL)",
    )
    .bind(head.id.as_str())
    .fetch_all(connection)
    .await?;
    for row in &rows {
        let (unit, rater): (String, String) = (row.try_get(0)?, row.try_get(1)?);
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
    let items: HashSet<i64> = units.iter().map(|unit| unit.seq).collect();
    Ok(Values {
        units,
        waiting: Vec::new(),
        items: items.len() as u64,
    })
}

async fn bare(connection: &mut AnyConnection, head: &Head) -> Result<Vec<UnitValues>> {
    let rows = sqlx::query(
        "SELECT c.id, i.seq, c.category, i.condition, i.model, \
         COALESCE(r.outcome, ''), COALESCE(r.validity, ''), r.severity \
         FROM candidates c JOIN items i ON i.id = c.item_id \
         LEFT JOIN snapshot_units u ON u.unit_id = c.id AND u.snapshot_id = $2 AND u.state = 'ruled' \
         LEFT JOIN rulings r ON r.id = u.ruling_id \
         WHERE c.study_id = $1 AND i.seq <= $3 AND EXISTS (SELECT 1 FROM batch_items x JOIN batches b ON b.id = x.batch_id \
         WHERE x.item_id = c.item_id AND b.round IN ('main', 'imported') AND b.created_at <= $4) ORDER BY i.seq, c.ordinal",
    )
    .bind(head.study.as_str())
    .bind(head.id.as_str())
    .bind(head.last_seq)
    .bind(head.signed_at)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let unit: String = row.try_get(0)?;
            let word: String = row.try_get(5)?;
            let ruling = match word.as_str() {
                "" => None,
                word => Some(FinalValue {
                    outcome: Outcome::parse(word)
                        .ok_or_else(|| Error::inconsistent("rulings", "outcome", &unit))?,
                    validity: validity("rulings", &unit, row.try_get(6)?)?,
                    severity: row.try_get(7)?,
                }),
            };
            Ok(UnitValues {
                seq: row.try_get(1)?,
                category: row.try_get::<&str, _>(2)?.into(),
                condition: row.try_get::<&str, _>(3)?.into(),
                model: row.try_get::<&str, _>(4)?.into(),
                values: Vec::new(),
                few_shot: Vec::new(),
                ruling,
                unit: UnitId::new(unit),
            })
        })
        .collect()
}

fn validity(table: &'static str, id: &str, word: &str) -> Result<Option<Validity>> {
    match word {
        "" => Ok(None),
        word => Validity::parse(word)
            .map(Some)
            .ok_or_else(|| Error::inconsistent(table, "validity", id)),
    }
}
