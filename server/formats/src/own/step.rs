//! Steps of a trace that stands in the file in one piece: where each lies, and its subtitle.

use domain::span::Span;

use super::span::{check, offset};
use crate::{Problems, json::Fields, record::StepRecord};

/// The field `steps`; none when any of them is wrong.
pub(super) fn steps(fields: &mut Fields, trace: &str, problems: &mut Problems) -> Vec<StepRecord> {
    let (given, before) = (fields.has("steps"), problems.count());
    if given && !fields.has("trace") {
        let expected = "steps beside a trace only; segments are steps themselves";
        problems.add(fields.problem("steps", "steps without a trace", expected));
    }
    let objects = fields.objects("steps", problems);
    if given && objects.is_empty() && problems.count() == before {
        let expected = "at least one step, or no such field";
        problems.add(fields.problem("steps", "an empty list", expected));
    }
    let (mut steps, mut end) = (Vec::with_capacity(objects.len()), 0);
    for object in objects {
        let Some(step) = step(object, trace, end, problems) else {
            continue;
        };
        end = step.span.end();
        steps.push(step);
    }
    if problems.count() > before {
        steps.clear();
    }
    steps
}

fn step(
    mut object: Fields,
    trace: &str,
    after: u32,
    problems: &mut Problems,
) -> Option<StepRecord> {
    let label = object.words("label", problems);
    let start = offset(&mut object, "start", problems);
    let end = offset(&mut object, "end", problems);
    let quote = object.words("quote", problems);
    let mut found = None;
    if let (Some(start), Some(end)) = (start, end) {
        let span = Span::new(start, end).ok();
        // Without a quote there is nothing to hold the offsets against but the length of the trace.
        let words = span.and_then(|span| span.slice(trace).ok());
        match check(
            trace,
            start,
            end,
            quote.as_deref().or(words).unwrap_or_default(),
        ) {
            Ok(span) if start < after => {
                let expected = format!("{after} or more, the end of the step before");
                problems.add(object.problem("start", span.start().to_string(), expected));
            }
            Ok(span) if words.is_some_and(|words| words.trim().is_empty()) => {
                let expected = "a step with words in it";
                problems.add(object.problem("start", format!("blanks at {span}"), expected));
            }
            Ok(span) => found = Some(StepRecord { label, span }),
            Err((field, found, expected)) => {
                let expected = if quote.is_some() {
                    expected
                } else {
                    "offsets in code points within the trace".to_owned()
                };
                problems.add(object.problem(field, found, expected));
            }
        }
    }
    object.refuse_rest("label, start, end or quote", problems);
    found
}
