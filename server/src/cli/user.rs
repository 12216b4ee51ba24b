//! `consilium user`.

use std::io::Read;

use clap::{Args, Subcommand, ValueEnum};
use service::account;

use super::out::say;
use super::{
    Outcome,
    open::{told, with_new_services, with_services},
};
use crate::config::ConfigArgs;

#[derive(Debug, Subcommand)]
pub enum User {
    /// Make an account
    Add(Add),
    /// List the accounts
    List(List),
}

#[derive(Args, Debug)]
pub struct Add {
    /// The name to sign in with
    name: String,
    /// The name that people read [default: the same]
    #[arg(long, value_name = "NAME")]
    display_name: Option<String>,
    /// What the account may do on the server; rights in a study come with membership
    #[arg(long, value_enum, default_value = "member")]
    role: ServerRole,
    /// Read the password from the first line of standard input
    #[arg(long, required = true)]
    password_stdin: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ServerRole {
    /// Runs the server: accounts and all studies
    Admin,
    /// No right of its own
    Member,
}

#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    config: ConfigArgs,
}

impl User {
    pub fn run(self) -> Outcome {
        match self {
            Self::Add(add) => add.run(),
            Self::List(list) => with_services(list.config, |app, operator| async move {
                for user in account::list(&app, &operator).await.map_err(told)? {
                    let role = if user.is_admin { "admin" } else { "member" };
                    let state = if user.active { "active" } else { "inactive" };
                    say!("{}\t{role}\t{state}\t{}", user.name, user.display_name);
                }
                Ok(())
            }),
        }
    }
}

impl Add {
    fn run(self) -> Outcome {
        let mut input = String::new();
        std::io::stdin().take(4096).read_to_string(&mut input)?;
        let password = input.lines().next().unwrap_or_default().to_owned();
        with_new_services(self.config, |app, operator| async move {
            let shown = self.display_name.unwrap_or_else(|| self.name.clone());
            let admin = self.role == ServerRole::Admin;
            account::add(&app, &operator, &self.name, &shown, admin, &password)
                .await
                .map_err(told)?;
            say!("Account {} made.", self.name);
            Ok(())
        })
    }
}
