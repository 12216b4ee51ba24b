//! A page view: who looks, at what, and what the form before has to say.

use domain::id::StudyId;
use domain::refusal::Refusal;
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_router::hooks::use_params_map;
use leptos_router::params::ParamsMap;
use service::{Actor, Error, Result, Services};
use std::{future::Future, ops::Deref};
use tower_sessions::Session;
use tracing::error;

use super::refused::RefusedPage;
use crate::{
    components::{Form, Kind, Notice, form},
    context::{
        Ask,
        flash::{Flash, Outcome},
        imports::Imports,
        path, redirect, session,
    },
};

/// A page view by anybody.
#[derive(Clone)]
pub struct Guest {
    /// The use cases' ground.
    pub app: Services,
    /// Who looks, when signed in.
    pub who: Option<Actor>,
    session: Session,
    imports: Option<Imports>,
    flash: Option<Flash>,
    params: ParamsMap,
    query: Vec<(String, String)>,
    query_text: String,
    path: String,
}

/// A page view by somebody who is signed in.
#[derive(Clone)]
pub struct Visit {
    guest: Guest,
    /// Who looks.
    pub actor: Actor,
}

impl Deref for Visit {
    type Target = Guest;

    fn deref(&self) -> &Guest {
        &self.guest
    }
}

impl Guest {
    /// A part of the path, by its name in the route.
    pub fn param(&self, name: &str) -> String {
        self.params.get(name).unwrap_or_default()
    }

    /// The study that the path names.
    pub fn study(&self) -> StudyId {
        StudyId::new(self.param("study"))
    }

    /// A value of the query; empty when it is not there.
    pub fn query(&self, name: &str) -> String {
        self.query
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
            .unwrap_or_default()
    }

    /// The query as it stands in the address.
    pub fn query_text(&self) -> &str {
        &self.query_text
    }

    /// Every field of the query.
    pub fn query_pairs(&self) -> Vec<(String, String)> {
        self.query.clone()
    }

    /// Every value of a name in the query.
    pub fn query_all(&self, name: &str) -> Vec<String> {
        self.query
            .iter()
            .filter(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
            .collect()
    }

    /// The imports of this process.
    pub fn imports(&self) -> Option<&Imports> {
        self.imports.as_ref()
    }

    /// How one's own list of sessions names this one.
    pub fn session_key(&self) -> Option<String> {
        session::key(&self.session)
    }

    /// The page's own path, without its query.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The form that is posted to a server function.
    pub fn form<F: ServerFn>(&self) -> Form {
        Form::new(F::PATH, self.flash.as_ref())
    }

    /// The form that is posted to a route that is no server function.
    pub fn form_to(&self, action: &str) -> Form {
        Form::new(action, self.flash.as_ref())
    }

    /// What the form before has to say; at the head of every page.
    pub fn said(&self) -> impl IntoView + use<> {
        self.flash.clone().map(|flash| match flash.outcome {
            Outcome::Done { message, secret } => done(message, secret).into_any(),
            Outcome::Refused(refusal) => refused(&flash.form, refusal).into_any(),
        })
    }
}

fn done(message: String, secret: Option<String>) -> impl IntoView {
    let secret = secret.map(|secret| {
        view! {
            <p>
                <label for="shown-once">"Copy it now: it is not shown again."</label>
                <input id="shown-once" class="secret" readonly value=secret autofocus />
            </p>
        }
    });
    view! {
        <Notice kind=Kind::Good>
            <p>{message}</p>
            {secret}
        </Notice>
    }
}

/// Why a form was refused, with a link to where it is put right.
pub fn refused(action: &str, refusal: Refusal) -> impl IntoView + use<> {
    let target = form::field_id(action, form::field_of(refusal).unwrap_or_default());
    view! {
        <div class="notice bad" id="errors" role="alert" tabindex="-1" autofocus>
            <h2>"This was not done"</h2>
            <p>
                <a href=format!("#{target}")>{refusal.message()}</a>
            </p>
        </div>
    }
}

/// A page for people who are signed in. Others are sent to sign in and come back.
pub fn visit<F, V>(load: impl FnOnce(Visit) -> F + Send + 'static) -> impl IntoView
where
    F: Future<Output = Result<V>> + Send + 'static,
    V: IntoView + 'static,
{
    visit_as_anyone(move |guest| async move {
        let actor = guest.who.clone().ok_or(Refusal::NotSignedIn)?;
        load(Visit { guest, actor }).await
    })
}

/// A page for anybody: signing in, accepting an invitation.
pub fn visit_as_anyone<F, V>(load: impl FnOnce(Guest) -> F + Send + 'static) -> impl IntoView
where
    F: Future<Output = Result<V>> + Send + 'static,
    V: IntoView + 'static,
{
    let params = use_params_map().get_untracked();
    let ask = Ask::current();
    Suspend::new(async move {
        // Nothing is asked while the table of routes is made.
        let ask = ask?;
        let page = async { load(arrive(&ask, params).await?).await };
        Some(match page.await {
            Ok(view) => view.into_any(),
            Err(failure) => turned_away(&ask, &failure).into_any(),
        })
    })
}

async fn arrive(ask: &Ask, params: ParamsMap) -> Result<Guest> {
    let path = ask.parts.uri.path().to_owned();
    let flash = Flash::take(&ask.session, &path).await.map_err(|cause| {
        error!(%cause, "the session could not be read");
        Error::from(Refusal::Internal)
    })?;
    let query = ask.parts.uri.query().unwrap_or_default();
    Ok(Guest {
        app: ask.app.clone(),
        who: ask.who.clone().map(|who| who.actor),
        session: ask.session.clone(),
        imports: ask.parts.extensions.get::<Imports>().cloned(),
        flash,
        params,
        query_text: query.to_owned(),
        query: form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect(),
        path,
    })
}

fn turned_away(ask: &Ask, failure: &Error) -> impl IntoView + use<> {
    if let Error::Internal(cause) = failure {
        error!(%cause, "a page failed");
    }
    let refusal = failure.refusal();
    if refusal == Refusal::NotSignedIn {
        redirect(&path::sign_in(ask.address()));
    }
    view! { <RefusedPage refusal /> }
}
