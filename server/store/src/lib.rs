//! All SQL of Consilium: one portable text for SQLite and PostgreSQL.
//!
//! Functions take `&mut AnyConnection`, so that a use case composes several in one transaction.
//! A row becomes a domain type by a conversion that can fail: [`Error::Inconsistent`] names the table
//! and the row, never the content.

pub mod account;
pub mod annotation;
pub mod assignment;
pub mod audit;
pub mod batch;
mod bind;
mod bulk;
pub mod candidate;
pub mod check;
pub mod corpus;
pub mod db;
pub mod discussion;
pub mod draft;
mod error;
pub mod exclusion;
pub mod export;
pub mod import;
pub mod independence;
pub mod invitation;
pub mod item;
mod json;
pub mod judge;
pub mod judge_answer;
pub mod manual;
pub mod member;
pub mod own;
pub mod plain_answer;
pub mod resampling;
pub mod result;
pub mod round;
mod row;
pub mod ruled_answer;
pub mod ruling;
pub mod session;
pub mod snapshot;
pub mod study;
pub mod terms;
#[cfg(feature = "testing")]
pub mod testing;
pub mod token;
pub mod triage;
pub mod unit;

pub use db::{Db, Tx};
pub use error::{Error, Result};
pub use sqlx::AnyConnection;
