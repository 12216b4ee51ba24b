//! The rater's side: what they see of an item, and what they say of it. Every query names the rater.

mod item;
mod lanes;
mod mine;
mod open;
mod own;
mod save;
pub(crate) mod steps;
mod submit;
mod view;
mod work;

pub use item::{candidates_of, item_of};
pub use lanes::Lanes;
pub use open::open;
pub use save::save;
pub use steps::{hand_back, reopen, reopen_for, resume};
pub use submit::{cannot_rate, submit};
pub use view::{
    DeskCandidate, DeskItem, DeskProgress, DeskView, JudgeAnswer, MyBatch, MyStudy, MyWork,
    OwnTags, Save, Saved, SubmitOutcome,
};
pub use work::my_work;
