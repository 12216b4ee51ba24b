//! Import, batches and the desk, on the engine under test.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where its stage cannot be set"
)]

mod annotators;
mod answers;
mod batches;
mod blind;
mod common;
mod demo;
mod desk;
mod desk_again;
mod dry_run;
mod faults;
mod imports;
mod items;
mod own;
mod relations;
mod remap;
mod round_trip;
mod schemes;
mod ticked;
mod together;
