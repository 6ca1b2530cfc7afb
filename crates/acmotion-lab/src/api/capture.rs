//! `POST /api/capture`: opens a file that the page uploads.

use std::sync::Arc;

use axum::http::StatusCode;

use super::{ApiError, ApiResult};
use crate::protocol::api::RecordingSummary;
use crate::replay::{InterestWatch, Recording};
use crate::server::Shared;

/// The maximum size of an uploaded file, in bytes.
pub(crate) const MAX_UPLOAD_BYTES: usize = 64 << 20;
/// The maximum length of a recording's name, in characters. Longer names are cut.
const MAX_NAME_LENGTH: usize = 80;

pub(super) fn open(
    shared: &Shared,
    name: &str,
    bytes: &[u8],
    watch: &InterestWatch,
) -> ApiResult<RecordingSummary> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME_LENGTH).collect();
    let name = if name.is_empty() { String::from("recording") } else { name };
    let recording = Recording::open(shared.sources(), &name, bytes, watch)
        .map_err(|error| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name}: {error}")))?;
    let recording = Arc::new(recording);
    let id = shared.recordings().add(Arc::clone(&recording));
    Ok(recording.summary(id))
}
