//! Lays out the files that browsers load, as `SITE/pkg/HASH/`.
//!
//! A program of its own, so that linking a wasm toolchain is paid for only when the browser part
//! is built. `cargo xtask build` calls it.

mod compress;
#[path = "../../../server/build/css.rs"]
mod css;
mod layout;
mod squeeze;
mod wasm;

use std::{env, error::Error, path::PathBuf, process::ExitCode};

/// Any cause, for a program whose only reader is a developer.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What the command line asks for.
struct Order {
    /// The compiled wasm module.
    module: PathBuf,
    /// The directory to fill.
    site: PathBuf,
    /// The script of `wasm-opt`, when it is installed. Without one the files are for development
    /// and are not compressed either.
    optimizer: Option<PathBuf>,
    /// Whether to spend time on making files small.
    small: bool,
}

fn main() -> ExitCode {
    match order().and_then(|order| run(&order)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("bundle: {cause}");
            ExitCode::FAILURE
        }
    }
}

fn order() -> Result<Order> {
    let mut paths = Vec::new();
    let (mut optimizer, mut small) = (None, false);
    let mut arguments = env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--small") => small = true,
            Some("--wasm-opt") => optimizer = arguments.next().map(PathBuf::from),
            _ => paths.push(PathBuf::from(argument)),
        }
    }
    let [module, site] = <[PathBuf; 2]>::try_from(paths)
        .map_err(|_| "usage: bundle MODULE SITE [--small] [--wasm-opt SCRIPT]")?;
    Ok(Order {
        module,
        site,
        optimizer,
        small,
    })
}

fn run(order: &Order) -> Result<()> {
    let draft = layout::Draft::begin(&order.site)?;
    wasm::bind(&order.module, draft.dir())?;
    if let Some(optimizer) = &order.optimizer {
        wasm::optimize(optimizer, draft.dir())?;
    }
    draft.add_styles()?;
    draft.shrink_script()?;
    draft.add_public_files()?;
    if order.small {
        compress::all(draft.dir())?;
    }
    draft.publish(&order.site)
}
