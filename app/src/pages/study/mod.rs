//! The pages of one study.

pub mod audit;
pub mod batch;
pub mod batches;
pub mod disagreements;
pub mod frame;
pub mod import;
pub mod members;
pub mod new;
pub mod overview;
pub mod scheme;
pub mod settings;
