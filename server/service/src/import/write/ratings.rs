//! Ratings that came with a file: one submitted annotation a rater and item, in a batch of the import.

use super::super::problem;
use super::{Importer, Known};
use crate::error::Result;
use domain::annotation::{Annotation, Answer, Judgement, MissedTag};
use domain::id::{AnnotationId, AssignmentId, BatchId, CandidateId, ItemId, MissedTagId, UserId};
use domain::scheme::Validity;
use formats::record::{AnswerRecord, ItemRatingRecord, MissedRecord, RatingRecord, TraceRecord};
use std::collections::{BTreeMap, HashMap};
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
        let before = known
            .ratings
            .entry((item.clone(), rater.clone()))
            .or_default();
        if before.values().any(|rating| !rating.imported) {
            let expected = "no further ratings by somebody who judges this trace here";
            self.written
                .problem(problem(line, Some("rater"), "a new rating", expected));
            return Ok(false);
        }
        let fresh: Vec<ImportedJudgement> = fresh.into_iter().map(|(_, said)| said).collect();
        self.written.new.ratings +=
            fresh.iter().filter(|said| said.severity.is_some()).count() as u64;
        let id = AnnotationId::new(self.app.id());
        let from = before
            .values()
            .next()
            .map(|rating| rating.annotation.clone());
        let of_item = match said {
            Some((_, said)) => said,
            None if from.is_some() => item_part(connection, known, item, rater)
                .await?
                .unwrap_or_default(),
            None => Annotation::default(),
        };
        let before = known
            .ratings
            .entry((item.clone(), rater.clone()))
            .or_default();
        let content_hash =
            store::annotation::content_hash(&document(&of_item, before, &fresh), None);
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
        known
            .said
            .insert((item.clone(), rater.clone()), of_item.clone());
        if !known.fresh.contains(item) {
            self.touched.insert(item.clone());
        }
        self.append(connection, id, rater, item, of_item, fresh, content_hash)
            .await?;
        Ok(true)
    }

    /// Heaps up an annotation of its own in the batch of the import.
    async fn append(
        &mut self,
        connection: &mut AnyConnection,
        id: AnnotationId,
        rater: &UserId,
        item: &ItemId,
        of_item: Annotation,
        judgements: Vec<ImportedJudgement>,
        content_hash: String,
    ) -> Result<()> {
        self.written.new.ratings += of_item.answers.len() as u64;
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
            id,
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
            answers: of_item.answers,
            comment: of_item.comment,
        };
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
    ) -> Result<Option<(u64, Annotation)>> {
        let new = self.body_of(rating);
        let Some(found) = item_part(connection, known, item, rater).await? else {
            return Ok(Some((rating.line, new)));
        };
        if alike(&found, &new) {
            self.written.identical += new.answers.len() as u64;
        } else {
            let expected = "the judgement of the item as it stands in the study";
            let field = Some(rating.rater.as_str());
            self.written
                .problem(problem(rating.line, field, "another judgement", expected));
        }
        Ok(None)
    }

    fn body_of(&self, rating: &ItemRatingRecord) -> Annotation {
        let answer = |said: &AnswerRecord| {
            let answer = Answer {
                values: said.values.clone(),
                rationale: said.rationale.clone(),
            };
            (said.question.clone(), answer)
        };
        let tag = |found: &MissedRecord| MissedTag {
            id: MissedTagId::new(self.app.id()),
            code: found.code.clone(),
            severity: found.severity,
            span: found
                .span
                .as_ref()
                .map(|(span, _)| (span.start(), span.end())),
            quote: found
                .span
                .as_ref()
                .map(|(_, quote)| quote.clone())
                .unwrap_or_default(),
            comment: found.comment.clone(),
        };
        Annotation {
            answers: rating.answers.iter().map(answer).collect(),
            missed: rating.missed.iter().map(tag).collect(),
            nothing_missed: rating.nothing_missed,
            comment: rating.comment.clone(),
            ..Annotation::default()
        }
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

/// What the rater's annotation says of the item as a whole; nothing without an annotation.
async fn item_part(
    connection: &mut AnyConnection,
    known: &mut Known,
    item: &ItemId,
    rater: &UserId,
) -> Result<Option<Annotation>> {
    let key = (item.clone(), rater.clone());
    if !known.said.contains_key(&key) && !known.fresh.contains(item) {
        for annotation in store::annotation::latest_of_item(connection, item).await? {
            let body = Annotation {
                judgements: BTreeMap::new(),
                ..annotation.body
            };
            known.said.insert((item.clone(), annotation.rater), body);
        }
    }
    Ok(known.said.get(&key).cloned())
}

/// Whether two annotations say the same of the item; identities of missed tags do not count.
fn alike(one: &Annotation, other: &Annotation) -> bool {
    let tags = |of: &Annotation| {
        let tag = |tag: &MissedTag| MissedTag {
            id: MissedTagId::new(""),
            ..tag.clone()
        };
        of.missed.iter().map(tag).collect::<Vec<_>>()
    };
    one.answers == other.answers
        && one.nothing_missed == other.nothing_missed
        && one.comment == other.comment
        && tags(one) == tags(other)
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
fn document(
    of_item: &Annotation,
    before: &HashMap<CandidateId, KnownRating>,
    fresh: &[ImportedJudgement],
) -> Annotation {
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
        ..of_item.clone()
    }
}
