//! One newtype per identity, so that an item is never passed where a candidate is meant.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes an identity as it stands in a row or a URL; it is looked up, never trusted.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The identity as text, as stored and as written in URLs.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

id! {
    /// A study: items, one scheme in versions, raters, rounds.
    StudyId,
    /// A person with an account.
    UserId,
    /// What is shown to be judged.
    ItemId,
    /// An LLM with its prompt version and parameters.
    JudgeId,
    /// One tag proposed by a judge.
    CandidateId,
    /// A set of items drawn for a round.
    BatchId,
    /// Rater by item in a round.
    AssignmentId,
    /// One submitted version of a rater's judgement of an item.
    AnnotationId,
    /// A tag added by a rater; its author makes the identity, so that a retry cannot double it.
    MissedTagId,
    /// The smallest thing that gets a value: a candidate or a missed tag, under the same text.
    UnitId,
    /// One version of what settles a unit.
    RulingId,
    /// One message of a discussion.
    MessageId,
    /// A frozen set of labels.
    SnapshotId,
}
