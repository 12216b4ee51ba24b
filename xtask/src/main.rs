//! The project's tasks: `cargo xtask TASK`. Only the standard library, so that they start at once.

mod boundary;
mod budget;
mod build;
mod command;
mod gate;
mod postgres;
mod setup;
mod steps;
mod tools;

use std::{env, error::Error, process::ExitCode};

/// Any cause, for a program whose only reader is a developer.
type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const HELP: &str = "\
cargo xtask TASK

  setup         install everything that building and testing need
  build         compile the browser's files and the release server
  demo          set up, build, and serve a demonstration study
  serve [ARGS]  build and serve; ARGS go to `consilium serve`
  dev [ARGS]    the same, compiled quickly instead of well
  check         the quick gate: format, lints, tests on SQLite
  test          every test, on both databases and in a real browser";

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    match tools::enter_root().and_then(|()| run(&task, &rest)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("xtask: {cause}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &str, rest: &[String]) -> Result {
    match task {
        "setup" => setup::everything(),
        "build" => build::release().map(drop),
        "demo" => build::run(&build::release()?, "demo", rest),
        "serve" => build::run(&build::release()?, "serve", rest),
        "dev" => build::develop(rest),
        "check" => gate::check(),
        "test" => gate::test(),
        "" | "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        unknown => Err(format!("no task `{unknown}`\n\n{HELP}").into()),
    }
}
