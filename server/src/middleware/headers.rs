//! Security headers on every answer.

use app::csp::STATIC_POLICY;
use axum::{
    extract::Request,
    http::{
        HeaderName, HeaderValue,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
            X_CONTENT_TYPE_OPTIONS,
        },
    },
    middleware::Next,
    response::Response,
};

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Nothing that a page for reading and rating could need.
const NO_PERMISSIONS: &str = "accelerometer=(), autoplay=(), \
     camera=(), display-capture=(), encrypted-media=(), gamepad=(), geolocation=(), \
     gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), \
     midi=(), payment=(), picture-in-picture=(), publickey-credentials-get=(), \
     screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()";

/// Adds what is missing; a handler that set its own policy or caching keeps it.
///
/// `same-origin` and not `no-referrer`: with the latter browsers send `Origin: null` on form posts,
/// and a form that failed without script could not find its way back.
pub async fn harden(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let every = [
        (CONTENT_SECURITY_POLICY, STATIC_POLICY),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "same-origin"),
    ];
    // Browsers read these of documents only, and on each file of a first visit they would cost half a kilobyte.
    let of_documents = [
        (PERMISSIONS_POLICY, NO_PERMISSIONS),
        (OPENER_POLICY, "same-origin"),
    ];
    let kind = response.headers().get(CONTENT_TYPE);
    let is_document = kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/html"));
    let asked = if is_document { &of_documents[..] } else { &[] };
    for (name, value) in every.iter().chain(asked) {
        response
            .headers_mut()
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}
