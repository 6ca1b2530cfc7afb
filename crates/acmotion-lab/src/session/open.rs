//! Opens the session that the query string of a page asks for.

use std::sync::Arc;

use http::StatusCode;

use super::{Beside, SendQueue, Session};
use crate::api::{ApiError, ApiResult, Parameters};
use crate::shared::Shared;
use crate::walk::Walk;

impl Session {
    /// Opens a walk or a replay, which has not started yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the mode is unknown, or a recording is not open.
    pub(crate) fn open(shared: &Shared, parameters: &Parameters, queue: SendQueue) -> ApiResult<Self> {
        match parameters.get("mode").map(String::as_str) {
            None | Some("walk") => {
                let walk = Walk::new(Arc::clone(shared.town())).map_err(ApiError::internal)?;
                Ok(Self::walk(walk, queue))
            }
            Some("replay") => {
                let open = |number: u32| {
                    shared.recordings().get(number).ok_or_else(|| {
                        let message = format!("recording {number} is not open; open the file again");
                        ApiError::new(StatusCode::NOT_FOUND, message)
                    })
                };
                let number = |name: &str| parameters.get(name).and_then(|text| text.parse().ok());
                let recording = open(number("recording").unwrap_or(0))?;
                let beside = match number("beside") {
                    Some(number) => Beside::new(&recording, number, open(number)?),
                    None => None,
                };
                Ok(Self::replay(recording, beside, queue))
            }
            Some(other) => {
                let message = format!("unknown mode `{other}`: `walk` or `replay` is expected");
                Err(ApiError::bad_request(message))
            }
        }
    }
}
