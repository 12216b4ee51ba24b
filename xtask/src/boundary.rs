//! The direction of dependencies, which the compiler cannot keep alone.

use std::collections::BTreeSet;

use crate::{Result, command::output, tools::cargo};

/// The browser part, as cargo selects it.
pub const HYDRATE: &str =
    "-p app --no-default-features --features hydrate --target wasm32-unknown-unknown";

/// What must never be compiled for the browser.
const SERVER_ONLY: [&str; 11] = [
    "axum",
    "formats",
    "hyper",
    "leptos_axum",
    "server",
    "service",
    "sqlx",
    "sqlx-core",
    "stats",
    "store",
    "tokio",
];

/// Each crate of ours, and those of ours that it may use.
const MAY_USE: [(&str, &[&str]); 6] = [
    ("domain", &[]),
    ("stats", &[]),
    ("formats", &["domain"]),
    ("store", &["domain"]),
    ("service", &["store", "formats", "stats", "domain"]),
    (
        "server",
        &["app", "service", "store", "formats", "stats", "domain"],
    ),
];

/// Checks both rules.
///
/// # Errors
/// Naming the first dependency that breaks one.
pub fn check() -> Result {
    let seen = tree(&format!("{HYDRATE} --edges normal"))?;
    if let Some(name) = SERVER_ONLY.iter().find(|name| seen.contains(**name)) {
        return Err(format!("the browser part depends on `{name}`").into());
    }
    let ours: BTreeSet<&str> = MAY_USE
        .iter()
        .map(|(name, _)| *name)
        .chain(["app"])
        .collect();
    for (package, allowed) in MAY_USE {
        let used = tree(&format!("-p {package} --edges normal,build --depth 1"))?;
        let wrong = used
            .iter()
            .map(String::as_str)
            .find(|used| ours.contains(used) && *used != package && !allowed.contains(used));
        if let Some(wrong) = wrong {
            return Err(format!("`{package}` must not use `{wrong}`").into());
        }
    }
    println!(
        "the browser part sees {} crates, none of them the server's",
        seen.len()
    );
    Ok(())
}

/// The names of the crates in a dependency tree.
fn tree(selection: &str) -> Result<BTreeSet<String>> {
    let lines = output(&mut cargo(&format!(
        "tree --locked --prefix none {selection}"
    )))?;
    let names = lines
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    Ok(names.map(str::to_owned).collect())
}
