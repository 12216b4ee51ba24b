//! From the compiler's wasm to what a browser loads.

use std::{fs, path::Path, process::Command};

use wasm_bindgen_cli_support::Bindgen;

use crate::Result;

/// Splits `module` into `consilium_bg.wasm` and the script that loads it.
pub fn bind(module: &Path, dir: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("consilium")
        .typescript(false);
    bindgen
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen.web(true)?.generate(dir)?;
    if dir.join("snippets").exists() {
        return Err("a dependency brings script snippets, which the server does not serve".into());
    }
    Ok(())
}

/// Shrinks the module in place. `script` is `wasm-opt` as a Node program. Which features of wasm it
/// may use stands in the module; naming more here gave modules that browsers refused.
pub fn optimize(script: &Path, dir: &Path) -> Result<()> {
    let (module, smaller) = (dir.join("consilium_bg.wasm"), dir.join("optimized"));
    let done = Command::new("node")
        .arg(script)
        .arg("-Oz")
        .arg(&module)
        .arg("-o")
        .arg(&smaller)
        .status()?;
    if !done.success() {
        return Err(format!("wasm-opt: {done}").into());
    }
    Ok(fs::rename(smaller, module)?)
}
