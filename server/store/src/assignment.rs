//! Assignments: rater by item in a round. What a rater may reach names the rater in its condition.

mod desk;
mod row;
mod staff;
mod step;

pub use desk::{Mine, MyRow, Place, handed_back, mine, my_studies, my_work, next_open, open};
pub use row::Held;
pub use staff::{StaffRow, any_ruling, get, of_batch, reassigned, to_judge};
pub(crate) use step::moved;
pub use step::{Step, first_opened, step};
