//! `consilium serve`.

use std::{future::Future, net::SocketAddr};

use clap::Args;
use service::Services;
use tracing::info;

use super::{Outcome, open};
use crate::{
    config::{Config, ConfigArgs},
    proxy::TrustedProxies,
    serve::Server,
    shutdown,
    state::AppState,
    telemetry,
};

/// Answers until it is told to stop.
#[derive(Args, Debug)]
pub struct Serve {
    #[command(flatten)]
    config: ConfigArgs,
}

impl Serve {
    /// Starts the runtime and serves.
    pub fn run(self) -> Outcome {
        let config = Config::load(self.config)?;
        telemetry::start(config.log_format, &config.log)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let stop = shutdown::requested()?;
            let services = open::open(&config).await?;
            listen(&config, services, stop, |_| {}).await
        })
    }
}

/// Takes the address, says so, and answers until `stop`.
pub async fn listen(
    config: &Config,
    services: Services,
    stop: impl Future<Output = ()> + Send + 'static,
    ready: impl FnOnce(SocketAddr),
) -> Outcome {
    let db = services.db.clone();
    let mut state = AppState::new(services, config.listen);
    state.proxies = TrustedProxies(config.trusted_proxy.clone());
    let server = Server::bind(config.listen, state)
        .await
        .map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    let address = server.address()?;
    info!(%address, "listening");
    ready(address);
    server.run(stop).await?;
    db.close().await;
    Ok(())
}
