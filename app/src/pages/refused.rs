//! What somebody sees instead of a page: not found, not allowed, not working.

use domain::refusal::Refusal;
use leptos::prelude::*;

use crate::{
    components::{Page, Viewer, Width},
    context::set_status,
};

/// Says why there is no page here, and where to go.
#[component]
pub fn RefusedPage(
    /// Why.
    refusal: Refusal,
) -> impl IntoView {
    // The redirection to the sign-in page has set its own status.
    if refusal != Refusal::NotSignedIn {
        set_status(refusal.status());
    }
    let signed_in = use_context::<Viewer>().is_some();
    let title = match refusal {
        Refusal::NotFound => "There is nothing here",
        Refusal::Forbidden => "This is not yours to see",
        Refusal::NotSignedIn => "You are signed out",
        Refusal::Internal => "Something went wrong here",
        _ => "This cannot be shown",
    };
    let sentence = match refusal {
        Refusal::NotFound => {
            "The address may be mistyped, or what it named belongs to a study you are not a member of."
        }
        Refusal::Internal => {
            "The fault is ours and has been recorded. What was saved before is safe. Try again in a moment."
        }
        other => other.message(),
    };
    let ask_whom = (refusal == Refusal::Forbidden)
        .then_some("If you need it for your work, ask the coordinator of the study to give you a role that allows it.");
    let (href, label) = if signed_in {
        ("/", "To my work")
    } else {
        ("/sign-in", "Sign in")
    };
    view! {
        <Page title=title width=Width::Narrow>
            <p class="overline">{refusal.status()}</p>
            <h1>{title}</h1>
            <p>{sentence}</p>
            <p>{ask_whom}</p>
            <p>
                <a class="button primary" href=href>
                    {label}
                </a>
            </p>
        </Page>
    }
}
