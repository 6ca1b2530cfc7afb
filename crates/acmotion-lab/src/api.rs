//! The HTTP API: data that the page fetches once and keeps (tables, setups, meshes, frames, clips, scenery), and uploads.

mod about;
mod cache;
mod capture;
mod clip;
mod colour;
mod compare;
mod dat;
mod frames;
mod mesh;
mod scenery;
mod setup;
mod sheet;
mod table;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use acmotion::dat::{DatError, DataId};
use acmotion::query::Undefined;
use axum::Json;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;

pub(crate) use cache::TableCache;
pub(crate) use capture::MAX_UPLOAD_BYTES;
pub(crate) use dat::MAX_DAT_BYTES;

use crate::files::DatFile;
use crate::protocol::api::{ErrorBody, FileKind, RecordingSummary};
use crate::replay::Interest;
use crate::server::Shared;

/// The maximum number of uploads at a time.
pub(crate) const MAX_UPLOADS: usize = 2;
/// How long an upload may take.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(60);

/// A request that failed: the status and the reason.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(ErrorBody { error: self.message })).into_response()
    }
}

impl From<DatError> for ApiError {
    fn from(error: DatError) -> Self {
        let status = match error {
            DatError::NotFound(_) => StatusCode::NOT_FOUND,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, error.to_string())
    }
}

impl From<Undefined> for ApiError {
    fn from(undefined: Undefined) -> Self {
        Self::new(StatusCode::NOT_FOUND, undefined.to_string())
    }
}

type ApiResult<T> = Result<T, ApiError>;
/// The parameters of a query string.
type Parameters = HashMap<String, String>;

pub(crate) fn router() -> axum::Router<Arc<Shared>> {
    axum::Router::new()
        .route("/api/about", query_route(|shared, _| Ok(about::about(shared))))
        .route(
            "/api/tables",
            query_route(|shared, parameters| Ok(dat_file(shared, parameters)?.tables().list())),
        )
        .route("/api/scenery", query_route(scenery::scenery))
        .route("/api/clip", query_route(clip::clip))
        .route("/api/compare", query_route(compare::compare))
        .route("/api/sheet", query_route(sheet::sheet))
        .route("/api/table/{id}", object_route(|file, id| table::table(file, id).map(json)))
        .route("/api/setup/{id}", object_route(|file, id| setup::setup(&file.assets, id).map(json)))
        .route("/api/mesh/{id}", object_route(|file, id| mesh::mesh(&file.assets, id).map(binary)))
        .route("/api/frames/{id}", object_route(|file, id| frames::frames(&file.assets, id).map(binary)))
        .route("/api/capture", post(upload).layer(DefaultBodyLimit::max(MAX_UPLOAD_BYTES)))
        .route("/api/dat", post(dat::upload))
}

/// A route that answers with JSON, given the parameters of the query string.
fn query_route<T: Serialize + Send + 'static>(
    answer: fn(&Shared, &Parameters) -> ApiResult<T>,
) -> MethodRouter<Arc<Shared>> {
    get(async move |State(shared): State<Arc<Shared>>, Query(parameters): Query<Parameters>| {
        blocking(move || answer(&shared, &parameters).map(Json)).await
    })
}

/// A route about one object of the dat file. If the file does not have it, the mannequin's object of that id is used:
/// the bodies of a walk may come from there.
fn object_route(answer: fn(&DatFile, DataId) -> ApiResult<Response>) -> MethodRouter<Arc<Shared>> {
    get(
        async move |State(shared): State<Arc<Shared>>,
                    Path(id): Path<String>,
                    Query(parameters): Query<Parameters>| {
            let id = id.parse::<DataId>().map_err(ApiError::bad_request)?;
            let dat = dat_file(&shared, &parameters)?;
            blocking(move || match answer(&dat, id) {
                Err(error) if error.status == StatusCode::NOT_FOUND => {
                    answer(shared.files().mannequin(), id).map_err(|_| error)
                }
                result => result,
            })
            .await
        },
    )
}

/// Returns the dat file that the parameter `dat` names, or the one that the lab was started with.
fn dat_file(shared: &Shared, parameters: &Parameters) -> ApiResult<Arc<DatFile>> {
    let file = open_file(shared, parameters, "dat", FileKind::Dat)?;
    Ok(file.unwrap_or_else(|| Arc::clone(shared.files().dat())))
}

/// Returns the cell file that the parameter `cell` names; `None` without the parameter.
fn cell_file(shared: &Shared, parameters: &Parameters) -> ApiResult<Option<Arc<DatFile>>> {
    open_file(shared, parameters, "cell", FileKind::Cell)
}

fn open_file(
    shared: &Shared,
    parameters: &Parameters,
    name: &str,
    kind: FileKind,
) -> ApiResult<Option<Arc<DatFile>>> {
    let number = parameter(parameters, name, |text| text.parse::<u32>().map_err(|error| error.to_string()))?;
    let open = |number: u32| {
        let message = || format!("{name}: file {number} is not open; choose it again");
        shared.files().get(number, kind).ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, message()))
    };
    number.map(open).transpose()
}

async fn upload(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<Parameters>,
    body: Upload,
) -> ApiResult<Json<RecordingSummary>> {
    // Dropped with this future if the page leaves, which stops the work.
    let interest = Interest::default();
    let watch = interest.watch();
    let answer = blocking(move || capture::open(&shared, &parameters, &body.bytes, &watch).map(Json)).await;
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

impl FromRequest<Arc<Shared>> for Upload {
    type Rejection = ApiError;

    async fn from_request(request: Request, shared: &Arc<Shared>) -> ApiResult<Self> {
        let permit = admit(&request, shared, MAX_UPLOAD_BYTES as u64)?;
        let bytes = tokio::time::timeout(UPLOAD_TIMEOUT, Bytes::from_request(request, shared)).await;
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
fn admit(request: &Request, shared: &Shared, max_bytes: u64) -> ApiResult<OwnedSemaphorePermit> {
    let query = Query::<Parameters>::try_from_uri(request.uri());
    let token = query.as_ref().ok().and_then(|parameters| parameters.get("token"));
    shared.guard().check_token(token.map(String::as_str))?;
    if request.body().size_hint().lower() > max_bytes {
        return Err(too_large(max_bytes));
    }
    Arc::clone(shared.uploads()).try_acquire_owned().map_err(|_| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "other files are being uploaded; try again later")
    })
}

fn too_large(max_bytes: u64) -> ApiError {
    let message = format!("the file is larger than {} MB", max_bytes >> 20);
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

fn too_slow(timeout: Duration) -> ApiError {
    let message = format!("the file did not arrive within {} seconds", timeout.as_secs());
    ApiError::new(StatusCode::REQUEST_TIMEOUT, message)
}

/// Runs `work` on a thread for blocking work.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> ApiResult<T> + Send + 'static) -> ApiResult<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(ApiError::internal("the server failed to compute the answer")))
}

fn json<T: Serialize>(value: T) -> Response {
    Json(value).into_response()
}

fn binary(bytes: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response()
}

/// Parses a parameter of the query string. Returns `None` if it is absent.
fn parameter<T>(
    parameters: &Parameters,
    name: &str,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> ApiResult<Option<T>> {
    let parsed = parameters.get(name).map(|text| parse(text));
    parsed.transpose().map_err(|error| ApiError::bad_request(format!("{name}: {error}")))
}

/// Parses a parameter that must be present.
fn required<T>(
    parameters: &Parameters,
    name: &str,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> ApiResult<T> {
    parameter(parameters, name, parse)?
        .ok_or_else(|| ApiError::bad_request(format!("the parameter `{name}` is missing")))
}
