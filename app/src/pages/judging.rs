//! `/desk/{assignment}`: brings the desk to the person it is for, and the person back to the desk.

use domain::{id::AssignmentId, refusal::Refusal};
use leptos::prelude::*;
use service::Result;

use super::{
    desk::{Posted, page::load},
    visit::{Guest, visit_as_anyone},
};
use crate::{
    components::{Hidden, Kind, Notice, Page, Width},
    context::set_status,
};

/// What a plain form sent while its sender was signed out: it travels through the sign-in form and is
/// taken when they are in again.
#[derive(Clone, Debug)]
pub struct SentSignedOut {
    /// The fields of the desk.
    pub pairs: Vec<(String, String)>,
    /// Why an attempt to sign in with them failed.
    pub refusal: Option<Refusal>,
}

/// The fields by which a form of the desk also signs in.
pub const SIGN_IN_FIELDS: [&str; 2] = ["sign_in_name", "sign_in_password"];

/// The judging desk.
#[component]
pub fn JudgingPage() -> impl IntoView {
    visit_as_anyone(judging)
}

async fn judging(guest: Guest) -> Result<impl IntoView> {
    let assignment = AssignmentId::new(guest.param("assignment"));
    if let Some(sent) = use_context::<SentSignedOut>() {
        return Ok(sign_in_again(&assignment, sent).into_any());
    }
    let actor = guest.who.clone().ok_or(Refusal::NotSignedIn)?;
    let posted = use_context::<Posted>();
    if let Some(posted) = &posted {
        set_status(posted.refusal.status());
    }
    let desk = load(&guest.app, &actor, &assignment, guest.query_text(), posted).await?;
    Ok(desk.into_any())
}

fn sign_in_again(assignment: &AssignmentId, sent: SentSignedOut) -> impl IntoView + use<> {
    let refusal = sent.refusal.unwrap_or(Refusal::NotSignedIn);
    set_status(refusal.status());
    let action = format!("/desk/{assignment}");
    let kept = sent
        .pairs
        .into_iter()
        .map(|(name, value)| view! { <Hidden name value /> })
        .collect_view();
    view! {
        <Page title="Sign in again" width=Width::Narrow>
            <h1>"Sign in again"</h1>
            <Notice kind=Kind::Warn>
                <p>{sent.refusal.map(Refusal::message)}</p>
                <p>"You were signed out before this arrived. It is kept in this page and is sent again when you sign in."</p>
            </Notice>
            <form method="post" action=action>
                <div class="field">
                    <label for="again-name">"Name"</label>
                    <input id="again-name" name=SIGN_IN_FIELDS[0] autocomplete="username" required />
                </div>
                <div class="field">
                    <label for="again-password">"Password"</label>
                    <input
                        id="again-password"
                        name=SIGN_IN_FIELDS[1]
                        type="password"
                        autocomplete="current-password"
                        required
                    />
                </div>
                {kept}
                <button class="button primary">"Sign in and send"</button>
            </form>
        </Page>
    }
}
