//! One file per route.

pub mod home;
pub mod not_found;
