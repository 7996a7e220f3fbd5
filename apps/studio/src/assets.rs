//! The page itself: our own scripts, and what they are drawn with.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

mod vendored {
    include!(concat!(env!("OUT_DIR"), "/vendored.rs"));
}

macro_rules! own {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../web/", $name)))),*]
    };
}

/// Ours, by path.
const OWN: &[(&str, &[u8])] = own![
    "index.html",
    "style.css",
    "favicon.svg",
    "main.js",
    "store.js",
    "dom.js",
    "wire.js",
    "view.js",
    "figure.js",
    "others.js",
    "quality.js",
    "camera.js",
    "overlays.js",
    "timeline.js",
    "plots.js",
    "stack.js",
    "numbers.js",
    "files.js",
    "tour.js",
    "tools/path.js",
    "tools/touchup.js",
    "tools/blend.js",
    "tools/track.js",
    "tools/scene.js",
    "tools/adapt.js",
    "tools/simple.js",
];

/// Why there is no page, if there is none.
pub fn problem() -> Option<&'static str> {
    (!vendored::PROBLEM.is_empty()).then_some(vendored::PROBLEM)
}

/// One file. In a development build ours are read from the source tree, so that a change needs a reload and no build.
pub fn answer(path: &str) -> Response {
    let path = if path.is_empty() { "index.html" } else { path };
    let found = |table: &[(&str, &'static [u8])], path: &str| {
        table.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
    };
    let bytes = match path.strip_prefix("vendor/") {
        Some(name) => found(vendored::VENDORED, name).map(<[u8]>::to_vec),
        None => found(OWN, path).map(|bytes| fresh(path).unwrap_or_else(|| bytes.to_vec())),
    };
    let Some(bytes) = bytes else { return (StatusCode::NOT_FOUND, "404: there is no such file\n").into_response() };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    (headers, bytes).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

fn fresh(path: &str) -> Option<Vec<u8>> {
    if !cfg!(debug_assertions) {
        return None;
    }
    // `path` is a name of the table, never what a request said.
    std::fs::read(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/web")).join(path)).ok()
}
