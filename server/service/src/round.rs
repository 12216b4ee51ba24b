//! Calibration and cross-check: the two rounds in which a rater is shown another's judgement, and only once all that the item
//! waits for are in.
//!
//! Neither enters a statistic of the main round. That somebody was shown something is noted, and an item of which that is
//! true is never drawn for the main round afterwards.

mod calibration;
mod check;
mod compare;
mod feedback;
mod review;
mod tally;

pub use calibration::{Calibrated, RaterScore, calibrate, calibration};
pub use check::{CheckPlan, NewCheck, create_check, plan_check};
pub use feedback::{Feedback, FeedbackRow, FeedbackSaid, MyFeedback, feedback, my_feedback};
pub use review::{Given, MyCheck, ReviewLabel, ReviewView, give, my_checks, review};
pub use tally::{CheckCounts, ModelRow, QuestionRow, disagreements, disagreements_csv};

pub(crate) use tally::{TAGS, question_of};
