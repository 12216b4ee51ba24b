//! The candidates of a record, anchored by their offsets or by their quotations.

use domain::span::{AnchorKind, Span};

use super::span;
use crate::{
    Resolved, Who,
    digest::{Meeting, Seen, digest},
    json::Fields,
    problem::excerpt,
    read::Reading,
    record::{CandidateRecord, JudgeRecord, TraceRecord},
    verdict,
};

const KNOWN: &str =
    "key, category, subcategory, name, severity, explanation, evidence, spans or anchor";

/// The field `candidates`, with the keys of all of them: also of those that have problems.
pub(super) fn candidates(
    fields: &mut Fields,
    record: &TraceRecord,
    trace: &str,
    seen: &mut Seen,
    reading: &mut Reading<'_>,
) -> (Vec<CandidateRecord>, Vec<String>) {
    let objects = fields.objects("candidates", &mut reading.problems);
    let (mut found, mut keys) = (
        Vec::with_capacity(objects.len()),
        Vec::with_capacity(objects.len()),
    );
    for (index, mut object) in objects.into_iter().enumerate() {
        let key = object
            .words("key", &mut reading.problems)
            .unwrap_or_else(|| default_key(record, index));
        let here = digest(&[key.as_str()]);
        if let Meeting::Same(first) | Meeting::Different(first) = seen.meet(here, here, record.line)
        {
            reading.problem(object.problem(
                "key",
                excerpt(&key),
                format!("a key of its own; line {first} has it already"),
            ));
        }
        keys.push(key.clone());
        found.extend(candidate(object, key, trace, reading));
    }
    (found, keys)
}

/// Stable over imports; names the judge where the file does, since several may judge one item.
fn default_key(record: &TraceRecord, index: usize) -> String {
    if record.judge.name == JudgeRecord::unnamed().name {
        format!("{}_tag_{index}", record.key)
    } else {
        format!("{}_{}_tag_{index}", record.key, record.judge.name)
    }
}

fn candidate(
    mut fields: Fields,
    key: String,
    trace: &str,
    reading: &mut Reading<'_>,
) -> Option<CandidateRecord> {
    let name = fields.words("name", &mut reading.problems);
    let coded = code(&mut fields, name.as_deref(), reading);
    let severity = verdict::severity(&mut fields, Who::Judge, reading);
    let explanation = fields.words("explanation", &mut reading.problems);
    let placed = place(&mut fields, trace, reading);
    let line = fields.line;
    fields.refuse_rest(KNOWN, &mut reading.problems);
    let (
        code,
        Resolved {
            category,
            subcategory,
        },
    ) = coded?;
    let Placed {
        evidence,
        anchor,
        spans,
    } = placed?;
    let category = Some(category);
    Some(CandidateRecord {
        line,
        key,
        code,
        code_name: name,
        category,
        subcategory,
        severity,
        explanation,
        evidence,
        anchor,
        spans,
    })
}

/// `category`, narrowed by `subcategory` where there is one.
fn code(
    fields: &mut Fields,
    name: Option<&str>,
    reading: &mut Reading<'_>,
) -> Option<(String, Resolved)> {
    let expected = reading.book.codes_expected();
    let category = fields.required("category", &expected, &mut reading.problems);
    let subcategory = fields.words("subcategory", &mut reading.problems);
    let category = category?;
    let outer = verdict::resolve(fields, "category", &category, name, reading)?;
    let Some(subcategory) = subcategory else {
        return Some((category, outer));
    };
    let inner = verdict::resolve(fields, "subcategory", &subcategory, name, reading)?;
    if inner.category != outer.category {
        reading.problem(fields.problem(
            "subcategory",
            excerpt(&subcategory),
            format!("a subcategory of {}", excerpt(&category)),
        ));
        return None;
    }
    Some((subcategory, inner))
}

/// Where a candidate points.
struct Placed {
    evidence: Vec<String>,
    anchor: AnchorKind,
    spans: Vec<(Span, String)>,
}

/// `spans` as given, or else `evidence` looked for in the trace.
fn place(fields: &mut Fields, trace: &str, reading: &mut Reading<'_>) -> Option<Placed> {
    let by_offset = fields.has("spans");
    let mut evidence = verdict::evidence(fields, reading);
    let spans = span::spans(fields, trace, &mut reading.problems);
    let anchor = anchor_kind(fields, by_offset, reading);
    if by_offset {
        let spans = spans?;
        if evidence.is_empty() {
            evidence = spans.iter().map(|(_, quote)| quote.clone()).collect();
        }
        return Some(Placed {
            evidence,
            anchor: anchor?,
            spans,
        });
    }
    if evidence.is_empty() {
        reading.problem(fields.problem("evidence", "nothing", "the quoted words, or spans"));
        return None;
    }
    let (anchor, spans) = verdict::anchored(trace, &evidence);
    Some(Placed {
        evidence,
        anchor,
        spans,
    })
}

/// The field `anchor`, which only goes with spans.
fn anchor_kind(
    fields: &mut Fields,
    by_offset: bool,
    reading: &mut Reading<'_>,
) -> Option<AnchorKind> {
    let Some(word) = fields.words("anchor", &mut reading.problems) else {
        return Some(AnchorKind::Verbatim);
    };
    let kind = AnchorKind::parse(&word).filter(|&kind| kind != AnchorKind::Unanchored && by_offset);
    if kind.is_none() {
        reading.problem(fields.problem(
            "anchor",
            excerpt(&word),
            "verbatim, normalised or elided beside spans, otherwise nothing",
        ));
    }
    kind
}
