//! What forms do: one server function each, at most ten lines, one file a noun.
//!
//! They are posted as plain forms, so they exist on the server only and nothing of them reaches the browser.

#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod account;
pub mod act;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod batch;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod discussion;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod invitation;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod item;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod judge;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod manual;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod member;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod report;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod round;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod ruling;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod snapshot;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod study;
#[expect(
    missing_docs,
    reason = "the macro makes a struct of the form's fields, which speak for themselves"
)]
pub mod triage;
