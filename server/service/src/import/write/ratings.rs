//! Ratings that came with a file: one submitted annotation a rater and item, in a batch of the import.

use super::super::problem;
use super::{Importer, Known};
use crate::error::Result;
use domain::annotation::{Annotation, Judgement};
use domain::id::{AnnotationId, AssignmentId, BatchId, CandidateId, ItemId, UserId};
use domain::scheme::Validity;
use formats::record::{RatingRecord, TraceRecord};
use std::collections::HashMap;
use store::AnyConnection;
use store::batch::StoredBatch;
use store::import::{ImportedAnnotation, ImportedJudgement, KnownRating, Writer, add_judgements};

/// The longest name of a batch.
const NAME_LIMIT: usize = 80;

/// The batch of the import, made when the first rating asks for it.
pub(super) struct Batch {
    name: String,
    scheme_version: i64,
    by: Option<UserId>,
    id: Option<BatchId>,
    items: i64,
    raters: HashMap<UserId, i64>,
    additions: Vec<Addition>,
}

/// Judgements that join an annotation of an earlier import.
struct Addition {
    from: AnnotationId,
    to: AnnotationId,
    judgements: Vec<ImportedJudgement>,
    content_hash: String,
    at: i64,
}

impl Batch {
    pub(super) fn new(file_name: &str, scheme_version: i64, by: Option<UserId>) -> Self {
        let name = format!("Imported from {file_name}")
            .chars()
            .filter(|c| !c.is_control())
            .take(NAME_LIMIT)
            .collect();
        Self {
            name,
            scheme_version,
            by,
            id: None,
            items: 0,
            raters: HashMap::new(),
            additions: Vec::new(),
        }
    }

    /// Annotations that grow are written after the rows they refer to.
    pub(super) async fn flush_additions(&mut self, connection: &mut AnyConnection) -> Result<()> {
        for new in std::mem::take(&mut self.additions) {
            add_judgements(
                connection,
                &new.from,
                &new.to,
                new.judgements,
                &new.content_hash,
                new.at,
            )
            .await?;
        }
        Ok(())
    }

    pub(super) async fn close(
        &mut self,
        connection: &mut AnyConnection,
        writer: &Writer,
    ) -> Result<()> {
        if let Some(id) = &self.id {
            writer
                .close_batch(connection, id, std::mem::take(&mut self.raters))
                .await?;
        }
        Ok(())
    }
}

impl Importer<'_> {
    /// The ratings of one record, rater by rater in the order of the file.
    pub(super) async fn ratings(
        &mut self,
        connection: &mut AnyConnection,
        known: &mut Known,
        record: &TraceRecord,
        item: &ItemId,
    ) -> Result<()> {
        let mut by_rater: Vec<(&str, Vec<&RatingRecord>)> = Vec::new();
        for rating in &record.ratings {
            match by_rater
                .iter_mut()
                .find(|(rater, _)| *rater == rating.rater)
            {
                Some((_, ratings)) => ratings.push(rating),
                None => by_rater.push((&rating.rater, vec![rating])),
            }
        }
        let mut in_batch = false;
        for (named, ratings) in by_rater {
            let Some(rater) = self
                .people
                .rater(self.app, connection, self.study, named)
                .await?
            else {
                let expected = "a name of 1 to 80 letters, digits, spaces or . _ - that begins with a letter or digit";
                self.written.problem(problem(
                    record.line,
                    Some("rater"),
                    "a name that cannot be an account's",
                    expected,
                ));
                continue;
            };
            let added = self
                .annotation(connection, known, &rater, ratings, item)
                .await?;
            if let (true, false, Some(batch)) = (added, in_batch, &self.batch.id) {
                self.batch.items += 1;
                self.writer.batch_item(batch, item, self.batch.items);
                in_batch = true;
            }
        }
        Ok(())
    }

    /// One rater's ratings of the item; tells whether they make an annotation of this import.
    async fn annotation(
        &mut self,
        connection: &mut AnyConnection,
        known: &mut Known,
        rater: &UserId,
        ratings: Vec<&RatingRecord>,
        item: &ItemId,
    ) -> Result<bool> {
        let before = known
            .ratings
            .entry((item.clone(), rater.clone()))
            .or_default();
        let candidates = known.candidates.get(item);
        let mut fresh = Vec::new();
        for rating in ratings {
            let candidate = candidates.and_then(|all| all.get(&rating.candidate_key));
            // Without its candidate the rating has been reported with it.
            let Some(candidate) = candidate.map(|candidate| candidate.id.clone()) else {
                continue;
            };
            let said = judgement_of(rating, candidate);
            match before.get(&said.candidate) {
                Some(found) if same(found, &said) => {
                    self.written.identical += u64::from(said.severity.is_some());
                }
                Some(_) => {
                    let expected = "the rating as it stands in the study";
                    self.written.problem(problem(
                        rating.line,
                        Some(&rating.rater),
                        "another rating",
                        expected,
                    ));
                }
                None => fresh.push((rating.line, said)),
            }
        }
        let Some((line, _)) = fresh.first() else {
            return Ok(false);
        };
        if before.values().any(|rating| !rating.imported) {
            let expected = "no further ratings by somebody who judges this trace here";
            self.written
                .problem(problem(*line, Some("rater"), "a new rating", expected));
            return Ok(false);
        }
        let fresh: Vec<ImportedJudgement> = fresh.into_iter().map(|(_, said)| said).collect();
        self.written.new.ratings +=
            fresh.iter().filter(|said| said.severity.is_some()).count() as u64;
        let id = AnnotationId::new(self.app.id());
        let content_hash = store::annotation::content_hash(&document(before, &fresh), None);
        let from = before
            .values()
            .next()
            .map(|rating| rating.annotation.clone());
        for rating in before.values_mut() {
            rating.annotation = id.clone();
        }
        before.extend(
            fresh
                .iter()
                .map(|said| (said.candidate.clone(), known_of(said, &id))),
        );
        let at = self.app.now();
        if let Some(from) = from {
            self.touched.insert(item.clone());
            self.batch.additions.push(Addition {
                from,
                to: id,
                judgements: fresh,
                content_hash,
                at,
            });
            return Ok(false);
        }
        let batch = self.open_batch(connection).await?;
        let position = self.batch.raters.entry(rater.clone()).or_default();
        *position += 1;
        let new = ImportedAnnotation {
            id,
            assignment: AssignmentId::new(self.app.id()),
            item: item.clone(),
            rater: rater.clone(),
            position: *position,
            scheme_version: self.batch.scheme_version,
            at,
            content_hash,
            judgements: fresh,
        };
        self.writer.annotation(&batch, new);
        if !known.fresh.contains(item) {
            self.touched.insert(item.clone());
        }
        Ok(true)
    }

    async fn open_batch(&mut self, connection: &mut AnyConnection) -> Result<BatchId> {
        if let Some(id) = &self.batch.id {
            return Ok(id.clone());
        }
        let id = BatchId::new(self.app.id());
        let batch = StoredBatch {
            id: id.clone(),
            study: self.study.clone(),
            name: self.batch.name.clone(),
            round: "imported".to_owned(),
            seed: 0,
            stratify: String::new(),
            requested: 0,
            raters_per_item: 1,
            created_at: self.app.now(),
            created_by: self.batch.by.clone(),
        };
        self.writer.open_batch(connection, &batch).await?;
        self.batch.id = Some(id.clone());
        Ok(id)
    }
}

fn judgement_of(rating: &RatingRecord, candidate: CandidateId) -> ImportedJudgement {
    ImportedJudgement {
        candidate,
        validity: rating.validity.clone().unwrap_or_default(),
        severity: rating.severity,
        comment: rating.comment.clone(),
    }
}

fn same(found: &KnownRating, said: &ImportedJudgement) -> bool {
    found.validity == said.validity
        && found.severity == said.severity
        && found.comment == said.comment
}

fn known_of(said: &ImportedJudgement, annotation: &AnnotationId) -> KnownRating {
    KnownRating {
        annotation: annotation.clone(),
        imported: true,
        validity: said.validity.clone(),
        severity: said.severity,
        comment: said.comment.clone(),
    }
}

/// All that the annotation says now, for the hash that names it.
fn document(before: &HashMap<CandidateId, KnownRating>, fresh: &[ImportedJudgement]) -> Annotation {
    let judgement = |validity: &str, severity, comment: &str| Judgement {
        validity: Validity::parse(validity),
        severity,
        comment: comment.to_owned(),
        ..Judgement::default()
    };
    let old = before.iter().map(|(id, said)| {
        (
            id.clone(),
            judgement(&said.validity, said.severity, &said.comment),
        )
    });
    let new = fresh.iter().map(|said| {
        (
            said.candidate.clone(),
            judgement(&said.validity, said.severity, &said.comment),
        )
    });
    Annotation {
        judgements: old.chain(new).collect(),
        ..Annotation::default()
    }
}
