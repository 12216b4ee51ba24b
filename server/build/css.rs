//! Joins the style sheets in the order in which `main.css` imports them.

use std::{collections::BTreeSet, fs, io, path::Path};

/// Reads `main.css` in `dir` and puts each imported file in its place.
///
/// # Errors
/// When a file cannot be read, or a style sheet in `dir` is not imported: it would be silently
/// missing from every page.
pub fn join(dir: &Path) -> io::Result<String> {
    let main = fs::read_to_string(dir.join("main.css"))?;
    let mut unseen = sheets(dir)?;
    let mut css = String::new();
    for line in main.lines() {
        let Some(name) = imported(line) else { continue };
        css.push_str(&fs::read_to_string(dir.join(name))?);
        unseen.remove(name);
    }
    match unseen.first() {
        Some(name) => Err(io::Error::other(format!("main.css does not import {name}"))),
        None => Ok(css),
    }
}

fn imported(line: &str) -> Option<&str> {
    line.trim().strip_prefix("@import \"")?.strip_suffix("\";")
}

fn sheets(dir: &Path) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.extension().is_some_and(|ending| ending == "css") && name != "main.css" {
            names.insert(name);
        }
    }
    Ok(names)
}
