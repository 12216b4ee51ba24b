//! What staff do about a rater's comment, or their report that an item cannot be rated.

use serde::{Deserialize, Serialize};

/// Where a comment stands. The comment itself never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriageState {
    /// Nobody looked at it yet.
    #[default]
    Unread,
    /// Somebody read it and left it.
    Read,
    /// Staff answered the rater.
    Answered,
    /// Nothing is left to do.
    Resolved,
    /// It went to the raters as a discussion.
    Forwarded,
    /// The manual needs work.
    Guideline,
}

impl TriageState {
    /// Every state, in the order of the inbox.
    pub const ALL: [Self; 6] = [
        Self::Unread,
        Self::Read,
        Self::Answered,
        Self::Forwarded,
        Self::Guideline,
        Self::Resolved,
    ];

    /// The stored word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::Read => "read",
            Self::Answered => "answered",
            Self::Resolved => "resolved",
            Self::Forwarded => "forwarded",
            Self::Guideline => "guideline",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether it still waits for somebody.
    pub fn waits(self) -> bool {
        matches!(self, Self::Unread | Self::Read)
    }
}

#[cfg(test)]
mod tests {
    use super::TriageState;

    #[test]
    fn words_come_back_and_only_what_nobody_acted_on_waits() {
        for state in TriageState::ALL {
            assert_eq!(TriageState::parse(state.as_str()), Some(state));
        }
        let waiting: Vec<_> = TriageState::ALL.into_iter().filter(|s| s.waits()).collect();
        assert_eq!(waiting, [TriageState::Unread, TriageState::Read]);
    }
}
