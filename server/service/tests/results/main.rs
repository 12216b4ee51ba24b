//! From judgements to units, rulings and what checks them, on the engine under test.

mod agreement;
mod check;
mod coefficients;
mod corpus;
mod discussions;
mod fixture;
mod imported;
mod independence;
mod manuals;
mod missed;
mod resampling;
mod retention;
mod rounds;
mod rounds_alone;
mod rounds_answers;
mod rounds_counted;
mod rulings;
mod rulings_later;
mod settled;
mod single;
mod snapshots;
mod statements;
mod triage;
mod units;
mod validated;
