//! What must hold before a study is signed off.

use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// A unit that is left out of a snapshot's validated labels although it is not settled, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// The unit.
    pub unit: String,
    /// Why, in words.
    pub reason: String,
}

/// Why a study cannot be signed off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignOffError {
    /// A unit is not settled and was not left out.
    Open,
    /// A unit is left out without a reason.
    ReasonNeeded,
    /// A unit is left out that is settled, or not there.
    NotOpen,
}

/// Compares what is not settled with what is left out: each unsettled unit must be named once, with a reason, and
/// nothing else. Returns them in the order of their names.
///
/// # Errors
/// See [`SignOffError`].
pub fn leave_out(open: &[&str], left_out: &[LeftOut]) -> Result<Vec<LeftOut>, SignOffError> {
    let waiting: HashSet<&str> = open.iter().copied().collect();
    let mut named: HashMap<&str, &str> = HashMap::new();
    for one in left_out {
        let reason = one.reason.trim();
        if !waiting.contains(one.unit.as_str()) || named.insert(&one.unit, reason).is_some() {
            return Err(SignOffError::NotOpen);
        }
        if reason.is_empty() {
            return Err(SignOffError::ReasonNeeded);
        }
    }
    if named.len() < waiting.len() {
        return Err(SignOffError::Open);
    }
    let mut sorted: Vec<LeftOut> = named
        .into_iter()
        .map(|(unit, reason)| LeftOut {
            unit: unit.to_owned(),
            reason: reason.to_owned(),
        })
        .collect();
    sorted.sort();
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::{LeftOut, SignOffError, leave_out};

    fn out(unit: &str, reason: &str) -> LeftOut {
        LeftOut {
            unit: unit.into(),
            reason: reason.into(),
        }
    }

    #[test]
    fn nothing_unsettled_needs_nothing() {
        assert_eq!(leave_out(&[], &[]), Ok(Vec::new()));
    }

    #[test]
    fn every_unsettled_unit_is_named_with_a_reason() {
        assert_eq!(leave_out(&["a", "b"], &[]), Err(SignOffError::Open));
        assert_eq!(
            leave_out(&["a", "b"], &[out("a", "not rated")]),
            Err(SignOffError::Open)
        );
        assert_eq!(
            leave_out(&["a"], &[out("a", "  ")]),
            Err(SignOffError::ReasonNeeded)
        );
        assert_eq!(
            leave_out(&["b", "a"], &[out("b", " late "), out("a", "late")]),
            Ok(vec![out("a", "late"), out("b", "late")])
        );
    }

    #[test]
    fn a_settled_unit_cannot_be_left_out_nor_one_twice() {
        assert_eq!(
            leave_out(&[], &[out("a", "disliked")]),
            Err(SignOffError::NotOpen)
        );
        assert_eq!(
            leave_out(&["a"], &[out("a", "x"), out("a", "y")]),
            Err(SignOffError::NotOpen)
        );
    }
}
