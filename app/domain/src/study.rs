//! The life of a study: draft, collecting, reconciling, signed off.

use serde::{Deserialize, Serialize};

/// Where a study stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StudyState {
    /// Being set up; nobody has submitted.
    Draft,
    /// Raters are judging.
    Collecting,
    /// Staff settle disagreements.
    Reconciling,
    /// Frozen; only a reopening with a reason leads out.
    SignedOff,
}

/// Why a study cannot take a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyError {
    /// The step does not lead out of this state.
    NotFromHere(StudyState),
    /// Reopening a signed-off study needs a reason.
    ReasonNeeded,
    /// Blinding is fixed once a submission exists.
    BlindingFixed,
}

impl StudyState {
    /// Every state, in order.
    pub const ALL: [Self; 4] = [
        Self::Draft,
        Self::Collecting,
        Self::Reconciling,
        Self::SignedOff,
    ];

    /// The stored word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Collecting => "collecting",
            Self::Reconciling => "reconciling",
            Self::SignedOff => "signed_off",
        }
    }

    /// Reads the stored word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Raters may begin: the first batch has been assigned.
    ///
    /// # Errors
    /// [`StudyError::NotFromHere`] once the study is signed off.
    pub fn collect(self) -> Result<Self, StudyError> {
        match self {
            Self::SignedOff => Err(StudyError::NotFromHere(self)),
            Self::Draft | Self::Collecting | Self::Reconciling => Ok(Self::Collecting),
        }
    }

    /// Staff begin to settle disagreements.
    ///
    /// # Errors
    /// [`StudyError::NotFromHere`] from a draft or a signed-off study.
    pub fn reconcile(self) -> Result<Self, StudyError> {
        match self {
            Self::Collecting | Self::Reconciling => Ok(Self::Reconciling),
            Self::Draft | Self::SignedOff => Err(StudyError::NotFromHere(self)),
        }
    }

    /// The labels are frozen.
    ///
    /// # Errors
    /// [`StudyError::NotFromHere`] from a draft or twice.
    pub fn sign_off(self) -> Result<Self, StudyError> {
        match self {
            Self::Collecting | Self::Reconciling => Ok(Self::SignedOff),
            Self::Draft | Self::SignedOff => Err(StudyError::NotFromHere(self)),
        }
    }

    /// A signed-off study is opened again.
    ///
    /// # Errors
    /// [`StudyError::ReasonNeeded`] without a reason, [`StudyError::NotFromHere`] from another state.
    pub fn reopen(self, reason: &str) -> Result<Self, StudyError> {
        match self {
            Self::SignedOff if reason.trim().is_empty() => Err(StudyError::ReasonNeeded),
            Self::SignedOff => Ok(Self::Reconciling),
            Self::Draft | Self::Collecting | Self::Reconciling => {
                Err(StudyError::NotFromHere(self))
            }
        }
    }
}

/// What is hidden from raters; it may be changed until the first submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blinding {
    /// The name of the model that wrote the trace is hidden.
    pub model: bool,
    /// The condition label is hidden.
    pub condition: bool,
    /// The severity proposed by the judge is hidden.
    pub judge_severity: bool,
}

impl Blinding {
    /// Changes the settings.
    ///
    /// # Errors
    /// [`StudyError::BlindingFixed`] when something would change after a submission exists.
    pub fn change(self, to: Self, submissions: i64) -> Result<Self, StudyError> {
        if to != self && submissions > 0 {
            Err(StudyError::BlindingFixed)
        } else {
            Ok(to)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Blinding, StudyError, StudyState as S};

    #[test]
    fn every_cell_of_the_study_table() {
        use S::{Collecting as C, Draft as D, Reconciling as R, SignedOff as X};
        for (from, collect, reconcile, sign_off, reopen) in [
            (
                D,
                Ok(C),
                Err(StudyError::NotFromHere(D)),
                Err(StudyError::NotFromHere(D)),
                Err(StudyError::NotFromHere(D)),
            ),
            (C, Ok(C), Ok(R), Ok(X), Err(StudyError::NotFromHere(C))),
            (R, Ok(C), Ok(R), Ok(X), Err(StudyError::NotFromHere(R))),
            (
                X,
                Err(StudyError::NotFromHere(X)),
                Err(StudyError::NotFromHere(X)),
                Err(StudyError::NotFromHere(X)),
                Ok(R),
            ),
        ] {
            assert_eq!(from.collect(), collect);
            assert_eq!(from.reconcile(), reconcile);
            assert_eq!(from.sign_off(), sign_off);
            assert_eq!(from.reopen("a correction was published"), reopen);
        }
        assert_eq!(X.reopen("  "), Err(StudyError::ReasonNeeded));
    }

    #[test]
    fn doccano_947_blinding_is_fixed_once_a_submission_exists() {
        let now = Blinding {
            model: true,
            condition: false,
            judge_severity: false,
        };
        let open = Blinding {
            model: false,
            ..now
        };
        assert_eq!(now.change(open, 0), Ok(open));
        assert_eq!(now.change(open, 1), Err(StudyError::BlindingFixed));
        assert_eq!(
            now.change(now, 7),
            Ok(now),
            "saving unchanged settings is no change"
        );
    }
}
