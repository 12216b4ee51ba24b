//! The HTML document around every page.

use leptos::{config::LeptosOptions, prelude::*};
use leptos_meta::MetaTags;

use crate::{csp, routes::App};

/// Where this build's static files are, and whether it has a wasm module.
#[derive(Clone, Debug)]
pub struct Site {
    /// Names the directory of the static files; it contains their hash.
    pub options: LeptosOptions,
    /// False in a server built without the browser part: pages then work as plain HTML.
    pub interactive: bool,
}

/// Renders the document; the router inside it picks the page.
///
/// Of one plain type, so that the pages are compiled here once and not again wherever this is called.
pub fn shell(site: Site) -> AnyView {
    csp::set_page_policy();
    let Site {
        options,
        interactive,
    } = site;
    let base = options.site_pkg_dir_route_base();
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <link rel="stylesheet" href=options.css_path() />
                <link rel="icon" href=format!("{base}favicon.svg") type="image/svg+xml" />
                {interactive.then(|| view! { <HydrationScripts options islands=true /> })}
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
    .into_any()
}
