//! Import, batches and the desk, on the engine under test.

mod batches;
mod blind;
mod common;
mod demo;
mod desk;
mod faults;
mod imports;
mod items;
