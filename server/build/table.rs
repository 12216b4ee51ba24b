//! Writes the table of embedded files as Rust source.

use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

/// The source of `PKG_DIR` and `FILES` for the one directory in `site/pkg`.
///
/// # Errors
/// When the site has no such directory, or more than one.
pub fn source(site: &Path) -> io::Result<String> {
    let dir = single_directory(&site.join("pkg"))?;
    let hash = name(&dir);
    let mut code = format!(
        "/// The directory in the address, named by the hash of its files.\n\
         pub const PKG_DIR: &str = \"pkg/{hash}\";\n\
         /// Every file in it.\n\
         pub const FILES: &[File] = &[\n"
    );
    for path in files(&dir)? {
        let compressed = PathBuf::from(format!("{}.br", path.display()));
        let brotli = if compressed.exists() {
            format!("Some({})", bytes(&compressed))
        } else {
            "None".to_owned()
        };
        let _ = writeln!(
            code,
            "    File {{ name: {:?}, plain: {}, brotli: {brotli} }},",
            name(&path),
            bytes(&path)
        );
    }
    code.push_str("];\n");
    Ok(code)
}

fn single_directory(parent: &Path) -> io::Result<PathBuf> {
    let mut directories = fs::read_dir(parent)?.collect::<io::Result<Vec<_>>>()?;
    match directories.pop() {
        Some(only) if directories.is_empty() => fs::canonicalize(only.path()),
        _ => Err(io::Error::other(format!(
            "expected one directory in {}",
            parent.display()
        ))),
    }
}

fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "br") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn bytes(path: &Path) -> String {
    format!("include_bytes!({:?})", path.to_string_lossy())
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
