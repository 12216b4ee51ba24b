//! The Content-Security-Policy: what a page may load, and from where.

use http::{HeaderValue, header::CONTENT_SECURITY_POLICY};
use leptos::{nonce::use_nonce, prelude::use_context};
use leptos_axum::ResponseOptions;

/// For answers that run no script: plain error pages, downloads, the JSON API.
pub const STATIC_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The policy of a rendered page, whose scripts carry `nonce`.
///
/// `strict-dynamic` lets the nonced boot script import the module; `wasm-unsafe-eval` permits
/// compiling wasm, and nothing else that `eval` would.
pub fn page_policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; \
         style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// Sets the header of the response being rendered. A header and not a `<meta>`, because
/// `frame-ancestors` has no effect in a `<meta>`.
pub fn set_page_policy() {
    let (Some(nonce), Some(response)) = (use_nonce(), use_context::<ResponseOptions>()) else {
        return;
    };
    if let Ok(value) = HeaderValue::try_from(page_policy(&nonce)) {
        response.insert_header(CONTENT_SECURITY_POLICY, value);
    }
}

#[cfg(test)]
mod tests {
    use super::page_policy;

    #[test]
    fn a_page_policy_names_the_nonce_and_allows_nothing_inline() {
        let policy = page_policy("abc");
        assert!(policy.contains("script-src 'nonce-abc'"));
        assert!(policy.starts_with("default-src 'none'"));
        assert!(!policy.contains("unsafe-inline"));
    }
}
