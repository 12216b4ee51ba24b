//! What forms do: one server function each, at most ten lines, one file a noun.
//!
//! They are posted as plain forms, so they exist on the server only and nothing of them reaches the browser.

pub mod act;
