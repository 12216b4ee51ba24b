//! Reading what the portable columns hold.

use crate::error::{Error, Result};
use domain::role::Role;
use sqlx::Row;
use sqlx::any::AnyRow;

/// A flag, stored as 0 or 1.
pub(crate) fn flag(row: &AnyRow, at: usize) -> Result<bool> {
    Ok(row.try_get::<i64, _>(at)? != 0)
}

/// A role, stored as its word.
pub(crate) fn role(table: &'static str, row: &AnyRow, at: usize) -> Result<Role> {
    let word: String = row.try_get(at)?;
    Role::parse(&word).ok_or_else(|| Error::inconsistent(table, "role", &word))
}

/// A count, which is never negative.
pub(crate) fn count(row: &AnyRow, at: usize) -> Result<i64> {
    Ok(row.try_get::<i64, _>(at)?.max(0))
}
