//! A file that the page was given.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::Value;

use super::{Answer, ApiError};
use crate::replay::Recording;
use crate::server::Shared;

/// Larger files are not taken.
pub(crate) const MOST_BYTES: usize = 64 << 20;
/// Longer names are cut.
const LONGEST_NAME: usize = 80;

pub(super) fn open(shared: &Shared, name: &str, bytes: &[u8]) -> Answer<Value> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    let name = if name.is_empty() { String::from("recording") } else { name };
    let recording = Recording::open(shared.sources(), &name, bytes)
        .map_err(|words| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name}: {words}")))?;
    let mut summary = recording.summary();
    summary["id"] = shared.recordings().add(Arc::new(recording)).into();
    Ok(summary)
}
