//! Building the browser's files and the server.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Result,
    command::run as run_command,
    setup,
    tools::{self, cargo},
};

/// Builds the release server with everything inside and returns the program.
///
/// # Errors
/// When something cannot be installed or does not compile.
pub fn release() -> Result<PathBuf> {
    setup::for_building()?;
    let site = site()?;
    server(&site)
}

/// Builds the browser's files and returns their directory.
///
/// # Errors
/// When they do not compile.
pub fn site() -> Result<PathBuf> {
    let (target, site) = (tools::target_dir()?, tools::target_dir()?.join("site"));
    run_command(&mut cargo(
        "build -p app --lib --target wasm32-unknown-unknown \
         --no-default-features --features hydrate --profile wasm-release",
    ))?;
    let mut bundle = bundle(
        &target.join("wasm32-unknown-unknown/wasm-release/app.wasm"),
        &site,
    );
    bundle.arg("--small");
    if let Some(script) = tools::node_script("binaryen/bin/wasm-opt") {
        bundle.arg("--wasm-opt").arg(script);
    }
    run_command(&mut bundle)?;
    Ok(site)
}

/// Views of one type for the whole server: the type of each page takes many minutes to compile.
const ERASED: &str = "--cfg erase_components";

/// Builds the release server around `site` and returns the program.
///
/// # Errors
/// When it does not compile.
pub fn server(site: &Path) -> Result<PathBuf> {
    run_command(
        cargo("build --release -p server")
            .env("CONSILIUM_SITE", site)
            .env("RUSTFLAGS", ERASED),
    )?;
    Ok(tools::target_dir()?.join("release/consilium"))
}

/// Runs a command of the program, with our input and output.
///
/// # Errors
/// When the program ends with one.
pub fn run(program: &Path, command: &str, arguments: &[String]) -> Result {
    run_command(Command::new(program).arg(command).args(arguments))
}

/// Builds without optimising and serves; the browser's files are read from disk.
///
/// # Errors
/// When something does not compile, or serving ends with an error.
pub fn develop(arguments: &[String]) -> Result {
    setup::for_building()?;
    let (target, site) = (tools::target_dir()?, tools::target_dir()?.join("site-dev"));
    run_command(&mut cargo(
        "build -p app --lib --target wasm32-unknown-unknown --no-default-features --features hydrate",
    ))?;
    run_command(&mut bundle(
        &target.join("wasm32-unknown-unknown/debug/app.wasm"),
        &site,
    ))?;
    run_command(&mut cargo("build -p server"))?;
    let build = fs::read_dir(site.join("pkg"))?
        .next()
        .ok_or("nothing was bundled")??
        .file_name();
    let mut serve = Command::new(target.join("debug/consilium"));
    serve.arg("serve").args(arguments);
    serve
        .env("LEPTOS_OUTPUT_NAME", "consilium")
        .env("LEPTOS_SITE_ROOT", &site);
    serve.env("LEPTOS_SITE_PKG_DIR", Path::new("pkg").join(build));
    run_command(&mut serve)
}

fn bundle(module: &Path, site: &Path) -> Command {
    let mut bundle = cargo("run --quiet -p bundle --");
    bundle.arg(module).arg(site);
    bundle
}
