//! What all formats say about a judge's tag: a code of the scheme, a severity on its scale, evidence in the trace.

use domain::span::{Anchor, AnchorKind, Span, anchor};

use crate::{Resolved, Who, json::Fields, problem::excerpt, read::Reading};

/// Looks for every quotation; together they are as good as the least of them.
pub(crate) fn anchored(trace: &str, evidence: &[String]) -> (AnchorKind, Vec<(Span, String)>) {
    let anchors: Vec<Anchor> = evidence
        .iter()
        .map(|quotation| anchor(trace, quotation))
        .collect();
    let worst = |kind| anchors.iter().any(|anchor| anchor.kind == kind);
    let kind = AnchorKind::ALL
        .into_iter()
        .rev()
        .find(|&kind| worst(kind))
        .unwrap_or(AnchorKind::Unanchored);
    if kind == AnchorKind::Unanchored {
        return (kind, Vec::new());
    }
    let spans = anchors.into_iter().flat_map(|anchor| anchor.spans);
    (
        kind,
        spans
            .filter_map(|span| Some((span, span.slice(trace).ok()?.to_owned())))
            .collect(),
    )
}

/// A code and its name as one excerpt for a message.
pub(crate) fn code_and_name(code: &str, name: Option<&str>) -> String {
    match name.filter(|name| !name.trim().is_empty()) {
        Some(name) => excerpt(&format!("{code} ({name})")),
        None => excerpt(code),
    }
}

/// The scheme's ids for the code in `field`, or a problem there.
pub(crate) fn resolve(
    fields: &Fields,
    field: &str,
    code: &str,
    name: Option<&str>,
    reading: &mut Reading<'_>,
) -> Option<Resolved> {
    let resolved = reading.book.resolve(code, name);
    if resolved.is_none() {
        reading.problem(fields.problem(
            field,
            code_and_name(code, name),
            reading.book.codes_expected(),
        ));
    }
    resolved
}

/// The field `severity`, absent or on the scale.
pub(crate) fn severity(fields: &mut Fields, who: Who, reading: &mut Reading<'_>) -> Option<f64> {
    let expected = reading.book.severity_expected(who);
    let value = fields.number("severity", &expected, &mut reading.problems)?;
    if !reading.book.severity_ok(value, who) {
        reading.problem(fields.problem("severity", value.to_string(), expected));
        return None;
    }
    Some(value)
}

/// The field `evidence` as a list without blank entries.
pub(crate) fn evidence(fields: &mut Fields, reading: &mut Reading<'_>) -> Vec<String> {
    let mut evidence = fields.texts("evidence", &mut reading.problems);
    evidence.retain(|quotation| !quotation.trim().is_empty());
    evidence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(evidence: &[&str]) -> (AnchorKind, usize) {
        let evidence: Vec<String> = evidence.iter().map(ToString::to_string).collect();
        let (kind, spans) = anchored("one “two” three four", &evidence);
        (kind, spans.len())
    }

    #[test]
    fn several_quotations_are_as_good_as_the_least() {
        assert_eq!(kinds(&["one", "three"]), (AnchorKind::Verbatim, 2));
        assert_eq!(kinds(&["one", "'two'"]), (AnchorKind::Normalised, 2));
        assert_eq!(kinds(&["'two'", "one ... three"]), (AnchorKind::Elided, 3));
        assert_eq!(kinds(&["one", "five"]), (AnchorKind::Unanchored, 0));
    }
}
