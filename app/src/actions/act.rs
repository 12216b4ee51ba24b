//! From a posted form to a use case and back to a page.

use domain::refusal::Refusal;
use leptos::{
    prelude::*,
    server_fn::{codec::JsonEncoding, error::ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};
use service::{Actor, Services};
use std::future::Future;
use tracing::error;

use crate::context::{Ask, flash::Flash, path, redirect};

/// What every action returns: the answer itself is always a redirection.
pub type Answer = Result<(), Unanswered>;

/// A post that reached no use case: no form of ours sends it. Never quotes what was sent, because it may end
/// up in an address.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unanswered {
    /// The fields are not those of the form.
    InputInvalid,
}

impl FromServerFnError for Unanswered {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        Self::InputInvalid
    }
}

/// Where a done form leads, and what that page says.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The address; the form's own page when empty.
    to: String,
    message: String,
    secret: Option<String>,
}

impl Done {
    /// Leads to another page of ours.
    pub fn at(to: impl Into<String>) -> Self {
        Self {
            to: to.into(),
            ..Self::default()
        }
    }

    /// Stays on the form's page.
    pub fn here() -> Self {
        Self::default()
    }

    /// Says what was done.
    #[must_use]
    pub fn saying(self, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            ..self
        }
    }

    /// Shows a secret this once.
    #[must_use]
    pub fn showing(self, secret: String) -> Self {
        Self {
            secret: Some(secret),
            ..self
        }
    }
}

/// Runs a use case for the signed-in person. Refused, the browser goes back to the form, which is filled
/// again and says why.
///
/// # Errors
/// Only when there is no request to answer.
pub async fn act<F>(run: impl FnOnce(Services, Actor) -> F) -> Answer
where
    F: Future<Output = service::Result<Done>>,
{
    act_as_anyone(|ask| async move {
        let actor = ask.who.ok_or(Refusal::NotSignedIn)?.actor;
        run(ask.app, actor).await
    })
    .await
}

/// The same for forms that strangers may send: signing in, accepting an invitation.
///
/// # Errors
/// Only when there is no request to answer.
pub async fn act_as_anyone<F>(run: impl FnOnce(Ask) -> F) -> Answer
where
    F: Future<Output = service::Result<Done>>,
{
    let ask = Ask::current().ok_or(Unanswered::InputInvalid)?;
    match run(ask.clone()).await {
        Ok(done) => tell(&ask, done).await,
        Err(failure) => refuse(&ask, &failure).await,
    }
    Ok(())
}

async fn tell(ask: &Ask, done: Done) {
    let to = if done.to.is_empty() {
        ask.page_of_form()
    } else {
        &done.to
    };
    if !done.message.is_empty() || done.secret.is_some() {
        let flash = Flash::done(to, ask.parts.uri.path(), done.message, done.secret);
        leave(flash, ask).await;
    }
    redirect(to);
}

async fn refuse(ask: &Ask, failure: &service::Error) {
    if let service::Error::Internal(cause) = failure {
        error!(%cause, "an action failed");
    }
    let page = ask.page_of_form();
    let refusal = failure.refusal();
    leave(
        Flash::refused(page, ask.parts.uri.path(), refusal, ask.posted()),
        ask,
    )
    .await;
    if refusal == Refusal::NotSignedIn {
        // The form waits in the session and is filled again after signing in.
        redirect(&path::sign_in(page));
    } else {
        redirect(page);
    }
}

async fn leave(flash: Flash, ask: &Ask) {
    if let Err(cause) = flash.leave(&ask.session).await {
        error!(%cause, "the session could not be written");
    }
}

/// Turns a failure of the session's storage into one of the use case.
///
/// # Errors
/// [`Refusal::Internal`]; the cause goes to the log.
pub fn stored<T>(result: Result<T, tower_sessions::session::Error>) -> service::Result<T> {
    result.map_err(|cause| {
        error!(%cause, "the session could not be written");
        Refusal::Internal.into()
    })
}
