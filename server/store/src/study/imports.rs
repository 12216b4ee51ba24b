//! The imports of a study.

use crate::error::Result;
use domain::id::StudyId;
use sqlx::{AnyConnection, Row};

/// One import of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The import.
    pub id: String,
    /// Epoch milliseconds.
    pub at: i64,
    /// The display name of whoever ran it; empty at the command line.
    pub by_name: String,
    /// Which format.
    pub format: String,
    /// The file's name.
    pub file_name: String,
    /// New items.
    pub items: i64,
    /// New candidates.
    pub candidates: i64,
    /// New ratings.
    pub ratings: i64,
    /// Records that were there already.
    pub identical: i64,
    /// New rulings.
    pub rulings: i64,
}

/// The imports of a study, newest first.
///
/// # Errors
/// When the database fails.
pub async fn imports(connection: &mut AnyConnection, id: &StudyId) -> Result<Vec<Import>> {
    let rows = sqlx::query(
        "SELECT i.id, i.at, COALESCE(u.display_name, ''), i.format, i.file_name, i.items, i.candidates, i.ratings, \
         i.identical, i.rulings FROM imports i LEFT JOIN users u ON u.id = i.by_user WHERE i.study_id = $1 ORDER BY i.at DESC, i.id DESC",
    )
    .bind(id.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Import {
                id: row.try_get(0)?,
                at: row.try_get(1)?,
                by_name: row.try_get(2)?,
                format: row.try_get(3)?,
                file_name: row.try_get(4)?,
                items: row.try_get(5)?,
                candidates: row.try_get(6)?,
                ratings: row.try_get(7)?,
                identical: row.try_get(8)?,
                rulings: row.try_get(9)?,
            })
        })
        .collect()
}
