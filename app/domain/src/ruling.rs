//! What settles a unit.

use crate::scheme::Validity;
use serde::{Deserialize, Serialize};

/// How a unit was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Both raters came to one value.
    Consensus,
    /// Both ratings stand and their mean is the final severity.
    Averaged,
    /// Somebody who did not rate the item decided.
    Adjudicator,
    /// A principled disagreement: both stand, there is no final value.
    Unresolved,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 4] = [
        Self::Consensus,
        Self::Averaged,
        Self::Adjudicator,
        Self::Unresolved,
    ];

    /// The word in tables and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Consensus => "consensus",
            Self::Averaged => "averaged",
            Self::Adjudicator => "adjudicator",
            Self::Unresolved => "unresolved",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == word)
    }
}

/// Why the raters differed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The manual did not say.
    GuidelineGap,
    /// They stand in different clinical frameworks.
    Framework,
    /// One did not see something that is there.
    MissedEvidence,
    /// They read different words as the span.
    SpanBoundary,
    /// A slip.
    Slip,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 5] = [
        Self::GuidelineGap,
        Self::Framework,
        Self::MissedEvidence,
        Self::SpanBoundary,
        Self::Slip,
    ];

    /// The word in tables and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GuidelineGap => "guideline_gap",
            Self::Framework => "framework",
            Self::MissedEvidence => "missed_evidence",
            Self::SpanBoundary => "span_boundary",
            Self::Slip => "slip",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.as_str() == word)
    }
}

/// One rater's value of a unit, as far as a ruling needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Whether the tag is right; nothing when the rater's source does not say.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
}

/// What somebody wants to record.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// How it was reached.
    pub outcome: Outcome,
    /// The final validity, where the outcome names one.
    pub validity: Option<Validity>,
    /// The final code of a category or subcategory, where it changes.
    pub code: Option<String>,
    /// The final severity, where the outcome names one.
    pub severity: Option<f64>,
    /// Why they differed.
    pub cause: Option<Cause>,
    /// The reasoning.
    pub note: String,
    /// Both raters are on record as agreeing.
    pub agreed_by_raters: bool,
    /// The person ruling rated this item.
    pub ruler_rated_item: bool,
    /// The unit is a missed tag that is the same as another unit, so it gets no value of its own.
    pub merged: bool,
}

/// The value that a ruling gives a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// How it was reached.
    pub outcome: Outcome,
    /// The final validity; nothing when unresolved.
    pub validity: Option<Validity>,
    /// The final severity; nothing when unresolved or invalid.
    pub severity: Option<f64>,
}

/// Why a ruling is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulingError {
    /// A rater of the item cannot be its adjudicator.
    AdjudicatorRatedItem,
    /// A consensus needs both raters' recorded agreement, or a note by whoever records it.
    ConsensusNeedsNote,
    /// An average needs two severities.
    NothingToAverage,
    /// The outcome needs a final validity or severity.
    ValueMissing,
    /// An unresolved disagreement has no final value, and says why.
    UnresolvedNeedsNote,
    /// Not every rater of the item has submitted.
    NotAllIn,
}

/// Settles a unit.
///
/// # Errors
/// See [`RulingError`].
pub fn settle(proposal: &Proposal, values: &[Value]) -> Result<Settled, RulingError> {
    if values.len() < 2 {
        return Err(RulingError::NotAllIn);
    }
    let noted = !proposal.note.trim().is_empty();
    match proposal.outcome {
        Outcome::Consensus if !proposal.agreed_by_raters && !noted => {
            Err(RulingError::ConsensusNeedsNote)
        }
        Outcome::Consensus => named_value(proposal),
        Outcome::Adjudicator if proposal.ruler_rated_item => Err(RulingError::AdjudicatorRatedItem),
        Outcome::Adjudicator => named_value(proposal),
        Outcome::Averaged => average(proposal, values),
        Outcome::Unresolved if !noted => Err(RulingError::UnresolvedNeedsNote),
        Outcome::Unresolved => Ok(Settled {
            outcome: Outcome::Unresolved,
            validity: None,
            severity: None,
        }),
    }
}

fn named_value(proposal: &Proposal) -> Result<Settled, RulingError> {
    if proposal.merged {
        return Ok(Settled {
            outcome: proposal.outcome,
            validity: None,
            severity: None,
        });
    }
    if proposal.severity.is_none() && proposal.validity != Some(Validity::Invalid) {
        return Err(RulingError::ValueMissing);
    }
    Ok(Settled {
        outcome: proposal.outcome,
        validity: proposal.validity,
        severity: proposal.severity,
    })
}

fn average(proposal: &Proposal, values: &[Value]) -> Result<Settled, RulingError> {
    let severities: Vec<f64> = values.iter().filter_map(|value| value.severity).collect();
    if severities.len() < 2 {
        return Err(RulingError::NothingToAverage);
    }
    let validities: Vec<Validity> = values.iter().filter_map(|value| value.validity).collect();
    let shared = validities
        .first()
        .copied()
        .filter(|first| validities.iter().all(|v| v == first));
    if !validities.is_empty() && shared.is_none() && proposal.validity.is_none() {
        return Err(RulingError::ValueMissing);
    }
    Ok(Settled {
        outcome: Outcome::Averaged,
        validity: proposal.validity.or(shared),
        severity: Some(severities.iter().sum::<f64>() / severities.len() as f64),
    })
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Proposal, RulingError, Settled, Value, settle};
    use crate::scheme::Validity::{Invalid, Valid};

    fn proposal(outcome: Outcome) -> Proposal {
        Proposal {
            outcome,
            validity: None,
            code: None,
            severity: None,
            cause: None,
            note: String::new(),
            agreed_by_raters: false,
            ruler_rated_item: false,
            merged: false,
        }
    }

    fn values(a: f64, b: f64) -> [Value; 2] {
        [a, b].map(|severity| Value {
            validity: Some(Valid),
            severity: Some(severity),
        })
    }

    #[test]
    fn half_points_arise_by_averaging_both_ratings() {
        let settled =
            settle(&proposal(Outcome::Averaged), &values(2.0, 5.0)).expect("two severities");
        assert_eq!(
            settled,
            Settled {
                outcome: Outcome::Averaged,
                validity: Some(Valid),
                severity: Some(3.5)
            }
        );
    }

    #[test]
    fn an_average_of_one_rating_is_refused() {
        let one = [
            Value {
                validity: Some(Invalid),
                severity: None,
            },
            values(1.0, 4.0)[1].clone(),
        ];
        assert_eq!(
            settle(&proposal(Outcome::Averaged), &one),
            Err(RulingError::NothingToAverage)
        );
    }

    #[test]
    fn an_average_over_different_validity_must_name_the_final_one() {
        let mixed = [
            Value {
                validity: Some(Invalid),
                severity: Some(1.0),
            },
            values(1.0, 4.0)[1].clone(),
        ];
        assert_eq!(
            settle(&proposal(Outcome::Averaged), &mixed),
            Err(RulingError::ValueMissing)
        );
    }

    #[test]
    fn a_rater_of_the_item_cannot_be_its_adjudicator() {
        let mine = Proposal {
            ruler_rated_item: true,
            severity: Some(3.0),
            ..proposal(Outcome::Adjudicator)
        };
        assert_eq!(
            settle(&mine, &values(1.0, 5.0)),
            Err(RulingError::AdjudicatorRatedItem)
        );
        let theirs = Proposal {
            ruler_rated_item: false,
            ..mine
        };
        assert_eq!(
            settle(&theirs, &values(1.0, 5.0)).map(|s| s.severity),
            Ok(Some(3.0))
        );
    }

    #[test]
    fn a_consensus_needs_both_raters_or_a_note() {
        let bare = Proposal {
            severity: Some(3.0),
            ..proposal(Outcome::Consensus)
        };
        assert_eq!(
            settle(&bare, &values(2.0, 4.0)),
            Err(RulingError::ConsensusNeedsNote)
        );
        let noted = Proposal {
            note: "Both raters wrote to agree.".into(),
            ..bare.clone()
        };
        assert!(settle(&noted, &values(2.0, 4.0)).is_ok());
        let agreed = Proposal {
            agreed_by_raters: true,
            ..bare
        };
        assert!(settle(&agreed, &values(2.0, 4.0)).is_ok());
    }

    #[test]
    fn a_ruling_without_a_value_is_refused_unless_the_tag_is_invalid() {
        let empty = Proposal {
            note: "n".into(),
            ..proposal(Outcome::Consensus)
        };
        assert_eq!(
            settle(&empty, &values(2.0, 4.0)),
            Err(RulingError::ValueMissing)
        );
        let invalid = Proposal {
            validity: Some(Invalid),
            ..empty
        };
        assert_eq!(
            settle(&invalid, &values(2.0, 4.0)).map(|s| s.severity),
            Ok(None)
        );
    }

    #[test]
    fn a_merged_tag_has_no_value_of_its_own_and_still_needs_grounds() {
        let merged = Proposal {
            merged: true,
            severity: Some(3.0),
            ..proposal(Outcome::Consensus)
        };
        assert_eq!(
            settle(&merged, &values(2.0, 4.0)),
            Err(RulingError::ConsensusNeedsNote)
        );
        let noted = Proposal {
            note: "The same words.".into(),
            ..merged
        };
        let settled = settle(&noted, &values(2.0, 4.0)).expect("noted");
        assert_eq!((settled.validity, settled.severity), (None, None));
    }

    #[test]
    fn a_principled_disagreement_keeps_both_and_says_why() {
        assert_eq!(
            settle(&proposal(Outcome::Unresolved), &values(1.0, 5.0)),
            Err(RulingError::UnresolvedNeedsNote)
        );
        let noted = Proposal {
            note: "Two schools.".into(),
            ..proposal(Outcome::Unresolved)
        };
        let settled = settle(&noted, &values(1.0, 5.0)).expect("noted");
        assert_eq!((settled.validity, settled.severity), (None, None));
    }

    #[test]
    fn nothing_is_ruled_before_both_are_in() {
        let noted = Proposal {
            note: "n".into(),
            severity: Some(2.0),
            ..proposal(Outcome::Consensus)
        };
        assert_eq!(
            settle(&noted, &values(1.0, 5.0)[..1]),
            Err(RulingError::NotAllIn)
        );
    }
}
