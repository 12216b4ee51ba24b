//! Units: what gets a value. Their state is derived; the queue lists those that differ, the most distant first.

mod derive;
mod get;
mod letters;
pub(crate) mod missed;
pub(crate) mod question;
mod queue;
mod refresh;
mod view;

pub use get::get;
pub use queue::queue;
pub use refresh::{refresh_item, refresh_range};
pub use view::{
    ExclusionView, Page, Queue, QueueFilter, QueueRow, QueueState, RaterSide, RaterValue,
    RulingView, UnitTag, UnitView,
};

pub(crate) use derive::{Meaning, Measure, derive};
pub(crate) use get::{load, of_tag, ruling_view};
pub(crate) use letters::Letters;
pub(crate) use queue::rater_value;
