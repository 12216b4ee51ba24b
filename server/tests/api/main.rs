//! The server over real HTTP.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is not as it should be"
)]

mod test_app;

mod accounts;
mod agreement;
mod api;
mod blindness;
mod guards;
mod hidden;
mod pages;
mod uploads;
