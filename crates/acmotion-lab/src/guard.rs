//! Access control: only pages of this machine are answered, and requests that change state need the token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use subtle::ConstantTimeEq as _;

use crate::api::ApiError;

/// The number of random bytes in a token.
const TOKEN_BYTES: usize = 16;

/// The hosts, origins and token that requests are checked against.
#[derive(Debug)]
pub(crate) struct Guard {
    hosts: [String; 2],
    origins: [String; 2],
    policy: HeaderValue,
    token: String,
}

impl Guard {
    /// Creates the guard of a server at `port`, with a new token.
    pub(crate) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut random = [0; TOKEN_BYTES];
        getrandom::fill(&mut random)?;
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let origins = [format!("http://{}", hosts[0]), format!("http://{}", hosts[1])];
        let policy = format!(
            "default-src 'self'; connect-src 'self' ws://{} ws://{}; img-src 'self' data: blob:; object-src 'none'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            hosts[0], hosts[1]
        );
        Ok(Self {
            hosts,
            origins,
            // The port is the only variable part, so the policy is always a valid header.
            policy: HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'self'")),
            token: random.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Rejects a wrong or missing token. The time this takes does not depend on where a wrong token differs.
    pub(crate) fn check_token(&self, given: Option<&str>) -> Result<(), ApiError> {
        if self.token.as_bytes().ct_eq(given.unwrap_or_default().as_bytes()).into() {
            return Ok(());
        }
        let message = "the token is missing or wrong: use the address that `acmotion lab` printed";
        Err(ApiError::new(StatusCode::UNAUTHORIZED, message))
    }

    /// Returns the security headers of every response.
    pub(crate) fn headers(&self) -> [(HeaderName, HeaderValue); 6] {
        let same_origin = HeaderValue::from_static("same-origin");
        [
            (header::CONTENT_SECURITY_POLICY, self.policy.clone()),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (HeaderName::from_static("cross-origin-resource-policy"), same_origin.clone()),
            (HeaderName::from_static("cross-origin-opener-policy"), same_origin),
        ]
    }

    /// Returns the error for a request with a foreign `Host` or `Origin`, or `None` if the request is allowed.
    fn reject(&self, request: &Request) -> Option<ApiError> {
        let headers = request.headers();
        let forbidden = |message: String| Some(ApiError::new(StatusCode::FORBIDDEN, message));
        let host = headers.get(header::HOST);
        if !host.is_some_and(|host| self.hosts.iter().any(|own| host == own)) {
            let given = host.map_or_else(|| String::from("no host"), |host| format!("host {host:?}"));
            return forbidden(format!("the lab only answers for {}, not for {given}", self.hosts[0]));
        }
        if headers.get_all(header::HOST).iter().count() > 1 {
            return forbidden(String::from("the request names more than one host"));
        }
        let is_foreign = |origin: &HeaderValue| !self.origins.iter().any(|own| origin == own);
        if let Some(origin) = headers.get_all(header::ORIGIN).iter().find(|origin| is_foreign(origin)) {
            return forbidden(format!("the lab only answers its own page, not {origin:?}"));
        }
        None
    }
}

/// Middleware that rejects foreign requests and adds security headers to every response.
pub(crate) async fn protect(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = match guard.reject(&request) {
        Some(error) => error.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.extend(guard.headers());
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
