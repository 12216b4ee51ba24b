//! Logs: one line an event on standard error, as text or JSON.

use std::panic::{self, PanicHookInfo};

use serde::Deserialize;
use tracing_subscriber::{EnvFilter, fmt};

/// How a log line looks.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For collectors.
    Json,
}

/// Starts logging. `filter` is in the syntax of `tracing`, such as `info,server=debug`.
///
/// # Errors
/// When `filter` cannot be read.
pub fn start(format: LogFormat, filter: &str) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter).map_err(|error| format!("log filter: {error}"))?;
    let lines = fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second start in one process (tests) keeps the first.
    let _ = match format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    panic::set_hook(Box::new(log_place));
    Ok(())
}

/// Logs where a panic was and not what it said: slicing a text at the wrong place, for one, quotes
/// the text in its message.
fn log_place(info: &PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "panicked");
}
