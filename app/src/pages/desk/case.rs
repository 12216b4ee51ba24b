//! The left pane: what is judged.

use domain::count::count;
use domain::{own::Step, span::Span};
use leptos::prelude::*;

use super::own::words;
use crate::components::{Facts, Mark, MarkKind, TraceView, trace::Part};
use service::desk::{DeskItem, DeskView};

/// Facts, vignette, question, answer, trace.
pub fn case(view: &DeskView) -> impl IntoView + use<> {
    let item = &view.item;
    let headings = &view.scheme.display.headings;
    let vignette = (!item.vignette.is_empty()).then(|| {
        view! {
            <h2 class="overline">{headings.vignette.clone()}</h2>
            <p class="read vignette">{item.vignette.clone()}</p>
        }
    });
    let length = item.trace.split_whitespace().count();
    let trace = item.trace.clone();
    let marks_tags = view.scheme.missed.asked || view.step == Step::Own;
    let help = marks_tags.then(|| {
        view! {
            <p class="hint live-only" id="trace-help">
                {words(view.step).help}
            </p>
        }
    });
    view! {
        <section class="case" aria-label="Case" id="case" tabindex="-1">
            <Facts facts=item.facts.clone() />
            <h1 class="unseen">{format!("Item {} of {}", view.progress.position, view.progress.total)}</h1>
            {vignette}
            {question(item, headings.question.clone())}
            <h2 class="overline" id="trace-title">
                {format!("{} ", headings.trace)}
                <small>{count(length, "word", "words")}</small>
            </h2>
            <TraceView text=trace marks=marks(view) parts=parts(item) steps=item.numbered />
            {help}
        </section>
    }
}

/// What was asked of the model and what it answered.
pub fn question(item: &DeskItem, heading: String) -> Option<impl IntoView + use<>> {
    let answer = item.answer.clone().unwrap_or_default();
    let known = item.options.contains(&answer);
    let option = |option: &String| {
        let chosen = *option == answer;
        view! {
            <li class=chosen.then_some("on")>
                {option.clone()} {chosen.then(|| view! { <b>" · the model’s answer"</b> })}
            </li>
        }
    };
    let options = (!item.options.is_empty()).then(
        || view! { <ul class="options">{item.options.iter().map(option).collect_view()}</ul> },
    );
    let free = (!answer.is_empty() && !known).then(|| {
        view! {
            <p>
                <span class="soft small">"The model’s answer: "</span>
                {answer.clone()}
            </p>
        }
    });
    let asked = (!item.question.is_empty())
        .then(|| view! { <p class="read question">{item.question.clone()}</p> });
    let anything = asked.is_some() || options.is_some() || free.is_some();
    anything.then(|| {
        view! {
            <h2 class="overline">{heading}</h2>
            {asked}
            {options}
            {free}
        }
    })
}

/// The spans of the candidates and of the rater's own tags.
fn marks(view: &DeskView) -> Vec<Mark> {
    let candidates = view
        .candidates
        .iter()
        .enumerate()
        .flat_map(|(at, candidate)| {
            candidate.spans.iter().filter_map(move |(start, end, _)| {
                let span = Span::new(*start, *end).ok()?;
                Some(Mark {
                    label: (at + 1).to_string(),
                    span,
                    kind: MarkKind::Candidate,
                    now: false,
                })
            })
        });
    let missed = view
        .annotation
        .missed
        .iter()
        .enumerate()
        .filter_map(|(at, tag)| {
            let (start, end) = tag.span?;
            let span = Span::new(start, end).ok()?;
            Some(Mark {
                label: format!("+{}", at + 1),
                span,
                kind: MarkKind::Missed,
                now: false,
            })
        });
    candidates.chain(missed).collect()
}

/// The stretches of the trace: those with a name, or where they are steps all of them by number.
pub fn parts(item: &DeskItem) -> Vec<Part> {
    let parts = item.segments.iter().enumerate();
    let part = |(at, (label, start, end)): (usize, &(String, u32, u32))| {
        let label = match (item.numbered, label.is_empty()) {
            (true, true) => format!("{}", at + 1),
            (true, false) => format!("{} · {label}", at + 1),
            (false, _) => label.clone(),
        };
        let span = Span::new(*start, *end).ok()?;
        (!label.is_empty()).then_some(Part { label, span })
    };
    parts.filter_map(part).collect()
}
