//! A small study of every scheme with results worked out by hand, on the engine under test.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where its stage cannot be set"
)]

mod attached;
mod counselling;
mod coverage;
mod crossed;
mod divided;
mod division;
mod few_shot;
mod fit;
mod points;
mod psrs;
mod repeated;
mod shaped;
mod stage;
mod trajectories;
mod twice;
mod verdicts;
