//! What surrounds every page: title, header, main.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::islands::connection::Connection;

/// A page: `title` for the window, the children for `<main>`.
#[component]
pub fn Page(
    /// Shown in the window's title bar, before the product's name.
    #[prop(into)]
    title: String,
    /// The content of `<main>`.
    children: Children,
) -> impl IntoView {
    view! {
        <Title text=format!("{title} · Consilium") />
        <a class="skip-link" href="#main">
            "Skip to content"
        </a>
        <header class="site-header">
            <a class="site-mark" href="/">
                "Consilium"
            </a>
            <Connection />
        </header>
        <main id="main" tabindex="-1">
            {children()}
        </main>
    }
}
