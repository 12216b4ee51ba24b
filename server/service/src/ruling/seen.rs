//! What a ruling saw, so that a stale one can say what changed since.

use crate::unit::{Letters, RaterValue, rater_value};
use serde::{Deserialize, Serialize};
use store::unit::{Listed, Said};

/// What stood there when somebody ruled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// What each rater had said.
    said: Vec<Said>,
    /// The hash of the trace.
    trace: String,
    /// The version of the scheme.
    scheme_version: i64,
}

/// One thing that is not as the ruling saw it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Change {
    /// A rater says something else now.
    Judgement {
        /// The rater's letter.
        letter: String,
        /// What they had said; nothing when they had not been asked.
        before: Option<RaterValue>,
        /// What they say now; nothing when their judgement no longer counts.
        after: Option<RaterValue>,
    },
    /// The trace was imported again and is not the same.
    Trace,
    /// The coding manual came to mean something else here.
    Manual {
        /// The version the ruling saw.
        from: i64,
        /// The version that counts now.
        to: i64,
    },
    /// The same values, but a comment or a span of a missed tag changed.
    Wording,
}

impl Seen {
    /// What stands there now.
    pub fn of(listed: &Listed, trace_sha256: &str, scheme_version: i64) -> Self {
        Self {
            said: listed.unit.said.clone(),
            trace: trace_sha256.to_owned(),
            scheme_version,
        }
    }

    /// As it is stored.
    pub fn to_json(&self) -> String {
        // Words and numbers only: there is nothing in it that could fail to serialise.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads it back; nothing for a ruling made before this was kept.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// What changed from `self` to `now`, for a ruling whose basis is no longer the unit's.
    pub fn changes(&self, now: &Self, letters: &Letters) -> Vec<Change> {
        let mut changes = Vec::new();
        let of = |side: &Self, rater| side.said.iter().find(|s| s.rater == rater).cloned();
        let mut raters: Vec<_> = self.said.iter().map(|said| said.rater.clone()).collect();
        for said in &now.said {
            if !raters.contains(&said.rater) {
                raters.push(said.rater.clone());
            }
        }
        for rater in raters {
            let (before, after) = (of(self, rater.clone()), of(now, rater.clone()));
            if before != after {
                changes.push(Change::Judgement {
                    letter: letters.letter(&rater),
                    before: before.map(|said| rater_value(&said, letters)),
                    after: after.map(|said| rater_value(&said, letters)),
                });
            }
        }
        if self.trace != now.trace {
            changes.push(Change::Trace);
        }
        if self.scheme_version != now.scheme_version {
            changes.push(Change::Manual {
                from: self.scheme_version,
                to: now.scheme_version,
            });
        }
        if changes.is_empty() {
            changes.push(Change::Wording);
        }
        changes
    }
}
