//! Units: what gets a value, derived from the annotations of an item.

pub(crate) mod derive;
pub(crate) mod missed;
mod refresh;

pub use refresh::{refresh_item, refresh_range};
