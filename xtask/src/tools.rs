//! Where things are, and the programs that tasks call.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Result, command::succeeds};

/// Makes the repository the working directory, wherever the task was called from.
///
/// # Errors
/// When it is gone.
pub fn enter_root() -> Result {
    // What cargo says now comes before what it said when this was compiled: one target directory may serve
    // several checkouts, and a program that cargo holds for fresh may have been built in another.
    let package = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    Ok(env::set_current_dir(package.join("..").canonicalize()?)?)
}

/// The directory in which cargo builds: this program is in its `debug`.
///
/// # Errors
/// When this program does not know where it is.
pub fn target_dir() -> Result<PathBuf> {
    let program = env::current_exe()?;
    let dir = program
        .ancestors()
        .nth(2)
        .ok_or("this program is not in a target directory")?;
    Ok(dir.to_owned())
}

/// `cargo` with a subcommand and arguments separated by spaces.
pub fn cargo(arguments: &str) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments.split_whitespace());
    cargo
}

/// The first of `names` that is a program on the path.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let dirs: Vec<PathBuf> = env::split_paths(&path).collect();
    let places = names
        .iter()
        .flat_map(|name| dirs.iter().map(move |dir| dir.join(name)));
    places.into_iter().find(|program| program.is_file())
}

/// The browser of the end-to-end tests: the one in `CHROMIUM`, else an installed one.
pub fn browser() -> Option<PathBuf> {
    match env::var_os("CHROMIUM") {
        Some(browser) => Some(PathBuf::from(browser)),
        None => find(&["chromium", "chromium-browser", "google-chrome"]),
    }
}

/// Whether tests can be run by nextest.
pub fn has_nextest() -> bool {
    succeeds(&mut cargo("nextest --version"))
}

/// A script of an npm package, when the packages are installed.
pub fn node_script(path: &str) -> Option<PathBuf> {
    let script = Path::new("end2end/node_modules").join(path);
    script.is_file().then_some(script)
}
