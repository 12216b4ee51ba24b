//! Ratings that came with a file: one submitted annotation a rater and item, in a batch of the import.

use super::super::problem;
use super::said::{Said, alike, body_of, document, item_part, judgement_of, known_of, same};
use super::{Importer, Known};
use crate::error::Result;
use domain::assignment::AssignmentState;
use domain::id::{AnnotationId, AssignmentId, BatchId, ItemId, UserId};
use formats::record::{ItemRatingRecord, RatingRecord, TraceRecord};
use std::collections::HashMap;
use store::AnyConnection;
use store::batch::StoredBatch;
use store::import::{ImportedAnnotation, ImportedJudgement, Writer, add_judgements};

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
    states: HashMap<(UserId, AssignmentState), i64>,
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
            states: HashMap::new(),
            additions: Vec::new(),
        }
    }

    /// Whether anybody's judgement of an item came with the file.
    pub(super) fn is_open(&self) -> bool {
        self.id.is_some()
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
                .close_batch(connection, id, std::mem::take(&mut self.states))
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
        let mut in_batch = false;
        for (named, of_rater) in by_rater(record) {
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
                .annotation(connection, known, &rater, of_rater, item)
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
        of_rater: OfRater<'_>,
        item: &ItemId,
    ) -> Result<bool> {
        let said = match of_rater.said {
            Some(said) => self.said(connection, known, rater, said, item).await?,
            None => None,
        };
        let fresh = self.unknown(known, rater, of_rater.ratings, item);
        let first = fresh.first().map(|(line, _)| *line);
        let Some(line) = first.or(said.as_ref().map(|(line, _)| *line)) else {
            return Ok(false);
        };
        let existing = item_part(connection, &self.scheme, known, (item, rater)).await?;
        if let Some(expected) = existing.as_ref().and_then(Said::closed) {
            self.written
                .problem(problem(line, Some("rater"), "a new rating", expected));
            return Ok(false);
        }
        let fresh: Vec<ImportedJudgement> = fresh.into_iter().map(|(_, said)| said).collect();
        self.written.new.ratings += fresh.iter().filter(|said| rates(said)).count() as u64;
        let id = AnnotationId::new(self.app.id());
        let from = existing.as_ref().map(|said| said.annotation.clone());
        let mut of_item = existing
            .or(said.map(|(_, said)| said))
            .unwrap_or_else(|| Said::nothing(&id));
        of_item.annotation = id.clone();
        let before = known
            .ratings
            .entry((item.clone(), rater.clone()))
            .or_default();
        let body = document(&of_item.body, before, &fresh);
        let content_hash = store::annotation::content_hash(&body, of_item.not_ratable.as_deref());
        for rating in before.values_mut() {
            rating.annotation = id.clone();
        }
        before.extend(
            fresh
                .iter()
                .map(|said| (said.candidate.clone(), known_of(said, &id))),
        );
        let of_rater = (item.clone(), rater.clone());
        known.said.insert(of_rater.clone(), of_item.clone());
        known.grown.insert(of_rater);
        if let Some(from) = from {
            self.touched.insert(item.clone());
            self.batch.additions.push(Addition {
                from,
                to: id,
                judgements: fresh,
                content_hash,
                at: self.app.now(),
            });
            return Ok(false);
        }
        if !known.fresh.contains(item) {
            self.touched.insert(item.clone());
        }
        self.append(connection, rater, item, of_item, fresh, content_hash)
            .await?;
        Ok(true)
    }

    /// Heaps up an annotation of its own in the batch of the import.
    async fn append(
        &mut self,
        connection: &mut AnyConnection,
        rater: &UserId,
        item: &ItemId,
        said: Said,
        judgements: Vec<ImportedJudgement>,
        content_hash: String,
    ) -> Result<()> {
        let of_item = said.body;
        self.written.new.ratings += of_item.answers.len() as u64;
        self.written.new.missed += of_item.missed.len() as u64;
        self.written.new.not_ratable += u64::from(said.not_ratable.is_some());
        let scheme = self.scheme.clone();
        let missed = of_item.missed.into_iter().map(|tag| {
            let found = scheme.find(&tag.code);
            let (category, subcategory) = found.map_or_else(Default::default, |c| {
                (c.category, c.subcategory.unwrap_or_default())
            });
            (category, subcategory, tag)
        });
        let missed = missed.collect();
        let batch = self.open_batch(connection).await?;
        let position = self.batch.raters.entry(rater.clone()).or_default();
        *position += 1;
        let new = ImportedAnnotation {
            id: said.annotation,
            assignment: AssignmentId::new(self.app.id()),
            item: item.clone(),
            rater: rater.clone(),
            position: *position,
            scheme_version: self.batch.scheme_version,
            at: self.app.now(),
            content_hash,
            judgements,
            missed,
            nothing_missed: of_item.nothing_missed,
            missed_count: of_item.missed_count,
            not_ratable: said.not_ratable,
            answers: of_item.answers,
            comment: of_item.comment,
        };
        let state = (rater.clone(), new.state());
        *self.batch.states.entry(state).or_default() += 1;
        self.writer.annotation(&batch, new);
        Ok(())
    }

    /// The ratings of candidates that are not there yet; those that say something else than before are problems.
    fn unknown(
        &mut self,
        known: &mut Known,
        rater: &UserId,
        ratings: Vec<&RatingRecord>,
        item: &ItemId,
    ) -> Vec<(u64, ImportedJudgement)> {
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
                    self.written.identical += u64::from(rates(&said));
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
        fresh
    }

    /// A judgement of the item as a whole, unless it is there already.
    async fn said(
        &mut self,
        connection: &mut AnyConnection,
        known: &mut Known,
        rater: &UserId,
        rating: &ItemRatingRecord,
        item: &ItemId,
    ) -> Result<Option<(u64, Said)>> {
        let new = Said {
            body: body_of(self.app, rating),
            not_ratable: rating.not_ratable.clone(),
            ..Said::nothing(&AnnotationId::new(""))
        };
        let Some(found) = item_part(connection, &self.scheme, known, (item, rater)).await? else {
            return Ok(Some((rating.line, new)));
        };
        if alike(&found, &new) {
            self.written.identical += new.body.answers.len() as u64;
        } else {
            let expected = "the judgement of the item as it stands in the study";
            let field = Some(rating.rater.as_str());
            self.written
                .problem(problem(rating.line, field, "another judgement", expected));
        }
        Ok(None)
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
            hidden_percent: 0,
            created_at: self.app.now(),
            created_by: self.batch.by.clone(),
        };
        self.writer.open_batch(connection, &batch).await?;
        self.batch.id = Some(id.clone());
        Ok(id)
    }
}

/// Whether a judgement of a candidate says what the candidate is worth, and is no mere comment.
fn rates(said: &ImportedJudgement) -> bool {
    said.severity.is_some() || !said.validity.is_empty()
}

/// All that one rater said of one item.
#[derive(Default)]
struct OfRater<'a> {
    ratings: Vec<&'a RatingRecord>,
    said: Option<&'a ItemRatingRecord>,
}

/// The ratings of a record, rater by rater in the order of the file.
fn by_rater(record: &TraceRecord) -> Vec<(&str, OfRater<'_>)> {
    let mut all: Vec<(&str, OfRater<'_>)> = Vec::new();
    let of_candidates = record
        .ratings
        .iter()
        .map(|rating| (rating.rater.as_str(), Some(rating), None));
    let of_item = record
        .said
        .iter()
        .map(|said| (said.rater.as_str(), None, Some(said)));
    for (rater, rating, said) in of_candidates.chain(of_item) {
        let at = all
            .iter()
            .position(|(name, _)| *name == rater)
            .unwrap_or_else(|| {
                all.push((rater, OfRater::default()));
                all.len() - 1
            });
        all[at].1.ratings.extend(rating);
        all[at].1.said = all[at].1.said.or(said);
    }
    all
}
