//! Finding the units that final values of a file are about, and which rulings came from one.

use super::known::listed;
use crate::error::Result;
use crate::json;
use domain::id::{RulingId, StudyId, UnitId};
use sqlx::{AnyConnection, Row};
use std::collections::{BTreeMap, HashMap};

/// The candidates that have one of these keys: each with the key of its item.
///
/// # Errors
/// When the database fails.
pub async fn candidates_named(
    connection: &mut AnyConnection,
    study: &StudyId,
    keys: &[&str],
) -> Result<HashMap<String, Vec<(UnitId, String)>>> {
    let head = "SELECT c.source_key, c.id, i.source_key FROM candidates c JOIN items i ON i.id = c.item_id \
         WHERE c.study_id = $1 AND c.source_key IN ";
    let mut found: HashMap<String, Vec<(UnitId, String)>> = HashMap::new();
    for row in listed(connection, head, Some(study.as_str()), keys).await? {
        let unit = UnitId::new(row.try_get::<String, _>(1)?);
        let of = found.entry(row.try_get(0)?).or_default();
        of.push((unit, row.try_get(2)?));
    }
    Ok(found)
}

/// What of an item's further facts numbers its candidates.
#[derive(serde::Deserialize)]
struct Numbered {
    #[serde(default)]
    order: serde_json::Value,
}

/// The candidates by their number in the column `order` of the file they came from: the keys of item and candidate.
///
/// # Errors
/// When the database fails.
pub async fn candidates_numbered(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<HashMap<String, Vec<(String, String)>>> {
    let rows = sqlx::query(
        "SELECT id, source_key, extra FROM items WHERE study_id = $1 AND extra LIKE '%\"order\"%'",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for row in rows {
        let id: String = row.try_get(0)?;
        let item: String = row.try_get(1)?;
        let facts: Numbered = json::read("items", "extra", &id, row.try_get(2)?)?;
        let orders: BTreeMap<String, String> =
            serde_json::from_value(facts.order).unwrap_or_default();
        for (candidate, order) in orders {
            let order = order.trim().to_owned();
            found
                .entry(order)
                .or_default()
                .push((item.clone(), candidate));
        }
    }
    Ok(found)
}

/// Keeps which rulings an import brought.
///
/// # Errors
/// When the database fails.
pub async fn keep_rulings(
    connection: &mut AnyConnection,
    import: &str,
    rulings: &[RulingId],
) -> Result<()> {
    for ruling in rulings {
        sqlx::query("INSERT INTO imported_rulings (ruling_id, import_id) VALUES ($1, $2)")
            .bind(ruling.as_str())
            .bind(import)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Whether a ruling came from a file.
///
/// # Errors
/// When the database fails.
pub async fn is_imported(connection: &mut AnyConnection, ruling: &RulingId) -> Result<bool> {
    let count: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM imported_rulings WHERE ruling_id = $1")
            .bind(ruling.as_str())
            .fetch_one(connection)
            .await?;
    Ok(count > 0)
}
