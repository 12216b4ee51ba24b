//! Any address that no route matches.

use http::StatusCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::components::layout::Page;

/// Answers 404 with a way back.
#[component]
pub fn NotFoundPage() -> impl IntoView {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(StatusCode::NOT_FOUND);
    }
    view! {
        <Page title="Not found">
            <h1>"There is no such page"</h1>
            <p>"The address may be mistyped, or what it named is no longer here."</p>
            <p>
                <a href="/">"To the start page"</a>
            </p>
        </Page>
    }
}
