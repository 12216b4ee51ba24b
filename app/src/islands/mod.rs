//! The only code that runs in the browser. Everything here is rendered on the server first.

pub mod connection;
