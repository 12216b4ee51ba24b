//! Rows of an import, heaped up and written together.

use super::new::{
    ImportedAnnotation, ImportedJudgement, JudgeAnswer, NewCandidate, NewItem, NewRun,
};
use crate::batch::{StoredBatch, count_in, insert_head};
use crate::bulk::Bulk;
use crate::error::Result;
use crate::json::{self, Pairs};
use domain::assignment::AssignmentState;
use domain::id::{AnnotationId, BatchId, ItemId, StudyId, UserId};
use sqlx::AnyConnection;

/// Rows heaped up for the tables of an import, in the order in which they refer to each other.
#[derive(Debug)]
pub struct Writer {
    study: StudyId,
    at: i64,
    items: Bulk<19>,
    runs: Bulk<5>,
    candidates: Bulk<15>,
    spans: Bulk<6>,
    batch_items: Bulk<3>,
    assignments: Bulk<12>,
    annotations: Bulk<15>,
    judgements: Bulk<7>,
    missed: Bulk<10>,
    answers: Bulk<4>,
    judge_answers: Bulk<5>,
}

impl Writer {
    /// Nothing heaped up yet.
    pub fn new(study: StudyId, at: i64) -> Self {
        Self {
            study,
            at,
            items: Bulk::new(
                "INSERT INTO items (id, study_id, seq, source_key, content_hash, condition, model, mode, demographics, \
                 vignette, question, options, answer, trace, trace_sha256, trace_length, segments, extra, created_at)",
            ),
            runs: Bulk::new("INSERT INTO judged (item_id, judge_id, outcome, failure, summary)"),
            candidates: Bulk::new(
                "INSERT INTO candidates (id, study_id, item_id, judge_id, ordinal, source_key, original_code, \
                 original_name, category, subcategory, severity, explanation, evidence, anchor, content_hash)",
            ),
            spans: Bulk::new(
                "INSERT INTO candidate_spans (candidate_id, ordinal, item_id, span_start, span_end, quote)",
            ),
            batch_items: Bulk::new("INSERT INTO batch_items (batch_id, item_id, ordinal)"),
            assignments: Bulk::new(
                "INSERT INTO assignments (id, study_id, batch_id, item_id, rater_id, position, state, version, \
                 judge_hidden, withdrawn_by, saved_at, submitted_at)",
            ),
            annotations: Bulk::new(
                "INSERT INTO annotations (id, study_id, assignment_id, item_id, rater_id, version, latest, \
                 scheme_version, ratable, not_ratable_reason, nothing_missed, missed_count, comment, submitted_at, \
                 content_hash)",
            ),
            judgements: Bulk::new(
                "INSERT INTO judgements (annotation_id, candidate_id, validity, severity, better, comment, discuss)",
            ),
            missed: Bulk::new(
                "INSERT INTO missed_tags (annotation_id, tag_id, ordinal, category, subcategory, severity, span_start, \
                 span_end, quote, comment)",
            ),
            answers: Bulk::new(
                "INSERT INTO item_answers (annotation_id, question, answer, rationale)",
            ),
            judge_answers: Bulk::new(
                "INSERT INTO judge_answers (item_id, judge_id, question, answer, rationale)",
            ),
        }
    }

    /// Adds an item.
    pub fn item(&mut self, new: NewItem) {
        let length = i64::try_from(new.trace.chars().count()).unwrap_or(i64::MAX);
        self.items.push([
            new.id.as_str().into(),
            self.study.as_str().into(),
            new.seq.into(),
            new.source_key.into(),
            new.content_hash.into(),
            new.condition.into(),
            new.model.into(),
            new.mode.into(),
            json::write(&Pairs(new.demographics)).into(),
            new.vignette.into(),
            new.question.into(),
            json::write(&new.options).into(),
            new.answer.into(),
            new.trace.into(),
            new.trace_sha256.into(),
            length.into(),
            json::write(&new.segments).into(),
            new.extra.into(),
            self.at.into(),
        ]);
    }

    /// Adds a judge's run.
    pub fn run(&mut self, new: NewRun) {
        self.runs.push([
            new.item.as_str().into(),
            new.judge.as_str().into(),
            new.outcome.into(),
            new.failure.into(),
            new.summary.into(),
        ]);
    }

    /// Adds a candidate and its spans.
    pub fn candidate(&mut self, new: NewCandidate) {
        for ((start, end, quote), ordinal) in new.spans.into_iter().zip(1_i64..) {
            self.spans.push([
                new.id.as_str().into(),
                ordinal.into(),
                new.item.as_str().into(),
                i64::from(start).into(),
                i64::from(end).into(),
                quote.into(),
            ]);
        }
        self.candidates.push([
            new.id.as_str().into(),
            self.study.as_str().into(),
            new.item.as_str().into(),
            new.judge.as_str().into(),
            new.ordinal.into(),
            new.source_key.into(),
            new.original_code.into(),
            new.original_name.into(),
            new.category.into(),
            new.subcategory.into(),
            new.severity.into(),
            new.explanation.into(),
            json::write(&new.evidence).into(),
            new.anchor.as_str().into(),
            new.content_hash.into(),
        ]);
    }

    /// Adds a judge's answer to an item question.
    pub fn judge_answer(&mut self, new: JudgeAnswer) {
        self.judge_answers.push([
            new.item.as_str().into(),
            new.judge.as_str().into(),
            new.question.into(),
            json::write(&new.values).into(),
            new.rationale.into(),
        ]);
    }

    /// Adds an item to the batch of the import.
    pub fn batch_item(&mut self, batch: &BatchId, item: &ItemId, ordinal: i64) {
        self.batch_items
            .push([batch.as_str().into(), item.as_str().into(), ordinal.into()]);
    }

    /// Adds a submitted annotation with its assignment in the batch of the import.
    pub fn annotation(&mut self, batch: &BatchId, new: ImportedAnnotation) {
        self.assignments.push([
            new.assignment.as_str().into(),
            self.study.as_str().into(),
            batch.as_str().into(),
            new.item.as_str().into(),
            new.rater.as_str().into(),
            new.position.into(),
            new.state().as_str().into(),
            1_i64.into(),
            0_i64.into(),
            "".into(),
            Some(new.at).into(),
            Some(new.at).into(),
        ]);
        self.annotations.push([
            new.id.as_str().into(),
            self.study.as_str().into(),
            new.assignment.as_str().into(),
            new.item.as_str().into(),
            new.rater.as_str().into(),
            1_i64.into(),
            1_i64.into(),
            new.scheme_version.into(),
            i64::from(new.not_ratable.is_none()).into(),
            new.not_ratable.unwrap_or_default().into(),
            i64::from(new.nothing_missed).into(),
            new.missed_count.map(i64::from).into(),
            new.comment.into(),
            new.at.into(),
            new.content_hash.into(),
        ]);
        for ((category, subcategory, tag), ordinal) in new.missed.into_iter().zip(1_i64..) {
            self.missed.push([
                new.id.as_str().into(),
                tag.id.as_str().into(),
                ordinal.into(),
                category.into(),
                subcategory.into(),
                tag.severity.into(),
                tag.span.map(|(start, _)| i64::from(start)).into(),
                tag.span.map(|(_, end)| i64::from(end)).into(),
                tag.quote.into(),
                tag.comment.into(),
            ]);
        }
        for (question, answer) in new.answers {
            self.answers.push([
                new.id.as_str().into(),
                question.into(),
                json::write(&answer.values).into(),
                answer.rationale.into(),
            ]);
        }
        for judgement in new.judgements {
            self.judgement(&new.id, judgement);
        }
    }

    /// Adds a judgement to an annotation.
    pub(super) fn judgement(&mut self, annotation: &AnnotationId, judgement: ImportedJudgement) {
        self.judgements.push([
            annotation.as_str().into(),
            judgement.candidate.as_str().into(),
            judgement.validity.into(),
            judgement.severity.into(),
            json::write(&judgement.better).into(),
            judgement.comment.into(),
            i64::from(judgement.discuss).into(),
        ]);
    }

    /// Opens the batch that holds the imported annotations.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_batch(
        &self,
        connection: &mut AnyConnection,
        batch: &StoredBatch,
    ) -> Result<()> {
        insert_head(connection, batch).await
    }

    /// Writes everything heaped up, parents first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn flush(&mut self, connection: &mut AnyConnection) -> Result<()> {
        self.items.flush(connection).await?;
        self.runs.flush(connection).await?;
        self.candidates.flush(connection).await?;
        self.spans.flush(connection).await?;
        self.batch_items.flush(connection).await?;
        self.assignments.flush(connection).await?;
        self.annotations.flush(connection).await?;
        self.judgements.flush(connection).await?;
        self.missed.flush(connection).await?;
        self.answers.flush(connection).await?;
        self.judge_answers.flush(connection).await
    }

    /// Counts the imported assignments in the progress of their batch.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn close_batch(
        &self,
        connection: &mut AnyConnection,
        batch: &BatchId,
        raters: impl IntoIterator<Item = ((UserId, AssignmentState), i64)>,
    ) -> Result<()> {
        for ((rater, state), count) in raters {
            count_in(connection, batch, &rater, state, count).await?;
        }
        sqlx::query(
            "UPDATE batches SET requested = (SELECT COUNT(*) FROM batch_items i WHERE i.batch_id = batches.id), \
             raters_per_item = (SELECT MAX(n.raters) FROM (SELECT COUNT(*) AS raters FROM assignments a \
             WHERE a.batch_id = $1 GROUP BY a.item_id) n) WHERE id = $1",
        )
        .bind(batch.as_str())
        .execute(connection)
        .await?;
        Ok(())
    }
}
