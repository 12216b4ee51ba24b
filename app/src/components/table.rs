//! A table that scrolls sideways inside its own frame.

use leptos::prelude::*;

/// The frame around a `<table>`; reachable by keyboard, because it may scroll.
#[component]
pub fn TableWrap(
    /// What the table shows.
    #[prop(into)]
    label: String,
    /// The `<table>`.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="table-wrap" role="region" aria-label=label tabindex="0">
            {children()}
        </div>
    }
}
