//! Offsets that come with their quotation, so that a count in the wrong unit is caught and named.

use domain::count::count;
use domain::span::{Span, SpanError};

use crate::{
    Problems,
    json::{Fields, describe},
    problem::excerpt,
};

/// The field `spans`; none when any of them is wrong.
pub(super) fn spans(
    fields: &mut Fields,
    trace: &str,
    problems: &mut Problems,
) -> Option<Vec<(Span, String)>> {
    let given = fields.has("spans");
    let before = problems.count();
    let objects = fields.objects("spans", problems);
    if given && objects.is_empty() && problems.count() == before {
        problems.add(fields.problem(
            "spans",
            "an empty list",
            "at least one span, or evidence alone",
        ));
    }
    let mut spans = Vec::with_capacity(objects.len());
    for object in objects {
        spans.extend(placed(object, trace, problems));
    }
    (problems.count() == before).then_some(spans)
}

/// The field `span`, where there is only one.
pub(super) fn span(
    fields: &mut Fields,
    trace: &str,
    problems: &mut Problems,
) -> Option<(Span, String)> {
    placed(fields.object("span", problems)?, trace, problems)
}

fn placed(mut object: Fields, trace: &str, problems: &mut Problems) -> Option<(Span, String)> {
    let start = offset(&mut object, "start", problems);
    let end = offset(&mut object, "end", problems);
    let quote = object.required("quote", "the text at these offsets", problems);
    let mut found = None;
    if let (Some(start), Some(end), Some(quote)) = (start, end, quote) {
        match check(trace, start, end, &quote) {
            Ok(span) => found = Some((span, quote)),
            Err((field, found, expected)) => {
                problems.add(object.problem(field, found, expected));
            }
        }
    }
    object.refuse_rest("start, end or quote", problems);
    found
}

pub(super) fn offset(fields: &mut Fields, key: &str, problems: &mut Problems) -> Option<u32> {
    let value = fields.value(key).unwrap_or_default();
    let offset = value.as_u64().and_then(|offset| u32::try_from(offset).ok());
    if offset.is_none() {
        problems.add(fields.problem(
            key,
            describe(&value),
            "a whole number of code points from the beginning of the trace",
        ));
    }
    offset
}

/// The span, if the quote stands there; else field, found and expected.
pub(super) fn check(
    trace: &str,
    start: u32,
    end: u32,
    quote: &str,
) -> Result<Span, (&'static str, String, String)> {
    let span = Span::new(start, end).map_err(|_| {
        (
            "end",
            format!("{start}..{end}"),
            format!("more than the start, {start}"),
        )
    })?;
    let (field, found) = match span.slice(trace) {
        Ok(text) if text == quote => return Ok(span),
        Ok(text) => ("quote", format!("other words at {span}: {}", excerpt(text))),
        Err(SpanError::PastEnd { length, .. }) => (
            "end",
            format!(
                "{end}, past the end of a trace of {}",
                count(length, "code point", "code points")
            ),
        ),
        Err(_) => ("end", end.to_string()),
    };
    Err((
        field,
        excerpt(&found),
        right_place(trace, start, end, quote),
    ))
}

/// What the offsets should have been, as far as that can be told.
fn right_place(trace: &str, start: u32, end: u32, quote: &str) -> String {
    let fits =
        |span: Result<Span, SpanError>| span.ok().filter(|span| span.slice(trace) == Ok(quote));
    let by_bytes = || Span::from_bytes(trace, start as usize..end as usize);
    let by_search = || {
        trace
            .find(quote)
            .map(|at| Span::from_bytes(trace, at..at + quote.len()))
    };
    if let Some(span) = fits(Span::from_utf16(trace, start..end)) {
        format!("offsets in code points, {span} here; these count UTF-16 units")
    } else if let Some(span) = fits(by_bytes()) {
        format!("offsets in code points, {span} here; these count UTF-8 bytes")
    } else if let Some(span) = by_search().and_then(fits) {
        format!("the offsets of the quote, which stands at {span}")
    } else {
        "offsets at which the trace has the words of the quote".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "🙂 pt. “manic”\r\nline2";

    fn expected(start: u32, end: u32, quote: &str) -> String {
        check(TRACE, start, end, quote).unwrap_err().2
    }

    // Fault row 37 (argilla #5729): offsets counted otherwise are refused, with the right ones.
    #[test]
    fn the_unit_of_wrong_offsets_is_named() {
        assert_eq!(
            check(TRACE, 7, 12, "manic"),
            Span::new(7, 12).map_err(|_| unreachable!())
        );
        assert_eq!(
            expected(8, 13, "manic"),
            "offsets in code points, 7..12 here; these count UTF-16 units"
        );
        assert_eq!(
            expected(12, 17, "manic"),
            "offsets in code points, 7..12 here; these count UTF-8 bytes"
        );
        assert_eq!(
            expected(6, 11, "manic"),
            "the offsets of the quote, which stands at 7..12"
        );
        assert_eq!(
            expected(6, 11, "calm"),
            "offsets at which the trace has the words of the quote"
        );
    }

    #[test]
    fn what_stands_there_is_said() {
        let found = |start, end| {
            check(TRACE, start, end, "line2")
                .map_err(|(field, found, _)| (field, found))
                .unwrap_err()
        };
        assert_eq!(
            found(7, 12),
            ("quote", "other words at 7..12: manic".to_owned())
        );
        assert_eq!(
            found(15, 21),
            (
                "end",
                "21, past the end of a trace of 20 code points".to_owned()
            )
        );
        assert_eq!(found(3, 3), ("end", "3..3".to_owned()));
    }
}
