//! What is saved, what is not, and what to do about it. Knows no browser and no clock.

use domain::annotation::Annotation;
use serde::{Deserialize, Serialize};

/// What is kept in the browser until the server has acknowledged it; only ever sent to its own assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The version it was written on.
    pub base_version: i64,
    /// The identity of this save: sending it twice saves once.
    pub save_id: String,
    /// The document.
    pub annotation: Annotation,
    /// An earlier document of ours that the server may have taken without our hearing of it.
    #[serde(default)]
    pub unsure: Option<Annotation>,
}

/// A request to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Submit rather than save.
    pub submit: bool,
    /// The body.
    pub draft: Draft,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Saved as this version.
    Saved(i64),
    /// Submitted; where to go next.
    Submitted(Option<String>),
    /// Saved as this version, but not complete.
    Incomplete(i64),
    /// The server holds something newer.
    Conflict(i64, Box<Annotation>),
    /// The assignment is not open any more.
    Closed,
    /// The session is gone.
    SignedOut,
    /// The server will not take this; the sentence says why.
    Refused(String),
    /// Nobody knows whether it arrived.
    NoAnswer,
}

#[derive(Deserialize)]
struct Body {
    version: Option<i64>,
    next: Option<String>,
    error: Option<Problem>,
    current: Option<Current>,
}

#[derive(Deserialize)]
struct Problem {
    code: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Current {
    version: i64,
    annotation: Annotation,
}

impl Answer {
    /// Reads a reply. What cannot be read counts as no answer and is tried again.
    pub fn read(submit: bool, status: u16, body: &str) -> Self {
        if status == 401 {
            return Self::SignedOut;
        }
        if status >= 500 || status == 429 {
            return Self::NoAnswer;
        }
        let Ok(body) = serde_json::from_str::<Body>(body) else {
            return Self::NoAnswer;
        };
        match (status, body.version, body.current, body.error) {
            (200, _, _, _) if submit => Self::Submitted(body.next),
            (200, Some(version), _, _) => Self::Saved(version),
            (409, _, Some(current), _) => {
                Self::Conflict(current.version, Box::new(current.annotation))
            }
            (409, _, _, Some(problem)) if problem.code == "assignment_closed" => Self::Closed,
            (422, Some(version), _, Some(problem)) if problem.code == "incomplete" => {
                Self::Incomplete(version)
            }
            (_, _, _, Some(problem)) => Self::Refused(problem.message),
            _ => Self::NoAnswer,
        }
    }
}

/// What follows from an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// All is saved.
    Rest,
    /// There is more to send at once.
    Again,
    /// Try again after this many milliseconds.
    Later(i32),
    /// Go on to this assignment.
    Go(Option<String>),
    /// Show what is missing.
    Gaps,
    /// Show both versions.
    Choose,
    /// The assignment is not open any more.
    Closed,
    /// Sign in again.
    SignIn,
    /// Say why it was refused.
    Refused(String),
}

/// The state of saving.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    version: i64,
    pending: Option<(String, Annotation)>,
    flying: Option<(String, Annotation)>,
    unsure: Option<Annotation>,
    submit: bool,
    /// Whether what is under way is a submission.
    submitting: bool,
    attempts: u32,
    theirs: Option<(i64, Annotation)>,
    halted: bool,
}

impl Queue {
    /// Begins at the version the page was rendered with.
    pub fn new(version: i64) -> Self {
        Self {
            version,
            ..Self::default()
        }
    }

    /// Takes up a draft that was left in the browser.
    pub fn restore(&mut self, draft: Draft) {
        self.version = draft.base_version;
        self.unsure = draft.unsure;
        self.pending = Some((draft.save_id, draft.annotation));
    }

    /// The document changed. A submission that has not left yet is taken back: it was of another document.
    pub fn change(&mut self, annotation: Annotation, save_id: String) {
        self.pending = Some((save_id, annotation));
        self.submit &= self.submitting;
        self.halted = false;
    }

    /// The person wants to submit this document. False when that is under way already.
    pub fn submit(&mut self, annotation: Annotation, save_id: String) -> bool {
        if self.submit {
            return false;
        }
        // Always a new identity: that of an earlier save would only bring its old answer back.
        self.pending = Some((save_id, annotation));
        self.submit = true;
        self.halted = false;
        true
    }

    /// The version that saving has reached.
    pub fn version(&self) -> i64 {
        self.version
    }

    /// Whether everything is acknowledged.
    pub fn is_clean(&self) -> bool {
        self.pending.is_none()
    }

    /// Whether a submission is under way.
    pub fn is_submitting(&self) -> bool {
        self.submit
    }

    /// What to keep in the browser.
    pub fn draft(&self) -> Option<Draft> {
        self.pending.as_ref().map(|(save_id, annotation)| Draft {
            base_version: self.version,
            save_id: save_id.clone(),
            annotation: annotation.clone(),
            unsure: self
                .flying
                .as_ref()
                .map(|(_, sent)| sent.clone())
                .or_else(|| self.unsure.clone()),
        })
    }

    /// The next request, unless one is under way or a choice is open.
    pub fn next_call(&mut self) -> Option<Call> {
        if self.flying.is_some() || self.theirs.is_some() || self.halted {
            return None;
        }
        let draft = self.draft()?;
        self.flying.clone_from(&self.pending);
        self.submitting = self.submit;
        Some(Call {
            submit: self.submit,
            draft,
        })
    }

    /// What the server holds, while a choice is open.
    pub fn theirs(&self) -> Option<&Annotation> {
        self.theirs.as_ref().map(|(_, annotation)| annotation)
    }

    /// Keep what is here: it becomes the next version after theirs.
    pub fn keep_mine(&mut self, save_id: String) {
        if let Some((version, _)) = self.theirs.take() {
            self.version = version;
            if let Some(pending) = &mut self.pending {
                pending.0 = save_id;
            }
        }
    }

    /// Take what is there.
    pub fn take_theirs(&mut self) -> Option<Annotation> {
        let (version, annotation) = self.theirs.take()?;
        self.version = version;
        self.pending = None;
        self.submit = false;
        Some(annotation)
    }

    /// Takes an answer in.
    pub fn answered(&mut self, answer: Answer) -> Next {
        let Some((save_id, sent)) = self.flying.take() else {
            return Next::Rest;
        };
        if answer != Answer::NoAnswer {
            self.attempts = 0;
        }
        let submitted = std::mem::take(&mut self.submitting);
        match answer {
            Answer::Saved(version) => self.acknowledged(version, &save_id),
            Answer::Submitted(next) => {
                self.pending = None;
                Next::Go(next)
            }
            Answer::Incomplete(version) => {
                self.submit = false;
                self.acknowledged(version, &save_id);
                Next::Gaps
            }
            Answer::Conflict(version, theirs) => self.conflict(version, *theirs),
            Answer::Closed => self.halt(Next::Closed),
            Answer::SignedOut => self.halt(Next::SignIn),
            Answer::Refused(why) => self.halt(Next::Refused(why)),
            Answer::NoAnswer => {
                // A submission is asked for again as it was, unless the document has changed since.
                let same = self.pending.as_ref().is_some_and(|(id, _)| *id == save_id);
                self.submit &= same || !submitted;
                self.unsure = Some(sent);
                self.attempts += 1;
                Next::Later(delay(self.attempts))
            }
        }
    }

    fn acknowledged(&mut self, version: i64, save_id: &str) -> Next {
        self.version = version;
        self.unsure = None;
        if self.pending.as_ref().is_some_and(|(id, _)| id == save_id) && !self.submit {
            self.pending = None;
        }
        if self.pending.is_none() {
            Next::Rest
        } else {
            Next::Again
        }
    }

    /// A newer version that is our own, sent without our hearing of it, is no conflict.
    fn conflict(&mut self, version: i64, theirs: Annotation) -> Next {
        let mine = self.pending.as_ref().map(|(_, annotation)| annotation);
        if mine == Some(&theirs) && !self.submit {
            self.version = version;
            self.pending = None;
            return Next::Rest;
        }
        if mine == Some(&theirs) || self.unsure.as_ref() == Some(&theirs) {
            self.version = version;
            self.unsure = None;
            return Next::Again;
        }
        self.submit = false;
        self.theirs = Some((version, theirs));
        Next::Choose
    }

    fn halt(&mut self, next: Next) -> Next {
        self.submit = false;
        self.halted = true;
        next
    }
}

/// One second, then twice as long each time, up to half a minute.
fn delay(attempts: u32) -> i32 {
    (1000 << attempts.saturating_sub(1).min(5)).min(30_000)
}

#[cfg(test)]
#[path = "sync_tests.rs"]
mod tests;
