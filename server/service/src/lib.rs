//! Use cases: each authorises on its first line, runs in one transaction and leaves one audit row in it.

pub mod account;
mod actor;
pub mod agreement;
mod attempt;
pub mod audit;
pub mod auth;
pub mod batch;
pub mod check;
pub mod corpus;
pub mod demo;
pub mod desk;
pub mod discussion;
mod error;
pub mod exclusion;
pub mod export;
pub mod import;
pub mod independence;
pub mod invitation;
pub mod item;
pub mod judge;
mod kept;
pub mod manual;
pub mod member;
mod name;
mod password;
pub mod plan;
pub mod report;
pub mod results;
pub mod retention;
pub mod round;
pub mod ruling;
mod services;
pub mod session;
pub mod snapshot;
pub mod source;
pub mod study;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod triage;
pub mod unit;
pub mod validation;
mod wire;

pub use actor::Actor;
pub use error::{Error, Result};
pub use services::{Audit, Services};
pub use store::Db;
