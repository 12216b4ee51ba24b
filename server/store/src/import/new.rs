//! What an import brings, before it is rows.

use crate::item::SegmentRange;
use domain::annotation::{Answer, MissedTag};
use domain::assignment::AssignmentState;
use domain::id::{AnnotationId, AssignmentId, CandidateId, ItemId, JudgeId, UserId};
use domain::span::AnchorKind;
use std::collections::BTreeMap;

/// An item to be written.
#[derive(Clone, Debug)]
pub struct NewItem {
    /// Its identity.
    pub id: ItemId,
    /// Its number in the study.
    pub seq: i64,
    /// Its key in the file.
    pub source_key: String,
    /// Names its content.
    pub content_hash: String,
    /// The condition of the person in the vignette.
    pub condition: String,
    /// The model that wrote the trace.
    pub model: String,
    /// How the model was asked.
    pub mode: String,
    /// Facts about the person.
    pub demographics: Vec<(String, String)>,
    /// The vignette.
    pub vignette: String,
    /// The question.
    pub question: String,
    /// The answers to choose from.
    pub options: Vec<String>,
    /// The model's answer.
    pub answer: String,
    /// The text that spans point into.
    pub trace: String,
    /// SHA-256 of the trace, in hex.
    pub trace_sha256: String,
    /// The parts of the trace.
    pub segments: Vec<SegmentRange>,
    /// What else the file said, as a JSON object.
    pub extra: String,
}

/// A judge's run to be written.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: JudgeId,
    /// `judged` or `failed`.
    pub outcome: &'static str,
    /// The kind of failure.
    pub failure: String,
    /// The judge's summary.
    pub summary: String,
}

/// A candidate to be written.
#[derive(Clone, Debug)]
pub struct NewCandidate {
    /// Its identity.
    pub id: CandidateId,
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: JudgeId,
    /// Its place on the desk.
    pub ordinal: i64,
    /// Its key in the file.
    pub source_key: String,
    /// The code as the file has it.
    pub original_code: String,
    /// The name beside the code.
    pub original_name: String,
    /// The category's code.
    pub category: String,
    /// The subcategory's code, or empty.
    pub subcategory: String,
    /// The judge's severity.
    pub severity: Option<f64>,
    /// Why.
    pub explanation: String,
    /// The evidence as the judge wrote it.
    pub evidence: Vec<String>,
    /// How it was found.
    pub anchor: AnchorKind,
    /// Where: start, end, words.
    pub spans: Vec<(u32, u32, String)>,
    /// Names its content.
    pub content_hash: String,
}

/// One person's ratings of an item to be written as a submitted annotation.
#[derive(Clone, Debug)]
pub struct ImportedAnnotation {
    /// Its identity.
    pub id: AnnotationId,
    /// The identity of the assignment it answers.
    pub assignment: AssignmentId,
    /// The item.
    pub item: ItemId,
    /// The rater.
    pub rater: UserId,
    /// The place of the assignment in the rater's order.
    pub position: i64,
    /// The scheme version of the study.
    pub scheme_version: i64,
    /// Epoch milliseconds.
    pub at: i64,
    /// Names its content.
    pub content_hash: String,
    /// What was said of each candidate.
    pub judgements: Vec<ImportedJudgement>,
    /// Tags the judge missed: category, subcategory and the tag.
    pub missed: Vec<(String, String, MissedTag)>,
    /// The rater looked for missed tags and found none.
    pub nothing_missed: bool,
    /// How many categories the judge missed, where somebody counted.
    pub missed_count: Option<u32>,
    /// Why the item cannot be rated, when it cannot.
    pub not_ratable: Option<String>,
    /// Answers to the item questions.
    pub answers: BTreeMap<String, Answer>,
    /// A comment on the item.
    pub comment: String,
}

/// A judge's answer to an item question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeAnswer {
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: JudgeId,
    /// The question.
    pub question: String,
    /// The chosen values.
    pub values: Vec<String>,
    /// Why.
    pub rationale: String,
}

impl ImportedAnnotation {
    /// Where its assignment stands.
    pub fn state(&self) -> AssignmentState {
        if self.not_ratable.is_some() {
            AssignmentState::NotRatable
        } else {
            AssignmentState::Submitted
        }
    }
}

/// What was said of one candidate.
#[derive(Clone, Debug)]
pub struct ImportedJudgement {
    /// The candidate.
    pub candidate: CandidateId,
    /// The word, or empty.
    pub validity: String,
    /// The severity.
    pub severity: Option<f64>,
    /// Codes that fit better.
    pub better: Vec<String>,
    /// The rater asks to discuss the candidate.
    pub discuss: bool,
    /// The comment.
    pub comment: String,
}
