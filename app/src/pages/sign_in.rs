//! `/sign-in`: the front door.

use leptos::prelude::*;
use service::Result;

use super::visit::{Guest, visit_as_anyone};
use crate::{
    actions::account::SignIn,
    components::{Hidden, Page, PostForm, TextField, Width},
    context::{path, redirect},
};

/// Asks for name and password.
#[component]
pub fn SignInPage() -> impl IntoView {
    visit_as_anyone(sign_in)
}

async fn sign_in(guest: Guest) -> Result<impl IntoView> {
    let to = guest.query("to");
    let to = path::local(&to).unwrap_or("/").to_owned();
    if guest.who.is_some() {
        redirect(&to);
    }
    let form = guest.form::<SignIn>();
    let comes_back = (to != "/").then(|| {
        view! { <p class="soft">"Sign in to open the page you asked for. A form you sent is kept and filled again."</p> }
    });
    Ok(view! {
        <Page title="Sign in" width=Width::Narrow>
            {guest.said()}
            <h1>"Sign in"</h1>
            <p>
                "Consilium is where two clinicians judge independently what a language model claims to see in another "
                "model’s reasoning, and where staff reconcile the differences."
            </p>
            {comes_back}
            <PostForm form=form.clone()>
                <TextField form=form.clone() name="name" label="Name" autocomplete="username" />
                <TextField form name="password" label="Password" kind="password" autocomplete="current-password" />
                <Hidden name="to" value=to />
                <p>
                    <button class="button primary">"Sign in"</button>
                </p>
            </PostForm>
            <p class="small soft">
                "There is no open registration. If you have no account, ask your study’s coordinator for an invitation link. "
                "If you forgot your password, an administrator can invite you again."
            </p>
        </Page>
    })
}
