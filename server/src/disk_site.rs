//! In development the browser's files are read from disk, so that changing a style or an island
//! does not compile the server again.

use leptos::config::{LeptosOptions, get_configuration};

/// The place told by `cargo xtask dev` or `cargo leptos watch`; none in a release build, which
/// serves what it embeds and nothing else.
pub fn options() -> Option<LeptosOptions> {
    if !cfg!(debug_assertions) || std::env::var_os("LEPTOS_SITE_ROOT").is_none() {
        return None;
    }
    Some(get_configuration(None).ok()?.leptos_options)
}
