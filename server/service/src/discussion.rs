//! Talking a unit over: staff open a thread, the item's raters and staff write in it, and a proposal that every rater
//! of the item is for becomes their consensus.
//!
//! Nothing of it is there before every annotation of the item is in, and nobody but staff and the item's raters sees
//! it. What is said here never touches an independent annotation.

mod accept;
mod party;
mod read;
mod write;

pub use accept::accept;
pub use read::{MessageView, Row, Thread, ThreadRater, get, list, mine, seen};
pub(crate) use write::begin;
pub use write::{NewMessage, assign, close, open, post};
