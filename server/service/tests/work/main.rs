//! Import, batches and the desk, on the engine under test.

#![expect(
    clippy::unwrap_used,
    clippy::unused_self,
    clippy::format_collect,
    reason = "a test stops where something is not as it must be; text of a few lines is built plainly"
)]

mod batches;
mod blind;
mod common;
mod demo;
mod desk;
mod faults;
mod imports;
mod items;
