//! The command line: one file a command.

mod agreement;
mod serve;
mod stats;

use std::{error::Error, process::ExitCode};

use clap::{Parser, Subcommand};

/// Two clinicians judge independently what an LLM judge claims to see; staff reconcile; labels leave.
#[derive(Debug, Parser)]
#[command(name = "consilium", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure the agreement of raters in a CSV file
    Agreement(agreement::Agreement),
    /// Serve the web application
    Serve(serve::Serve),
    /// Answer one JSON case of statistics
    Stats(stats::Stats),
}

/// What a command ends with: success, or a cause to print before exit code 1.
type Outcome = Result<(), Box<dyn Error>>;

/// Runs the command that was given. Exit code 0: done; 1: could not be done; 2: misunderstood.
pub fn run() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Agreement(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Stats(command) => command.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("consilium: {cause}");
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
