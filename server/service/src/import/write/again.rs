//! An item that is there already: whether the file means the same one.

use super::super::compare::hash_of;
use super::super::steps::{counts_steps, segments};
use super::{Importer, Known};
use crate::error::Result;
use domain::id::ItemId;
use domain::study::Blinding;
use formats::record::TraceRecord;
use store::AnyConnection;

/// The field, what was found and what was expected.
type Told = (&'static str, &'static str, &'static str);

/// What is hidden from whoever imports.
const NOTHING: Blinding = Blinding {
    model: false,
    condition: false,
    judge_severity: false,
};

impl Importer<'_> {
    /// How the record differs from the item under its key; `alike` when it says what the file said that brought the item.
    pub(super) async fn differs(
        &self,
        connection: &mut AnyConnection,
        known: &Known,
        (item, alike): (&ItemId, bool),
        (record, trace, hash): (&TraceRecord, &str, &str),
    ) -> Result<Option<Told>> {
        let other = (
            "source_key",
            "other content",
            "the trace imported before under this key",
        );
        // What this file brought is not written yet, and its lines have been compared with each other.
        let fresh = known.fresh.contains(item);
        if fresh || (alike && !counts_steps(&self.scheme, record)) {
            return Ok((!alike).then_some(other));
        }
        let Some(stored) = store::item::get(connection, item, NOTHING).await? else {
            return Ok((!alike).then_some(other));
        };
        // Staff may have divided it, or written points for it, since it came: its own export says so.
        if !alike && hash_of(&stored, &self.scheme) != hash {
            return Ok(Some(other));
        }
        let differs = counts_steps(&self.scheme, record)
            && segments(&self.scheme, record, trace) != stored.segments;
        Ok(differs.then_some((
            "steps",
            "a trace divided into other steps",
            "the steps that the study has by now: what is said of them counts them by number",
        )))
    }
}
