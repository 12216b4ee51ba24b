//! The vocabulary of Consilium: scheme, spans, annotations, states and rulings.
//!
//! Nothing here does I/O, reads a clock or draws a random number, and everything builds for wasm:
//! a rule that cannot be tested without a database or a browser does not belong here.

pub mod annotation;
pub mod assignment;
pub mod count;
pub mod discussion;
pub mod form;
pub mod id;
pub mod independence;
pub mod missed;
pub mod own;
pub mod refusal;
pub mod relation;
pub mod retention;
pub mod role;
pub mod ruling;
pub mod scheme;
pub mod shape;
pub mod snapshot;
pub mod span;
pub mod steps;
pub mod study;
pub mod triage;
pub mod unit;
