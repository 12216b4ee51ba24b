//! Items: what is judged.

mod divide;
mod list;
mod options;

pub use divide::{is_opened, set_segments, shape};
pub use list::{ItemFilter, ListedItem, Run, count, list, runs};
pub use options::{set_options, with_same_vignette};

use crate::error::Result;
use crate::json::{self, Pairs};
use domain::id::{ItemId, StudyId};
use domain::study::Blinding;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// Nothing is hidden: what staff see.
pub const OPEN: Blinding = Blinding {
    model: false,
    condition: false,
    judge_severity: false,
};

/// A labelled part of a trace, in code points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentRange {
    /// What the part is called; may be empty.
    pub label: String,
    /// Its first code point.
    pub start: u32,
    /// The code point after its last.
    pub end: u32,
}

/// One item as it is stored; a field that is hidden from the reader is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredItem {
    /// Its identity.
    pub id: ItemId,
    /// Its study.
    pub study: StudyId,
    /// Counted from 1 within the study, in the order of import.
    pub seq: i64,
    /// Its key in the file it came from.
    pub source_key: String,
    /// The condition of the person in the vignette.
    pub condition: String,
    /// The model that wrote the trace.
    pub model: String,
    /// How the model was asked.
    pub mode: String,
    /// Facts about the person in the vignette.
    pub demographics: Vec<(String, String)>,
    /// The vignette.
    pub vignette: String,
    /// The question.
    pub question: String,
    /// The answers to choose from.
    pub options: Vec<String>,
    /// The model's answer.
    pub answer: String,
    /// The text that spans point into.
    pub trace: String,
    /// SHA-256 of the trace, in hex.
    pub trace_sha256: String,
    /// Its parts.
    pub segments: Vec<SegmentRange>,
}

/// The columns that [`read`] expects, from `items i`; the arguments say in SQL what is hidden.
macro_rules! columns {
    ($condition_hidden:literal, $model_hidden:literal) => {
        concat!(
            "i.id AS item, i.study_id AS item_study, i.seq, i.source_key, CASE WHEN ",
            $condition_hidden,
            " = 1 THEN '' ELSE i.condition END AS shown_condition, CASE WHEN ",
            $model_hidden,
            " = 1 THEN '' ELSE i.model END AS shown_model, i.mode, i.demographics, i.vignette, i.question, i.options, \
             i.answer, i.trace, i.trace_sha256, i.segments"
        )
    };
}
pub(crate) use columns;

/// One item; what is hidden never leaves the database.
///
/// # Errors
/// When the database fails.
pub async fn get(
    connection: &mut AnyConnection,
    item: &ItemId,
    hidden: Blinding,
) -> Result<Option<StoredItem>> {
    let row = sqlx::query(concat!(
        "SELECT ",
        columns!("$1", "$2"),
        " FROM items i WHERE i.id = $3"
    ))
    .bind(i64::from(hidden.condition))
    .bind(i64::from(hidden.model))
    .bind(item.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(|row| read(row, 0)).transpose()
}

/// The items of a study after `after`, in the order of import: a page at a time for exports and samples.
///
/// # Errors
/// When the database fails.
pub async fn after(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredItem>> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        columns!("0", "0"),
        " FROM items i WHERE i.study_id = $1 AND i.seq > $2 ORDER BY i.seq LIMIT $3"
    ))
    .bind(study.as_str())
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| read(row, 0)).collect()
}

/// What else the file said of the items whose place lies above `after` and at most at `up_to`.
///
/// # Errors
/// When the database fails or holds what is no JSON object.
pub async fn extras(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<HashMap<ItemId, serde_json::Map<String, serde_json::Value>>> {
    let rows =
        sqlx::query("SELECT id, extra FROM items WHERE study_id = $1 AND seq > $2 AND seq <= $3")
            .bind(study.as_str())
            .bind(after)
            .bind(up_to)
            .fetch_all(connection)
            .await?;
    let mut extras = HashMap::with_capacity(rows.len());
    for row in &rows {
        let id: String = row.try_get(0)?;
        let extra = json::read("items", "extra", &id, row.try_get(1)?)?;
        extras.insert(ItemId::new(id), extra);
    }
    Ok(extras)
}

/// Reads the columns of [`columns`] beginning at `at`.
pub(crate) fn read(row: &AnyRow, at: usize) -> Result<StoredItem> {
    let id: String = row.try_get(at)?;
    let pairs: Pairs = json::read("items", "demographics", &id, row.try_get(at + 7)?)?;
    Ok(StoredItem {
        study: StudyId::new(row.try_get::<String, _>(at + 1)?),
        seq: row.try_get(at + 2)?,
        source_key: row.try_get(at + 3)?,
        condition: row.try_get(at + 4)?,
        model: row.try_get(at + 5)?,
        mode: row.try_get(at + 6)?,
        demographics: pairs.0,
        vignette: row.try_get(at + 8)?,
        question: row.try_get(at + 9)?,
        options: json::read("items", "options", &id, row.try_get(at + 10)?)?,
        answer: row.try_get(at + 11)?,
        trace: row.try_get(at + 12)?,
        trace_sha256: row.try_get(at + 13)?,
        segments: json::read("items", "segments", &id, row.try_get(at + 14)?)?,
        id: ItemId::new(id),
    })
}
