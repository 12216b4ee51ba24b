//! What has to pass before a change is taken.

use std::{path::Path, process::Command};

use crate::{
    Result, boundary, budget, build,
    command::run,
    postgres::Cluster,
    setup,
    steps::Steps,
    tools::{self, cargo},
};

/// Tells the tests which database to use besides SQLite.
const TEST_DATABASE: &str = "CONSILIUM_TEST_DATABASE_URL";

/// The quick gate.
///
/// # Errors
/// At the first step that fails.
pub fn check() -> Result {
    let mut steps = Steps::new();
    steps.run("setup", setup::for_building)?;
    lints(&mut steps)?;
    steps.run("tests on SQLite", || run(tests().env_remove(TEST_DATABASE)))?;
    steps.finish();
    Ok(())
}

/// Everything, the cheap steps first.
///
/// # Errors
/// At the first step that fails. A missing database engine or browser is a failure.
pub fn test() -> Result {
    let mut steps = Steps::new();
    steps.run("setup", setup::everything)?;
    lints(&mut steps)?;
    steps.run("crates look only where they may", boundary::check)?;
    steps.run("documentation", || {
        run(cargo("doc --workspace --no-deps --locked").env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    steps.run("tests on SQLite", || run(tests().env_remove(TEST_DATABASE)))?;
    steps.run("tests on PostgreSQL", || {
        let cluster = Cluster::start()?;
        run(tests().env(TEST_DATABASE, cluster.url()))
    })?;
    steps.run("examples in the documentation", || {
        run(&mut cargo("test --doc --workspace --locked"))
    })?;
    let site = steps.run("the browser's files", build::site)?;
    steps.run("size of the browser's files", || budget::check(&site))?;
    let program = steps.run("release server", || build::server(&site))?;
    steps.run("in Chromium", || browser_tests(&program))?;
    steps.finish();
    Ok(())
}

fn lints(steps: &mut Steps) -> Result {
    steps.run("format", || run(&mut cargo("fmt --all --check")))?;
    steps.run("lints, server side", || {
        run(&mut cargo(
            "clippy --workspace --all-targets --locked -- -D warnings",
        ))
    })?;
    steps.run("lints, browser side", || {
        run(&mut cargo(&format!(
            "clippy {} --locked -- -D warnings",
            boundary::HYDRATE
        )))
    })
}

/// All tests except those in the documentation.
fn tests() -> Command {
    cargo(if tools::has_nextest() {
        "nextest run --workspace --locked --no-fail-fast"
    } else {
        "test --workspace --locked --no-fail-fast --all-targets"
    })
}

fn browser_tests(program: &Path) -> Result {
    let browser = tools::browser().ok_or("no Chromium found")?;
    run(Command::new("npx")
        .args(["--no-install", "playwright", "test"])
        .env("CONSILIUM_BINARY", program)
        .env("CHROMIUM", browser)
        .current_dir("end2end"))
}
