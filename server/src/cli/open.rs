//! What every command but `serve` begins with: settings, log, runtime, database.

use std::{error::Error, fmt, future::Future};

use service::{Actor, Services};
use store::Db;

use super::Outcome;
use crate::{
    config::{Config, ConfigArgs},
    telemetry,
};

/// Opens a database that is there and runs the command on it, as the operator. A mistyped address must not become an
/// empty database that is then found sound.
pub fn with_services<F, R>(args: ConfigArgs, command: F) -> Outcome
where
    F: FnOnce(Services, Actor) -> R,
    R: Future<Output = Outcome>,
{
    let config = Config::load(args)?;
    if !Db::is_there(&config.database_url) {
        return Err(format!("there is no database at {}", config.database_url).into());
    }
    run(config, command)
}

/// The same for a command that may be an installation's first: it makes the database.
pub fn with_new_services<F, R>(args: ConfigArgs, command: F) -> Outcome
where
    F: FnOnce(Services, Actor) -> R,
    R: Future<Output = Outcome>,
{
    run(Config::load(args)?, command)
}

fn run<F, R>(config: Config, command: F) -> Outcome
where
    F: FnOnce(Services, Actor) -> R,
    R: Future<Output = Outcome>,
{
    telemetry::start(config.log_format, &config.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let services = open(&config).await?;
        let db = services.db.clone();
        let outcome = command(services, Actor::operator()).await;
        db.close().await;
        outcome
    })
}

/// Opens the database of these settings.
pub async fn open(config: &Config) -> Result<Services, Box<dyn Error>> {
    let db = Db::open(&config.database_url)
        .await
        .map_err(|error| format!("cannot open the database: {error}"))?;
    Ok(Services::new(db))
}

/// A refusal or failure as the operator reads it: they may see the cause.
pub fn told(error: service::Error) -> Box<dyn Error> {
    match error {
        service::Error::Refused(refusal) => Told(refusal.message().to_owned()).into(),
        service::Error::Internal(cause) => Told(cause.to_string()).into(),
    }
}

/// Ends with exit code 1 when everything has been said already.
pub fn silent_failure() -> Box<dyn Error> {
    Told(String::new()).into()
}

#[derive(Debug)]
struct Told(String);

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Told {}
