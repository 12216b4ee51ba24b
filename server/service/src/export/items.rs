//! `items.csv`

use super::page::Page;
use formats::write::{Cell, Table, WriteError};
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn write<W: Write>(page: &Page<'_>, table: &mut Table<'_, W>) -> Result<(), WriteError> {
    for item in &page.items {
        let demographics: Value = item
            .demographics
            .iter()
            .map(|(key, value)| json!([key, value]))
            .collect();
        let (options, segments) = (json!(item.options), json!(item.segments));
        let run = page.runs.get(&item.id).and_then(|runs| runs.first());
        let candidates = page.candidates.get(&item.id).map_or(0, Vec::len);
        table.row(&[
            Cell::Text(item.id.as_str()),
            Cell::Text(&item.source_key),
            Cell::Text(&item.condition),
            Cell::Text(&item.model),
            Cell::Text(&item.question),
            Cell::Text(&item.answer),
            Cell::Text(&item.vignette),
            Cell::Text(&item.trace),
            Cell::Text(&item.trace_sha256),
            Cell::Text(&item.mode),
            Cell::Json(&demographics),
            Cell::Json(&options),
            Cell::Json(&segments),
            Cell::text(run.map(|run| run.outcome.as_str())),
            Cell::text(run.map(|run| run.failure.as_str())),
            Cell::Integer(candidates as i64),
        ])?;
    }
    Ok(())
}
