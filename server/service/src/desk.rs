//! The rater's side: what they see of an item, and what they say of it. Every query names the rater.

mod item;
mod view;

pub use item::{candidates_of, item_of};
pub use view::{DeskCandidate, DeskItem, DeskProgress, DeskView, MyBatch, MyStudy, MyWork, Save, Saved, SubmitOutcome};
