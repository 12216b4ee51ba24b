//! What every handler can reach.

use app::shell::Site;
use axum::extract::FromRef;
use leptos::config::LeptosOptions;

use crate::{assets, disk_site};

/// Cheap to clone; one for the whole server.
#[derive(Clone, Debug)]
pub struct AppState {
    /// The static files of this build.
    pub site: Site,
    /// Whether they are on disk instead of in the binary.
    pub site_on_disk: bool,
}

impl AppState {
    /// The state of a server over the embedded files, or in development over those on disk.
    pub fn new() -> Self {
        let on_disk = disk_site::options();
        let site_on_disk = on_disk.is_some();
        let options = on_disk.unwrap_or_else(|| {
            LeptosOptions::builder()
                .output_name("consilium")
                .site_pkg_dir(assets::PKG_DIR)
                .build()
        });
        let interactive = site_on_disk || assets::has_wasm();
        Self {
            site: Site {
                options,
                interactive,
            },
            site_on_disk,
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
