//! The requests of the page, independent of how they arrive: data that it fetches once and keeps (tables, setups, meshes,
//! frames, clips, scenery), and the files that it opens. `http` answers them over HTTP, and `crate::local` for a page without
//! a server.

mod about;
mod cache;
mod capture;
mod clip;
mod compare;
mod dat;
mod frames;
mod gltf;
#[cfg(feature = "server")]
mod http;
mod mesh;
mod scenery;
mod setup;
mod sheet;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use ::http::StatusCode;
use acmotion::dat::{DatError, DataId};
use acmotion::query::Undefined;
use serde::Serialize;

pub(crate) use cache::TableCache;
pub(crate) use capture::open as open_capture;
pub(crate) use dat::{MAX_DAT_BYTES, open as open_dat};
#[cfg(feature = "server")]
pub(crate) use http::{MAX_UPLOAD_BYTES, MAX_UPLOADS, blocking, router};

use crate::files::DatFile;
use crate::protocol::api::{ErrorBody, FileKind};
use crate::shared::Shared;

/// A request that failed: the status and the reason.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
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

    /// Returns the body of the answer.
    pub(crate) fn body(&self) -> ErrorBody {
        ErrorBody { error: self.message.clone() }
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

pub(crate) type ApiResult<T> = Result<T, ApiError>;
/// The parameters of a query string.
pub(crate) type Parameters = HashMap<String, String>;

/// The content type of JSON.
pub(crate) const JSON: &str = "application/json";

/// The body of an answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    pub(crate) content_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// Answers a request, given the parameters of the query string.
type Query = fn(&Shared, &Parameters) -> ApiResult<Answer>;
/// Answers a request about one object of a dat file.
type ObjectQuery = fn(&DatFile, DataId) -> ApiResult<Answer>;

/// The requests at `/api/NAME`.
const QUERIES: [(&str, Query); 7] = [
    ("about", |shared, _| json(&about::about(shared))),
    ("tables", |shared, parameters| json(&dat_file(shared, parameters)?.tables().list())),
    ("scenery", |shared, parameters| json(&scenery::scenery(shared, parameters)?)),
    ("clip", |shared, parameters| json(&clip::clip(shared, parameters)?)),
    ("gltf", gltf::gltf),
    ("compare", |shared, parameters| json(&compare::compare(shared, parameters)?)),
    ("sheet", |shared, parameters| json(&sheet::sheet(shared, parameters)?)),
];

/// The requests at `/api/NAME/ID`.
const OBJECT_QUERIES: [(&str, ObjectQuery); 4] = [
    ("table", |file, id| json(&table::table(file, id)?)),
    ("setup", |file, id| json(&setup::setup(&file.assets, id)?)),
    ("mesh", |file, id| mesh::mesh(&file.assets, id).map(binary)),
    ("frames", |file, id| frames::frames(&file.assets, id).map(binary)),
];

/// Answers a request for data, given its path.
pub(crate) fn answer(shared: &Shared, path: &str, parameters: &Parameters) -> ApiResult<Answer> {
    let name = path.strip_prefix("/api/").unwrap_or_default();
    if let Some((_, query)) = QUERIES.iter().find(|(own, _)| *own == name) {
        return query(shared, parameters);
    }
    let object = name.split_once('/').and_then(|(kind, id)| {
        let (_, query) = OBJECT_QUERIES.iter().find(|(own, _)| *own == kind)?;
        Some((query, id))
    });
    match object {
        Some((query, id)) => object_answer(shared, *query, id, parameters),
        None => Err(ApiError::new(StatusCode::NOT_FOUND, "there is nothing at this address")),
    }
}

/// Answers a request about one object of the dat file. If the file does not have it, the mannequin's object of that id is
/// used: the bodies of a walk may come from there.
fn object_answer(
    shared: &Shared,
    query: ObjectQuery,
    id: &str,
    parameters: &Parameters,
) -> ApiResult<Answer> {
    let id = id.parse::<DataId>().map_err(ApiError::bad_request)?;
    let file = dat_file(shared, parameters)?;
    match query(&file, id) {
        Err(error) if error.status == StatusCode::NOT_FOUND => {
            query(shared.files().mannequin(), id).map_err(|_| error)
        }
        result => result,
    }
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

pub(crate) fn too_large(max_bytes: u64) -> ApiError {
    let message = format!("the file is larger than {} MB", max_bytes >> 20);
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

pub(crate) fn json<T: Serialize>(value: &T) -> ApiResult<Answer> {
    let bytes = serde_json::to_vec(value).map_err(|error| ApiError::internal(error.to_string()))?;
    Ok(Answer { content_type: JSON, bytes })
}

fn binary(bytes: Vec<u8>) -> Answer {
    Answer { content_type: "application/octet-stream", bytes }
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
