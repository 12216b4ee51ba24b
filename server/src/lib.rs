//! The server around the pages: configuration, router, middleware, command line, telemetry.
#![recursion_limit = "512"]

pub mod assets;
pub mod cli;
pub mod config;
mod disk_site;
pub mod http;
pub mod middleware;
pub mod proxy;
pub mod router;
pub mod serve;
pub mod shutdown;
pub mod state;
pub mod telemetry;
