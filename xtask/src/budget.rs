//! How much a first visit may load.

use std::{fs, path::Path};

use crate::Result;

/// Bytes of script, style and wasm as sent; the page itself has the rest of 200 kB, which a browser test measures.
const LIMIT: u64 = 195_000;

/// Checks the files that `cargo xtask build` laid out in `site`.
///
/// # Errors
/// When they are too large, or not there.
pub fn check(site: &Path) -> Result {
    let build = fs::read_dir(site.join("pkg"))?
        .next()
        .ok_or("nothing was built")??;
    let mut sum = 0;
    for name in ["consilium.css", "consilium.js", "consilium_bg.wasm"] {
        let plain = fs::metadata(build.path().join(name))?.len();
        let sent = fs::metadata(build.path().join(format!("{name}.br")))?.len();
        println!("{name:>18} {plain:>8} bytes, {sent:>7} as sent");
        sum += sent;
    }
    println!("{:>18} {sum:>8} bytes as sent, of {LIMIT}", "in all");
    if sum > LIMIT {
        Err("the browser's files are too large".into())
    } else {
        Ok(())
    }
}
