//! Sign-off: labels frozen under a content hash, answered for by name, compared unit by unit.
//!
//! The content of a snapshot is one canonical JSON document, `{"labels":[..],"manifest":{..}}`: keys in order, no white
//! space, numbers as short as they can be. Its SHA-256 names it, and anybody who has the document can compute it again.
//! Who signed and when stand beside it, so that the same labels under the same rules have the same hash.

mod canonical;
mod compare;
mod ground;
mod label;
mod manifest;
mod read;
mod sign;

pub use compare::{Change, Comparison, FieldChange, compare};
pub use label::{Label, Labels, Rating};
pub use read::{content, get, labels, list};
pub use sign::{Group, SignOff, readiness, sign_off};

pub(crate) use canonical::canonical;
pub(crate) use ground::ground;
pub(crate) use label::{Settled, is_single, ruled_by, settled};
pub(crate) use read::{parse, write_content};

use domain::id::SnapshotId;
use serde::Serialize;
use store::snapshot::Head;

/// What names a snapshot wherever a table or a statistic does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SnapshotRef {
    /// The snapshot.
    pub id: SnapshotId,
    /// Counted from 1 within the study.
    pub number: i64,
    /// SHA-256 of its content.
    pub content_hash: String,
}

impl SnapshotRef {
    /// The number and the first digits of the hash, as a cell of a table names it.
    pub fn short(&self) -> String {
        format!(
            "{}:{}",
            self.number,
            self.content_hash.get(..12).unwrap_or_default()
        )
    }
}

impl From<&Head> for SnapshotRef {
    fn from(head: &Head) -> Self {
        Self {
            id: head.id.clone(),
            number: head.number,
            content_hash: head.content_hash.clone(),
        }
    }
}

/// A snapshot without its labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SnapshotRow {
    /// What names it.
    #[serde(flatten)]
    pub named: SnapshotRef,
    /// How many labels it holds.
    pub labels: i64,
    /// The version of the scheme that counted.
    pub scheme_version: i64,
    /// The name of the account that signed.
    pub signed_by: String,
    /// The name under which somebody answers for it.
    pub attested_as: String,
    /// What they state.
    pub statement: String,
    /// Epoch milliseconds.
    pub signed_at: i64,
    /// The study was opened again after it.
    pub reopened: Option<ReopenedRow>,
    /// The study stands on it now.
    pub in_force: bool,
}

/// That a signed-off study was opened again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReopenedRow {
    /// Epoch milliseconds.
    pub at: i64,
    /// The name of the account.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// A snapshot with the rules that produced it.
#[derive(Clone, Debug, Serialize)]
pub struct SnapshotView {
    /// Who, when, under which hash.
    #[serde(flatten)]
    pub row: SnapshotRow,
    /// Scheme, rules, batches, what was left out, counts, software.
    pub manifest: serde_json::Value,
}

/// Whether a study can be signed off, and what stands in the way.
#[derive(Clone, Debug, Serialize)]
pub struct Readiness {
    /// Where the study stands.
    pub state: domain::study::StudyState,
    /// What has no final value yet.
    pub unsettled: Vec<UnsettledRow>,
    /// Names exactly these; a sign-off that leaves some of them out names it too.
    pub basis: String,
}

/// Something without a final value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnsettledRow {
    /// The unit; the item itself where a rater is expected and the judge proposed nothing.
    pub unit: String,
    /// `candidate`, `missed` or `item`.
    pub kind: String,
    /// The item's key in its file.
    pub item_key: String,
    /// `open`, `disputed`, `in_discussion` or `stale`.
    pub state: String,
    /// The name of its category or subcategory; empty for an item.
    pub category_name: String,
}
