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

#[cfg(test)]
mod tests {
    use acmotion_types::Vec3;

    use super::*;

    #[test]
    fn on_a_plane_no_cells_are_listed_and_rooms_are_never_left() {
        let plane = InfinitePlane::level(0.0);
        let find = |cell: u32, x: f32| {
            let origin = Vec3::new(x, 12.0, 0.0);
            let mut cells = CellArray::default();
            // Of a search before.
            cells.add(CellId(0x1234_0001));
            let at = CellPosition::at(CellId(cell), origin);
            let spheres = [Sphere { origin, radius: 0.5 }];
            let found = Landscape::Plane(&plane).find_cell_list(&at, &spheres, &mut cells);
            assert!(cells.is_empty(), "{cells:?}");
            found
        };
        let found = |cell: u32, hits_interior| ContainingCell { cell: Some(CellId(cell)), hits_interior };
        assert_eq!(find(0x7F7F_0001, 12.0), found(0x7F7F_0001, false));
        assert_eq!(find(0x7F7F_0001, 30.0), found(0x7F7F_0009, false), "in the next cell to the east");
        assert_eq!(find(0x7F7F_0100, 12.0), found(0x7F7F_0100, true));
        assert_eq!(find(0x7F7F_0100, 30.0), found(0x7F7F_0100, true));
    }
}
