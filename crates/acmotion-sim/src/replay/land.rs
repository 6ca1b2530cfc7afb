//! The land of a capture, loaded as the capture reaches it.

use std::collections::BTreeSet;

use acmotion::scene::{LoadError, Scene, SceneLoader};
use acmotion::types::CellId;

/// The number of landblocks to each side of a visited one that are loaded with it.
const LOAD_DISTANCE: u8 = 1;

/// Land that grows with every landblock that is visited.
pub(super) struct Land {
    loader: SceneLoader,
    visited: BTreeSet<u16>,
}

impl Land {
    pub(super) fn new(loader: SceneLoader) -> Self {
        Self { loader, visited: BTreeSet::new() }
    }

    /// Loads the land around a cell. Returns all land loaded so far, or `None` if the cell is not valid or its
    /// landblock was visited before.
    pub(super) fn visit(&mut self, cell: CellId) -> Option<Scene> {
        if !cell.is_valid() || !self.visited.insert(cell.block()) {
            return None;
        }
        self.loader.load_around(cell.block(), LOAD_DISTANCE);
        Some(self.loader.scene())
    }

    pub(super) fn problems(&self) -> &[LoadError] {
        self.loader.problems()
    }
}
