//! The parts of a trace as they are kept: those of the file, or for a trajectory that the file has in one piece the steps
//! that can be seen in it.

use domain::scheme::{QuestionKind, Scheme, UnitOfAnnotation};
use domain::steps::divided;
use formats::record::TraceRecord;
use store::item::SegmentRange;

/// The parts of a record's trace.
pub(super) fn segments(scheme: &Scheme, record: &TraceRecord, trace: &str) -> Vec<SegmentRange> {
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

/// Whether the scheme is about the steps of a trace.
pub(crate) fn asks_of_steps(scheme: &Scheme) -> bool {
    let relations = |kind| kind == QuestionKind::Relations;
    scheme.unit == UnitOfAnnotation::ReasoningUnit
        || scheme
            .item_questions
            .iter()
            .any(|asked| relations(asked.kind))
}
