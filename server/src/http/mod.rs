//! Routes that are not pages.

pub mod health;
pub mod static_files;
