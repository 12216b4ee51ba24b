//! What every handler can reach.

use std::net::SocketAddr;

use app::{context::imports::Imports, shell::Site};
use axum::extract::FromRef;
use leptos::config::LeptosOptions;
use service::Services;

use crate::{assets, disk_site, proxy::TrustedProxies};

/// Cheap to clone; one for the whole server.
#[derive(Clone)]
pub struct AppState {
    /// The static files of this build.
    pub site: Site,
    /// Whether they are on disk instead of in the binary.
    pub site_on_disk: bool,
    /// The use cases' ground.
    pub services: Services,
    /// The imports that run here.
    pub imports: Imports,
    /// Whether the session cookie travels over TLS only.
    pub secure_cookies: bool,
    /// The proxies whose word on addresses counts; none at first.
    pub proxies: TrustedProxies,
}

impl AppState {
    /// The state of a server over the embedded files, or in development over those on disk.
    ///
    /// A server that answers on the loopback interface only is reached without TLS.
    pub fn new(services: Services, listen: SocketAddr) -> Self {
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
            services,
            imports: Imports::default(),
            secure_cookies: !listen.ip().is_loopback(),
            proxies: TrustedProxies::default(),
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
