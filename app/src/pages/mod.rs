//! One file per route.

pub mod account;
pub mod desk;
pub mod feedback;
pub mod invitation;
pub mod judging;
pub mod not_found;
pub mod pager;
pub mod people;
pub mod preview;
pub mod refused;
pub mod review;
pub mod sign_in;
pub mod study;
pub mod thread;
pub mod visit;
pub mod words;
pub mod work;
