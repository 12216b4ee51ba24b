//! `/invitation/{secret}`: accept an invitation with a new account, or join with the one in use.

use domain::role::Role;
use leptos::prelude::*;
use service::{Result, invitation, invitation::InvitationView};

use super::{
    visit::{Guest, visit_as_anyone},
    words,
};
use crate::{
    actions::invitation::{AcceptInvitation, JoinStudy},
    components::{Hidden, Page, PostForm, TextField, Width},
    context::path,
};

/// Says what one is invited to, and asks for a name and a password.
#[component]
pub fn InvitationPage() -> impl IntoView {
    visit_as_anyone(invited)
}

async fn invited(guest: Guest) -> Result<impl IntoView> {
    let secret = guest.param("secret");
    let offer = invitation::look(&guest.app, &secret).await?;
    let joins = guest
        .who
        .clone()
        .map(|actor| join(&guest, &secret, &actor.display_name));
    let title = if joins.is_some() {
        "Or make a new account"
    } else {
        "Make your account"
    };
    let form = guest.form::<AcceptInvitation>();
    let sign_in = guest.who.is_none().then(|| {
        view! {
            <p>
                "You already have an account here? "
                <a href=path::sign_in(guest.path())>"Sign in first"</a>
                ", then join with it."
            </p>
        }
    });
    Ok(view! {
        <Page title="Invitation" width=Width::Narrow>
            {guest.said()}
            <h1>{heading(&offer)}</h1>
            <p>{words::role_means(offer.role)}</p>
            {sign_in}
            {joins}
            <h2>{title}</h2>
            <PostForm form=form.clone()>
                <Hidden name="secret" value=secret />
                <TextField
                    form=form.clone()
                    name="name"
                    label="Sign-in name"
                    hint="Short, without spaces if you like: you type it each time."
                    autocomplete="username"
                />
                <TextField
                    form=form.clone()
                    name="display_name"
                    label="Your name as colleagues know it"
                    start=offer.display_name
                    autocomplete="name"
                />
                <TextField
                    form=form.clone()
                    name="password"
                    label="Password"
                    kind="password"
                    hint="At least 12 characters. A few unrelated words are easy to remember and hard to guess."
                    autocomplete="new-password"
                />
                <TextField
                    form
                    name="password_again"
                    label="The same password again"
                    kind="password"
                    autocomplete="new-password"
                />
                <p>
                    <button class="button primary">"Make the account and begin"</button>
                </p>
            </PostForm>
        </Page>
    })
}

fn heading(offer: &InvitationView) -> String {
    match (offer.study_name.as_str(), offer.role) {
        ("", Role::Admin) => "You are invited to administer this server".into(),
        ("", _) => "You are invited to Consilium".into(),
        (study, role) => format!("You are invited to “{study}” as {}", words::role(role)),
    }
}

fn join(guest: &Guest, secret: &str, display_name: &str) -> impl IntoView + use<> {
    let form = guest.form::<JoinStudy>();
    let (secret, label) = (secret.to_owned(), format!("Join as {display_name}"));
    view! {
        <h2>"Join with your account"</h2>
        <PostForm form>
            <Hidden name="secret" value=secret />
            <p>
                <button class="button primary">{label}</button>
            </p>
        </PostForm>
    }
}
