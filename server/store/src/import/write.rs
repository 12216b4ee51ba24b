//! Rows of an import, heaped up and written together.

use crate::batch::{StoredBatch, count_in, insert_head};
use crate::bulk::Bulk;
use crate::error::Result;
use crate::item::SegmentRange;
use crate::json::{self, Pairs};
use domain::assignment::AssignmentState;
use domain::id::{
    AnnotationId, AssignmentId, BatchId, CandidateId, ItemId, JudgeId, StudyId, UserId,
};
use domain::span::AnchorKind;
use sqlx::AnyConnection;

/// An item to be written.
#[derive(Clone, Debug)]
pub struct NewItem {
    /// Its identity.
    pub id: ItemId,
    /// Its number in the study.
    pub seq: i64,
    /// Its key in the file.
    pub source_key: String,
    /// Names its content.
    pub content_hash: String,
    /// The condition of the person in the vignette.
    pub condition: String,
    /// The model that wrote the trace.
    pub model: String,
    /// How the model was asked.
    pub mode: String,
    /// Facts about the person.
    pub demographics: Vec<(String, String)>,
    /// The vignette.
    pub vignette: String,
    /// The question.
    pub question: String,
    /// The answers to choose from.
    pub options: Vec<String>,
    /// The model's answer.
    pub answer: String,
    /// The text that spans point into.
    pub trace: String,
    /// SHA-256 of the trace, in hex.
    pub trace_sha256: String,
    /// The parts of the trace.
    pub segments: Vec<SegmentRange>,
    /// What else the file said, as a JSON object.
    pub extra: String,
}

/// A judge's run to be written.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: JudgeId,
    /// `judged` or `failed`.
    pub outcome: &'static str,
    /// The kind of failure.
    pub failure: String,
    /// The judge's summary.
    pub summary: String,
}

/// A candidate to be written.
#[derive(Clone, Debug)]
pub struct NewCandidate {
    /// Its identity.
    pub id: CandidateId,
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: JudgeId,
    /// Its place on the desk.
    pub ordinal: i64,
    /// Its key in the file.
    pub source_key: String,
    /// The code as the file has it.
    pub original_code: String,
    /// The name beside the code.
    pub original_name: String,
    /// The category's code.
    pub category: String,
    /// The subcategory's code, or empty.
    pub subcategory: String,
    /// The judge's severity.
    pub severity: Option<f64>,
    /// Why.
    pub explanation: String,
    /// The evidence as the judge wrote it.
    pub evidence: Vec<String>,
    /// How it was found.
    pub anchor: AnchorKind,
    /// Where: start, end, words.
    pub spans: Vec<(u32, u32, String)>,
    /// Names its content.
    pub content_hash: String,
}

/// One person's ratings of an item to be written as a submitted annotation.
#[derive(Clone, Debug)]
pub struct ImportedAnnotation {
    /// Its identity.
    pub id: AnnotationId,
    /// The identity of the assignment it answers.
    pub assignment: AssignmentId,
    /// The item.
    pub item: ItemId,
    /// The rater.
    pub rater: UserId,
    /// The place of the assignment in the rater's order.
    pub position: i64,
    /// The scheme version of the study.
    pub scheme_version: i64,
    /// Epoch milliseconds.
    pub at: i64,
    /// Names its content.
    pub content_hash: String,
    /// What was said of each candidate.
    pub judgements: Vec<ImportedJudgement>,
}

/// What was said of one candidate.
#[derive(Clone, Debug)]
pub struct ImportedJudgement {
    /// The candidate.
    pub candidate: CandidateId,
    /// The word, or empty.
    pub validity: String,
    /// The severity.
    pub severity: Option<f64>,
    /// The comment.
    pub comment: String,
}

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
            AssignmentState::Submitted.as_str().into(),
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
            1_i64.into(),
            "".into(),
            0_i64.into(),
            None::<i64>.into(),
            "".into(),
            new.at.into(),
            new.content_hash.into(),
        ]);
        for judgement in new.judgements {
            self.judgement(&new.id, judgement);
        }
    }

    fn judgement(&mut self, annotation: &AnnotationId, judgement: ImportedJudgement) {
        self.judgements.push([
            annotation.as_str().into(),
            judgement.candidate.as_str().into(),
            judgement.validity.into(),
            judgement.severity.into(),
            "[]".into(),
            judgement.comment.into(),
            0_i64.into(),
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
        self.judgements.flush(connection).await
    }

    /// Counts the imported assignments in the progress of their batch.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn close_batch(
        &self,
        connection: &mut AnyConnection,
        batch: &BatchId,
        raters: impl IntoIterator<Item = (UserId, i64)>,
    ) -> Result<()> {
        for (rater, count) in raters {
            count_in(connection, batch, &rater, AssignmentState::Submitted, count).await?;
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
    /// New items, candidates, ratings, and what was there already.
    pub counts: [i64; 4],
}

/// Remembers an import.
///
/// # Errors
/// When the database fails.
pub async fn record(connection: &mut AnyConnection, new: &NewImport<'_>) -> Result<()> {
    let [items, candidates, ratings, identical] = new.counts;
    sqlx::query(
        "INSERT INTO imports (id, study_id, at, by_user, format, file_name, file_sha256, items, candidates, ratings, \
         identical) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
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
    .execute(connection)
    .await?;
    Ok(())
}
