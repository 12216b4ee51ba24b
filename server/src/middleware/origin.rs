//! Refuses writes that another site makes a browser send.

use axum::{
    extract::Request,
    http::{
        HeaderMap, Method, StatusCode,
        header::{HOST, ORIGIN},
        uri::Authority,
    },
    middleware::Next,
    response::{IntoResponse, Response},
};

/// Lets reads pass, and writes from our own pages or from programs that are not browsers.
pub async fn refuse_foreign_writes(request: Request, next: Next) -> Response {
    let reads = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    if reads || is_ours(request.headers(), request.uri().authority()) {
        return next.run(request).await;
    }
    (
        StatusCode::FORBIDDEN,
        "This request came from another site and was refused.\n",
    )
        .into_response()
}

/// A browser tells where a request comes from in `Sec-Fetch-Site`, older ones in `Origin`. A
/// request with neither is from a program, which no foreign page can have sent.
fn is_ours(headers: &HeaderMap, target: Option<&Authority>) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = headers.get(ORIGIN) else {
        return true;
    };
    let host = match (target, headers.get(HOST)) {
        (Some(authority), _) => authority.as_str(),
        (None, Some(host)) => host.to_str().unwrap_or_default(),
        (None, None) => return false,
    };
    let origin = origin.to_str().unwrap_or_default();
    origin
        .split_once("://")
        .is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn ours(headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers.iter().map(|&(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        });
        is_ours(&headers.collect(), None)
    }

    #[test]
    fn our_own_pages_may_write() {
        assert!(ours(&[("sec-fetch-site", "same-origin")]));
        assert!(ours(&[
            ("host", "c.example:8080"),
            ("origin", "https://c.example:8080")
        ]));
    }

    #[test]
    fn another_site_may_not() {
        assert!(!ours(&[
            ("sec-fetch-site", "cross-site"),
            ("host", "c.example")
        ]));
        assert!(!ours(&[
            ("sec-fetch-site", "same-site"),
            ("host", "c.example")
        ]));
        assert!(!ours(&[
            ("host", "c.example"),
            ("origin", "https://evil.example")
        ]));
        assert!(!ours(&[
            ("host", "c.example"),
            ("origin", "https://c.example:444")
        ]));
        assert!(!ours(&[("host", "c.example"), ("origin", "null")]));
        assert!(!ours(&[("origin", "https://c.example")]));
    }

    #[test]
    fn a_program_without_these_headers_may() {
        assert!(ours(&[
            ("host", "c.example"),
            ("authorization", "Bearer t")
        ]));
    }
}
