//! Routes that are not pages.

pub mod desk;
pub mod download;
pub mod health;
pub mod import;
pub mod static_files;
