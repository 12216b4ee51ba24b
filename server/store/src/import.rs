//! Writing what an import brings, and finding what an earlier one brought.

mod known;
mod write;

pub use known::{
    KnownCandidate, KnownRating, KnownRun, candidates, in_use, items, last_seq, ratings, runs,
};
pub use write::{
    ImportedAnnotation, ImportedJudgement, NewCandidate, NewImport, NewItem, NewRun, Writer,
    add_judgements, judge, record,
};
