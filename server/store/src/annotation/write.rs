//! Appending an annotation.

use crate::bulk::Bulk;
use crate::error::Result;
use crate::json;
use domain::annotation::Annotation;
use domain::id::{AnnotationId, AssignmentId, ItemId, StudyId, UserId};
use domain::scheme::{Scheme, Validity};
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;

/// What is submitted.
#[derive(Clone, Copy, Debug)]
pub struct NewAnnotation<'a> {
    /// Its identity.
    pub id: &'a AnnotationId,
    /// Its study.
    pub study: &'a StudyId,
    /// The assignment it answers.
    pub assignment: &'a AssignmentId,
    /// Its item.
    pub item: &'a ItemId,
    /// Who made it.
    pub rater: &'a UserId,
    /// The scheme version it was made under.
    pub scheme_version: i64,
    /// Why the item cannot be rated, when it cannot.
    pub not_ratable: Option<&'a str>,
    /// Epoch milliseconds.
    pub at: i64,
    /// What is said.
    pub body: &'a Annotation,
}

/// Names the content of an annotation: the same words always get the same hash.
pub fn content_hash(body: &Annotation, not_ratable: Option<&str>) -> String {
    let mut digest = Sha256::new();
    digest.update(json::write(body));
    digest.update([0]);
    digest.update(not_ratable.unwrap_or_default());
    hex::encode(digest.finalize())
}

/// Appends the annotation as the one that counts and returns its version; the one before stays, counting no longer.
///
/// # Errors
/// When the database fails.
pub async fn submit(
    connection: &mut AnyConnection,
    new: &NewAnnotation<'_>,
    scheme: &Scheme,
) -> Result<i64> {
    sqlx::query("UPDATE annotations SET latest = 0 WHERE assignment_id = $1 AND latest = 1")
        .bind(new.assignment.as_str())
        .execute(&mut *connection)
        .await?;
    let version: i64 = sqlx::query_scalar(
        "SELECT COALESCE(MAX(version), 0) + 1 FROM annotations WHERE assignment_id = $1",
    )
    .bind(new.assignment.as_str())
    .fetch_one(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO annotations (id, study_id, assignment_id, item_id, rater_id, version, latest, scheme_version, \
         ratable, not_ratable_reason, nothing_missed, missed_count, comment, submitted_at, content_hash) \
         VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(new.id.as_str())
    .bind(new.study.as_str())
    .bind(new.assignment.as_str())
    .bind(new.item.as_str())
    .bind(new.rater.as_str())
    .bind(version)
    .bind(new.scheme_version)
    .bind(i64::from(new.not_ratable.is_none()))
    .bind(new.not_ratable.unwrap_or_default())
    .bind(i64::from(new.body.nothing_missed))
    .bind(new.body.missed_count.map(i64::from))
    .bind(new.body.comment.as_str())
    .bind(new.at)
    .bind(content_hash(new.body, new.not_ratable))
    .execute(&mut *connection)
    .await?;
    judgements(connection, new).await?;
    missed_tags(connection, new, scheme).await?;
    answers(connection, new).await?;
    Ok(version)
}

async fn judgements(connection: &mut AnyConnection, new: &NewAnnotation<'_>) -> Result<()> {
    let mut bulk = Bulk::<7>::new(
        "INSERT INTO judgements (annotation_id, candidate_id, validity, severity, better, comment, discuss)",
    );
    for (candidate, judgement) in &new.body.judgements {
        bulk.push([
            new.id.as_str().into(),
            candidate.as_str().into(),
            judgement.validity.map_or("", Validity::as_str).into(),
            judgement.severity.into(),
            json::write(&judgement.better).into(),
            judgement.comment.as_str().into(),
            i64::from(judgement.discuss).into(),
        ]);
    }
    bulk.flush(connection).await
}

async fn missed_tags(
    connection: &mut AnyConnection,
    new: &NewAnnotation<'_>,
    scheme: &Scheme,
) -> Result<()> {
    let mut bulk = Bulk::<10>::new(
        "INSERT INTO missed_tags (annotation_id, tag_id, ordinal, category, subcategory, severity, span_start, \
         span_end, quote, comment)",
    );
    for (tag, ordinal) in new.body.missed.iter().zip(1_i64..) {
        let found = scheme.find(&tag.code);
        let (category, subcategory) = found.map_or_else(Default::default, |c| {
            (c.category, c.subcategory.unwrap_or_default())
        });
        bulk.push([
            new.id.as_str().into(),
            tag.id.as_str().into(),
            ordinal.into(),
            category.into(),
            subcategory.into(),
            tag.severity.into(),
            tag.span.map(|(start, _)| i64::from(start)).into(),
            tag.span.map(|(_, end)| i64::from(end)).into(),
            tag.quote.as_str().into(),
            tag.comment.as_str().into(),
        ]);
    }
    bulk.flush(connection).await
}

async fn answers(connection: &mut AnyConnection, new: &NewAnnotation<'_>) -> Result<()> {
    let mut bulk =
        Bulk::<4>::new("INSERT INTO item_answers (annotation_id, question, answer, rationale)");
    for (question, answer) in &new.body.answers {
        bulk.push([
            new.id.as_str().into(),
            question.as_str().into(),
            json::write(&answer.values).into(),
            answer.rationale.as_str().into(),
        ]);
    }
    bulk.flush(connection).await
}
