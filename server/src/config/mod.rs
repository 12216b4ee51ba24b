//! Settings: flags before environment before configuration file before defaults.

mod file;

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;

pub use self::file::FileError;
use self::file::FileSettings;
use crate::{
    proxy::{Network, TrustedProxies},
    telemetry::LogFormat,
};

/// What was said on the command line and in the environment.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgs {
    /// A TOML file with any of these settings, named as the long flags
    #[arg(long, env = "CONSILIUM_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The database: `sqlite:PATH` or `postgres://USER@HOST/NAME` [default: sqlite:consilium.db]
    #[arg(
        long,
        env = "CONSILIUM_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,
    /// The address to answer on [default: 127.0.0.1:8080]
    #[arg(long, env = "CONSILIUM_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// Proxies in front of the server, as addresses or networks separated by commas, whose `X-Forwarded-For` says where a
    /// request came from [default: none]
    #[arg(long, env = "CONSILIUM_TRUSTED_PROXY", value_name = "ADDRESSES")]
    pub trusted_proxy: Option<TrustedProxies>,
    /// Log lines for people or for collectors [default: text]
    #[arg(long, env = "CONSILIUM_LOG_FORMAT", value_enum)]
    pub log_format: Option<LogFormat>,
    /// What to log, such as `warn` or `info,server=debug` [default: info]
    #[arg(long, env = "CONSILIUM_LOG", value_name = "FILTER")]
    pub log: Option<String>,
}

/// The settings in force.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Config {
    /// Where the data are.
    pub database_url: String,
    /// Where to answer.
    pub listen: SocketAddr,
    /// The proxies whose word on addresses counts.
    pub trusted_proxy: Vec<Network>,
    /// How log lines look.
    pub log_format: LogFormat,
    /// What is logged.
    pub log: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            database_url: "sqlite:consilium.db".to_owned(),
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            trusted_proxy: Vec::new(),
            log_format: LogFormat::Text,
            log: "info".to_owned(),
        }
    }
}

impl Config {
    /// Settles each setting from the first place that names it.
    ///
    /// # Errors
    /// When the configuration file cannot be read.
    pub fn load(args: ConfigArgs) -> Result<Self, FileError> {
        let file = match &args.config {
            Some(path) => FileSettings::read(path)?,
            None => FileSettings::default(),
        };
        let default = Self::default();
        Ok(Self {
            database_url: args
                .database_url
                .or(file.database_url)
                .unwrap_or(default.database_url),
            listen: args.listen.or(file.listen).unwrap_or(default.listen),
            trusted_proxy: args
                .trusted_proxy
                .map(|proxies| proxies.0)
                .or(file.trusted_proxy)
                .unwrap_or(default.trusted_proxy),
            log_format: args
                .log_format
                .or(file.log_format)
                .unwrap_or(default.log_format),
            log: args.log.or(file.log).unwrap_or(default.log),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    fn args_with(dir: &Path, toml: &str) -> ConfigArgs {
        let path = dir.join("consilium.toml");
        fs::write(&path, toml).unwrap();
        ConfigArgs {
            config: Some(path),
            ..ConfigArgs::default()
        }
    }

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
        let dir = tempfile::tempdir().unwrap();
        let args = ConfigArgs {
            listen: Some(([0, 0, 0, 0], 1).into()),
            ..args_with(dir.path(), "listen = '127.0.0.1:2'\nlog-format = 'json'\n")
        };
        let config = Config::load(args).unwrap();
        assert_eq!(config.listen, ([0, 0, 0, 0], 1).into());
        assert_eq!(config.log_format, LogFormat::Json);
        assert_eq!(config.database_url, Config::default().database_url);
    }

    #[test]
    fn proxies_are_named_as_addresses_or_networks() {
        let dir = tempfile::tempdir().unwrap();
        let toml = "trusted-proxy = ['127.0.0.1', '10.0.0.0/8']\n";
        let config = Config::load(args_with(dir.path(), toml)).unwrap();
        let wanted = ["127.0.0.1", "10.0.0.0/8"].map(|one| one.parse().unwrap());
        assert_eq!(config.trusted_proxy, wanted);
        let wrong = args_with(dir.path(), "trusted-proxy = ['proxy']\n");
        let message = Config::load(wrong).unwrap_err().to_string();
        assert!(message.contains("an IP address, or a network"), "{message}");
        assert_eq!(Config::default().trusted_proxy, []);
    }

    #[test]
    fn an_unknown_setting_is_refused_with_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let error = Config::load(args_with(dir.path(), "\nlistne = '127.0.0.1:2'\n")).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("line 2") && message.contains("listne"),
            "{message}"
        );
    }

    #[test]
    fn a_missing_file_is_named() {
        let args = ConfigArgs {
            config: Some("/nowhere.toml".into()),
            ..ConfigArgs::default()
        };
        let message = Config::load(args).unwrap_err().to_string();
        assert!(message.contains("/nowhere.toml"), "{message}");
    }
}
