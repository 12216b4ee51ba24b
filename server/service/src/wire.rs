//! Serialising what is shared in memory.

use serde::{Serialize, Serializer};
use std::sync::Arc;

/// Writes what an [`Arc`] holds.
pub(crate) fn shared<T: Serialize, S: Serializer>(
    value: &Arc<T>,
    out: S,
) -> Result<S::Ok, S::Error> {
    value.as_ref().serialize(out)
}
