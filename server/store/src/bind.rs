//! Binding what the portable driver cannot.

use sqlx::Any;
use sqlx::any::AnyArguments;
use sqlx::query::Query;

/// Binds a number that may be missing. A missing `f64` would reach PostgreSQL typed as a four-byte float, and
/// the statement prepared for it would then refuse every real value; a missing `f32` arrives as an eight-byte one.
pub(crate) fn real(
    query: Query<'_, Any, AnyArguments>,
    value: Option<f64>,
) -> Query<'_, Any, AnyArguments> {
    match value {
        Some(value) => query.bind(value),
        None => query.bind(None::<f32>),
    }
}
