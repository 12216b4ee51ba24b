//! A moment, in UTC as sent and in the reader's own zone once the browser has taken over.

use leptos::prelude::*;

use crate::clock;

/// A `<time>`: `2026-03-01 14:32 UTC` until the browser writes it in local time with its zone.
#[component]
pub fn Time(
    /// Epoch milliseconds.
    at: i64,
) -> impl IntoView {
    view! { <time datetime=clock::rfc3339(at)>{clock::utc_words(at)}</time> }
}
