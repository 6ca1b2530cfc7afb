//! Who may ask: only this machine's own page, and for what changes state only with the token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::api::ApiError;

/// How many bytes of chance a token has.
const TOKEN_BYTES: usize = 16;

/// What requests are held against.
#[derive(Debug)]
pub(crate) struct Guard {
    hosts: [String; 2],
    origins: [String; 2],
    policy: HeaderValue,
    token: String,
}

impl Guard {
    /// The guard of a server at that port, with a token of its own.
    pub(crate) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut chance = [0; TOKEN_BYTES];
        getrandom::fill(&mut chance)?;
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
            // Only digits are put in: it is always a value.
            policy: HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'self'")),
            token: chance.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// The token of this start.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Refuses who does not bring the token. It takes the same time wherever a wrong one differs.
    pub(crate) fn check_token(&self, given: Option<&str>) -> Result<(), ApiError> {
        let (own, given) = (self.token.as_bytes(), given.unwrap_or_default().as_bytes());
        let differs = own.iter().zip(given).fold(0, |sum, (a, b)| sum | (a ^ b));
        if differs == 0 && own.len() == given.len() {
            return Ok(());
        }
        let words = "this needs the token of the address that `acmotion lab` printed";
        Err(ApiError::new(StatusCode::UNAUTHORIZED, words))
    }

    fn refuse(&self, request: &Request) -> Option<ApiError> {
        let headers = request.headers();
        let forbidden = |words: String| Some(ApiError::new(StatusCode::FORBIDDEN, words));
        let host = headers.get(header::HOST);
        if !host.is_some_and(|host| self.hosts.iter().any(|own| host == own)) {
            let named = host.map_or_else(|| String::from("no host"), |host| format!("host {host:?}"));
            return forbidden(format!("the lab answers for {} only, not for {named}", self.hosts[0]));
        }
        if headers.get_all(header::HOST).iter().count() > 1 {
            return forbidden(String::from("the request names two hosts"));
        }
        let foreign = |origin: &HeaderValue| !self.origins.iter().any(|own| origin == own);
        if let Some(origin) = headers.get_all(header::ORIGIN).iter().find(|origin| foreign(origin)) {
            return forbidden(format!("the lab answers to its own page only, not to {origin:?}"));
        }
        None
    }
}

/// Refuses what is foreign, and tells the browser how careful to be with the answer.
pub(crate) async fn watch(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let is_data = request.uri().path().starts_with("/api/");
    let mut response = match guard.refuse(&request) {
        Some(error) => error.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, guard.policy.clone());
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    if is_data {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
