//! The keys of the reconcile page and of a discussion, and the dialog that names them.

use leptos::prelude::*;

use crate::islands::reconcile::ReconcileKeys;

/// The keys of whoever rules, or only the one of whoever takes part in a discussion.
pub fn keys(levels: Vec<f64>, rules: bool) -> impl IntoView {
    let ruling = rules.then(|| {
        view! {
            <dt><kbd>"A"</kbd> " " <kbd>"B"</kbd></dt>
            <dd>"take the value of rater A or B"</dd>
            <dt><kbd>"1"</kbd> " … " <kbd>"5"</kbd></dt>
            <dd>"final severity"</dd>
            <dt><kbd>"C"</kbd></dt>
            <dd>"consensus value"</dd>
            <dt><kbd>"M"</kbd></dt>
            <dd>"both kept, averaged"</dd>
            <dt><kbd>"J"</kbd></dt>
            <dd>"adjudicator’s ruling"</dd>
            <dt><kbd>"U"</kbd></dt>
            <dd>"unresolved, both stand"</dd>
            <dt><kbd>"Ctrl"</kbd> " " <kbd>"⏎"</kbd></dt>
            <dd>"record and go to the next"</dd>
        }
    });
    view! {
        <ReconcileKeys levels />
        <dialog id="reconcile-help" aria-labelledby="reconcile-help-title">
            <h2 id="reconcile-help-title">"Keys"</h2>
            <dl class="pairs">
                {ruling} <dt><kbd>"Y"</kbd></dt>
                <dd>"accept the newest proposal that waits for you"</dd>
            </dl>
            <p class="soft">"Keys are silent while you write."</p>
            <form method="dialog">
                <button class="button primary" autofocus>
                    "Close"
                </button>
            </form>
        </dialog>
    }
}
