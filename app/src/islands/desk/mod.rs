//! The judging desk in the browser. It renders nothing: it takes hold of the form that the server rendered, so
//! no text exists twice and the same form works without it.
#![expect(
    missing_docs,
    reason = "the island macro generates an undocumented struct for its props"
)]

mod cards;
mod controller;
mod dom;
mod events;
pub mod history;
pub(super) mod keyboard;
pub mod keys;
mod missed;
mod panels;
pub mod rules;
pub mod sync;
mod trace;
mod turn;
pub mod words;

use leptos::prelude::*;

use rules::Rules;

/// Makes the desk's form quick.
#[island]
pub fn DeskIsland(
    /// The assignment.
    assignment: String,
    /// Who judges.
    user: String,
    /// What the scheme asks, without its texts.
    rules: Rules,
) -> impl IntoView {
    Effect::new(move |_| {
        if let Some(desk) =
            controller::Desk::attach(assignment.clone(), user.clone(), rules.scheme())
        {
            events::listen_for_good();
            events::listen(desk);
        }
    });
}
