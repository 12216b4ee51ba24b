//! Routes that are not pages.

pub mod api;
pub mod desk;
pub mod download;
pub mod export;
pub mod health;
pub mod import;
pub mod preview;
pub mod spool;
pub mod static_files;
