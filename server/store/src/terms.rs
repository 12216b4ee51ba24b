//! Terms under which validated traces may leave a study, and the comments that may go with them.

use crate::error::Result;
use domain::id::StudyId;
use sqlx::{AnyConnection, Row};

/// One version of the terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Counted from 1.
    pub version: i64,
    /// The licence's text or name.
    pub licence: String,
    /// Whether models may be trained on the traces.
    pub training: bool,
    /// Whether they may stand in prompts.
    pub few_shot: bool,
    /// Whether the raters' comments may leave with them.
    pub comments: bool,
}

/// The terms in force.
///
/// # Errors
/// When the database fails.
pub async fn get(connection: &mut AnyConnection, study: &StudyId) -> Result<Option<Terms>> {
    let row = sqlx::query(
        "SELECT version, licence, training, few_shot, comments FROM release_terms WHERE study_id = $1 \
         ORDER BY version DESC LIMIT 1",
    )
    .bind(study.as_str())
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        let flag = |at: usize| row.try_get::<i64, _>(at).map(|value| value != 0);
        Ok(Terms {
            version: row.try_get(0)?,
            licence: row.try_get(1)?,
            training: flag(2)?,
            few_shot: flag(3)?,
            comments: flag(4)?,
        })
    })
    .transpose()
}

/// Appends a version of the terms.
///
/// # Errors
/// When the database fails.
pub async fn add(
    connection: &mut AnyConnection,
    study: &StudyId,
    terms: &Terms,
    (at, by): (i64, &str),
) -> Result<()> {
    sqlx::query(
        "INSERT INTO release_terms (study_id, version, licence, training, few_shot, comments, created_at, created_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(study.as_str())
    .bind(terms.version)
    .bind(&terms.licence)
    .bind(i64::from(terms.training))
    .bind(i64::from(terms.few_shot))
    .bind(i64::from(terms.comments))
    .bind(at)
    .bind(by)
    .execute(connection)
    .await?;
    Ok(())
}

/// What raters wrote about candidates and missed tags, with the identity of each.
///
/// # Errors
/// When the database fails.
pub async fn comments(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query(
        "SELECT j.candidate_id, j.comment, a.rater_id FROM judgements j JOIN annotations a ON a.id = j.annotation_id \
         WHERE a.study_id = $1 AND a.latest = 1 AND j.comment <> '' \
         UNION ALL SELECT m.tag_id, m.comment, a.rater_id FROM missed_tags m JOIN annotations a ON a.id = m.annotation_id \
         WHERE a.study_id = $1 AND a.latest = 1 AND m.comment <> '' ORDER BY 1, 3, 2",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}
