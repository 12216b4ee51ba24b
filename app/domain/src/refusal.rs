//! Why a person is refused something: a closed set of codes, each with a sentence that says what to do.
//!
//! A refusal never quotes what was sent or stored, so it may travel into URLs, logs and browsers.

use crate::annotation::AnnotationError;
use crate::assignment::AssignmentError;
use crate::discussion::AcceptError;
use crate::ruling::RulingError;
use crate::snapshot::SignOffError;
use crate::study::StudyError;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! refusals {
    ($($name:ident = $code:literal, $status:literal, $message:literal;)+) => {
        /// Why a person is refused something.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Refusal {
            $(#[doc = $message] $name,)+
        }

        impl Refusal {
            /// Every refusal, for the documentation and the tests.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The word that programs read.
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// The HTTP status that goes with it.
            pub fn status(self) -> u16 {
                match self { $(Self::$name => $status,)+ }
            }

            /// The sentence that people read.
            pub fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)+ }
            }
        }
    };
}

refusals! {
    NotSignedIn = "not_signed_in", 401, "You are signed out. Sign in to go on; what you wrote is kept in this browser.";
    WrongCredentials = "wrong_credentials", 401, "Name or password is wrong.";
    TooManyAttempts = "too_many_attempts", 429, "Too many attempts. Wait a little, then try again.";
    Forbidden = "forbidden", 403, "Your role in this study does not allow this.";
    CrossSite = "cross_site", 403, "The request came from another site and was refused.";
    NotFound = "not_found", 404, "There is nothing here, or it is not yours to see.";
    Conflict = "conflict", 409, "This changed somewhere else since you opened it. Compare both versions and choose.";
    NameTaken = "name_taken", 409, "This name is taken. Choose another.";
    NameInvalid = "name_invalid", 422, "A name has 1 to 80 letters, digits, spaces or . _ - and starts with a letter or digit.";
    PasswordTooShort = "password_too_short", 422, "A password has at least 12 characters.";
    PasswordsDiffer = "passwords_differ", 422, "The two new passwords differ. Type the same one twice.";
    PasswordTooLong = "password_too_long", 422, "A password has at most 1,000 characters.";
    SchemeUnknown = "scheme_unknown", 422, "There is no built-in scheme of this name.";
    SchemeBroken = "scheme_broken", 422, "The scheme file has a mistake.";
    SchemeTakesAway = "scheme_takes_away", 422, "A new version keeps every category, level and question of the one before. Reword or add, take nothing away.";
    NothingChanged = "nothing_changed", 422, "This says the same as the version that counts.";
    InvitationGone = "invitation_gone", 404, "This invitation was used, revoked or has expired. Ask for a new one.";
    RoleUnknown = "role_unknown", 422, "There is no such role.";
    LastAdmin = "last_admin", 409, "The last administrator cannot be deactivated.";
    LastCoordinator = "last_coordinator", 409, "A study keeps at least one coordinator.";
    InputInvalid = "input_invalid", 422, "A value is missing or outside what is allowed.";
    MethodUnknown = "method_unknown", 405, "What is at this address cannot be asked for by this method.";
    BodyInvalid = "body_invalid", 400, "The body of the request is not JSON, or is not said to be.";
    FileMissing = "file_missing", 422, "Choose a file.";
    TooLarge = "too_large", 413, "The file is larger than the server accepts.";
    ImportRefused = "import_refused", 422, "The file has problems; nothing was written.";
    NotEnoughItems = "not_enough_items", 422, "There are fewer items left than the sample asks for.";
    NothingIn = "nothing_in", 422, "No item can be cross-checked yet: of none are all judgements in that the main round asks for.";
    AllChecked = "all_checked", 422, "Every item of which all judgements are in has been cross-checked already. An item is taken once.";
    NobodyToReview = "nobody_to_review", 422, "Nobody can read these judgements. Two raters of an item must both be active; for an item of one rater another active rater is needed who can sign in and does not have the item to judge.";
    ReadsItem = "reads_item", 409, "This person reads another rater's judgement of the item in a cross-check or calibration, so they can no longer judge it. Choose somebody else.";
    NotEnoughRaters = "not_enough_raters", 422, "Choose at least as many raters as each item needs.";
    AssignmentClosed = "assignment_closed", 409, "This assignment is not open for changes.";
    AlreadyStarted = "already_started", 409, "Work on this assignment has begun, so it cannot be taken back.";
    RulingExists = "ruling_exists", 409, "A ruling rests on this judgement. Ask the coordinator to reopen it.";
    Incomplete = "incomplete", 422, "Some answers are missing.";
    AnnotationInvalid = "annotation_invalid", 422, "A value is not one that the scheme offers.";
    BadSpan = "bad_span", 422, "A span is empty or ends past the trace.";
    QuoteDiffers = "quote_differs", 422, "The quoted words are not what the span holds.";
    SameTagTwice = "same_tag_twice", 422, "This tag is already on these words.";
    NothingMissedContradicted = "nothing_missed_contradicted", 422, "Nothing missed and a missed tag exclude each other.";
    TextTooLong = "text_too_long", 422, "A text is too long.";
    StudyClosed = "study_closed", 409, "The study is signed off. Reopen it first, with a reason.";
    JudgeSeen = "judge_seen", 409, "You were shown what the judge said of this item, so your own judgement stays as it was. Ask the coordinator to reopen it.";
    OtherSeen = "other_seen", 409, "You were shown another rater's judgement of this item, so your own stays as it was. Ask the coordinator to reopen it.";
    UnitsOpen = "units_open", 409, "Some tags are not settled. Settle them, or leave each of them out with a reason.";
    StateStep = "state_step", 409, "The study cannot take this step from where it stands.";
    ReasonNeeded = "reason_needed", 422, "Give a reason.";
    BlindingFixed = "blinding_fixed", 409, "Blinding cannot change once a submission exists.";
    OutcomeMissing = "outcome_missing", 422, "Choose an outcome.";
    NotAllIn = "not_all_in", 409, "Not every rater of this item has submitted.";
    AdjudicatorRatedItem = "adjudicator_rated_item", 403, "A rater of the item cannot be its adjudicator.";
    ConsensusNeedsNote = "consensus_needs_note", 422, "Record that both raters agreed, or write a note on how the consensus was reached.";
    NothingToAverage = "nothing_to_average", 422, "An average needs two severities.";
    RulingValueMissing = "ruling_value_missing", 422, "Choose the final validity or severity.";
    UnresolvedNeedsNote = "unresolved_needs_note", 422, "Say in the note why the disagreement stays.";
    TermsMissing = "terms_missing", 409, "Write down the licence and what the traces may be used for first.";
    ItemKeyUnknown = "item_key_unknown", 422, "One of these keys belongs to no item of the study. Nothing was changed.";
    DiscussionBegun = "discussion_begun", 409, "The raters of this item are discussing it, so its judgements are no longer independent. Ask the coordinator to reopen it.";
    DiscussionClosed = "discussion_closed", 409, "This discussion is closed.";
    ProposalGone = "proposal_gone", 409, "This proposal no longer stands: it was replaced, or a judgement changed since.";
    ProposalYours = "proposal_yours", 409, "You are for this proposal already. Another rater has to accept it.";
    ProposalForRaters = "proposal_for_raters", 403, "Only a rater of the item can accept a proposal.";
    NothingSaid = "nothing_said", 422, "Write something, or propose a value.";
    Internal = "internal", 500, "Something went wrong on the server. Nothing was changed; try again.";
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Refusal {}

impl From<AnnotationError> for Refusal {
    fn from(error: AnnotationError) -> Self {
        match error {
            AnnotationError::UnknownCandidate
            | AnnotationError::UnknownCategory
            | AnnotationError::OffScale
            | AnnotationError::UnknownAnswer => Self::AnnotationInvalid,
            AnnotationError::BadSpan => Self::BadSpan,
            AnnotationError::QuoteDiffers => Self::QuoteDiffers,
            AnnotationError::SameTagTwice => Self::SameTagTwice,
            AnnotationError::NothingMissedContradicted => Self::NothingMissedContradicted,
            AnnotationError::TooLong => Self::TextTooLong,
        }
    }
}

impl From<AssignmentError> for Refusal {
    fn from(error: AssignmentError) -> Self {
        match error {
            AssignmentError::NotFromHere(_) => Self::AssignmentClosed,
            AssignmentError::RulingExists => Self::RulingExists,
            AssignmentError::DiscussionBegun => Self::DiscussionBegun,
            AssignmentError::AlreadyStarted => Self::AlreadyStarted,
        }
    }
}

impl From<StudyError> for Refusal {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::NotFromHere(_) => Self::StateStep,
            StudyError::ReasonNeeded => Self::ReasonNeeded,
            StudyError::BlindingFixed => Self::BlindingFixed,
        }
    }
}

impl From<SignOffError> for Refusal {
    fn from(error: SignOffError) -> Self {
        match error {
            SignOffError::Open => Self::UnitsOpen,
            SignOffError::ReasonNeeded => Self::ReasonNeeded,
            SignOffError::NotOpen => Self::Conflict,
        }
    }
}

impl From<RulingError> for Refusal {
    fn from(error: RulingError) -> Self {
        match error {
            RulingError::AdjudicatorRatedItem => Self::AdjudicatorRatedItem,
            RulingError::ConsensusNeedsNote => Self::ConsensusNeedsNote,
            RulingError::NothingToAverage => Self::NothingToAverage,
            RulingError::ValueMissing => Self::RulingValueMissing,
            RulingError::UnresolvedNeedsNote => Self::UnresolvedNeedsNote,
            RulingError::NotAllIn => Self::NotAllIn,
        }
    }
}

impl From<AcceptError> for Refusal {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::Gone => Self::ProposalGone,
            AcceptError::AlreadyTheirs => Self::ProposalYours,
            AcceptError::NotARater => Self::ProposalForRaters,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Refusal;

    #[test]
    fn codes_are_distinct_and_every_sentence_ends() {
        let mut codes: Vec<_> = Refusal::ALL.iter().map(|r| r.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Refusal::ALL.len());
        assert!(
            Refusal::ALL
                .iter()
                .all(|r| r.message().ends_with('.') && (400..600).contains(&r.status()))
        );
    }
}
