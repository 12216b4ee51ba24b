//! Long lists, a page at a time.

use leptos::prelude::*;

use super::{visit::Guest, words};

/// How many rows a page of a list has.
pub const SIZE: u32 = 50;

/// The page that the query asks for, counted from 1.
pub fn page_of(visit: &Guest) -> u32 {
    visit.query("page").parse().unwrap_or(1).clamp(1, 1_000_000)
}

/// Links to the page before and after. Nothing when all fits on one page.
#[component]
pub fn Pager(
    /// The page shown, counted from 1.
    page: u32,
    /// How many rows there are in all.
    total: i64,
    /// The rest of the query.
    #[prop(into)]
    query: String,
) -> impl IntoView {
    let (page, size) = (i64::from(page), i64::from(SIZE));
    let last = (total - 1).max(0) / size + 1;
    let href = move |page: i64| {
        let and = if query.is_empty() { "" } else { "&" };
        format!("?{query}{and}page={page}")
    };
    let before =
        (page > 1).then(|| view! { <a class="button" rel="prev" href=href(page - 1)>"Before"</a> });
    let after = (page < last)
        .then(|| view! { <a class="button" rel="next" href=href(page + 1)>"After"</a> });
    let (from, to) = ((page - 1) * size + 1, (page * size).min(total));
    (total > size).then(|| {
        view! {
            <nav class="row pager" aria-label="Pages">
                {before}
                <span>{format!("{} to {} of {}", words::number(from), words::number(to), words::number(total))}</span>
                {after}
            </nav>
        }
    })
}
