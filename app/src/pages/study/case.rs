//! What was judged, as staff read it: facts, vignette, question, answer, and the trace with its spans.

use domain::{scheme::Headings, span::Span};
use leptos::prelude::*;
use service::desk::{DeskCandidate, DeskItem};

use crate::{
    components::{Facts, Mark, MarkKind, TraceView},
    pages::desk::case::{parts, question},
};

/// An item with these marks on its trace, under the headings of the scheme as at the desk. What comes before the trace can be
/// folded away.
pub fn case(
    item: &DeskItem,
    headings: &Headings,
    marks: Vec<Mark>,
    unfolded: bool,
) -> impl IntoView + use<> {
    let (parts, steps) = (parts(item), item.numbered);
    let given = item.facts.iter().filter(|(_, value)| !value.is_empty());
    let facts: Vec<(String, String)> = given.cloned().collect();
    let vignette = (!item.vignette.is_empty()).then(|| {
        view! {
            <h2 class="overline">{headings.vignette.clone()}</h2>
            <p class="read">{item.vignette.clone()}</p>
        }
    });
    let question = question(item, headings.question.clone());
    let folded = match (vignette.is_some(), question.is_some()) {
        (false, false) => None,
        (true, false) => Some(headings.vignette.clone()),
        (false, true) => Some(headings.question.clone()),
        (true, true) => Some(format!("{} · {}", headings.vignette, headings.question)),
    };
    let folded = folded.map(|summary| {
        view! {
            <details open=unfolded>
                <summary>{summary}</summary>
                {vignette}
                {question}
            </details>
        }
    });
    let trace = item.trace.clone();
    view! {
        <Facts facts />
        {folded}
        <h2 class="overline">{headings.trace.clone()}</h2>
        <TraceView text=trace marks parts steps />
    }
}

/// The spans of candidates, numbered as their cards; `now` is the one being looked at.
pub fn marks_of(candidates: &[DeskCandidate], now: Option<&str>) -> Vec<Mark> {
    let of_one = |candidate: &DeskCandidate| {
        let lit = now == Some(candidate.id.as_str());
        let number = candidate.number.to_string();
        let spans = candidate.spans.clone();
        spans.into_iter().filter_map(move |(start, end, _)| {
            let span = Span::new(start, end).ok()?;
            Some(Mark {
                label: number.clone(),
                span,
                kind: MarkKind::Candidate,
                now: lit,
            })
        })
    };
    candidates.iter().flat_map(of_one).collect()
}
