//! The life of an assignment: rater by item in a round.

use serde::{Deserialize, Serialize};

/// Where an assignment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AssignmentState {
    /// Given to the rater, not yet changed by them.
    NotStarted,
    /// A draft exists.
    InProgress,
    /// Submitted and counting.
    Submitted,
    /// Submitted before, open again; the earlier submission still counts until the next one.
    Reopened,
    /// The rater said that the item cannot be rated, and why.
    NotRatable,
    /// Taken back by staff, or handed back by the rater; the draft is kept.
    Withdrawn,
}

/// Why an assignment cannot take a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignmentError {
    /// The step does not lead out of this state.
    NotFromHere(AssignmentState),
    /// A ruling rests on this submission.
    RulingExists,
    /// The item is being discussed, so its raters may have seen each other's judgements.
    DiscussionBegun,
    /// Work has begun, so it is not taken back silently.
    AlreadyStarted,
}

type Step = Result<AssignmentState, AssignmentError>;

impl AssignmentState {
    /// Every state.
    pub const ALL: [Self; 6] = [
        Self::NotStarted,
        Self::InProgress,
        Self::Submitted,
        Self::Reopened,
        Self::NotRatable,
        Self::Withdrawn,
    ];

    /// The stored word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotStarted => "not_started",
            Self::InProgress => "in_progress",
            Self::Submitted => "submitted",
            Self::Reopened => "reopened",
            Self::NotRatable => "not_ratable",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Reads the stored word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether the rater may change the annotation now.
    pub fn is_open(self) -> bool {
        matches!(self, Self::NotStarted | Self::InProgress | Self::Reopened)
    }

    /// Whether the rater has given their independent answer (a reopened one has, and it still counts).
    pub fn is_in(self) -> bool {
        matches!(self, Self::Submitted | Self::Reopened | Self::NotRatable)
    }

    /// A draft is saved.
    ///
    /// # Errors
    /// [`AssignmentError::NotFromHere`] when the assignment is not open.
    pub fn save(self) -> Step {
        match self {
            Self::NotStarted | Self::InProgress => Ok(Self::InProgress),
            Self::Reopened => Ok(Self::Reopened),
            Self::Submitted | Self::NotRatable | Self::Withdrawn => {
                Err(AssignmentError::NotFromHere(self))
            }
        }
    }

    /// The annotation is submitted.
    ///
    /// # Errors
    /// [`AssignmentError::NotFromHere`] when the assignment is not open.
    pub fn submit(self) -> Step {
        if self.is_open() {
            Ok(Self::Submitted)
        } else {
            Err(AssignmentError::NotFromHere(self))
        }
    }

    /// The rater reports that the item cannot be rated.
    ///
    /// # Errors
    /// [`AssignmentError::NotFromHere`] when the assignment is not open.
    pub fn cannot_be_rated(self) -> Step {
        if self.is_open() {
            Ok(Self::NotRatable)
        } else {
            Err(AssignmentError::NotFromHere(self))
        }
    }

    /// The rater opens their own submission again.
    ///
    /// # Errors
    /// [`AssignmentError::RulingExists`] when a ruling rests on it,
    /// [`AssignmentError::DiscussionBegun`] when its raters may have seen each other's judgements,
    /// [`AssignmentError::NotFromHere`] when nothing was submitted.
    pub fn reopen(self, ruled: bool, discussed: bool) -> Step {
        match self {
            Self::Submitted | Self::NotRatable if ruled => Err(AssignmentError::RulingExists),
            Self::Submitted | Self::NotRatable if discussed => {
                Err(AssignmentError::DiscussionBegun)
            }
            Self::Submitted | Self::NotRatable => Ok(Self::Reopened),
            _ => Err(AssignmentError::NotFromHere(self)),
        }
    }

    /// The rater hands the item back without penalty; the draft is kept.
    ///
    /// # Errors
    /// [`AssignmentError::NotFromHere`] after a submission.
    pub fn hand_back(self) -> Step {
        match self {
            Self::NotStarted | Self::InProgress => Ok(Self::Withdrawn),
            _ => Err(AssignmentError::NotFromHere(self)),
        }
    }

    /// Staff take back an unstarted assignment.
    ///
    /// # Errors
    /// [`AssignmentError::AlreadyStarted`] once the rater has begun, [`AssignmentError::NotFromHere`] after that.
    pub fn take_back(self) -> Step {
        match self {
            Self::NotStarted => Ok(Self::Withdrawn),
            Self::InProgress => Err(AssignmentError::AlreadyStarted),
            _ => Err(AssignmentError::NotFromHere(self)),
        }
    }

    /// The rater resumes what was handed back.
    ///
    /// # Errors
    /// [`AssignmentError::NotFromHere`] from any other state.
    pub fn resume(self, has_draft: bool) -> Step {
        match self {
            Self::Withdrawn if has_draft => Ok(Self::InProgress),
            Self::Withdrawn => Ok(Self::NotStarted),
            _ => Err(AssignmentError::NotFromHere(self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AssignmentError::{AlreadyStarted, DiscussionBegun, NotFromHere, RulingExists};
    use super::AssignmentState::{
        self as S, InProgress, NotRatable, NotStarted, Reopened, Submitted, Withdrawn,
    };

    /// One row a state: save, submit, cannot be rated, reopen (unruled), hand back, take back.
    #[test]
    fn every_cell_of_the_assignment_table() {
        let no = |s| Err(NotFromHere(s));
        let table = [
            (
                NotStarted,
                Ok(InProgress),
                Ok(Submitted),
                Ok(NotRatable),
                no(NotStarted),
                Ok(Withdrawn),
                Ok(Withdrawn),
            ),
            (
                InProgress,
                Ok(InProgress),
                Ok(Submitted),
                Ok(NotRatable),
                no(InProgress),
                Ok(Withdrawn),
                Err(AlreadyStarted),
            ),
            (
                Submitted,
                no(Submitted),
                no(Submitted),
                no(Submitted),
                Ok(Reopened),
                no(Submitted),
                no(Submitted),
            ),
            (
                Reopened,
                Ok(Reopened),
                Ok(Submitted),
                Ok(NotRatable),
                no(Reopened),
                no(Reopened),
                no(Reopened),
            ),
            (
                NotRatable,
                no(NotRatable),
                no(NotRatable),
                no(NotRatable),
                Ok(Reopened),
                no(NotRatable),
                no(NotRatable),
            ),
            (
                Withdrawn,
                no(Withdrawn),
                no(Withdrawn),
                no(Withdrawn),
                no(Withdrawn),
                no(Withdrawn),
                no(Withdrawn),
            ),
        ];
        for (from, save, submit, cannot, reopen, hand_back, take_back) in table {
            assert_eq!(from.save(), save, "save from {from:?}");
            assert_eq!(from.submit(), submit, "submit from {from:?}");
            assert_eq!(
                from.cannot_be_rated(),
                cannot,
                "cannot be rated from {from:?}"
            );
            assert_eq!(from.reopen(false, false), reopen, "reopen from {from:?}");
            assert_eq!(from.hand_back(), hand_back, "hand back from {from:?}");
            assert_eq!(from.take_back(), take_back, "take back from {from:?}");
        }
    }

    #[test]
    fn a_ruled_submission_is_not_reopened() {
        assert_eq!(Submitted.reopen(true, false), Err(RulingExists));
        assert_eq!(NotRatable.reopen(true, false), Err(RulingExists));
        assert_eq!(Submitted.reopen(false, true), Err(DiscussionBegun));
        assert_eq!(NotRatable.reopen(true, true), Err(RulingExists));
    }

    #[test]
    fn argilla_2896_handing_back_keeps_the_draft() {
        assert_eq!(Withdrawn.resume(true), Ok(InProgress));
        assert_eq!(Withdrawn.resume(false), Ok(NotStarted));
        for state in S::ALL.into_iter().filter(|s| *s != Withdrawn) {
            assert_eq!(state.resume(true), Err(NotFromHere(state)));
        }
    }

    #[test]
    fn a_reopened_submission_still_counts() {
        assert!(Reopened.is_in() && Reopened.is_open());
        assert!(S::ALL.into_iter().all(|s| S::parse(s.as_str()) == Some(s)));
    }
}
