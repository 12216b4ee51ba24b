//! The table of pages: one line a route.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

use crate::pages::{home::HomePage, not_found::NotFoundPage};

/// Matches the address and renders its page.
///
/// Every route is `SsrMode::Async`: the page is complete when it is sent, so it can be read without
/// script and its status can still change while it is being rendered.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <Routes fallback=NotFoundPage>
                <Route path=path!("/") view=HomePage ssr=SsrMode::Async />
            </Routes>
        </Router>
    }
}
