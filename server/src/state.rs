//! What every handler can reach.

use std::net::SocketAddr;

use app::shell::Site;
use axum::extract::FromRef;
use leptos::config::LeptosOptions;
use service::Services;

use crate::assets;

/// Cheap to clone; one for the whole server.
#[derive(Clone)]
pub struct AppState {
    /// The static files of this build.
    pub site: Site,
    /// The use cases' ground.
    pub services: Services,
    /// Whether the session cookie travels over TLS only.
    pub secure_cookies: bool,
}

impl AppState {
    /// The state of a server over the embedded files.
    ///
    /// A server that answers on the loopback interface only is reached without TLS.
    pub fn new(services: Services, listen: SocketAddr) -> Self {
        let options = LeptosOptions::builder()
            .output_name("consilium")
            .site_pkg_dir(assets::PKG_DIR)
            .build();
        Self {
            site: Site {
                options,
                interactive: assets::has_wasm(),
            },
            services,
            secure_cookies: !listen.ip().is_loopback(),
        }
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.site.options.clone()
    }
}

impl FromRef<AppState> for Services {
    fn from_ref(state: &AppState) -> Self {
        state.services.clone()
    }
}
