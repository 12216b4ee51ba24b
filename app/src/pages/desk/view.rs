//! What the desk shows.

use domain::{
    annotation::{Annotation, Gap},
    assignment::AssignmentState,
    id::{AssignmentId, CandidateId, StudyId},
    scheme::Scheme,
    span::AnchorKind,
};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct DeskView {
    pub assignment: AssignmentId,
    pub version: i64,
    pub state: AssignmentState,
    pub study: StudyId,
    pub study_name: String,
    pub batch_name: String,
    pub item: DeskItem,
    pub candidates: Vec<DeskCandidate>,
    pub annotation: Annotation,
    pub gaps: Vec<Gap>,
    pub progress: DeskProgress,
    pub previous: Option<AssignmentId>,
    pub next: Option<AssignmentId>,
    pub scheme: Arc<Scheme>,
    pub saved_at: Option<i64>,
    pub submitted_at: Option<i64>,
    pub can_reopen: bool,
    pub judge_hidden: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct DeskProgress {
    pub done: u64,
    pub total: u64,
    pub position: u64,
}

#[derive(Clone, Debug)]
pub struct DeskItem {
    pub key: String,
    pub facts: Vec<(String, String)>,
    pub vignette: String,
    pub question: String,
    pub options: Vec<String>,
    pub answer: Option<String>,
    pub trace: String,
    pub segments: Vec<(String, u32, u32)>,
}

#[derive(Clone, Debug)]
pub struct DeskCandidate {
    pub id: CandidateId,
    pub number: u32,
    pub category: String,
    pub subcategory: Option<String>,
    pub code: String,
    pub severity: Option<f64>,
    pub explanation: String,
    pub anchor: AnchorKind,
    pub evidence: Vec<String>,
    pub spans: Vec<(u32, u32, String)>,
}
