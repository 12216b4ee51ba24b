//! Requests to our own JSON API, with the session cookie of the page.

use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Request, RequestInit, Response};

/// What the server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// No answer came: the network is gone, or the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAnswer;

/// Sends a request; `leaving` asks the browser to finish it even when the page is closed meanwhile.
///
/// # Errors
/// [`NoAnswer`] when no complete answer arrived.
pub async fn send(
    method: &str,
    url: &str,
    body: Option<&str>,
    leaving: bool,
) -> Result<Reply, NoAnswer> {
    fetch(method, url, body, leaving)
        .await
        .map_err(|_| NoAnswer)
}

async fn fetch(
    method: &str,
    url: &str,
    body: Option<&str>,
    leaving: bool,
) -> Result<Reply, JsValue> {
    let init = RequestInit::new();
    init.set_method(method);
    if let Some(body) = body {
        init.set_body(&JsValue::from_str(body));
    }
    // Bodies over 64 KiB are refused with `keepalive`, so it is used only where the page may go away.
    js_sys::Reflect::set(&init, &"keepalive".into(), &leaving.into())?;
    let request = Request::new_with_str_and_init(url, &init)?;
    request.headers().set("Accept", "application/json")?;
    if body.is_some() {
        request.headers().set("Content-Type", "application/json")?;
    }
    let response: Response = JsFuture::from(window().fetch_with_request(&request))
        .await?
        .dyn_into()?;
    let body = JsFuture::from(response.text()?)
        .await?
        .as_string()
        .unwrap_or_default();
    Ok(Reply {
        status: response.status(),
        body,
    })
}
