//! The land of a capture, taken out of a cell file as the capture leads there.

use std::collections::BTreeSet;
use std::path::Path;

use acmotion::collide::Scene;
use acmotion::collide::scene::SceneLoader;
use acmotion_dat::Assets;
use acmotion_types::CellId;
use anyhow::Context as _;

use crate::input::open_assets;

/// So many landblocks around one where somebody is are there too.
const AROUND: u8 = 1;

/// The land that is there so far.
pub(super) struct Land {
    loader: SceneLoader,
    visited: BTreeSet<u16>,
}

impl Land {
    /// Nothing of a cell file yet; meshes, rooms' shapes and the region come from `portal`.
    pub(super) fn open(path: &Path, portal: &Assets) -> anyhow::Result<Self> {
        let cells = open_assets(path)?;
        let loader =
            SceneLoader::new(portal, &cells).context("the dat file has no region, which land needs")?;
        Ok(Self { loader, visited: BTreeSet::new() })
    }

    /// Somebody is in a cell: all land so far, if there is more of it now.
    pub(super) fn visit(&mut self, cell: CellId) -> Option<Scene> {
        if !cell.is_valid() || !self.visited.insert(cell.block()) {
            return None;
        }
        self.loader.load_around(cell.block(), AROUND);
        Some(self.loader.scene())
    }

    /// What of it could not be taken in, a line each.
    pub(super) fn problems(&self) -> impl Iterator<Item = String> {
        self.loader.problems().iter().map(ToString::to_string)
    }
}
