//! Who may do what: one table, read by every use case and walked by the matrix test.

use serde::{Deserialize, Serialize};

/// What a person may be in a study, and the server-wide administrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Runs the server: accounts, studies; holds every right of a coordinator.
    Admin,
    /// Runs a study: import, sample, assign, reconcile, export.
    Coordinator,
    /// Judges independently, and sees only their own judgement until both are in.
    Rater,
    /// Rules on disagreements of items they did not rate.
    Adjudicator,
    /// Reads aggregates and exports without names.
    Reader,
}

impl Role {
    /// Every role, in the order of the authorisation table.
    pub const ALL: [Self; 5] = [
        Self::Admin,
        Self::Coordinator,
        Self::Rater,
        Self::Adjudicator,
        Self::Reader,
    ];

    /// The word used in tables, URLs and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Coordinator => "coordinator",
            Self::Rater => "rater",
            Self::Adjudicator => "adjudicator",
            Self::Reader => "reader",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $word:literal : $($role:ident)*;)+) => {
        /// Every action of the product. A use case names its action on its first line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $($(#[$doc])* $name,)+
        }

        impl Action {
            /// Every action, for the matrix test and the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The word written into the audit log.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// The roles that hold this right. An empty list means: any signed-in person, for themselves.
            pub fn roles(self) -> &'static [Role] {
                match self { $(Self::$name => &[$(Role::$role,)*],)+ }
            }
        }
    };
}

actions! {
    /// Sign in, out, change one's own password, list and revoke one's own sessions and tokens.
    OwnAccount = "account.own": ;
    /// List the studies one is a member of.
    StudyList = "study.list": ;
    /// Make accounts, deactivate them, see every study.
    UserManage = "user.manage": Admin;
    /// Create a study.
    StudyCreate = "study.create": Admin Coordinator;
    /// See a study's overview: counts and progress, never judgements.
    StudyRead = "study.read": Admin Coordinator Rater Adjudicator Reader;
    /// Change settings, blinding and state of a study.
    StudyManage = "study.manage": Admin Coordinator;
    /// Invite and remove members.
    MemberManage = "member.manage": Admin Coordinator;
    /// Import judged traces.
    ImportRun = "import.run": Admin Coordinator;
    /// See items and the judge's candidates outside an assignment.
    ItemRead = "item.read": Admin Coordinator Adjudicator;
    /// Draw a sample, assign it, take back what is unstarted.
    BatchManage = "batch.manage": Admin Coordinator;
    /// See who has done how much.
    ProgressRead = "progress.read": Admin Coordinator;
    /// Open, save, submit, reopen, hand back one's own assignment.
    Annotate = "annotation.write": Rater;
    /// Read another's judgement in a cross-check, once both are in, and say where one agrees.
    Review = "review.write": Rater;
    /// See units with both raters' judgements once both are in.
    DisagreementRead = "disagreement.read": Admin Coordinator Adjudicator;
    /// Record a ruling.
    Rule = "ruling.write": Admin Coordinator Adjudicator;
    /// Take part in the discussion of a unit: staff of the study, and the raters of its item once all are in.
    Discuss = "discussion.write": Admin Coordinator Rater Adjudicator;
    /// Accept a proposal as a rater of the item; the last one's yes is the consensus.
    Accept = "discussion.accept": Rater;
    /// Open a discussion, ask somebody to settle it, close it.
    DiscussionManage = "discussion.manage": Admin Coordinator Adjudicator;
    /// Look through what raters wrote: answer, resolve, forward, exclude a unit with a reason.
    Triage = "triage.write": Admin Coordinator;
    /// See agreement coefficients and the rows behind them.
    AgreementRead = "agreement.read": Admin Coordinator Adjudicator Reader;
    /// See how the judge does against the raters and the final labels, what it finds in all items, and the report.
    JudgeRead = "judge.read": Admin Coordinator Adjudicator Reader;
    /// Describe judges, bring further ones, say what they saw before, hold items out, set the terms of release.
    JudgeManage = "judge.manage": Admin Coordinator;
    /// See snapshots, compare them, and read the labels.
    SnapshotRead = "snapshot.read": Admin Coordinator Adjudicator Reader;
    /// Sign the study off: freeze its labels and answer for them by name.
    SignOff = "snapshot.write": Admin Coordinator;
    /// Take the study's tables out.
    ExportRun = "export.run": Admin Coordinator Reader;
    /// See the audit log.
    AuditRead = "audit.read": Admin Coordinator;
}

/// Whether somebody who holds `roles` (server-wide and in the study) may do `action`.
pub fn may(roles: &[Role], action: Action) -> bool {
    action.roles().is_empty() || roles.iter().any(|role| action.roles().contains(role))
}

#[cfg(test)]
mod tests {
    use super::{Action, Role, may};

    #[test]
    fn a_rater_holds_no_right_to_see_another_raters_judgement() {
        for action in [
            Action::DisagreementRead,
            Action::AgreementRead,
            Action::JudgeRead,
            Action::ExportRun,
            Action::ItemRead,
            Action::Rule,
        ] {
            assert!(!may(&[Role::Rater], action), "{}", action.as_str());
        }
    }

    #[test]
    fn a_reader_changes_nothing() {
        for action in Action::ALL
            .iter()
            .filter(|a| may(&[Role::Reader], **a) && !a.roles().is_empty())
        {
            assert!(
                action.as_str().ends_with(".read") || *action == Action::ExportRun,
                "{}",
                action.as_str()
            );
        }
    }

    #[test]
    fn words_of_roles_and_actions_are_distinct_and_come_back() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.as_str()), Some(role));
        }
        let mut words: Vec<_> = Action::ALL.iter().map(|a| a.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Action::ALL.len());
    }
}
