//! `consilium serve`.

use clap::Args;
use service::{Db, Services};
use tracing::info;

use super::Outcome;
use crate::{
    config::{Config, ConfigArgs},
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
        runtime.block_on(serve(&config))
    }
}

async fn serve(config: &Config) -> Outcome {
    let stop = shutdown::requested()?;
    let services = Services::new(Db::open(&config.database_url).await?);
    let server = Server::bind(config.listen, AppState::new(services, config.listen))
        .await
        .map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    info!(address = %server.address()?, "listening");
    Ok(server.run(stop).await?)
}
