//! What the page asks for once and keeps: tables, setups, meshes, frames, clips, scenery.

mod about;
mod capture;
mod clip;
mod colour;
mod frames;
mod mesh;
mod scenery;
mod setup;
mod shelf;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use acmotion::dat::{Assets, DatError, DataId};
use acmotion::query::Undefined;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use serde_json::{Value, json};

pub(crate) use capture::MOST_BYTES;
pub(crate) use shelf::Shelf;

use crate::server::Shared;

/// Why there is no answer, in words.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    words: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, words: impl Into<String>) -> Self {
        Self { status, words: words.into() }
    }

    /// The request is not one.
    pub(crate) fn bad(words: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, words)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.words }))).into_response()
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

type Answer<T> = Result<T, ApiError>;
type Words = HashMap<String, String>;

pub(crate) fn router() -> axum::Router<Arc<Shared>> {
    axum::Router::new()
        .route("/api/about", asked(|shared, _| Ok(about::about(shared))))
        .route("/api/tables", asked(|shared, _| Ok(shared.shelf().tables())))
        .route("/api/scenery", asked(scenery::scenery))
        .route("/api/clip", asked(clip::clip))
        .route("/api/table/{id}", of_object(|assets, id| json_of(table::table(assets, id)?)))
        .route("/api/setup/{id}", of_object(|assets, id| json_of(setup::setup(assets, id)?)))
        .route("/api/mesh/{id}", of_object(|assets, id| bytes_of(mesh::mesh(assets, id)?)))
        .route("/api/frames/{id}", of_object(|assets, id| bytes_of(frames::frames(assets, id)?)))
        .route("/api/capture", post(upload).layer(DefaultBodyLimit::max(MOST_BYTES)))
}

/// A question with its words behind the question mark, answered away from the threads that serve others.
fn asked(answer: fn(&Shared, &Words) -> Answer<Value>) -> MethodRouter<Arc<Shared>> {
    get(async move |State(shared): State<Arc<Shared>>, Query(words): Query<Words>| {
        aside(move || answer(&shared, &words).map(Json)).await
    })
}

/// A question about one object of the dat file, or of the built-in one if the file does not have it: the walk's bodies
/// may come from there.
fn of_object(answer: fn(&Assets, DataId) -> Answer<Response>) -> MethodRouter<Arc<Shared>> {
    get(async move |State(shared): State<Arc<Shared>>, Path(id): Path<String>| {
        let id = parse_id(&id)?;
        aside(move || match answer(shared.assets(), id) {
            Err(error) if error.status == StatusCode::NOT_FOUND => {
                answer(&Assets::mannequin(), id).map_err(|_| error)
            }
            answered => answered,
        })
        .await
    })
}

async fn upload(
    State(shared): State<Arc<Shared>>,
    Query(words): Query<Words>,
    body: Upload,
) -> Answer<Json<Value>> {
    shared.guard().check_token(words.get("token").map(String::as_str))?;
    let bytes = body.0?;
    let name = words.get("name").cloned().unwrap_or_default();
    aside(move || capture::open(&shared, &name, &bytes).map(Json)).await
}

/// The body of an upload, or why it cannot be had; looked at only after the token.
struct Upload(Answer<Bytes>);

impl axum::extract::FromRequest<Arc<Shared>> for Upload {
    type Rejection = ApiError;

    async fn from_request(request: axum::extract::Request, shared: &Arc<Shared>) -> Answer<Self> {
        let bytes = Bytes::from_request(request, shared).await;
        Ok(Self(bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the file is larger than {} MB", MOST_BYTES / (1 << 20)),
            ),
            status => ApiError::new(status, rejection.body_text()),
        })))
    }
}

async fn aside<T: Send + 'static>(work: impl FnOnce() -> Answer<T> + Send + 'static) -> Answer<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the answer could not be worked out"))
    })
}

fn json_of(value: Value) -> Answer<Response> {
    Ok(Json(value).into_response())
}

fn bytes_of(bytes: Vec<u8>) -> Answer<Response> {
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response())
}

fn parse_id(text: &str) -> Answer<DataId> {
    text.parse().map_err(|words: String| ApiError::bad(words))
}

/// A word behind the question mark, read.
fn word<T>(words: &Words, name: &str, read: impl FnOnce(&str) -> Result<T, String>) -> Answer<Option<T>> {
    words.get(name).map(|text| read(text).map_err(|why| ApiError::bad(format!("{name}: {why}")))).transpose()
}

/// Numbers one after the other, little-endian.
#[derive(Default)]
struct Packed(Vec<u8>);

impl Packed {
    fn words(&mut self, words: impl IntoIterator<Item = u32>) {
        words.into_iter().for_each(|word| self.0.extend(word.to_le_bytes()));
    }

    fn floats(&mut self, floats: impl IntoIterator<Item = f32>) {
        floats.into_iter().for_each(|float| self.0.extend(float.to_le_bytes()));
    }
}
