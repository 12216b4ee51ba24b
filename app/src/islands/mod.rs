//! The only code that runs in the browser. Everything here is rendered on the server first.

pub mod connection;
pub mod desk;
pub mod http;
pub mod local_times;
pub mod reconcile;
pub mod session;
