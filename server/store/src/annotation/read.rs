//! Reading annotations back into the domain's document.

use super::StoredAnnotation;
use crate::error::{Error, Result};
use crate::json;
use domain::annotation::{Annotation, Answer, Judgement, MissedTag};
use domain::id::{
    AnnotationId, AssignmentId, BatchId, CandidateId, ItemId, MissedTagId, SnapshotId, StudyId,
    UserId,
};
use domain::scheme::Validity;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// The four queries that make up annotations, under one condition on `annotations a`.
macro_rules! queries {
    ($join:literal, $which:literal) => {
        queries!($join, $which, "a.latest = 1")
    };
    ($join:literal, $which:literal, $counts:literal) => {
        [
            concat!(
                "SELECT a.id, a.assignment_id, s.batch_id, b.round, a.item_id, a.rater_id, \
                 COALESCE(m.position, 0) AS rater_position, a.version, a.scheme_version, a.ratable, \
                 a.not_ratable_reason, a.nothing_missed, a.missed_count, a.comment, a.submitted_at, a.content_hash \
                 FROM annotations a JOIN assignments s ON s.id = a.assignment_id JOIN batches b ON b.id = s.batch_id \
                 LEFT JOIN members m ON m.study_id = a.study_id AND m.user_id = a.rater_id AND m.role = 'rater' ",
                $join, " WHERE ", $which, " AND ", $counts, " ORDER BY a.item_id, rater_position, b.ordinal, a.id"
            ),
            concat!(
                "SELECT j.annotation_id, j.candidate_id, j.validity, j.severity, j.better, j.comment, j.discuss \
                 FROM annotations a JOIN judgements j ON j.annotation_id = a.id ",
                $join, " WHERE ", $which, " AND ", $counts
            ),
            concat!(
                "SELECT t.annotation_id, t.tag_id, t.category, t.subcategory, t.severity, t.span_start, t.span_end, \
                 t.quote, t.comment FROM annotations a JOIN missed_tags t ON t.annotation_id = a.id ",
                $join, " WHERE ", $which, " AND ", $counts, " ORDER BY t.annotation_id, t.ordinal"
            ),
            concat!(
                "SELECT q.annotation_id, q.question, q.answer, q.rationale \
                 FROM annotations a JOIN item_answers q ON q.annotation_id = a.id ",
                $join, " WHERE ", $which, " AND ", $counts
            ),
        ]
    };
}

/// The annotations of an item that count, in the order of the study's raters.
///
/// # Errors
/// When the database fails.
pub async fn latest_of_item(
    connection: &mut AnyConnection,
    item: &ItemId,
) -> Result<Vec<StoredAnnotation>> {
    let mut parts = Vec::with_capacity(4);
    for sql in queries!("", "a.item_id = $1") {
        parts.push(
            sqlx::query(sql)
                .bind(item.as_str())
                .fetch_all(&mut *connection)
                .await?,
        );
        if parts[0].is_empty() {
            return Ok(Vec::new());
        }
    }
    join(&parts)
}

/// The annotation of an assignment that counts, when there is one.
///
/// # Errors
/// When the database fails.
pub async fn latest_of_assignment(
    connection: &mut AnyConnection,
    assignment: &AssignmentId,
    rater: &UserId,
) -> Result<Option<StoredAnnotation>> {
    let mut parts = Vec::with_capacity(4);
    for sql in queries!("", "a.assignment_id = $1 AND a.rater_id = $2") {
        let query = sqlx::query(sql)
            .bind(assignment.as_str())
            .bind(rater.as_str());
        parts.push(query.fetch_all(&mut *connection).await?);
    }
    Ok(join(&parts)?.pop())
}

/// The annotations that count of the items whose `seq` is above `after` and at most `up_to`.
///
/// # Errors
/// When the database fails.
pub async fn latest_of_range(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<Vec<StoredAnnotation>> {
    let mut parts = Vec::with_capacity(4);
    for sql in queries!(
        "JOIN items i ON i.id = a.item_id",
        "i.study_id = $1 AND i.seq > $2 AND i.seq <= $3"
    ) {
        let query = sqlx::query(sql)
            .bind(study.as_str())
            .bind(after)
            .bind(up_to);
        parts.push(query.fetch_all(&mut *connection).await?);
    }
    join(&parts)
}

/// The annotations that a snapshot holds of the items whose `seq` is above `after` and at most `up_to`.
///
/// # Errors
/// When the database fails.
pub async fn frozen_of_range(
    connection: &mut AnyConnection,
    snapshot: &SnapshotId,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<Vec<StoredAnnotation>> {
    let mut parts = Vec::with_capacity(4);
    for sql in queries!(
        "JOIN items i ON i.id = a.item_id",
        "i.study_id = $1 AND i.seq > $2 AND i.seq <= $3",
        "EXISTS (SELECT 1 FROM snapshot_annotations f WHERE f.snapshot_id = $4 AND f.annotation_id = a.id)"
    ) {
        let query = sqlx::query(sql)
            .bind(study.as_str())
            .bind(after)
            .bind(up_to)
            .bind(snapshot.as_str());
        parts.push(query.fetch_all(&mut *connection).await?);
    }
    join(&parts)
}

/// One version of an annotation, for whoever may read it when every counting annotation of its item is in: a rater who has
/// judged the item, or the one who is to cross-check this annotation and does not have the item to judge in any round.
///
/// # Errors
/// When the database fails.
pub async fn shown_to(
    connection: &mut AnyConnection,
    annotation: &AnnotationId,
    viewer: &UserId,
) -> Result<Option<StoredAnnotation>> {
    let mut parts = Vec::with_capacity(4);
    for sql in queries!(
        "",
        "a.id = $1",
        "(EXISTS (SELECT 1 FROM annotations o WHERE o.item_id = a.item_id AND o.rater_id = $2 AND o.latest = 1) \
         OR (EXISTS (SELECT 1 FROM reviews v WHERE v.annotation_id = a.id AND v.reviewer_id = $2) \
         AND NOT EXISTS (SELECT 1 FROM assignments w WHERE w.item_id = a.item_id AND w.rater_id = $2 \
         AND w.state IN ('not_started', 'in_progress', 'reopened')))) \
         AND NOT EXISTS (SELECT 1 FROM assignments p JOIN batches q ON q.id = p.batch_id WHERE p.item_id = a.item_id \
         AND p.state IN ('not_started', 'in_progress', 'reopened') AND q.round IN ('main', 'imported'))"
    ) {
        let query = sqlx::query(sql)
            .bind(annotation.as_str())
            .bind(viewer.as_str());
        parts.push(query.fetch_all(&mut *connection).await?);
    }
    Ok(join(&parts)?.pop())
}

/// The annotations of an item in a calibration batch, for a rater who has given theirs: of everybody once all are in, or,
/// with a reference, the two of the rater and the reference once both are in.
///
/// # Errors
/// When the database fails.
pub async fn calibrated(
    connection: &mut AnyConnection,
    batch: &BatchId,
    item: &ItemId,
    viewer: &UserId,
    reference: Option<&UserId>,
) -> Result<Vec<StoredAnnotation>> {
    let mut parts = Vec::with_capacity(4);
    for sql in queries!(
        "",
        "a.item_id = $2 AND EXISTS (SELECT 1 FROM assignments x WHERE x.id = a.assignment_id AND x.batch_id = $1)",
        "a.latest = 1 AND ($4 = '' OR a.rater_id = $3 OR a.rater_id = $4) \
         AND EXISTS (SELECT 1 FROM assignments o WHERE o.batch_id = $1 AND o.item_id = $2 AND o.rater_id = $3 \
         AND o.state IN ('submitted', 'not_ratable')) \
         AND NOT EXISTS (SELECT 1 FROM assignments p WHERE p.batch_id = $1 AND p.item_id = $2 \
         AND p.state IN ('not_started', 'in_progress', 'reopened') AND ($4 = '' OR p.rater_id = $4))"
    ) {
        let query = sqlx::query(sql)
            .bind(batch.as_str())
            .bind(item.as_str())
            .bind(viewer.as_str())
            .bind(reference.map_or("", UserId::as_str));
        parts.push(query.fetch_all(&mut *connection).await?);
    }
    join(&parts)
}

fn join(parts: &[Vec<AnyRow>]) -> Result<Vec<StoredAnnotation>> {
    let [heads, judgements, missed, answers] = parts else {
        return Ok(Vec::new());
    };
    let mut annotations = heads.iter().map(head).collect::<Result<Vec<_>>>()?;
    let places: HashMap<String, usize> = annotations
        .iter()
        .enumerate()
        .map(|(place, a)| (a.id.as_str().to_owned(), place))
        .collect();
    let mut with =
        |row: &AnyRow, add: &dyn Fn(&AnyRow, &mut Annotation) -> Result<()>| -> Result<()> {
            let id: &str = row.try_get(0)?;
            let found = places.get(id).and_then(|place| annotations.get_mut(*place));
            found.map_or(Ok(()), |annotation| add(row, &mut annotation.body))
        };
    for row in judgements {
        with(row, &judgement)?;
    }
    for row in missed {
        with(row, &missed_tag)?;
    }
    for row in answers {
        with(row, &answer)?;
    }
    Ok(annotations)
}

fn head(row: &AnyRow) -> Result<StoredAnnotation> {
    let id: String = row.try_get(0)?;
    let missed_count = row
        .try_get::<Option<i64>, _>(12)?
        .map(u32::try_from)
        .transpose();
    let body = Annotation {
        nothing_missed: row.try_get::<i64, _>(11)? == 1,
        missed_count: missed_count
            .map_err(|_| Error::inconsistent("annotations", "missed_count", &id))?,
        comment: row.try_get(13)?,
        ..Annotation::default()
    };
    Ok(StoredAnnotation {
        assignment: AssignmentId::new(row.try_get::<String, _>(1)?),
        batch: BatchId::new(row.try_get::<String, _>(2)?),
        round: row.try_get(3)?,
        item: ItemId::new(row.try_get::<String, _>(4)?),
        rater: UserId::new(row.try_get::<String, _>(5)?),
        rater_position: row.try_get(6)?,
        version: row.try_get(7)?,
        scheme_version: row.try_get(8)?,
        ratable: row.try_get::<i64, _>(9)? == 1,
        not_ratable_reason: row.try_get(10)?,
        submitted_at: row.try_get(14)?,
        content_hash: row.try_get(15)?,
        body,
        id: AnnotationId::new(id),
    })
}

fn judgement(row: &AnyRow, body: &mut Annotation) -> Result<()> {
    let (id, word): (&str, &str) = (row.try_get(0)?, row.try_get(2)?);
    let validity = match word {
        "" => None,
        word => Some(
            Validity::parse(word)
                .ok_or_else(|| Error::inconsistent("judgements", "validity", id))?,
        ),
    };
    let judgement = Judgement {
        validity,
        severity: row.try_get(3)?,
        better: json::read("judgements", "better", id, row.try_get(4)?)?,
        comment: row.try_get(5)?,
        discuss: row.try_get::<i64, _>(6)? == 1,
    };
    body.judgements
        .insert(CandidateId::new(row.try_get::<String, _>(1)?), judgement);
    Ok(())
}

fn missed_tag(row: &AnyRow, body: &mut Annotation) -> Result<()> {
    let id: &str = row.try_get(0)?;
    let (category, subcategory): (String, String) = (row.try_get(2)?, row.try_get(3)?);
    let offset = |value: i64| {
        u32::try_from(value).map_err(|_| Error::inconsistent("missed_tags", "span_start", id))
    };
    let span = match (
        row.try_get::<Option<i64>, _>(5)?,
        row.try_get::<Option<i64>, _>(6)?,
    ) {
        (Some(start), Some(end)) => Some((offset(start)?, offset(end)?)),
        _ => None,
    };
    body.missed.push(MissedTag {
        id: MissedTagId::new(row.try_get::<String, _>(1)?),
        code: if subcategory.is_empty() {
            category
        } else {
            subcategory
        },
        severity: row.try_get(4)?,
        span,
        quote: row.try_get(7)?,
        comment: row.try_get(8)?,
    });
    Ok(())
}

fn answer(row: &AnyRow, body: &mut Annotation) -> Result<()> {
    let id: &str = row.try_get(0)?;
    let values = json::read("item_answers", "answer", id, row.try_get(2)?)?;
    body.answers.insert(
        row.try_get(1)?,
        Answer {
            values,
            rationale: row.try_get(3)?,
        },
    );
    Ok(())
}
