//! What was judged, as staff read it: facts, vignette, question, answer, and the trace with its spans.

use domain::span::Span;
use leptos::prelude::*;
use service::desk::{DeskCandidate, DeskItem};

use crate::components::{Facts, Mark, MarkKind, TraceView, trace::Part};

/// An item with these marks on its trace. Vignette and question can be folded away, the trace cannot.
pub fn case(item: &DeskItem, marks: Vec<Mark>, unfolded: bool) -> impl IntoView + use<> {
    let parts: Vec<Part> = item.segments.iter().filter_map(part).collect();
    let given = item.facts.iter().filter(|(_, value)| !value.is_empty());
    let facts: Vec<(String, String)> = given.cloned().collect();
    let vignette = (!item.vignette.is_empty()).then(|| {
        view! {
            <h2 class="overline">"Vignette"</h2>
            <p class="read">{item.vignette.clone()}</p>
        }
    });
    let question = question(item);
    let trace = item.trace.clone();
    view! {
        <Facts facts />
        <details open=unfolded>
            <summary>"Vignette, question and answer"</summary>
            {vignette}
            {question}
        </details>
        <h2 class="overline">"Reasoning trace"</h2>
        <TraceView text=trace marks parts />
    }
}

fn question(item: &DeskItem) -> impl IntoView + use<> {
    let answer = item.answer.clone().unwrap_or_default();
    let option = |option: &String| {
        let chosen = *option == answer;
        view! {
            <li class=chosen.then_some("on")>
                {option.clone()} {chosen.then(|| view! { <b>" · the model’s answer"</b> })}
            </li>
        }
    };
    let options = (!item.options.is_empty()).then(|| {
        let options = item.options.iter().map(option).collect_view();
        view! { <ul class="options">{options}</ul> }
    });
    let free = (!answer.is_empty() && !item.options.contains(&answer)).then(|| {
        view! {
            <p>
                <span class="soft small">"The model’s answer: "</span>
                {answer.clone()}
            </p>
        }
    });
    (!item.question.is_empty()).then(|| {
        view! {
            <h2 class="overline">"Question to the model"</h2>
            <p class="read">{item.question.clone()}</p>
            {options}
            {free}
        }
    })
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

fn part((label, start, end): &(String, u32, u32)) -> Option<Part> {
    let span = Span::new(*start, *end).ok()?;
    (!label.is_empty()).then(|| Part {
        label: label.clone(),
        span,
    })
}
