//! Static files from the binary, cached by browsers for ever: their address holds their hash.

use axum::{
    body::Body,
    extract::Path,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY},
    },
    response::{IntoResponse, Response},
};

use crate::assets::{self, File};

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Answers `/pkg/{build}/{file}`.
pub async fn serve(Path((build, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    // The hash of another build must not answer with the files of this one: they would be kept.
    let of_this_build = assets::PKG_DIR.strip_prefix("pkg/") == Some(build.as_str());
    match assets::find(&name).filter(|_| of_this_build) {
        Some(file) => answer(file, accepts_brotli(&headers)),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn answer(file: &'static File, brotli: bool) -> Response {
    let compressed = file.brotli.filter(|_| brotli);
    let mut response = Response::new(Body::from(compressed.unwrap_or(file.plain)));
    let headers = response.headers_mut();
    let media_type = HeaderValue::from_static(assets::media_type(file.name));
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(CACHE_CONTROL, FOR_EVER);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if compressed.is_some() {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    response
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    headers
        .get_all(ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let mut parts = coding.split(';').map(str::trim);
            parts.next() == Some("br") && parts.all(|weight| weight != "q=0")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(value: &'static str) -> bool {
        accepts_brotli(&HeaderMap::from_iter([(
            ACCEPT_ENCODING,
            HeaderValue::from_static(value),
        )]))
    }

    #[test]
    fn brotli_is_sent_only_to_those_who_ask_for_it() {
        assert!(accepting("gzip, deflate, br, zstd"));
        assert!(accepting("br;q=0.5"));
        assert!(!accepting("br;q=0, gzip"));
        assert!(!accepting("gzip"));
        assert!(!accepts_brotli(&HeaderMap::new()));
    }
}
