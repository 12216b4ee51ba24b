//! Files in and out, with a position in every problem. No database, no clock, no network.
//!
//! Reading: [`sniff`] names the format from the first bytes, [`read`] streams [`record::TraceRecord`]s to a sink and
//! collects what is wrong with the whole file, [`validate`] does the same and keeps nothing.
//! Writing: [`mod@write`] holds the table writer, the cell rules and the data dictionary.

mod answer;
mod codebook;
mod digest;
mod dual;
mod input;
mod json;
mod mindeval;
mod own;
mod problem;
mod rated;
pub mod ratings;
mod read;
pub mod record;
pub mod rulings;
mod settings;
mod sniff;
mod tagged;
mod tree;
mod verdict;
pub mod write;

pub use codebook::{CodeBook, Resolved, Who};
pub use problem::{Column, MOST_PROBLEMS, Notice, Problem, Problems};
pub use rated::{Drawn, draft};
pub use read::{ReadError, ReadOptions, ReadReport, ZeroRule, read, read_tree, validate};
pub use settings::Stated;
pub use sniff::{Format, SNIFFED_BYTES, sniff, sniff_tree};
pub use tree::{Archive, Folder, Loose, Tree};
