//! From what was said of a unit to a tag or none: the one place where validation makes its labels.

use super::ground::{Said, Stand, Tag, lowest_tag};
use crate::snapshot::is_single;
use domain::id::UserId;
use domain::ruling::{Outcome, Value};
use domain::scheme::{Scheme, Validity};
use domain::unit::{UnitKind, UnitState, agreed_value};
use store::judge::Unit;
use store::unit::Answer;

/// A judgement of a tag, whoever made it.
struct Judgement<'a> {
    validity: Option<Validity>,
    severity: Option<f64>,
    /// The code named in place of the proposed one, if exactly one was.
    instead: Option<&'a str>,
}

/// The final label of a unit: of the ruling while it stands, or what its raters agree on.
pub(super) fn final_of(scheme: &Scheme, tag: &Tag, unit: &Unit) -> Said {
    match (unit.state, unit.outcome) {
        (UnitState::Ruled, Some(Outcome::Unresolved) | None) => Said::unknown("unresolved"),
        (UnitState::Ruled, Some(_)) => {
            let code = if unit.final_subcategory.is_empty() {
                &unit.final_category
            } else {
                &unit.final_subcategory
            };
            let judgement = Judgement {
                validity: unit.validity,
                severity: unit.severity,
                instead: Some(code.as_str()).filter(|code| !code.is_empty()),
            };
            said(scheme, tag, &judgement)
        }
        (UnitState::Agreed, _)
            if unit.ratings < 2 && !is_single(scheme, unit.ratings, &unit.said) =>
        {
            Said::unknown("single")
        }
        (UnitState::Agreed, _) => agreed(scheme, tag, unit),
        (UnitState::Disputed | UnitState::InDiscussion, _) => Said::unknown("disputed"),
        (UnitState::Stale, _) => Said::unknown("stale"),
        (UnitState::Open, _)
            if unit
                .said
                .iter()
                .any(|said| said.answer == Answer::NotRatable) =>
        {
            Said::unknown("not_ratable")
        }
        (UnitState::Open, _) => Said::unknown("open"),
    }
}

fn agreed(scheme: &Scheme, tag: &Tag, unit: &Unit) -> Said {
    let plain: Vec<_> = unit
        .said
        .iter()
        .filter(|said| said.answer == Answer::Plain)
        .collect();
    let values: Vec<Value> = plain
        .iter()
        .map(|said| Value {
            validity: said.validity,
            severity: said.severity,
        })
        .collect();
    let value = agreed_value(&values);
    let first = plain.first().map(|said| &said.better);
    let shared = first
        .filter(|better| better.len() == 1 && plain.iter().all(|said| said.better == **better));
    let judgement = Judgement {
        validity: value.validity,
        severity: value.severity,
        instead: shared.map(|better| better[0].as_str()),
    };
    said(scheme, tag, &judgement)
}

/// What one rater said of a unit.
pub(super) fn rater_of(scheme: &Scheme, tag: &Tag, unit: &Unit, rater: &UserId) -> Said {
    let Some(own) = unit.said.iter().find(|said| said.rater == *rater) else {
        return Said::unknown("not_rated");
    };
    match own.answer {
        Answer::NotRatable => Said::unknown("not_ratable"),
        Answer::NotMarked => Said {
            stand: Stand::No,
            severity: None,
            invalid: false,
        },
        Answer::Plain if unit.kind == UnitKind::Candidate => {
            let instead = match own.better.as_slice() {
                [code] => Some(code.as_str()),
                _ => None,
            };
            let judgement = Judgement {
                validity: own.validity,
                severity: own.severity,
                instead,
            };
            said(scheme, tag, &judgement)
        }
        Answer::Plain => Said {
            stand: Stand::Yes(Tag {
                severity: own.severity,
                ..tag.clone()
            }),
            severity: own.severity,
            invalid: false,
        },
    }
}

/// A tag judged invalid is none, unless a category is named in its place. Where validity was not asked, a severity from
/// the lowest that the scheme retains makes a tag.
fn said(scheme: &Scheme, tag: &Tag, judgement: &Judgement<'_>) -> Said {
    let severity = judgement.severity;
    let named = judgement.instead.and_then(|code| scheme.find(code));
    let instead = named.map(|found| Tag {
        category: found.category,
        subcategory: found.subcategory,
        severity,
        spans: tag.spans.clone(),
    });
    let own = Tag {
        severity,
        ..tag.clone()
    };
    let (stand, invalid) = match judgement.validity {
        Some(Validity::Valid) => {
            let mut right = instead.unwrap_or(own);
            right.subcategory.get_or_insert_default();
            (Stand::Yes(right), false)
        }
        Some(Validity::ValidOtherSubcategory) => {
            let unnamed = Tag {
                subcategory: None,
                ..own
            };
            (Stand::Yes(instead.unwrap_or(unnamed)), false)
        }
        Some(Validity::Invalid) => {
            let elsewhere = instead.filter(|other| other.category != tag.category);
            (elsewhere.map_or(Stand::No, Stand::Yes), true)
        }
        None => match severity {
            None => (Stand::Unknown("not_rated"), false),
            Some(value) if value >= lowest_tag(scheme) => (Stand::Yes(own), false),
            Some(_) => (Stand::No, false),
        },
    };
    Said {
        stand,
        severity: severity.filter(|_| !invalid),
        invalid,
    }
}
