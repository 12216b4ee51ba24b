//! A judged trace as every reader delivers it.

use domain::span::{AnchorKind, Span};
use serde_json::{Map, Value};

/// What joins the segments of a trace.
pub const SEGMENT_SEPARATOR: &str = "\n\n";

/// One item with one judge's verdict on it.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceRecord {
    /// Line of the file where it begins.
    pub line: u64,
    /// Natural key of the item.
    pub key: String,
    /// Condition of the person in the vignette.
    pub condition: Option<String>,
    /// The model that wrote the trace.
    pub model: Option<String>,
    /// How the model was asked, such as with or without a chain of thought.
    pub mode: Option<String>,
    /// Facts about the person in the vignette, in the order of the file.
    pub demographics: Vec<(String, String)>,
    /// The vignette; empty when the file has none.
    pub vignette: String,
    /// The question; empty when the file has none.
    pub question: String,
    /// Answers the model could choose from.
    pub options: Vec<String>,
    /// The model's answer in words.
    pub answer: Option<String>,
    /// The trace in its parts; at least one, none blank.
    pub segments: Vec<SegmentText>,
    /// Where the steps of the trace lie, when the file says so beside its text; in order, none overlaps the one before.
    pub steps: Vec<StepRecord>,
    /// The file or taxonomy the record came from, when the file says so.
    pub source_file: Option<String>,
    /// What else the file says, untouched.
    pub extra: Map<String, Value>,
    /// Who judged.
    pub judge: JudgeRecord,
    /// What came of it.
    pub outcome: JudgeOutcome,
    /// The tags proposed; empty unless judged.
    pub candidates: Vec<CandidateRecord>,
    /// What the judge answered to the scheme's questions about the item.
    pub answers: Vec<AnswerRecord>,
    /// Existing human ratings of the candidates.
    pub ratings: Vec<RatingRecord>,
    /// Existing human judgements of the item as a whole.
    pub said: Vec<ItemRatingRecord>,
}

/// What stands for the text of an item whose file has ratings and no texts.
pub fn no_text(key: &str) -> String {
    format!("(The file has no text for {key}.)")
}

/// A key without the mark of a counsellor in front: a run's items say whose member they are, and the member comes next.
pub fn unmarked<'a>(key: &'a str, facts: &[(String, String)]) -> Option<&'a str> {
    let (_, member) = facts.iter().find(|(name, _)| name == "member")?;
    let (mark, rest) = key.split_once('/')?;
    (rest.split('/').next() == Some(member) && mark != member).then_some(rest)
}

impl TraceRecord {
    /// Whether the record says only what was judged of an item, and not the item's text.
    pub fn is_without_text(&self) -> bool {
        self.candidates.is_empty()
            && matches!(self.segments.as_slice(), [only] if only.label.is_none() && only.text == no_text(&self.key))
    }

    /// The one canonical text of the trace, which all spans point into.
    pub fn trace(&self) -> String {
        joined(&self.segments)
    }

    /// Where each segment lies in [`TraceRecord::trace`].
    pub fn segment_ranges(&self) -> Vec<Span> {
        let separator = SEGMENT_SEPARATOR.chars().count() as u32;
        let mut start = 0;
        let ranges = self.segments.iter().filter_map(|segment| {
            let end = start + segment.text.chars().count() as u32;
            let range = Span::new(start, end).ok();
            start = end + separator;
            range
        });
        ranges.collect()
    }
}

/// A step of a trace, as a file divides it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRecord {
    /// Its subtitle.
    pub label: Option<String>,
    /// Where it lies in [`TraceRecord::trace`].
    pub span: Span,
}

/// The canonical text of a trace in parts.
pub(crate) fn joined(segments: &[SegmentText]) -> String {
    let texts: Vec<&str> = segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    texts.join(SEGMENT_SEPARATOR)
}

/// The answer to one question about the item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRecord {
    /// The scheme's column name of the question.
    pub question: String,
    /// The chosen values as the scheme words them; empty when none was chosen.
    pub values: Vec<String>,
    /// Why; may be empty.
    pub rationale: String,
}

/// One person's existing judgement of the item as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemRatingRecord {
    /// Line of the file.
    pub line: u64,
    /// Name of the rater.
    pub rater: String,
    /// Answers to the scheme's questions.
    pub answers: Vec<AnswerRecord>,
    /// Tags that the judge missed.
    pub missed: Vec<MissedRecord>,
    /// The rater looked for missed tags and found none.
    pub nothing_missed: bool,
    /// How many categories the judge missed, where somebody counted.
    pub missed_count: Option<u32>,
    /// Why the item cannot be rated, as a code; then nothing else is said but the comment.
    pub not_ratable: Option<String>,
    /// The comment; may be empty.
    pub comment: String,
}

/// One tag that a rater found and the judge did not.
#[derive(Debug, Clone, PartialEq)]
pub struct MissedRecord {
    /// The code of a category or subcategory of the scheme.
    pub code: String,
    /// The severity.
    pub severity: Option<f64>,
    /// Where it stands, with the text that stands there.
    pub span: Option<(Span, String)>,
    /// The comment; may be empty.
    pub comment: String,
}

/// One part of a trace, such as a scratchpad or a rationale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentText {
    /// What the part is called.
    pub label: Option<String>,
    /// Its text, never blank.
    pub text: String,
}

/// The judge: model, prompt version and parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeRecord {
    /// Its name in the study.
    pub name: String,
    /// The language model behind it.
    pub model: Option<String>,
    /// Version of the prompt.
    pub prompt_version: Option<String>,
    /// Parameters such as the temperature; null when the file has none.
    pub params: Value,
}

impl JudgeRecord {
    /// The judge of a file that does not say who judged.
    pub fn unnamed() -> Self {
        Self {
            name: "judge".to_owned(),
            model: None,
            prompt_version: None,
            params: Value::Null,
        }
    }
}

/// Whether there is a verdict. A failure is missing data, never "nothing found".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JudgeOutcome {
    /// Judged; no candidates then means that the judge found nothing.
    Judged {
        /// The judge's summary.
        summary: Option<String>,
    },
    /// The judge was asked and gave nothing usable.
    Failed {
        /// What kind of failure, such as `API_ERROR`.
        kind: String,
    },
    /// Nobody was asked.
    Absent,
}

/// One tag proposed by the judge.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRecord {
    /// Line of the file.
    pub line: u64,
    /// Natural key of the candidate.
    pub key: String,
    /// The code as the file has it.
    pub code: String,
    /// The name beside the code.
    pub code_name: Option<String>,
    /// Category id of the scheme.
    pub category: Option<String>,
    /// Subcategory id of the scheme.
    pub subcategory: Option<String>,
    /// The judge's severity.
    pub severity: Option<f64>,
    /// Why the judge proposed it.
    pub explanation: Option<String>,
    /// The quotations as the judge wrote them.
    pub evidence: Vec<String>,
    /// How the evidence was found in the trace.
    pub anchor: AnchorKind,
    /// Where it was found, with the text that stands there.
    pub spans: Vec<(Span, String)>,
}

/// One person's existing rating of one candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRecord {
    /// Line of the file.
    pub line: u64,
    /// Name of the rater.
    pub rater: String,
    /// Key of the candidate in the same record.
    pub candidate_key: String,
    /// The validity judgement.
    pub validity: Option<String>,
    /// The severity.
    pub severity: Option<f64>,
    /// Codes of categories or subcategories that fit better.
    pub better: Vec<String>,
    /// The rater asks to discuss the candidate.
    pub discuss: bool,
    /// The comment; may be empty.
    pub comment: String,
}
