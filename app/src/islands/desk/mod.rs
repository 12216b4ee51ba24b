//! The judging desk in the browser.
#![expect(missing_docs, reason = "the island macro generates an undocumented struct for its props")]

use domain::scheme::Scheme;
use leptos::prelude::*;

/// Makes the desk's form quick.
#[island]
pub fn DeskIsland(
    /// The assignment.
    assignment: String,
    /// Who judges.
    user: String,
    /// The scheme without its texts.
    rules: Box<Scheme>,
) -> impl IntoView {
    let _ = (assignment, user, rules);
}
