//! Spans that people marked elsewhere, as tags of the scheme.

use domain::span::Span;

use crate::{Notice, problem::excerpt, read::Reading, record::MissedRecord};

/// A marked span; nothing, and a notice, where the label is no code of the scheme or the span is none of the text.
pub(super) fn tag(
    text: &str,
    (start, end): (u64, u64),
    label: &str,
    line: u64,
    reading: &mut Reading<'_>,
) -> Option<MissedRecord> {
    let bounds = u32::try_from(start).ok().zip(u32::try_from(end).ok());
    let span = bounds.and_then(|(start, end)| Span::new(start, end).ok());
    let words = span.and_then(|span| Some((span, span.slice(text).ok()?.to_owned())));
    let resolved = reading.book.resolve(label, None);
    let reason = match (&words, &resolved) {
        (None, _) => "a span that does not lie in the text",
        (_, None) => "a span whose label is no category of the scheme",
        _ => "",
    };
    let (Some(words), Some(resolved)) = (words, resolved) else {
        reading.leave_out(Notice {
            line: Some(line),
            subject: excerpt(label),
            reason: reason.to_owned(),
        });
        return None;
    };
    Some(MissedRecord {
        code: resolved.subcategory.unwrap_or(resolved.category),
        severity: None,
        span: Some(words),
        comment: String::new(),
    })
}
