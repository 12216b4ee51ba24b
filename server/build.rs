//! Puts the static files into the binary.
//!
//! `CONSILIUM_SITE` names the directory that `cargo xtask build` filled. Without it (a plain
//! `cargo check` or `cargo test`) the style sheets and `public/` are taken as they are and there
//! is no wasm: every page still works as plain HTML.

#[path = "build/css.rs"]
mod css;
#[path = "build/table.rs"]
mod table;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-env-changed=CONSILIUM_SITE");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("no OUT_DIR"))?);
    let site = match env::var_os("CONSILIUM_SITE") {
        Some(site) => PathBuf::from(site),
        None => plain_site(&out)?,
    };
    println!("cargo::rerun-if-changed={}", site.display());
    fs::write(out.join("assets.rs"), table::source(&site)?)
}

/// Lays the style sheet and the public files out as a built site would have them.
fn plain_site(out: &Path) -> io::Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (style, public) = (root.join("style"), root.join("public"));
    println!("cargo::rerun-if-changed={}", style.display());
    println!("cargo::rerun-if-changed={}", public.display());
    let site = out.join("site");
    let dir = site.join("pkg/unbuilt");
    if site.exists() {
        fs::remove_dir_all(&site)?;
    }
    fs::create_dir_all(&dir)?;
    fs::write(dir.join("consilium.css"), css::join(&style)?)?;
    for entry in fs::read_dir(&public)? {
        let entry = entry?;
        fs::copy(entry.path(), dir.join(entry.file_name()))?;
    }
    Ok(site)
}
