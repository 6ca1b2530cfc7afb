//! The files of the page, built by `build.rs` and embedded.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::api::ApiError;

/// Path, content type, content, and gzipped content of a file.
type File = (&'static str, &'static str, &'static [u8], &'static [u8]);

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The file that is the page itself.
const INDEX: &str = "index.html";

/// The message for users of a build without the page.
pub const MISSING_PAGE: &str = "this build has no page, because Node or npm was not available when it was built: \
                                install Node 18 or newer with npm, and build again";

/// Returns `true` if this build contains the page.
pub fn has_page() -> bool {
    !FILES.is_empty()
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
