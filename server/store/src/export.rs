//! What exports need beside items, candidates and annotations, a range of items at a time.

use crate::error::Result;
use crate::ruling::{Ruling, ruling};
use domain::id::{ItemId, JudgeId, StudyId, UnitId};
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// A judge: a model with its prompt and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    /// What it is called.
    pub name: String,
    /// The model behind it.
    pub model: String,
    /// The version of its prompt.
    pub prompt_version: String,
    /// Its parameters as JSON; may be empty.
    pub params: String,
}

/// How a judge's run over an item ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The judge.
    pub judge: JudgeId,
    /// `judged` or `failed`.
    pub outcome: String,
    /// The failure's code; empty when it was judged.
    pub failure: String,
    /// The judge's summary.
    pub summary: String,
}

/// The judges of a study.
///
/// # Errors
/// When the database fails.
pub async fn judges(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<HashMap<JudgeId, Judge>> {
    let rows = sqlx::query(
        "SELECT id, name, model, prompt_version, params FROM judges WHERE study_id = $1",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let judge = Judge {
                name: row.try_get(1)?,
                model: row.try_get(2)?,
                prompt_version: row.try_get(3)?,
                params: row.try_get(4)?,
            };
            Ok((JudgeId::new(row.try_get::<String, _>(0)?), judge))
        })
        .collect()
}

/// The judges' runs over the items of a range, the first run of each item first.
///
/// # Errors
/// When the database fails.
pub async fn runs(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<HashMap<ItemId, Vec<Run>>> {
    let rows = sqlx::query(
        "SELECT d.item_id, d.judge_id, d.outcome, d.failure, d.summary FROM judged d JOIN items i ON i.id = d.item_id \
         WHERE i.study_id = $1 AND i.seq > $2 AND i.seq <= $3 ORDER BY i.seq, d.judge_id",
    )
    .bind(study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    let mut runs: HashMap<ItemId, Vec<Run>> = HashMap::new();
    for row in &rows {
        let run = Run {
            judge: JudgeId::new(row.try_get::<String, _>(1)?),
            outcome: row.try_get(2)?,
            failure: row.try_get(3)?,
            summary: row.try_get(4)?,
        };
        runs.entry(ItemId::new(row.try_get::<String, _>(0)?))
            .or_default()
            .push(run);
    }
    Ok(runs)
}

/// The rulings in force on units of the items of a range.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn rulings(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<HashMap<UnitId, Ruling>> {
    let rows = sqlx::query(
        "SELECT r.id, r.version, r.outcome, r.validity, r.category, r.subcategory, r.severity, r.cause, r.confidence, r.note, \
         r.guideline_needs_work, r.agreed_by_raters, r.adopted_from, r.ruled_by, COALESCE(p.display_name, ''), r.ruled_at, \
         r.basis, r.span_start, r.span_end, r.quote, r.merged_into, r.seen, r.unit_id FROM rulings r JOIN units u ON u.id = r.unit_id JOIN items i ON i.id = u.item_id \
         LEFT JOIN users p ON p.id = r.ruled_by \
         WHERE i.study_id = $1 AND r.latest = 1 AND i.seq > $2 AND i.seq <= $3",
    )
    .bind(study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((UnitId::new(row.try_get::<String, _>(22)?), ruling(row, 0)?)))
        .collect()
}
