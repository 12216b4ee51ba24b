//! Any address that no route matches.

use domain::refusal::Refusal;
use leptos::prelude::*;

use super::refused::RefusedPage;

/// Answers 404 with a way back.
#[component]
pub fn NotFoundPage() -> impl IntoView {
    view! { <RefusedPage refusal=Refusal::NotFound /> }
}
