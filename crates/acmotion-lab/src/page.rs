//! The page's files, built by `build.rs` and embedded.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::api::ApiError;

/// Path, content type, the file, and the file gzipped.
type File = (&'static str, &'static str, &'static [u8], &'static [u8]);

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Is there a page in this build?
pub fn is_there() -> bool {
    !FILES.is_empty()
}

/// What to say when there is none.
pub fn missing_words() -> &'static str {
    "this build has no page: Node or npm was not there when it was made (install Node 18 or newer with npm, and build \
     again)"
}

/// A file of the page; the empty path is the page itself.
pub(crate) fn file(path: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    if !is_there() {
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, missing_words()));
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let Some((_, kind, plain, gzip)) = FILES.iter().find(|(name, ..)| *name == path) else {
        return Err(ApiError::new(StatusCode::NOT_FOUND, format!("there is no file `{path}` here")));
    };
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let takes_gzip = accepts.is_some_and(|value| value.split(',').any(is_gzip));
    let mut response = Body::from(if takes_gzip { *gzip } else { *plain }).into_response();
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if takes_gzip {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

fn is_gzip(coding: &str) -> bool {
    let mut parts = coding.split(';').map(str::trim);
    parts.next() == Some("gzip") && parts.next() != Some("q=0")
}
