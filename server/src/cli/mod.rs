//! The command line: one file a command.

mod agreement;
mod audit;
mod check;
mod demo;
mod export;
mod import;
mod open;
mod out;
mod serve;
mod stats;
mod study;
mod token;
mod user;

use std::{error::Error, process::ExitCode};

use clap::{Parser, Subcommand};

/// Two clinicians judge independently what an LLM judge claims to see; staff reconcile; labels leave.
///
/// A first study: `consilium user add`, `consilium study create`, `consilium import`, then `consilium serve`
/// and everything else in the browser. `consilium demo` shows all of it on an invented study.
///
/// Exit codes: 0 done, 1 could not be done (the reason is on standard error), 2 the command was misunderstood, 141 nobody
/// reads the output any more.
#[derive(Debug, Parser)]
#[command(name = "consilium", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the web application
    Serve(serve::Serve),
    /// Serve an invented study to look around in
    Demo(demo::Demo),
    /// Accounts of the server
    #[command(subcommand)]
    User(user::User),
    /// Personal tokens for the JSON API
    #[command(subcommand)]
    Token(token::Token),
    /// Studies
    #[command(subcommand)]
    Study(study::Study),
    /// Import judged traces into a study, all or nothing
    Import(import::Import),
    /// Write a study's tables as CSV with a data dictionary
    Export(export::Export),
    /// Agreement of a study, or of a ratings file
    Agreement(agreement::Agreement),
    /// Answer one JSON case of statistics from standard input
    Stats(stats::Stats),
    /// The audit log
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Check the whole database; changes nothing
    Check(check::Check),
}

/// What a command ends with: success, or a cause to print before exit code 1.
type Outcome = Result<(), Box<dyn Error>>;

/// Runs the command that was given. Exit code 0: done; 1: could not be done; 2: misunderstood.
pub fn run() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Serve(command) => command.run(),
        Command::Demo(command) => command.run(),
        Command::User(command) => command.run(),
        Command::Token(command) => command.run(),
        Command::Study(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Agreement(command) => command.run(),
        Command::Stats(command) => command.run(),
        Command::Audit(command) => command.run(),
        Command::Check(command) => command.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) if out::closed_pipe(&*cause) => ExitCode::from(out::CLOSED_PIPE),
        Err(cause) => {
            let message = cause.to_string();
            if !message.is_empty() {
                eprintln!("consilium: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
