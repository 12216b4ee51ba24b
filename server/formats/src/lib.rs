//! Files in and out, with a position in every problem. No database, no clock, no network.
//!
//! Reading: [`sniff`] names the format from the first bytes, [`read`] streams [`record::TraceRecord`]s to a sink and
//! collects what is wrong with the whole file, [`validate`] does the same and keeps nothing.
//! Writing: [`mod@write`] holds the table writer, the cell rules and the data dictionary.

mod codebook;
mod digest;
mod dual;
mod input;
mod json;
mod own;
mod problem;
pub mod ratings;
mod read;
pub mod record;
mod sniff;
mod tagged;
mod verdict;
pub mod write;

pub use codebook::{CodeBook, Resolved, Who};
pub use problem::{Column, MOST_PROBLEMS, Notice, Problem, Problems};
pub use read::{ReadError, ReadOptions, ReadReport, read, validate};
pub use sniff::{Format, SNIFFED_BYTES, sniff};
