//! `POST /api/capture`: opens a file that the page uploads.

use std::sync::Arc;

use acmotion::dat::DataId;
use acmotion::types::{Era, Guid};
use acmotion_sim::replay::ReplaySettings;
use http::StatusCode;

use super::{ApiError, ApiResult, Parameters, cell_file, dat_file, parameter};
use crate::protocol::api::RecordingSummary;
use crate::replay::{InterestWatch, Recording, Sources};
use crate::shared::Shared;

/// The maximum length of a recording's name, in characters. Longer names are cut.
const MAX_NAME_LENGTH: usize = 80;

pub(crate) fn open(
    shared: &Shared,
    parameters: &Parameters,
    bytes: &[u8],
    watch: &InterestWatch,
) -> ApiResult<RecordingSummary> {
    let name = file_name(parameters, "recording");
    let dat = dat_file(shared, parameters)?;
    let cell = match parameters.get("cell").map(String::as_str) {
        None => shared.files().cell().map(Arc::clone),
        Some("none") => None,
        Some(_) => cell_file(shared, parameters)?,
    };
    let sources = Sources::new(shared.files(), &dat, cell.as_deref(), settings(parameters)?);
    let recording = Recording::open(&sources, &name, bytes, watch)
        .map_err(|error| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name}: {error}")))?;
    let recording = Arc::new(recording);
    let id = shared.recordings().add(Arc::clone(&recording));
    Ok(recording.summary(id))
}

/// Returns the name of an uploaded file, or another one if it has none.
pub(super) fn file_name(parameters: &Parameters, otherwise: &str) -> String {
    let name = parameters.get("name").map_or("", String::as_str);
    let name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME_LENGTH).collect();
    if name.is_empty() { otherwise.into() } else { name }
}

/// Reads how a capture is to be read: `self` is the guid of the local player, `era` the client version (`retail` or
/// `2013`).
fn settings(parameters: &Parameters) -> ApiResult<ReplaySettings> {
    let guid = |text: &str| text.parse::<DataId>().map(|id| Guid(id.0)).map_err(|error| error.to_string());
    let era = |text: &str| match text {
        "retail" => Ok(Era::EndOfRetail),
        "2013" => Ok(Era::September2013),
        other => Err(format!("`{other}` is neither `retail` nor `2013`")),
    };
    Ok(ReplaySettings {
        player: parameter(parameters, "self", guid)?,
        era: parameter(parameters, "era", era)?.unwrap_or_default(),
    })
}
