//! Writing what an import brings, and finding what an earlier one brought.

mod known;
mod new;
mod single;
mod write;

pub use known::{
    KnownAnswers, KnownCandidate, KnownRating, KnownRun, answers, candidates, in_use, items,
    last_seq, ratings, runs,
};
pub use new::{ImportedAnnotation, ImportedJudgement, JudgeAnswer, NewCandidate, NewItem, NewRun};
pub use single::{NewImport, add_judgements, judge, record};
pub use write::Writer;
