//! What names the content of a record, so that a second import knows it again.

use crate::export::traces::bare;
use domain::scheme::Scheme;
use formats::record::{CandidateRecord, JudgeOutcome, TraceRecord};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use store::item::StoredItem;

/// A record with what is costly to compute, made on the reader's thread.
pub(super) struct Prepared {
    pub(super) record: TraceRecord,
    pub(super) trace: String,
    pub(super) trace_sha256: String,
    pub(super) item_hash: String,
    pub(super) candidate_hashes: Vec<String>,
}

impl From<TraceRecord> for Prepared {
    fn from(record: TraceRecord) -> Self {
        let trace = record.trace();
        Self {
            trace_sha256: hex::encode(Sha256::digest(trace.as_bytes())),
            item_hash: item_hash(&record),
            candidate_hashes: record.candidates.iter().map(candidate_hash).collect(),
            trace,
            record,
        }
    }
}

/// Names an item of the study as its own export has it: staff may have divided it or written its points since it came.
pub(super) fn hash_of(item: &StoredItem, scheme: &Scheme) -> String {
    item_hash(&bare(item, scheme))
}

/// How a judge's run ended: the stored word, the kind of failure, the summary; nothing when nobody was asked.
pub(super) fn run_of(outcome: JudgeOutcome) -> Option<(&'static str, String, String)> {
    match outcome {
        JudgeOutcome::Judged { summary } => {
            Some(("judged", String::new(), summary.unwrap_or_default()))
        }
        JudgeOutcome::Failed { kind } => Some(("failed", kind, String::new())),
        JudgeOutcome::Absent => None,
    }
}

/// What is judged; where the record was found and what else the file says does not change it.
fn item_hash(record: &TraceRecord) -> String {
    let mut digest = Parts::default();
    for part in [
        &record.condition,
        &record.model,
        &record.mode,
        &record.answer,
    ] {
        digest.add(part.as_deref().unwrap_or_default());
    }
    digest.add(&record.vignette);
    digest.add(&record.question);
    digest.list(
        record
            .options
            .iter()
            .map(|option| Cow::from(option.as_str())),
    );
    // In a JSON object facts have no order.
    let mut facts: Vec<_> = record.demographics.iter().collect();
    facts.sort_unstable();
    digest.list(
        facts
            .into_iter()
            .flat_map(|(name, value)| [name, value])
            .map(|text| Cow::from(text.as_str())),
    );
    let segments = record.segments.iter();
    digest.list(
        segments
            .flat_map(|part| [part.label.as_deref().unwrap_or_default(), &part.text])
            .map(Cow::from),
    );
    digest.end()
}

fn candidate_hash(candidate: &CandidateRecord) -> String {
    let mut digest = Parts::default();
    digest.add(&candidate.code);
    digest.add(candidate.code_name.as_deref().unwrap_or_default());
    digest.add(
        &candidate
            .severity
            .map(|severity| severity.to_string())
            .unwrap_or_default(),
    );
    digest.add(candidate.explanation.as_deref().unwrap_or_default());
    digest.add(candidate.anchor.as_str());
    digest.list(
        candidate
            .evidence
            .iter()
            .map(|quote| Cow::from(quote.as_str())),
    );
    digest.list(
        candidate
            .spans
            .iter()
            .map(|(span, _)| Cow::from(span.to_string())),
    );
    digest.end()
}

/// A hash over texts, each led by its length, so that no two lists write the same bytes.
#[derive(Default)]
struct Parts(Sha256);

impl Parts {
    fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text.as_bytes());
    }

    fn list<'a>(&mut self, texts: impl Iterator<Item = Cow<'a, str>>) {
        let texts: Vec<_> = texts.collect();
        self.0.update((texts.len() as u64).to_be_bytes());
        for text in texts {
            self.add(&text);
        }
    }

    fn end(self) -> String {
        hex::encode(self.0.finalize())
    }
}
