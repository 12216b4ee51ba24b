//! Writing what an import brings, and finding what an earlier one brought.

mod codes;
mod fill;
mod known;
mod new;
mod settled;
mod single;
mod write;

pub use codes::{Mapped, add_codes, codes};
pub use fill::{fill, rejudge};
pub use known::{
    KnownAnswers, KnownCandidate, KnownRating, KnownRun, answers, candidates, in_use, items,
    judged, last_seq, ratings, runs,
};
pub use new::{ImportedAnnotation, ImportedJudgement, JudgeAnswer, NewCandidate, NewItem, NewRun};
pub use settled::{candidates_named, candidates_numbered, is_imported, keep_rulings};
pub use single::{NewImport, add_judgements, judge, record};
pub use write::Writer;
