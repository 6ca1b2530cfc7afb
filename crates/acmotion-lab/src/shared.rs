//! What all requests and sessions share, with a server and without one.

use std::sync::Arc;

use acmotion::dat::Assets;

use crate::files::Files;
use crate::replay::Recordings;
use crate::walk::Town;

/// The maximum number of sessions at a time.
pub(crate) const MAX_SESSIONS: usize = 8;

/// The files and recordings that are open, and the town of walks.
pub(crate) struct Shared {
    files: Files,
    town: Arc<Town>,
    recordings: Recordings,
    max_capture_bytes: usize,
}

impl Shared {
    /// Opens a dat file, and a cell file with the land to walk on, each with its name. Without one, that is the built-in town.
    /// The page is told that recordings may have `max_capture_bytes`.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is no land to walk on.
    pub(crate) fn new(
        dat: (Assets, String),
        cell: Option<(Assets, String)>,
        max_capture_bytes: usize,
    ) -> Result<Self, String> {
        let town = match &cell {
            Some((cells, name)) => {
                Town::of_cells(&dat.0, cells).map_err(|error| format!("{name}: {error}"))?
            }
            None => Town::built_in(&dat.0)?,
        };
        Ok(Self {
            files: Files::new(dat, cell),
            town: Arc::new(town),
            recordings: Recordings::default(),
            max_capture_bytes,
        })
    }

    /// Returns the dat and cell files that are open.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    pub(crate) fn town(&self) -> &Arc<Town> {
        &self.town
    }

    pub(crate) fn recordings(&self) -> &Recordings {
        &self.recordings
    }

    /// Returns the maximum size of a recording that is opened, in bytes.
    pub(crate) fn max_capture_bytes(&self) -> usize {
        self.max_capture_bytes
    }
}
