//! One file per route.

pub mod desk;
pub mod home;
pub mod not_found;
