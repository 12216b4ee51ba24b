//! The `consilium` program.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// What one thread allocates another frees, row by row and page by page: see ADR 0013.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    server::cli::run()
}
