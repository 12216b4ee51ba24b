//! `consilium demo`.

use clap::Args;
use service::demo;
use tracing::info;

use super::out::say;
use super::{Outcome, open, serve};
use crate::{
    config::{Config, ConfigArgs},
    shutdown, telemetry,
};

/// The password of everybody in the demonstration; it is printed, and the study is invented.
const PASSWORD: &str = "look around freely";

/// Loads an invented study with two raters half way, and serves it. A second start goes on where the first ended.
#[derive(Args, Debug)]
pub struct Demo {
    #[command(flatten)]
    config: ConfigArgs,
}

impl Demo {
    /// Starts the runtime, loads the study and serves.
    pub fn run(self) -> Outcome {
        let mut args = self.config;
        if args.database_url.is_none() && args.config.is_none() {
            args.database_url = Some("sqlite://data/demo.db?mode=rwc".to_owned());
        }
        let config = Config::load(args)?;
        telemetry::start(config.log_format, &config.log)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(demonstrate(&config))
    }
}

async fn demonstrate(config: &Config) -> Outcome {
    let stop = shutdown::requested()?;
    let services = open::open(config).await?;
    demo::load(&services, PASSWORD).await.map_err(open::told)?;
    info!("demonstration study ready");
    serve::listen(config, services, stop, |address| {
        say!("\nConsilium's demonstration study is at http://{address}\n");
        say!("  {:<14} role in \"{}\"", "sign in as", demo::STUDY);
        for (name, _, role) in demo::ACCOUNTS {
            say!("  {name:<14} {}", role.as_str());
        }
        say!("\nThe password of all of them: {PASSWORD}");
        say!(
            "\nStop with Ctrl+C. Everything is in {}.",
            config.database_url
        );
    })
    .await
}
