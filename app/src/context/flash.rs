//! What one page view tells about the form posted just before: that it worked, or why not, with what was typed.
//!
//! It waits in the session on the server, so nothing of it is ever in an address.

use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use tower_sessions::{Session, session::Error};

pub(super) const KEY: &str = "flash";

/// The outcome of a posted form, for the next view of one page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    /// The path of the page it is for; other pages leave it alone.
    page: String,
    /// The address that the form was posted to: it tells the forms of a page apart.
    pub form: String,
    /// What became of it.
    pub outcome: Outcome,
    /// What was typed, when it must be typed again.
    pub values: Vec<(String, String)>,
}

/// What became of a posted form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was done.
    Done {
        /// What was done, in a sentence.
        message: String,
        /// A secret that is shown this once.
        secret: Option<String>,
    },
    /// It was not done.
    Refused(Refusal),
}

impl Flash {
    /// Says on the page at `address` that the form was done.
    pub fn done(address: &str, form: &str, message: String, secret: Option<String>) -> Self {
        Self {
            page: page_of(address),
            form: form.into(),
            outcome: Outcome::Done { message, secret },
            values: Vec::new(),
        }
    }

    /// Says on the page at `address` why the form was refused, and keeps what was typed.
    pub fn refused(
        address: &str,
        form: &str,
        refusal: Refusal,
        values: Vec<(String, String)>,
    ) -> Self {
        Self {
            page: page_of(address),
            form: form.into(),
            outcome: Outcome::Refused(refusal),
            values,
        }
    }

    /// Leaves it for the next page view.
    ///
    /// # Errors
    /// When the session cannot be stored.
    pub async fn leave(self, session: &Session) -> Result<(), Error> {
        session.insert(KEY, self).await
    }

    /// Takes what is left for the page at this path; it is told once.
    ///
    /// # Errors
    /// When the session cannot be read.
    pub async fn take(session: &Session, path: &str) -> Result<Option<Self>, Error> {
        match session.get::<Self>(KEY).await? {
            Some(flash) if flash.page == path => session.remove(KEY).await,
            _ => Ok(None),
        }
    }
}

fn page_of(address: &str) -> String {
    address.split(['?', '#']).next().unwrap_or_default().into()
}
