//! From records to rows, a chunk at a time: what is there already is compared, what is new is heaped up and written.

mod again;
mod judged;
mod ratings;
mod said;

use super::compare::Prepared;
use super::fit::Gaps;
use super::people::People;
use super::steps::segments;
use super::{New, problem};
use crate::actor::Actor;
use crate::error::Result;
use crate::services::Services;
use again::{Met, keep};
use domain::id::{CandidateId, ItemId, JudgeId, StudyId, UserId};
use domain::scheme::Scheme;
use domain::study::StudyState;
use formats::record::{TraceRecord, unmarked};
use formats::{MOST_PROBLEMS, Problem};
use ratings::Batch;
use said::Said;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use store::AnyConnection;
use store::import::{KnownAnswers, KnownCandidate, KnownRating, KnownRun, NewItem, Writer};

/// How many items are derived together.
const PAGE: i64 = 200;

/// What of a chunk is known, kept up while the chunk is worked through.
#[derive(Default)]
struct Known {
    items: HashMap<String, (ItemId, String)>,
    runs: HashMap<(ItemId, JudgeId), KnownRun>,
    answers: KnownAnswers,
    candidates: HashMap<ItemId, HashMap<String, KnownCandidate>>,
    ratings: HashMap<(ItemId, UserId), HashMap<CandidateId, KnownRating>>,
    /// Who has judged which item before.
    judged: HashSet<(ItemId, UserId)>,
    said: HashMap<(ItemId, UserId), Said>,
    /// Whose annotation this import made or added to: that is newer than what is stored.
    grown: HashSet<(ItemId, UserId)>,
    in_use: HashMap<ItemId, bool>,
    /// Items that this import brought; their units are derived at its end in any case.
    fresh: HashSet<ItemId>,
}

/// An import under way.
pub(super) struct Importer<'a> {
    app: &'a Services,
    study: &'a StudyId,
    pub(super) scheme: Arc<Scheme>,
    writer: Writer,
    first_seq: i64,
    seq: i64,
    judges: HashMap<[String; 4], JudgeId>,
    people: People,
    batch: Batch,
    /// Items that were there before and got something new.
    touched: HashSet<ItemId>,
    /// Items that the file has named so far: a line for a second judge finds nothing that was there before the file.
    met: HashSet<ItemId>,
    pub(super) written: Written,
}

/// What came of it.
#[derive(Default)]
pub(super) struct Written {
    pub(super) new: New,
    pub(super) identical: u64,
    pub(super) problems: Vec<Problem>,
    pub(super) more_problems: u64,
    /// Keys of items where a verdict took the place of a failed call, with the kind of failure.
    pub(super) repeated: Vec<[String; 2]>,
    pub(super) gaps: Gaps,
}

impl Written {
    pub(super) fn problem(&mut self, problem: Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.more_problems += 1;
        }
    }
}

impl<'a> Importer<'a> {
    pub(super) async fn open(
        app: &'a Services,
        connection: &mut AnyConnection,
        actor: &Actor,
        study: &'a StudyId,
        file_name: &str,
    ) -> Result<Self> {
        let seq = store::import::last_seq(connection, study).await?;
        let (scheme, scheme_version) = crate::study::scheme_in(connection, study).await?;
        Ok(Self {
            app,
            study,
            scheme,
            writer: Writer::new(study.clone(), app.now()),
            first_seq: seq + 1,
            seq,
            judges: HashMap::new(),
            people: People::default(),
            batch: Batch::new(
                file_name,
                scheme_version,
                (!actor.is_operator()).then(|| actor.user.clone()),
            ),
            touched: HashSet::new(),
            met: HashSet::new(),
            written: Written::default(),
        })
    }

    /// Works through some records and writes what is new.
    pub(super) async fn chunk(
        &mut self,
        connection: &mut AnyConnection,
        records: Vec<Prepared>,
    ) -> Result<()> {
        let mut known = self.known(connection, &records).await?;
        for prepared in records {
            self.record(connection, &mut known, prepared).await?;
        }
        self.writer.flush(connection).await?;
        self.batch.flush_additions(connection).await
    }

    async fn known(
        &mut self,
        connection: &mut AnyConnection,
        records: &[Prepared],
    ) -> Result<Known> {
        let mut keys: Vec<&str> = records
            .iter()
            .flat_map(|Prepared { record, .. }| {
                let bare = unmarked(&record.key, &record.demographics);
                std::iter::once(record.key.as_str()).chain(bare)
            })
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let items = store::import::items(connection, self.study, &keys).await?;
        let ids: Vec<&ItemId> = items.values().map(|(id, _)| id).collect();
        let rated = records.iter().any(|prepared| {
            !prepared.record.ratings.is_empty() || !prepared.record.said.is_empty()
        });
        Ok(Known {
            runs: store::import::runs(connection, &ids).await?,
            answers: store::import::answers(connection, &ids).await?,
            candidates: store::import::candidates(connection, &ids).await?,
            ratings: if rated {
                store::import::ratings(connection, &ids).await?
            } else {
                HashMap::new()
            },
            judged: if rated {
                store::import::judged(connection, &ids).await?
            } else {
                HashSet::new()
            },
            said: HashMap::new(),
            grown: HashSet::new(),
            in_use: HashMap::new(),
            fresh: HashSet::new(),
            items,
        })
    }

    async fn record(
        &mut self,
        connection: &mut AnyConnection,
        known: &mut Known,
        prepared: Prepared,
    ) -> Result<()> {
        let mut prepared = prepared;
        if let Some(key) = self.without_mark(connection, known, &prepared).await? {
            prepared.record.key = key;
        }
        let there = known.items.get(&prepared.record.key).cloned();
        let met = match &there {
            Some((id, hash)) => {
                let alike = *hash == prepared.item_hash;
                let met = self.met(connection, known, (id, alike), &prepared).await?;
                Some((id.clone(), met))
            }
            None => None,
        };
        let Prepared {
            mut record,
            trace,
            trace_sha256,
            item_hash,
            candidate_hashes,
        } = prepared;
        let (item, is_new) = match met {
            Some((_, Met::Other((field, found, expected)))) => {
                self.written
                    .problem(problem(record.line, Some(field), found, expected));
                return Ok(());
            }
            Some((id, Met::Texts(stored))) => {
                self.met.insert(id.clone());
                self.fits(connection, &record, &trace, None).await?;
                known
                    .items
                    .insert(record.key.clone(), (id.clone(), item_hash.clone()));
                keep(&mut record, *stored);
                let new = self.item_of(&id, 0, &mut record, (trace, trace_sha256, item_hash));
                store::import::fill(connection, &id, new).await?;
                self.written.new.texts += 1;
                self.touched.insert(id.clone());
                (id, false)
            }
            Some((id, met)) => {
                self.written.identical += u64::from(self.met.insert(id.clone()));
                let there = (!known.fresh.contains(&id)).then_some(&id);
                let trace = match met {
                    Met::Text(text) => text,
                    _ => trace,
                };
                self.fits(connection, &record, &trace, there).await?;
                (id, false)
            }
            None => {
                let id = ItemId::new(self.app.id());
                known
                    .items
                    .insert(record.key.clone(), (id.clone(), item_hash.clone()));
                known.fresh.insert(id.clone());
                self.met.insert(id.clone());
                self.fits(connection, &record, &trace, None).await?;
                self.seq += 1;
                self.written.new.items += 1;
                let texts = (trace, trace_sha256, item_hash);
                let new = self.item_of(&id, self.seq, &mut record, texts);
                self.writer.item(new);
                (id, true)
            }
        };
        let judge = self.judge(connection, &record.judge).await?;
        self.run(connection, known, &record, &item, &judge).await?;
        self.answers(known, &record, &item, &judge);
        self.candidates(
            connection,
            known,
            &mut record,
            candidate_hashes,
            (&item, is_new),
            &judge,
        )
        .await?;
        self.ratings(connection, known, &record, &item).await
    }

    /// The item of a record, as it is kept.
    fn item_of(
        &self,
        id: &ItemId,
        seq: i64,
        record: &mut TraceRecord,
        (trace, trace_sha256, content_hash): (String, String, String),
    ) -> NewItem {
        let segments = segments(&self.scheme, record, &trace);
        NewItem {
            id: id.clone(),
            seq,
            source_key: record.key.clone(),
            content_hash,
            condition: record.condition.take().unwrap_or_default(),
            model: record.model.take().unwrap_or_default(),
            mode: record.mode.take().unwrap_or_default(),
            demographics: std::mem::take(&mut record.demographics),
            vignette: std::mem::take(&mut record.vignette),
            question: std::mem::take(&mut record.question),
            options: std::mem::take(&mut record.options),
            answer: record.answer.take().unwrap_or_default(),
            segments,
            trace,
            trace_sha256,
            extra: Value::Object(extra(record)).to_string(),
        }
    }

    /// Ends the import: the batch of its ratings, the units of its items.
    pub(super) async fn close(mut self, connection: &mut AnyConnection) -> Result<Written> {
        if !self.written.problems.is_empty() {
            return Ok(self.written);
        }
        self.written.new.raters = self.people.new;
        self.batch.close(connection, &self.writer).await?;
        let judged = self.batch.is_open();
        if judged {
            self.begin_collecting(connection).await?;
        }
        // Where nobody has judged there are no units yet; the first judgement of an item derives them.
        let mut from = if judged { self.first_seq } else { self.seq + 1 };
        while from <= self.seq {
            let to = (from + PAGE - 1).min(self.seq);
            crate::unit::refresh_range(connection, self.app, self.study, from, to).await?;
            from = to + 1;
        }
        for item in std::mem::take(&mut self.touched) {
            crate::unit::refresh_item(connection, self.app, self.study, &item).await?;
        }
        Ok(self.written)
    }

    /// Ratings that came with the file are submissions, so the study is past its draft.
    async fn begin_collecting(&self, connection: &mut AnyConnection) -> Result<()> {
        let study = store::study::get(connection, self.study).await?;
        if study.is_some_and(|study| study.state == StudyState::Draft) {
            store::study::set_state(
                connection,
                self.study,
                StudyState::Draft,
                StudyState::Draft.collect()?,
            )
            .await?;
        }
        Ok(())
    }
}

/// What else the file says, with the place the record came from.
fn extra(record: &mut TraceRecord) -> Map<String, Value> {
    let mut extra = std::mem::take(&mut record.extra);
    if let Some(file) = record.source_file.take() {
        extra.entry("source_file").or_insert(Value::String(file));
    }
    extra
}
