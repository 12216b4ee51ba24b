//! Addresses within this server: the only places a browser is ever sent to.

/// The address when it is a path of this server, else nothing.
///
/// A browser reads `//host` and `/\host` as another server, and drops tabs and line ends inside.
pub fn local(address: &str) -> Option<&str> {
    let rest = address.strip_prefix('/')?;
    let plain = address
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    (plain && !rest.starts_with('/')).then_some(address)
}

/// The path and query of a `Referer` of this server; the start page for any other.
pub fn of_referer<'a>(referer: &'a str, host: &str) -> &'a str {
    let authority = referer.split_once("://").map_or("", |(_, rest)| rest);
    authority
        .strip_prefix(host)
        .filter(|_| !host.is_empty())
        .map(|address| address.split('#').next().unwrap_or_default())
        .and_then(local)
        .unwrap_or("/")
}

/// The address of the sign-in page that leads back to `address`.
pub fn sign_in(address: &str) -> String {
    if address == "/" {
        return "/sign-in".into();
    }
    let to: String = form_urlencoded::byte_serialize(address.as_bytes()).collect();
    format!("/sign-in?to={to}")
}

#[cfg(test)]
mod tests {
    use super::{local, of_referer, sign_in};

    #[test]
    fn only_paths_of_this_server_are_local() {
        for good in ["/", "/studies/1?facet=model", "/desk/a#b"] {
            assert_eq!(local(good), Some(good));
        }
        for bad in [
            "",
            "studies",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\tb",
            "/a\r\nSet-Cookie: x",
            "/ä",
        ] {
            assert_eq!(local(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_form_is_answered_on_its_own_page_or_on_the_start_page() {
        assert_eq!(
            of_referer("https://c.example:8080/studies/1?a=b#c", "c.example:8080"),
            "/studies/1?a=b"
        );
        assert_eq!(
            of_referer("https://c.example.evil.example/x", "c.example"),
            "/"
        );
        assert_eq!(
            of_referer("https://c.example//evil.example", "c.example"),
            "/"
        );
        assert_eq!(of_referer("https://evil.example/x", "c.example"), "/");
        assert_eq!(of_referer("", "c.example"), "/");
        assert_eq!(of_referer("https:///x", ""), "/");
    }

    #[test]
    fn the_way_back_survives_as_one_query_value() {
        assert_eq!(sign_in("/"), "/sign-in");
        assert_eq!(
            sign_in("/studies/1?a=b&c=d"),
            "/sign-in?to=%2Fstudies%2F1%3Fa%3Db%26c%3Dd"
        );
    }
}
