//! A trace with its spans.

use leptos::prelude::*;

use crate::draw::trace_html;
pub use crate::draw::{Mark, MarkKind, Part};

/// A trace: read with the eyes, the mouse or the keyboard; its text is never changed by what is drawn on it.
#[component]
pub fn TraceView(
    /// The element's `id`.
    #[prop(default = "trace".into(), into)]
    id: String,
    /// The text.
    #[prop(into)]
    text: String,
    /// Spans of tags.
    marks: Vec<Mark>,
    /// Named stretches.
    #[prop(optional)]
    parts: Vec<Part>,
    /// The stretches are steps: what stands between them, such as tags and subtitles, steps back.
    #[prop(optional)]
    steps: bool,
) -> impl IntoView {
    let class = if steps {
        "trace read steps"
    } else {
        "trace read"
    };
    view! {
        <div
            class=class
            id=id
            tabindex="0"
            role="group"
            aria-label="Reasoning trace"
            inner_html=trace_html(&text, &marks, &parts)
        ></div>
    }
}
