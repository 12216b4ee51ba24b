//! The sentences that several pages share: what a role may do, what a state means.

use domain::{
    assignment::AssignmentState,
    role::Role,
    ruling::{Cause, Outcome},
    scheme::Validity,
    study::StudyState,
    unit::UnitState,
};

/// A role, as it stands after "as".
pub fn role(role: Role) -> &'static str {
    match role {
        Role::Admin => "administrator",
        Role::Coordinator => "coordinator",
        Role::Rater => "rater",
        Role::Adjudicator => "adjudicator",
        Role::Reader => "reader",
    }
}

/// What somebody in this role does and sees.
pub fn role_means(role: Role) -> &'static str {
    match role {
        Role::Admin => {
            "An administrator runs the server: accounts, studies, and every right of a coordinator."
        }
        Role::Coordinator => {
            "A coordinator runs the study: imports, draws samples, invites people, settles disagreements, exports. \
             They see the raters’ judgements once both are in, so they should not rate themselves."
        }
        Role::Rater => {
            "A rater judges items independently. They never see another rater’s judgement, and staff see theirs only \
             when every rater of the item has submitted."
        }
        Role::Adjudicator => {
            "An adjudicator decides disagreements of items they did not rate themselves."
        }
        Role::Reader => {
            "A reader sees agreement and takes exports, without names. They change nothing."
        }
    }
}

/// A study's state.
pub fn study_state(state: StudyState) -> &'static str {
    match state {
        StudyState::Draft => "Being set up",
        StudyState::Collecting => "Raters are judging",
        StudyState::Reconciling => "Settling disagreements",
        StudyState::SignedOff => "Signed off",
    }
}

/// Where an assignment stands.
pub fn assignment_state(state: AssignmentState) -> &'static str {
    match state {
        AssignmentState::NotStarted => "Not started",
        AssignmentState::InProgress => "Begun",
        AssignmentState::Submitted => "Submitted",
        AssignmentState::Reopened => "Open again",
        AssignmentState::NotRatable => "Cannot be rated",
        AssignmentState::Withdrawn => "Handed back or taken back",
    }
}

/// Where a unit stands, and the class of its chip.
pub fn unit_state(state: UnitState) -> (&'static str, &'static str) {
    match state {
        UnitState::Open => ("Waiting for raters", "chip"),
        UnitState::Agreed => ("Agreed", "chip good"),
        UnitState::Disputed => ("Differs", "chip warn"),
        UnitState::InDiscussion => ("Being discussed", "chip now"),
        UnitState::Ruled => ("Settled", "chip good"),
        UnitState::Stale => ("Changed since it was settled", "chip bad"),
    }
}

/// A validity.
pub fn validity(validity: Validity) -> &'static str {
    match validity {
        Validity::Valid => "Valid",
        Validity::ValidOtherSubcategory => "Valid, other subcategory",
        Validity::Invalid => "Invalid",
    }
}

/// How a unit was settled.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Consensus => "Consensus value",
        Outcome::Averaged => "Both kept, averaged",
        Outcome::Adjudicator => "Adjudicator’s ruling",
        Outcome::Unresolved => "Unresolved",
    }
}

/// Why raters differed.
pub fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::GuidelineGap => "The coding manual did not say",
        Cause::Framework => "Different clinical frameworks",
        Cause::MissedEvidence => "One did not see the evidence",
        Cause::SpanBoundary => "They read different words as the span",
        Cause::Slip => "A slip",
    }
}

/// A kind of difference.
pub fn difference(kind: &str) -> &'static str {
    match kind {
        "severity" => "Severity",
        "validity" => "Validity",
        "category" => "Category",
        "answer" => "Answer",
        "asked" => "Discussion asked for",
        _ => "Other",
    }
}

/// `1 item`, `2 items`.
pub fn count(n: impl TryInto<i64>, one: &str, many: &str) -> String {
    let n = n.try_into().unwrap_or(i64::MAX);
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// A count with a thin space between thousands.
pub fn number(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut grouped = String::from(if n < 0 { "−" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::{count, number};

    #[test]
    fn counts_read_as_people_write_them() {
        assert_eq!(count(1, "item", "items"), "1 item");
        assert_eq!(count(0, "item", "items"), "0 items");
        assert_eq!(count(1_000_u64, "item", "items"), "1\u{202f}000 items");
        assert_eq!(number(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(number(-999), "−999");
    }
}
