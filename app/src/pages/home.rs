//! `/`: the front door.

use leptos::prelude::*;

use crate::components::layout::Page;

/// Says what this server is.
#[component]
pub fn HomePage() -> impl IntoView {
    view! {
        <Page title="Welcome">
            <h1>"Consilium"</h1>
            <p>
                "Two clinicians judge independently what a language model claims to see in a trace; "
                "staff reconcile where they differ."
            </p>
        </Page>
    }
}
