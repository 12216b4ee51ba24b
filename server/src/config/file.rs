//! The configuration file.

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::{proxy::Network, telemetry::LogFormat};

/// Settings as a TOML file may give them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FileSettings {
    pub database_url: Option<String>,
    pub listen: Option<SocketAddr>,
    pub trusted_proxy: Option<Vec<Network>>,
    pub log_format: Option<LogFormat>,
    pub log: Option<String>,
}

/// A configuration file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is missing or unreadable.
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It is not what was expected.
    #[error("{}: {cause}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Line, column and what was expected.
        cause: Box<toml::de::Error>,
    },
}

impl FileSettings {
    pub(super) fn read(path: &Path) -> Result<Self, FileError> {
        let text = fs::read_to_string(path).map_err(|cause| FileError::Unreadable {
            path: path.to_owned(),
            cause,
        })?;
        toml::from_str(&text).map_err(|cause| FileError::Invalid {
            path: path.to_owned(),
            cause: Box::new(cause),
        })
    }
}
