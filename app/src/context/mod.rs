//! Who asks, and with what: the services, the person and the session behind a page or an action.
//!
//! The middleware of the server puts them into the request's extensions; pages, server functions and plain
//! handlers read the same ones.

pub mod flash;
pub mod imports;
pub mod path;
pub mod session;

use domain::refusal::Refusal;
use http::{HeaderValue, StatusCode, header::LOCATION, request::Parts};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use service::{Actor, Services};
use tower_sessions::Session;

/// A person who is signed in, by session or by token.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Who they are.
    pub actor: Actor,
    /// When this sign-in ends unless something is done before, in epoch milliseconds.
    pub expires_at: i64,
    /// Whether an API token was sent instead of a session cookie.
    pub by_token: bool,
}

/// The fields of a posted form, kept to fill the form again when it is refused. Never passwords.
#[derive(Clone, Debug, Default)]
pub struct Posted(pub Vec<(String, String)>);

/// The address a request came from, for the limit on sign-in attempts.
#[derive(Clone, Debug, Default)]
pub struct Remote(pub String);

/// A request as the use cases need it.
#[derive(Clone)]
pub struct Ask {
    /// The use cases' ground.
    pub app: Services,
    /// Who asks, when signed in.
    pub who: Option<SignedIn>,
    /// The session; empty for a stranger.
    pub session: Session,
    /// The request's head.
    pub parts: Parts,
}

impl Ask {
    /// The request being answered; nothing while the table of routes is made.
    pub fn current() -> Option<Self> {
        Self::of(use_context::<Parts>()?)
    }

    /// The request with this head, once the middleware has seen it.
    pub fn of(parts: Parts) -> Option<Self> {
        Some(Self {
            app: parts.extensions.get::<Services>()?.clone(),
            who: parts.extensions.get::<SignedIn>().cloned(),
            session: parts.extensions.get::<Session>()?.clone(),
            parts,
        })
    }

    /// Who asks.
    ///
    /// # Errors
    /// [`Refusal::NotSignedIn`] for a stranger.
    pub fn actor(&self) -> Result<&Actor, Refusal> {
        self.who
            .as_ref()
            .map(|who| &who.actor)
            .ok_or(Refusal::NotSignedIn)
    }

    /// The address of this server as the browser knows it.
    pub fn origin(&self) -> String {
        match self.header(http::header::ORIGIN) {
            "" | "null" => format!("http://{}", self.header(http::header::HOST)),
            origin => origin.to_owned(),
        }
    }

    /// Path and query of the request.
    pub fn address(&self) -> &str {
        self.parts
            .uri
            .path_and_query()
            .map_or("/", |address| address.as_str())
    }

    /// Where the request came from.
    pub fn remote(&self) -> String {
        self.parts
            .extensions
            .get::<Remote>()
            .cloned()
            .unwrap_or_default()
            .0
    }

    /// The form's fields, when one was posted.
    pub fn posted(&self) -> Vec<(String, String)> {
        self.parts
            .extensions
            .get::<Posted>()
            .cloned()
            .unwrap_or_default()
            .0
    }

    /// A header as text.
    pub fn header(&self, name: http::HeaderName) -> &str {
        self.parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// What the browser calls itself.
    pub fn agent(&self) -> &str {
        self.header(http::header::USER_AGENT)
    }

    /// Our own page that a form stands on, from the `Referer` that browsers send within one site.
    pub fn page_of_form(&self) -> &str {
        path::of_referer(
            self.header(http::header::REFERER),
            self.header(http::header::HOST),
        )
    }
}

/// Sends the browser to another page of ours with a GET. Text that is no legal header leads to the start page.
pub fn redirect(to: &str) {
    let Some(response) = use_context::<ResponseOptions>() else {
        return;
    };
    let to = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    response.insert_header(LOCATION, to);
    response.set_status(StatusCode::SEE_OTHER);
}

/// Sets the status of the answer.
pub fn set_status(status: u16) {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(status);
    }
}
