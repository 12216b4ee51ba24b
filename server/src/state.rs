//! What every handler can reach.

use app::shell::Site;
use axum::extract::FromRef;
use leptos::config::LeptosOptions;

use crate::assets;

/// Cheap to clone; one for the whole server.
#[derive(Clone, Debug)]
pub struct AppState {
    /// The static files of this build.
    pub site: Site,
}

impl AppState {
    /// The state of a server over the embedded files.
    pub fn new() -> Self {
        let options = LeptosOptions::builder()
            .output_name("consilium")
            .site_pkg_dir(assets::PKG_DIR)
            .build();
        Self {
            site: Site {
                options,
                interactive: assets::has_wasm(),
            },
        }
    }
}

impl Default for AppState {
    fn default() -> Self {
        Self::new()
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.site.options.clone()
    }
}
