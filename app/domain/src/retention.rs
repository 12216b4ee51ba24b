//! The retained set: the units that a taxonomy or a judge is measured on, after rulings.

use crate::scheme::{RetentionRule, Validity};
use serde::{Deserialize, Serialize};

/// Whether a unit is in the retained set, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It is.
    Retained,
    /// Its final severity is below the threshold of the scheme.
    BelowThreshold,
    /// Its final validity says that the tag is wrong.
    Invalid,
    /// Staff took it out with a reason of the scheme.
    Excluded,
    /// It has no final severity: it is not settled, or stays a principled disagreement.
    NoFinalValue,
}

impl Standing {
    /// Every standing, the retained first.
    pub const ALL: [Self; 5] = [
        Self::Retained,
        Self::BelowThreshold,
        Self::Invalid,
        Self::Excluded,
        Self::NoFinalValue,
    ];

    /// The word in tables and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retained => "retained",
            Self::BelowThreshold => "below_threshold",
            Self::Invalid => "invalid",
            Self::Excluded => "excluded",
            Self::NoFinalValue => "no_final_value",
        }
    }

    /// Where a unit with this final value stands. An exclusion comes first: it says more than a low severity does.
    pub fn of(
        rule: &RetentionRule,
        validity: Option<Validity>,
        severity: Option<f64>,
        excluded: bool,
    ) -> Self {
        let below = |value: f64| rule.min_mean_severity.is_some_and(|least| value < least);
        match (excluded, validity, severity) {
            (true, _, _) => Self::Excluded,
            (_, Some(Validity::Invalid), _) => Self::Invalid,
            (_, _, None) => Self::NoFinalValue,
            (_, _, Some(value)) if below(value) => Self::BelowThreshold,
            (_, _, Some(_)) => Self::Retained,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Standing as S;
    use crate::scheme::{
        RetentionRule,
        Validity::{Invalid, Valid, ValidOtherSubcategory},
    };

    #[test]
    fn every_cell_of_the_retention_table() {
        let rule = RetentionRule {
            min_mean_severity: Some(2.0),
            ..RetentionRule::default()
        };
        for (validity, severity, excluded, standing) in [
            (Some(Valid), Some(2.0), false, S::Retained),
            (Some(ValidOtherSubcategory), Some(5.0), false, S::Retained),
            (None, Some(3.5), false, S::Retained),
            (Some(Valid), Some(1.5), false, S::BelowThreshold),
            (Some(Invalid), None, false, S::Invalid),
            (Some(Invalid), Some(4.0), false, S::Invalid),
            (None, None, false, S::NoFinalValue),
            (Some(Valid), Some(5.0), true, S::Excluded),
            (Some(Valid), Some(1.0), true, S::Excluded),
            (None, None, true, S::Excluded),
        ] {
            assert_eq!(S::of(&rule, validity, severity, excluded), standing);
        }
    }

    #[test]
    fn without_a_threshold_every_final_severity_is_retained() {
        let rule = RetentionRule::default();
        assert_eq!(S::of(&rule, Some(Valid), Some(1.0), false), S::Retained);
    }
}
