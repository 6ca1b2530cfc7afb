//! What a transition moves through.

use acmotion_dat::Sphere;
use acmotion_types::{CellId, CellPosition};

use super::InfinitePlane;
use super::scene::{CellArray, ContainingCell, Scene, outdoor_cell_at};

/// What a transition moves through: a scene, or one plane that is the ground of every cell.
#[derive(Clone, Copy)]
pub(super) enum Landscape<'a> {
    Scene(&'a Scene),
    Plane(&'a InfinitePlane),
}

impl Landscape<'_> {
    /// Returns `true` if the cell exists. A plane has every cell.
    #[inline]
    pub(super) fn has_cell(self, cell: CellId) -> bool {
        match self {
            Self::Scene(scene) => scene.cell(cell).is_some(),
            Self::Plane(_) => true,
        }
    }

    /// Lists the cells that the spheres reach into, and finds the one that contains the centre of the first sphere
    /// (`docs/collision.md` 7.1).
    ///
    /// A plane is the same in every cell. Testing the cell a body is in is enough there, so no others are listed; and since
    /// nothing is known of rooms, a body in one stays in it.
    #[inline]
    pub(super) fn find_cell_list(
        self,
        at: &CellPosition,
        spheres: &[Sphere],
        cells: &mut CellArray,
    ) -> ContainingCell {
        match self {
            Self::Scene(scene) => scene.find_cell_list(at, spheres, cells),
            Self::Plane(_) => {
                cells.clear();
                let is_outdoor = at.cell.is_outdoor();
                let foot = spheres.first().filter(|_| is_outdoor);
                let cell = foot.map_or(Some(at.cell), |foot| outdoor_cell_at(at.cell, foot.origin));
                ContainingCell { cell, hits_interior: !is_outdoor }
            }
        }
    }
}
