//! What the desk shows and takes.

use domain::annotation::{Annotation, Answer, Gap, MissedTag};
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, BatchId, CandidateId, StudyId};
use domain::own::Step;
use domain::scheme::Scheme;
use domain::span::AnchorKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All that a rater sees of one assignment. What is hidden from them is not in it.
#[derive(Clone, Debug, Serialize)]
pub struct DeskView {
    /// The assignment.
    pub assignment: AssignmentId,
    /// The version that the next save must name.
    pub version: i64,
    /// Where it stands.
    pub state: AssignmentState,
    /// Its study.
    pub study: StudyId,
    /// The study's name.
    pub study_name: String,
    /// The batch's name.
    pub batch_name: String,
    /// What is judged.
    pub item: DeskItem,
    /// The judge's tags, in order.
    pub candidates: Vec<DeskCandidate>,
    /// What judges answered about the item, unless it is hidden.
    pub judge_answers: Vec<JudgeAnswer>,
    /// The rater's own judgement as it stands.
    pub annotation: Annotation,
    /// What a submission would still lack.
    pub gaps: Vec<Gap>,
    /// How far the rater is in the batch.
    pub progress: DeskProgress,
    /// The rater's assignment before this one.
    pub previous: Option<AssignmentId>,
    /// The rater's assignment after this one.
    pub next: Option<AssignmentId>,
    /// The scheme in force.
    #[serde(serialize_with = "crate::wire::shared")]
    pub scheme: Arc<Scheme>,
    /// When the draft was saved last, in epoch milliseconds.
    pub saved_at: Option<i64>,
    /// When it was submitted last, in epoch milliseconds.
    pub submitted_at: Option<i64>,
    /// Whether the rater may reopen what they submitted.
    pub can_reopen: bool,
    /// What the judge said was hidden until they submitted, and they have been shown it.
    pub judge_seen: bool,
    /// Whether the judge's severity is hidden.
    pub judge_hidden: bool,
    /// What is asked now.
    pub step: Step,
    /// What the rater gave before the judge's tags were shown; it stays as it is.
    pub own: Option<OwnTags>,
}

/// What a rater gave before they saw the judge's tags.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnTags {
    /// Their tags; none when they found nothing.
    pub tags: Vec<MissedTag>,
    /// Their answers to the questions about the item.
    pub answers: BTreeMap<String, Answer>,
    /// Epoch milliseconds.
    pub submitted_at: i64,
}

/// How far a rater is in a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DeskProgress {
    /// Submitted, or reported as not ratable.
    pub done: u64,
    /// All that was assigned and not taken back.
    pub total: u64,
    /// The place of this assignment, counted from 1.
    pub position: u64,
}

/// What is judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeskItem {
    /// The item's key in its file.
    pub key: String,
    /// Labelled facts, in the order of the scheme.
    pub facts: Vec<(String, String)>,
    /// The vignette.
    pub vignette: String,
    /// The question.
    pub question: String,
    /// The answers to choose from.
    pub options: Vec<String>,
    /// The model's answer.
    pub answer: Option<String>,
    /// The text that spans point into.
    pub trace: String,
    /// Its parts: label, start, end in code points.
    pub segments: Vec<(String, u32, u32)>,
    /// Its parts are steps, which answers name by number.
    pub numbered: bool,
}

/// One tag of the judge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeskCandidate {
    /// Its identity, and that of its unit.
    pub id: CandidateId,
    /// Counted from 1 within the item.
    pub number: u32,
    /// The code of its category.
    pub category: String,
    /// The code of its subcategory.
    pub subcategory: Option<String>,
    /// The finest code it has.
    pub code: String,
    /// The judge's severity, unless hidden or missing.
    pub severity: Option<f64>,
    /// Why the judge proposed it.
    pub explanation: String,
    /// How the evidence was found in the trace.
    pub anchor: AnchorKind,
    /// The evidence as the judge wrote it.
    pub evidence: Vec<String>,
    /// Where it stands: start, end, words.
    pub spans: Vec<(u32, u32, String)>,
}

/// What a judge answered to one question about the item.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgeAnswer {
    /// The judge's name.
    pub judge: String,
    /// The question.
    pub question: String,
    /// The chosen values.
    pub values: Vec<String>,
    /// Why.
    pub rationale: String,
}

impl From<store::judge_answer::JudgeAnswer> for JudgeAnswer {
    fn from(said: store::judge_answer::JudgeAnswer) -> Self {
        Self {
            judge: said.name,
            question: said.question,
            values: said.answer.values,
            rationale: said.answer.rationale,
        }
    }
}

/// What a rater sends to be kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Save {
    /// The version the rater saw.
    pub base_version: i64,
    /// Made by the sender, so that a retry is known for one.
    pub save_id: String,
    /// The whole judgement.
    pub annotation: Annotation,
}

/// What was kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Saved {
    /// The version that the next save must name.
    pub version: i64,
    /// Epoch milliseconds.
    pub saved_at: i64,
    /// What a submission would still lack.
    pub gaps: Vec<Gap>,
}

/// What came of a submission.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum SubmitOutcome {
    /// It counts.
    Submitted {
        /// The version that a reopening must name.
        version: i64,
        /// Epoch milliseconds.
        submitted_at: i64,
        /// The rater's next open assignment in the batch.
        next: Option<AssignmentId>,
    },
    /// It was kept as a draft, because something is missing.
    Incomplete {
        /// The version that the next save must name.
        version: i64,
        /// Epoch milliseconds.
        saved_at: i64,
        /// What is missing, in the order of the desk.
        gaps: Vec<Gap>,
    },
}

/// A rater's work, study by study.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MyWork {
    /// The studies they rate in.
    pub studies: Vec<MyStudy>,
}

/// A rater's work in one study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MyStudy {
    /// The study.
    pub study: StudyId,
    /// Its name.
    pub name: String,
    /// What the texts may touch on.
    pub content_note: String,
    /// The batches in which they have assignments.
    pub batches: Vec<MyBatch>,
}

/// A rater's work in one batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MyBatch {
    /// The batch.
    pub batch: BatchId,
    /// Its name.
    pub name: String,
    /// All that was assigned and not taken or handed back.
    pub total: u64,
    /// Submitted, or reported as not ratable.
    pub done: u64,
    /// Begun, or open again.
    pub in_progress: u64,
    /// Handed or taken back.
    pub handed_back: u64,
    /// What they handed back themselves and can take up again: the assignment and its place in the batch.
    pub can_resume: Vec<(AssignmentId, i64)>,
    /// The first assignment that is open.
    pub next: Option<AssignmentId>,
}
