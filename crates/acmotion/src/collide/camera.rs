//! The camera: a sphere that is swept from the point it looks at to where the eye is wanted (`docs/collision.md` 2.8).

use acmotion_dat::Sphere;
use acmotion_types::{CellPosition, Guid, Vec3};
use acmotion_wire::PhysicsState;

use super::scene::{Scene, Search};
use super::{Mover, MoverFlags, Obstacles, Shape, Transition};

/// Where a camera ends up that looks at a body (`docs/collision.md` 2.8).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CameraView {
    /// Where the eye is.
    pub eye: CellPosition,
    /// Is it in a cell? If not, only the body's own can be seen.
    pub in_cell: bool,
}

/// What a camera is to a sweep.
const CAMERA: MoverFlags = MoverFlags::IS_VIEWER
    .union(MoverFlags::PATH_CLIPPED)
    .union(MoverFlags::FREE_ROTATE)
    .union(MoverFlags::PERFECT_CLIP);
/// The size of a camera.
const CAMERA_RADIUS: f32 = 0.3;

impl Scene {
    /// Moves a camera from the point that it looks at, near a body, back to where the eye is wanted, and stops it before
    /// what is in between.
    #[doc(alias = "update_viewer")]
    pub fn look(
        &self,
        body: &CellPosition,
        pivot: &CellPosition,
        eye: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> CameraView {
        let mut start = *pivot;
        let mut cell = self.cell(body.cell).map(|cell| cell.id());
        if body.cell.is_indoor() {
            let found = self.adjust_position(&mut start, Vec3::ZERO, Search::Neighbours);
            cell = found.map(|cell| cell.id()).or(cell);
        }
        let mut shape = Shape::default();
        shape.set_spheres(&[Sphere { origin: Vec3::ZERO, radius: CAMERA_RADIUS }]);
        let mover = Mover::new(Guid(0), &shape, 1.0, PhysicsState::empty(), CAMERA);
        let mut touched = Vec::new();
        let way = (Some(start), *eye);
        let mut transition = Transition::new(self, obstacles, &mover, way, cell, &mut touched);
        if transition.sweep() {
            let arrival = transition.arrival();
            return CameraView { eye: arrival.position, in_cell: arrival.in_cell };
        }
        let mut wanted = *eye;
        match self.adjust_position(&mut wanted, Vec3::ZERO, Search::Neighbours) {
            Some(_) => CameraView { eye: wanted, in_cell: true },
            None => CameraView { eye: *body, in_cell: false },
        }
    }
}
