//! What a person sees: pages rendered on the server, islands that come alive in the browser.
//!
//! Built twice: with `ssr` it is the page renderer inside the server, with `hydrate` it is the
//! wasm module. Pages exist on the server only, so nothing of them reaches the browser.

#![recursion_limit = "256"]

pub mod clock;
pub mod desk_words;
pub mod draw;
pub mod html;
pub mod islands;

#[cfg(feature = "ssr")]
pub mod actions;
#[cfg(feature = "ssr")]
pub mod components;
#[cfg(feature = "ssr")]
pub mod context;
#[cfg(feature = "ssr")]
pub mod csp;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
pub mod routes;
#[cfg(feature = "ssr")]
pub mod shell;

/// Called by the page's script once the wasm module is there; the islands follow one by one.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
