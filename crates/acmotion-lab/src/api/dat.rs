//! `POST /api/dat`: opens a dat or cell file of the page.

use acmotion::dat::DatSource;
use http::StatusCode;

use super::capture::file_name;
use super::{ApiError, ApiResult, Parameters};
use crate::protocol::api::FileSummary;
use crate::shared::Shared;

/// The maximum size of a dat or cell file, in bytes.
pub(crate) const MAX_DAT_BYTES: u64 = 2 << 30;

/// Opens a file. It is read where it is, a piece at a time.
pub(crate) fn open(
    shared: &Shared,
    parameters: &Parameters,
    source: impl DatSource + 'static,
) -> ApiResult<FileSummary> {
    let name = file_name(parameters, "dat file");
    let opened = shared.files().open(&name, source);
    let error = |error| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name}: {error}"));
    opened.map(|file| file.summary()).map_err(error)
}
