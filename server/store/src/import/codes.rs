//! Where imports took the codes of other taxonomies.

use crate::error::Result;
use domain::id::StudyId;
use domain::scheme::CategoryRef;
use sqlx::{AnyConnection, Row};

/// A code of another taxonomy and where it led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// The code as written.
    pub code: String,
    /// The name beside it; may be empty.
    pub name: String,
    /// Where it led.
    pub to: CategoryRef,
    /// Whoever imported said so, not the scheme's table.
    pub stated: bool,
    /// The file that was imported then.
    pub file_name: String,
    /// When, in epoch milliseconds.
    pub at: i64,
}

/// All that the imports of a study took anew, the oldest first: of two rows about a code the later one counts.
///
/// # Errors
/// When the database fails.
pub async fn codes(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Mapped>> {
    let rows = sqlx::query(
        "SELECT c.code, c.name, c.category, c.subcategory, c.stated, i.file_name, i.at \
         FROM import_codes c JOIN imports i ON i.id = c.import_id WHERE i.study_id = $1 ORDER BY i.at, i.id, c.code, c.name",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let subcategory: String = row.try_get(3)?;
            Ok(Mapped {
                code: row.try_get(0)?,
                name: row.try_get(1)?,
                to: CategoryRef {
                    category: row.try_get(2)?,
                    subcategory: Some(subcategory).filter(|code| !code.is_empty()),
                },
                stated: row.try_get::<i64, _>(4)? != 0,
                file_name: row.try_get(5)?,
                at: row.try_get(6)?,
            })
        })
        .collect()
}

/// Keeps what an import took anew: code, name, where it led, and whether somebody said so.
///
/// # Errors
/// When the database fails.
pub async fn add_codes(
    connection: &mut AnyConnection,
    import: &str,
    codes: &[(String, String, CategoryRef, bool)],
) -> Result<()> {
    for (code, name, to, stated) in codes {
        sqlx::query(
            "INSERT INTO import_codes (import_id, code, name, category, subcategory, stated) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(import)
        .bind(code)
        .bind(name)
        .bind(&to.category)
        .bind(to.subcategory.as_deref().unwrap_or_default())
        .bind(i64::from(*stated))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
