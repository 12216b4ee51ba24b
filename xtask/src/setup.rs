//! Installing what is missing.

use std::{fs, path::Path, process::Command};

use crate::{
    Result,
    command::{output, run, succeeds},
    postgres,
    tools::{self, cargo},
};

/// What building and testing need.
///
/// # Errors
/// When something is missing that cannot be installed from here; the message says how to.
pub fn everything() -> Result {
    for_building()?;
    node_packages()?;
    if tools::browser().is_none() {
        install("chromium")?;
    }
    if postgres::programs().is_none() {
        install("postgresql")?;
    }
    tools::browser().ok_or("no Chromium found; name one in CHROMIUM")?;
    postgres::programs().ok_or("no PostgreSQL server programs found")?;
    Ok(())
}

/// What building needs. Without npm the browser's files are a little larger, and work.
///
/// # Errors
/// When the wasm target cannot be installed.
pub fn for_building() -> Result {
    for component in ["fmt", "clippy"] {
        if !succeeds(cargo(component).arg("--version")) {
            run(Command::new("rustup").args(["component", "add", "rustfmt", "clippy"]))?;
        }
    }
    let library = output(Command::new("rustc").args([
        "--print",
        "target-libdir",
        "--target",
        "wasm32-unknown-unknown",
    ]))?;
    if !Path::new(library.trim()).is_dir() {
        run(Command::new("rustup").args(["target", "add", "wasm32-unknown-unknown"]))?;
    }
    if tools::find(&["npm"]).is_none() {
        println!("npm is not installed: the wasm module stays larger than it need be");
        return Ok(());
    }
    node_packages()
}

/// Installs the npm packages when the lock file is newer than what is there.
fn node_packages() -> Result {
    tools::find(&["npm"]).ok_or("npm is not installed; install Node.js 20 or newer")?;
    let dir = Path::new("end2end");
    let (wanted, installed) = (
        dir.join("package-lock.json"),
        dir.join("node_modules/.package-lock.json"),
    );
    let time = |file: &Path| fs::metadata(file).and_then(|file| file.modified());
    if time(&installed).is_ok_and(|installed| time(&wanted).is_ok_and(|wanted| wanted <= installed))
    {
        return Ok(());
    }
    run(Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .current_dir(dir))
}

/// Installs a Debian package, as root only: a task asks nobody for a password.
fn install(package: &str) -> Result {
    let root = output(Command::new("id").arg("-u"))?.trim() == "0";
    if !root || tools::find(&["apt-get"]).is_none() {
        return Err(format!(
            "{package} is missing; install it, for example: apt-get install {package}"
        )
        .into());
    }
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    let install = ["install", "--yes", "--no-install-recommends", package];
    if run(apt().args(install)).is_ok() {
        return Ok(());
    }
    // The list of packages may be older than the packages.
    run(apt().arg("update"))?;
    run(apt().args(install))
}
