//! What a person said elsewhere of the item as a whole: answers, missed tags, or why it cannot be rated.

use domain::annotation::is_reason;
use domain::span::Span;

use super::{
    rating::{KNOWN, flag, refuse},
    span,
};
use crate::{
    Who, answer,
    json::{Fields, describe},
    problem::excerpt,
    read::Reading,
    record::{ItemRatingRecord, MissedRecord},
    verdict,
};

/// The fields that only a rating of the item has.
pub(super) const OF_ITEM: [&str; 5] = [
    "answers",
    "missed",
    "nothing_missed",
    "missed_count",
    "not_ratable",
];

pub(super) fn rating(
    mut fields: Fields,
    trace: &str,
    reading: &mut Reading<'_>,
) -> Option<ItemRatingRecord> {
    let rater = fields.required("rater", "the name of the rater", &mut reading.problems);
    let beside = OF_ITEM[..4].iter().find(|name| fields.has(name)).copied();
    let answers = answer::answers(&mut fields, reading);
    let objects = fields.objects("missed", &mut reading.problems);
    let missed = objects
        .into_iter()
        .filter_map(|object| missed(object, trace, reading))
        .collect::<Vec<_>>();
    let nothing_missed = flag(&mut fields, "nothing_missed", reading);
    if nothing_missed && !missed.is_empty() {
        reading.problem(fields.problem("nothing_missed", "true beside missed tags", "one of them"));
    }
    let missed_count = count(&mut fields, reading);
    let comment = fields
        .text("comment", &mut reading.problems)
        .unwrap_or_default();
    let not_ratable = reason(&mut fields, beside, &comment, reading);
    let line = fields.line;
    refuse(
        &mut fields,
        &["candidate", "validity", "severity", "better", "discuss"],
        "a rating of a candidate, which it must name",
        reading,
    );
    fields.refuse_rest(KNOWN, &mut reading.problems);
    Some(ItemRatingRecord {
        line,
        rater: rater?,
        answers,
        missed,
        nothing_missed,
        missed_count,
        not_ratable,
        comment,
    })
}

/// The field `missed_count`.
fn count(fields: &mut Fields, reading: &mut Reading<'_>) -> Option<u32> {
    let value = fields.value("missed_count")?;
    let count = value.as_u64().and_then(|count| u32::try_from(count).ok());
    if count.is_none() {
        reading.problem(fields.problem("missed_count", describe(&value), "a whole number"));
    }
    count
}

/// The field `not_ratable`, beside which only a comment may stand.
fn reason(
    fields: &mut Fields,
    beside: Option<&str>,
    comment: &str,
    reading: &mut Reading<'_>,
) -> Option<String> {
    let code = fields.words("not_ratable", &mut reading.problems)?;
    let wrong = if !is_reason(&code) {
        Some((
            excerpt(&code),
            "a reason of up to 40 small letters and underscores, such as text_damaged",
        ))
    } else if code == "other" && comment.trim().is_empty() {
        Some((
            "other without a comment".to_owned(),
            "the reason in the comment",
        ))
    } else {
        beside.map(|name| {
            (
                format!("a reason beside {name}"),
                "nothing but a comment beside it",
            )
        })
    };
    let Some((found, expected)) = wrong else {
        return Some(code);
    };
    reading.problem(fields.problem("not_ratable", found, expected));
    None
}

/// A missed tag: a code, and the words it stands on where the file has them.
fn missed(mut fields: Fields, trace: &str, reading: &mut Reading<'_>) -> Option<MissedRecord> {
    let expected = reading.book.codes_expected();
    let code = fields.required("category", &expected, &mut reading.problems);
    let resolved =
        code.and_then(|code| verdict::resolve(&fields, "category", &code, None, reading));
    let severity = verdict::severity(&mut fields, Who::Rater, reading);
    let by_offset = fields.has("span");
    let placed = span::span(&mut fields, trace, &mut reading.problems);
    let evidence = fields.words("evidence", &mut reading.problems);
    let found = match evidence {
        Some(quote) if !by_offset => quoted(&fields, &quote, trace, reading),
        _ => None,
    };
    let comment = fields
        .text("comment", &mut reading.problems)
        .unwrap_or_default();
    fields.refuse_rest(
        "category, severity, span, evidence or comment",
        &mut reading.problems,
    );
    let resolved = resolved?;
    Some(MissedRecord {
        code: resolved.subcategory.unwrap_or(resolved.category),
        severity,
        span: placed.or(found),
        comment,
    })
}

/// The first place where the quotation is found.
fn quoted(
    fields: &Fields,
    quote: &str,
    trace: &str,
    reading: &mut Reading<'_>,
) -> Option<(Span, String)> {
    let found = domain::span::anchor(trace, quote);
    let span = found
        .spans
        .first()
        .copied()
        .and_then(|span| Some((span, span.slice(trace).ok()?.to_owned())));
    if span.is_none() {
        reading.problem(fields.problem(
            "evidence",
            excerpt(quote),
            "words that stand in the trace",
        ));
    }
    span
}
