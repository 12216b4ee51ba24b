//! Use cases: each authorises on its first line, runs in one transaction and leaves one audit row in it.

mod actor;
pub mod desk;
mod error;
mod services;
pub mod source;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use actor::Actor;
pub use error::{Error, Result};
pub use services::{Audit, Services};
