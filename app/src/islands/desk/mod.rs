//! The judging desk in the browser. It renders nothing: it takes hold of the form that the server rendered, so
//! no text exists twice and the same form works without it.
#![expect(missing_docs, reason = "the island macro generates an undocumented struct for its props")]

mod cards;
mod controller;
mod dom;
mod events;
pub mod history;
pub mod keys;
mod missed;
mod panels;
pub mod sync;
mod trace;
pub mod words;

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
    Effect::new(move |_| {
        if let Some(desk) = controller::Desk::attach(assignment.clone(), user.clone(), (*rules).clone()) {
            events::listen(&desk);
        }
    });
}
