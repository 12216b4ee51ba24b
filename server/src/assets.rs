//! The static files inside the binary.

/// One file, and its compressed copy when that is smaller.
pub struct File {
    /// The name in the address, after the directory.
    pub name: &'static str,
    /// The bytes as they are.
    pub plain: &'static [u8],
    /// The same, brotli-compressed.
    pub brotli: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The name of the wasm module; `HydrationScripts` expects the ending `_bg`.
const WASM: &str = "consilium_bg.wasm";

/// The file called `name`.
pub fn find(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

/// Whether this build has the browser part.
pub fn has_wasm() -> bool {
    find(WASM).is_some()
}

/// The media type that the ending of `name` stands for.
pub fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
