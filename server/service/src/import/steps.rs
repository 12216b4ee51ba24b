//! The parts of a trace as they are kept: those of the file, or for a trajectory that the file has in one piece the steps
//! that can be seen in it. What counts steps by number is taken only where the file divides the trace as the study does.

use domain::scheme::{QuestionKind, Scheme, UnitOfAnnotation};
use domain::steps::divided;
use formats::record::{AnswerRecord, TraceRecord};
use store::item::SegmentRange;

/// The parts of a record's trace.
pub(super) fn segments(scheme: &Scheme, record: &TraceRecord, trace: &str) -> Vec<SegmentRange> {
    if asks_of_steps(scheme) && !record.steps.is_empty() {
        let given = record.steps.iter().map(|step| SegmentRange {
            label: step.label.clone().unwrap_or_default(),
            start: step.span.start(),
            end: step.span.end(),
        });
        return given.collect();
    }
    let whole = matches!(record.segments.as_slice(), [only] if only.label.is_none());
    if whole && asks_of_steps(scheme) {
        let steps = divided(trace).into_iter().map(|step| SegmentRange {
            label: step.label,
            start: step.start,
            end: step.end,
        });
        return steps.collect();
    }
    let ranges = record.segment_ranges();
    let labels = record
        .segments
        .iter()
        .map(|part| part.label.clone().unwrap_or_default());
    let segments = labels.zip(&ranges).map(|(label, span)| SegmentRange {
        label,
        start: span.start(),
        end: span.end(),
    });
    segments.collect()
}

/// Whether the record says how the trace is divided, or counts its steps by number.
pub(super) fn counts_steps(scheme: &Scheme, record: &TraceRecord) -> bool {
    let relates = |said: &AnswerRecord| {
        let asked = scheme.question(&said.question);
        asked.is_some_and(|asked| asked.kind == QuestionKind::Relations) && !said.values.is_empty()
    };
    let of_people = record.said.iter().flat_map(|said| &said.answers);
    asks_of_steps(scheme)
        && (!record.steps.is_empty() || record.answers.iter().chain(of_people).any(relates))
}

/// Whether the scheme is about the steps of a trace.
pub(crate) fn asks_of_steps(scheme: &Scheme) -> bool {
    let relations = |kind| kind == QuestionKind::Relations;
    scheme.unit == UnitOfAnnotation::ReasoningUnit
        || scheme
            .item_questions
            .iter()
            .any(|asked| relations(asked.kind))
}
