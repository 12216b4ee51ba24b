//! Many rows at a time: one statement for a block of rows, so that an import of a hundred thousand traces is not
//! a million round trips.

use crate::bind::real;
use crate::error::Result;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe};
use std::fmt::Write as _;

/// The most values of one statement: SQLite looks each one up by walking through those before it.
const VALUES: usize = 256;

/// One value of a row.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// A text.
    Text(String),
    /// A whole number or a flag.
    Int(i64),
    /// A whole number that may be missing.
    MaybeInt(Option<i64>),
    /// A number that may be missing.
    Real(Option<f64>),
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<Option<i64>> for Cell {
    fn from(number: Option<i64>) -> Self {
        Self::MaybeInt(number)
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Self {
        Self::Real(number)
    }
}

/// Rows waiting for one table.
#[derive(Debug)]
pub(crate) struct Bulk<const WIDTH: usize> {
    head: &'static str,
    tail: &'static str,
    rows: Vec<[Cell; WIDTH]>,
}

impl<const WIDTH: usize> Bulk<WIDTH> {
    /// An empty heap for `INSERT INTO table (columns)`.
    pub(crate) fn new(head: &'static str) -> Self {
        Self::within(head, "")
    }

    /// The same for a statement that goes on after its rows.
    pub(crate) fn within(head: &'static str, tail: &'static str) -> Self {
        Self {
            head,
            tail,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: [Cell; WIDTH]) {
        self.rows.push(row);
    }

    /// The most rows of one statement: a power of two, as smaller remainders are its halves.
    const BLOCK: usize = 1 << (VALUES / WIDTH).ilog2();

    /// Writes all rows in the order in which they came.
    pub(crate) async fn flush(&mut self, connection: &mut AnyConnection) -> Result<()> {
        self.returning(connection).await.map(drop)
    }

    /// The same; what the statements return.
    pub(crate) async fn returning(
        &mut self,
        connection: &mut AnyConnection,
    ) -> Result<Vec<AnyRow>> {
        let mut returned = Vec::new();
        let mut rows = std::mem::take(&mut self.rows).into_iter();
        while rows.len() > 0 {
            // Powers of two: a handful of texts a table, so that every statement is prepared once.
            let count = Self::BLOCK.min(1 << rows.len().ilog2());
            let mut query = sqlx::query(AssertSqlSafe(self.statement(count)));
            for cell in rows.by_ref().take(count).flatten() {
                query = match cell {
                    Cell::Text(text) => query.bind(text),
                    Cell::Int(number) => query.bind(number),
                    Cell::MaybeInt(number) => query.bind(number),
                    Cell::Real(number) => real(query, number),
                };
            }
            returned.extend(query.fetch_all(&mut *connection).await?);
        }
        Ok(returned)
    }

    /// The text is made of a literal and of numbers, never of data.
    fn statement(&self, count: usize) -> String {
        let mut sql = String::with_capacity(self.head.len() + count * (WIDTH * 6 + 4));
        sql.push_str(self.head);
        sql.push_str(" VALUES ");
        for row in 0..count {
            sql.push_str(if row == 0 { "(" } else { ", (" });
            for column in 1..=WIDTH {
                // Writing to a String cannot fail.
                let _ = write!(
                    sql,
                    "{}${}",
                    if column == 1 { "" } else { ", " },
                    row * WIDTH + column
                );
            }
            sql.push(')');
        }
        sql.push_str(self.tail);
        sql
    }
}

/// `($1, $2, ..)` beginning at `first`, for a list of keys.
pub(crate) fn placeholders(first: usize, count: usize) -> String {
    let mut list = String::with_capacity(count * 6);
    for number in first..first + count {
        let _ = write!(
            list,
            "{}${number}",
            if number == first { "(" } else { ", " }
        );
    }
    list.push(')');
    list
}

#[cfg(test)]
mod tests {
    use super::{Bulk, placeholders};

    #[test]
    fn placeholders_are_numbered_through() {
        let bulk = Bulk::<2>::new("INSERT INTO t (a, b)");
        assert_eq!(
            bulk.statement(2),
            "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4)"
        );
        let bulk = Bulk::<1>::within("WITH t (a) AS (", ") SELECT a FROM t");
        assert_eq!(
            bulk.statement(2),
            "WITH t (a) AS ( VALUES ($1), ($2)) SELECT a FROM t"
        );
        assert_eq!(placeholders(2, 3), "($2, $3, $4)");
    }
}
