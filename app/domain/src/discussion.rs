//! The discussion of a unit: remarks, proposals, and when a proposal has become the raters' consensus.
//!
//! A discussion opens only when every annotation of the item is in, so nothing in it can touch an independent judgement.

use crate::scheme::Validity;
use serde::{Deserialize, Serialize};

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// Words, perhaps with a quotation.
    Remark,
    /// A value its author can live with.
    Proposal,
    /// Yes to a proposal.
    Acceptance,
}

impl MessageKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Remark, Self::Proposal, Self::Acceptance];

    /// The stored word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Remark => "remark",
            Self::Proposal => "proposal",
            Self::Acceptance => "acceptance",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A value that somebody can live with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
    /// The code of the category that fits, where it is another one; empty otherwise.
    #[serde(default)]
    pub code: String,
    /// The answer to a question about the item; empty where it is about a tag.
    #[serde(default)]
    pub answer: Vec<String>,
}

impl Offer {
    /// Whether it says enough to settle a unit: a severity, an answer, or that the tag is wrong.
    pub fn settles(&self) -> bool {
        self.severity.is_some()
            || self.validity == Some(Validity::Invalid)
            || !self.answer.is_empty()
    }
}

/// What of a message decides whether a proposal stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn<'a> {
    /// The message.
    pub id: &'a str,
    /// Who wrote it.
    pub author: &'a str,
    /// What it is.
    pub kind: MessageKind,
    /// What a proposal rests on.
    pub basis: &'a str,
    /// The proposal that an acceptance accepts; empty otherwise.
    pub accepts: &'a str,
}

/// Why a proposal cannot be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptError {
    /// There is no such proposal, a newer one of the same author replaced it, or what it rests on changed.
    Gone,
    /// Nobody accepts their own proposal, or one twice.
    AlreadyTheirs,
    /// Only a rater of the item can be part of the raters' consensus.
    NotARater,
}

/// Whether a proposal stands: the newest of its author, on the unit as it is now.
pub fn stands(turns: &[Turn<'_>], proposal: &str, basis: &str) -> bool {
    let Some(found) = turns
        .iter()
        .find(|turn| turn.id == proposal && turn.kind == MessageKind::Proposal)
    else {
        return false;
    };
    let newest = turns
        .iter()
        .rfind(|turn| turn.kind == MessageKind::Proposal && turn.author == found.author);
    found.basis == basis && newest.is_some_and(|newest| newest.id == proposal)
}

/// The raters who are for a proposal: its author, where they rated the item, and whoever accepted it.
pub fn in_favour<'a>(turns: &[Turn<'a>], proposal: &str, raters: &[&'a str]) -> Vec<&'a str> {
    let is_for = |rater: &str| {
        turns.iter().any(|turn| {
            turn.author == rater
                && (turn.id == proposal
                    || (turn.kind == MessageKind::Acceptance && turn.accepts == proposal))
        })
    };
    raters
        .iter()
        .copied()
        .filter(|rater| is_for(rater))
        .collect()
}

/// Whether `who` may accept the proposal, and whether every rater of the item is then for it, which makes it their
/// consensus.
///
/// # Errors
/// See [`AcceptError`].
pub fn accept<'a>(
    turns: &[Turn<'a>],
    proposal: &str,
    basis: &str,
    raters: &[&'a str],
    who: &'a str,
) -> Result<bool, AcceptError> {
    if !raters.contains(&who) {
        return Err(AcceptError::NotARater);
    }
    if !stands(turns, proposal, basis) {
        return Err(AcceptError::Gone);
    }
    let favour = in_favour(turns, proposal, raters);
    if favour.contains(&who) {
        return Err(AcceptError::AlreadyTheirs);
    }
    Ok(favour.len() + 1 == raters.len())
}

#[cfg(test)]
mod tests {
    use super::{AcceptError, MessageKind as K, Turn, accept, in_favour, stands};

    fn turn<'a>(id: &'a str, author: &'a str, kind: K, accepts: &'a str) -> Turn<'a> {
        Turn {
            id,
            author,
            kind,
            basis: "now",
            accepts,
        }
    }

    #[test]
    fn the_other_raters_yes_makes_the_consensus_of_two() {
        let turns = [turn("p", "a", K::Proposal, "")];
        assert_eq!(accept(&turns, "p", "now", &["a", "b"], "b"), Ok(true));
    }

    #[test]
    fn of_three_raters_all_must_be_for_it() {
        let mut turns = vec![turn("p", "a", K::Proposal, "")];
        let raters = ["a", "b", "c"];
        assert_eq!(accept(&turns, "p", "now", &raters, "b"), Ok(false));
        turns.push(turn("y", "b", K::Acceptance, "p"));
        assert_eq!(in_favour(&turns, "p", &raters), ["a", "b"]);
        assert_eq!(accept(&turns, "p", "now", &raters, "c"), Ok(true));
    }

    #[test]
    fn staff_may_propose_and_then_both_raters_must_accept() {
        let mut turns = vec![turn("p", "staff", K::Proposal, "")];
        assert_eq!(accept(&turns, "p", "now", &["a", "b"], "a"), Ok(false));
        turns.push(turn("y", "a", K::Acceptance, "p"));
        assert_eq!(accept(&turns, "p", "now", &["a", "b"], "b"), Ok(true));
        assert_eq!(
            accept(&turns, "p", "now", &["a", "b"], "staff"),
            Err(AcceptError::NotARater)
        );
    }

    #[test]
    fn nobody_accepts_their_own_or_twice() {
        let turns = [
            turn("p", "a", K::Proposal, ""),
            turn("y", "b", K::Acceptance, "p"),
        ];
        for who in ["a", "b"] {
            assert_eq!(
                accept(&turns, "p", "now", &["a", "b", "c"], who),
                Err(AcceptError::AlreadyTheirs)
            );
        }
    }

    #[test]
    fn a_newer_proposal_of_its_author_and_a_changed_unit_end_a_proposal() {
        let turns = [
            turn("p", "a", K::Proposal, ""),
            turn("q", "a", K::Proposal, ""),
            turn("r", "b", K::Proposal, ""),
        ];
        assert!(!stands(&turns, "p", "now") && stands(&turns, "q", "now"));
        assert!(stands(&turns, "r", "now") && !stands(&turns, "r", "later"));
        for gone in ["p", "nothing"] {
            assert_eq!(
                accept(&turns, gone, "now", &["a", "b"], "b"),
                Err(AcceptError::Gone)
            );
        }
    }

    #[test]
    fn an_acceptance_of_an_earlier_proposal_says_nothing_of_the_next() {
        let turns = [
            turn("p", "a", K::Proposal, ""),
            turn("y", "b", K::Acceptance, "p"),
            turn("q", "a", K::Proposal, ""),
        ];
        assert_eq!(in_favour(&turns, "q", &["a", "b", "c"]), ["a"]);
    }
}
