//! The requests of the page over HTTP.

mod spool;

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    Answer, ApiError, ApiResult, OBJECT_QUERIES, ObjectQuery, Parameters, QUERIES, capture, object_answer,
    too_large,
};
use crate::protocol::api::RecordingSummary;
use crate::replay::Interest;
use crate::server::ServerState;

/// The maximum number of uploads at a time.
pub(crate) const MAX_UPLOADS: usize = 2;
/// The maximum size of an uploaded recording, in bytes.
pub(crate) const MAX_UPLOAD_BYTES: usize = 64 << 20;
/// How long an upload may take.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(60);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body())).into_response()
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, self.content_type)], self.bytes).into_response()
    }
}

pub(crate) fn router() -> axum::Router<Arc<ServerState>> {
    let mut router = axum::Router::new()
        .route("/api/capture", post(upload).layer(DefaultBodyLimit::max(MAX_UPLOAD_BYTES)))
        .route("/api/dat", post(spool::upload));
    for (name, query) in QUERIES {
        router = router.route(&format!("/api/{name}"), query_route(query));
    }
    for (name, query) in OBJECT_QUERIES {
        router = router.route(&format!("/api/{name}/{{id}}"), object_route(query));
    }
    router
}

fn query_route(query: super::Query) -> MethodRouter<Arc<ServerState>> {
    get(async move |State(server): State<Arc<ServerState>>, Query(parameters): Query<Parameters>| {
        blocking(move || query(server.shared(), &parameters)).await
    })
}

fn object_route(query: ObjectQuery) -> MethodRouter<Arc<ServerState>> {
    get(
        async move |State(server): State<Arc<ServerState>>,
                    Path(id): Path<String>,
                    Query(parameters): Query<Parameters>| {
            blocking(move || object_answer(server.shared(), query, &id, &parameters)).await
        },
    )
}

async fn upload(
    State(server): State<Arc<ServerState>>,
    Query(parameters): Query<Parameters>,
    body: Upload,
) -> ApiResult<Json<RecordingSummary>> {
    // Dropped with this future if the page leaves, which stops the work.
    let interest = Interest::default();
    let watch = interest.watch();
    let answer =
        blocking(move || capture::open(server.shared(), &parameters, &body.bytes, &watch).map(Json)).await;
    drop(interest);
    answer
}

/// The body of an upload. It is read only if the token is right and the length stated is allowed, while the number of
/// uploads is limited, and within a time limit.
struct Upload {
    bytes: Bytes,
    /// Held until the upload has been handled.
    _permit: OwnedSemaphorePermit,
}

impl FromRequest<Arc<ServerState>> for Upload {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Arc<ServerState>) -> ApiResult<Self> {
        let permit = admit(&request, server, MAX_UPLOAD_BYTES as u64)?;
        let bytes = tokio::time::timeout(UPLOAD_TIMEOUT, Bytes::from_request(request, server)).await;
        let bytes = bytes.map_err(|_| too_slow(UPLOAD_TIMEOUT))?;
        let bytes = bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(MAX_UPLOAD_BYTES as u64),
            status => ApiError::new(status, rejection.body_text()),
        })?;
        Ok(Self { bytes, _permit: permit })
    }
}

/// Checks the token and the stated length of an upload, before its body is read. The permit is to be held until the upload
/// has been handled.
fn admit(request: &Request, server: &ServerState, max_bytes: u64) -> ApiResult<OwnedSemaphorePermit> {
    let query = Query::<Parameters>::try_from_uri(request.uri());
    let token = query.as_ref().ok().and_then(|parameters| parameters.get("token"));
    server.guard().check_token(token.map(String::as_str))?;
    if request.body().size_hint().lower() > max_bytes {
        return Err(too_large(max_bytes));
    }
    Arc::clone(server.uploads()).try_acquire_owned().map_err(|_| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "other files are being uploaded; try again later")
    })
}

fn too_slow(timeout: Duration) -> ApiError {
    let message = format!("the file did not arrive within {} seconds", timeout.as_secs());
    ApiError::new(StatusCode::REQUEST_TIMEOUT, message)
}

/// Runs `work` on a thread for blocking work.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(ApiError::internal("the server failed to compute the answer")))
}
