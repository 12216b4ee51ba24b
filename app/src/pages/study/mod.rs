//! The pages of one study.

pub mod agreement;
pub mod audit;
pub mod batch;
pub mod batches;
pub mod case;
pub mod comments;
pub mod disagreements;
pub mod export;
pub mod frame;
pub mod import;
pub mod independence;
pub mod item;
pub mod items;
pub mod manual;
pub mod members;
pub mod new;
pub mod overview;
pub mod reconcile;
pub mod results;
pub mod rounds;
pub mod scheme;
pub mod settings;
pub mod sign_off;
