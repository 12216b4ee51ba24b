//! To be written.

pub mod span;
