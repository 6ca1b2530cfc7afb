//! The files of the page, built by `build.rs` and embedded, and those of the page that needs no server.

use std::path::Path;
use std::{fs, io};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::api::ApiError;

/// Path, content type, content, and gzipped content of a file.
type File = (&'static str, &'static str, &'static [u8], &'static [u8]);

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Name and content of a file of the page that needs no server.
type StaticFile = (&'static str, &'static [u8]);

static STATIC_FILES: &[StaticFile] = include!(concat!(env!("OUT_DIR"), "/static_page.rs"));

/// The file that is the page itself.
const INDEX: &str = "index.html";

/// The message for users of a build without the page.
pub const MISSING_PAGE: &str = "this build has no page, because Node or npm was not available when it was built: \
                                install Node 18 or newer with npm, and build again";

/// Returns `true` if this build contains the page.
pub fn has_page() -> bool {
    !FILES.is_empty()
}

/// The message for users of a build without the page that needs no server.
pub const MISSING_STATIC_PAGE: &str = "this build does not contain the page for static hosts, because that was not made \
                                       before: run `rustup target add wasm32-unknown-unknown`, then `npm ci` and \
                                       `npm run build` in crates/acmotion-lab/page, and build again (or take the folder \
                                       dist-static that is made there)";

/// Returns `true` if this build contains the page that needs no server.
pub fn has_static_page() -> bool {
    !STATIC_FILES.is_empty()
}

/// Writes the page that needs no server into a folder, which is created if it does not exist. Files of the same names are
/// replaced, others are left alone. Returns the names and sizes of the files, in bytes; none without that page.
///
/// # Errors
///
/// Returns an error if the folder or a file cannot be written.
pub fn export(folder: &Path) -> io::Result<Vec<(&'static str, usize)>> {
    fs::create_dir_all(folder)?;
    let write = |(name, content): &StaticFile| {
        fs::write(folder.join(name), content)?;
        Ok((*name, content.len()))
    };
    STATIC_FILES.iter().map(write).collect()
}

/// Answers a request for a file of the page. The empty path is `index.html`.
pub(crate) fn file(path: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let path = if path.is_empty() { INDEX } else { path };
    if !has_page() && path == INDEX {
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, MISSING_PAGE));
    }
    let Some((_, content_type, plain, gzip)) = FILES.iter().find(|(name, ..)| *name == path) else {
        return Err(ApiError::new(StatusCode::NOT_FOUND, format!("the page has no file `{path}`")));
    };
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let accepts_gzip = accepted.is_some_and(|value| value.split(',').any(is_gzip));
    let mut response = Body::from(if accepts_gzip { *gzip } else { *plain }).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if accepts_gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

fn is_gzip(coding: &str) -> bool {
    let mut parts = coding.split(';').map(str::trim);
    parts.next() == Some("gzip") && parts.next() != Some("q=0")
}
