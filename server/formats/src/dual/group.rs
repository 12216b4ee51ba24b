//! The rows of one trace, put together.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{header::Header, row::Cells};
use crate::record::{
    CandidateRecord, JudgeOutcome, JudgeRecord, RatingRecord, SegmentText, TraceRecord,
};

/// The traces of the file, in the order in which they first appear.
#[derive(Default)]
pub(super) struct Groups {
    records: Vec<TraceRecord>,
    by_key: HashMap<String, usize>,
}

/// What every row repeats about its item, and where the record keeps it.
type Shared = fn(&TraceRecord) -> Option<&str>;

fn shared(header: &Header) -> [(Option<usize>, Shared); 7] {
    [
        (Some(header.trace), |record| {
            record.segments.first().map(|segment| segment.text.as_str())
        }),
        (Some(header.vignette), |record| Some(&record.vignette)),
        (Some(header.question), |record| Some(&record.question)),
        (header.answer, |record| record.answer.as_deref()),
        (header.model, |record| record.model.as_deref()),
        (header.condition, |record| record.condition.as_deref()),
        (header.source_file, |record| record.source_file.as_deref()),
    ]
}

impl Groups {
    /// The first column in which the row says something else about its item than an earlier row, and that row's line.
    pub(super) fn contradiction(&self, row: &Cells<'_>) -> Option<(usize, u64)> {
        let record = self
            .by_key
            .get(row.text(row.header.item))
            .map(|&index| &self.records[index])?;
        shared(row.header).into_iter().find_map(|(column, known)| {
            let (column, said) = (column?, row.text(column?));
            let known = known(record).unwrap_or_default();
            let differs = !said.trim().is_empty() && said != known;
            differs.then_some((column, record.line))
        })
    }

    /// Adds a sound row.
    pub(super) fn add(
        &mut self,
        row: &Cells<'_>,
        candidate: CandidateRecord,
        ratings: Vec<RatingRecord>,
    ) {
        let key = row.text(row.header.item);
        let index = *self.by_key.entry(key.to_owned()).or_insert_with(|| {
            self.records.push(begin(row));
            self.records.len() - 1
        });
        let record = &mut self.records[index];
        keep_others(row, &candidate.key, &mut record.extra);
        record.candidates.push(candidate);
        record.ratings.extend(ratings);
    }

    pub(super) fn into_records(self) -> impl Iterator<Item = TraceRecord> {
        self.records.into_iter()
    }
}

/// A record as its first row describes it.
fn begin(row: &Cells<'_>) -> TraceRecord {
    let header = row.header;
    TraceRecord {
        line: row.line(),
        key: row.text(header.item).to_owned(),
        condition: row.words(header.condition),
        model: row.words(header.model),
        mode: None,
        demographics: Vec::new(),
        vignette: row.text(header.vignette).to_owned(),
        question: row.text(header.question).to_owned(),
        options: Vec::new(),
        answer: row.words(header.answer),
        steps: Vec::new(),
        segments: vec![SegmentText {
            label: None,
            text: row.text(header.trace).to_owned(),
        }],
        source_file: row.words(header.source_file),
        extra: Map::new(),
        judge: JudgeRecord::unnamed(),
        outcome: JudgeOutcome::Judged {
            summary: row.words(header.summary),
        },
        candidates: Vec::new(),
        answers: Vec::new(),
        ratings: Vec::new(),
        said: Vec::new(),
    }
}

/// Keeps the cells of columns that are not ours, by column and candidate: the order of the release is one of them.
fn keep_others(row: &Cells<'_>, candidate: &str, extra: &mut Map<String, Value>) {
    for &index in &row.header.others {
        if let Some(text) = row.words(Some(index)) {
            let column = extra
                .entry(&row.header.names[index])
                .or_insert_with(|| Map::new().into());
            if let Value::Object(cells) = column {
                cells.insert(candidate.to_owned(), text.into());
            }
        }
    }
}
