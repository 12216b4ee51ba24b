//! What an import writes one by one: judges, annotations that grow, the import itself.

use super::new::ImportedJudgement;
use super::write::Writer;
use crate::error::Result;
use domain::id::{AnnotationId, JudgeId, StudyId};
use sqlx::AnyConnection;

/// Appends a version of an imported annotation that holds further judgements beside the ones it had.
///
/// # Errors
/// When the database fails.
pub async fn add_judgements(
    connection: &mut AnyConnection,
    from: &AnnotationId,
    to: &AnnotationId,
    judgements: Vec<ImportedJudgement>,
    content_hash: &str,
    at: i64,
) -> Result<()> {
    sqlx::query("UPDATE annotations SET latest = 0 WHERE id = $1")
        .bind(from.as_str())
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO annotations (id, study_id, assignment_id, item_id, rater_id, version, latest, scheme_version, \
         ratable, not_ratable_reason, nothing_missed, missed_count, comment, submitted_at, content_hash) \
         SELECT $1, study_id, assignment_id, item_id, rater_id, version + 1, 1, scheme_version, ratable, \
         not_ratable_reason, nothing_missed, missed_count, comment, $2, $4 FROM annotations WHERE id = $3",
    )
    .bind(to.as_str())
    .bind(at)
    .bind(from.as_str())
    .bind(content_hash)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO judgements (annotation_id, candidate_id, validity, severity, better, comment, discuss) \
         SELECT $1, candidate_id, validity, severity, better, comment, discuss FROM judgements WHERE annotation_id = $2",
    )
    .bind(to.as_str())
    .bind(from.as_str())
    .execute(&mut *connection)
    .await?;
    for copy in [
        "INSERT INTO missed_tags (annotation_id, tag_id, ordinal, category, subcategory, severity, span_start, span_end, \
         quote, comment) SELECT $1, tag_id, ordinal, category, subcategory, severity, span_start, span_end, quote, comment \
         FROM missed_tags WHERE annotation_id = $2",
        "INSERT INTO item_answers (annotation_id, question, answer, rationale) \
         SELECT $1, question, answer, rationale FROM item_answers WHERE annotation_id = $2",
    ] {
        sqlx::query(copy)
            .bind(to.as_str())
            .bind(from.as_str())
            .execute(&mut *connection)
            .await?;
    }
    let mut writer = Writer::new(StudyId::new(""), at);
    for judgement in judgements {
        writer.judgement(to, judgement);
    }
    writer.flush(connection).await
}

/// The judge of these facts, made when there is none: name, model, prompt version, parameters as JSON.
///
/// # Errors
/// When the database fails.
pub async fn judge(
    connection: &mut AnyConnection,
    study: &StudyId,
    new: &JudgeId,
    [name, model, prompt_version, params]: [&str; 4],
) -> Result<JudgeId> {
    sqlx::query(
        "INSERT INTO judges (id, study_id, name, model, prompt_version, params) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (study_id, name, model, prompt_version, params) DO NOTHING",
    )
    .bind(new.as_str())
    .bind(study.as_str())
    .bind(name)
    .bind(model)
    .bind(prompt_version)
    .bind(params)
    .execute(&mut *connection)
    .await?;
    let id: String = sqlx::query_scalar(
        "SELECT id FROM judges WHERE study_id = $1 AND name = $2 AND model = $3 AND prompt_version = $4 AND params = $5",
    )
    .bind(study.as_str())
    .bind(name)
    .bind(model)
    .bind(prompt_version)
    .bind(params)
    .fetch_one(connection)
    .await?;
    Ok(JudgeId::new(id))
}

/// What is remembered of an import.
#[derive(Clone, Debug)]
pub struct NewImport<'a> {
    /// Its identity.
    pub id: &'a str,
    /// Its study.
    pub study: &'a StudyId,
    /// Epoch milliseconds.
    pub at: i64,
    /// Who ran it, unless it was the command line.
    pub by: Option<&'a str>,
    /// The format's name.
    pub format: &'a str,
    /// The file's name.
    pub file_name: &'a str,
    /// SHA-256 of the file, in hex.
    pub file_sha256: &'a str,
    /// New items, candidates, ratings, what was there already, and new rulings.
    pub counts: [i64; 5],
}

/// Remembers an import.
///
/// # Errors
/// When the database fails.
pub async fn record(connection: &mut AnyConnection, new: &NewImport<'_>) -> Result<()> {
    let [items, candidates, ratings, identical, rulings] = new.counts;
    sqlx::query(
        "INSERT INTO imports (id, study_id, at, by_user, format, file_name, file_sha256, items, candidates, ratings, \
         identical, rulings) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(new.id)
    .bind(new.study.as_str())
    .bind(new.at)
    .bind(new.by.map(str::to_owned))
    .bind(new.format)
    .bind(new.file_name)
    .bind(new.file_sha256)
    .bind(items)
    .bind(candidates)
    .bind(ratings)
    .bind(identical)
    .bind(rulings)
    .execute(connection)
    .await?;
    Ok(())
}
