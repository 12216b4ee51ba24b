//! `consilium token`.

use clap::{Args, Subcommand};
use service::account;

use super::out::say;
use super::{
    Outcome,
    open::{told, with_services},
};
use crate::config::ConfigArgs;

#[derive(Debug, Subcommand)]
pub enum Token {
    /// Make a personal token; it is shown once, alone on the last line
    Create(Create),
}

#[derive(Args, Debug)]
pub struct Create {
    /// Whose rights the token carries
    user: String,
    /// What it is for
    #[arg(long, default_value = "command line")]
    name: String,
    /// After how many days it ends [default: never]
    #[arg(long)]
    days: Option<u32>,
    #[command(flatten)]
    config: ConfigArgs,
}

impl Token {
    pub fn run(self) -> Outcome {
        let Self::Create(create) = self;
        with_services(create.config, |app, operator| async move {
            let owner = account::find(&app, &operator, &create.user)
                .await
                .map_err(told)?;
            let secret = account::create_token(&app, &owner, &create.name, create.days)
                .await
                .map_err(told)?;
            say!("{secret}");
            Ok(())
        })
    }
}
