//! The camera: a sphere swept from the point it looks at to the wanted position of the eye (`docs/collision.md` 2.8).

use acmotion_dat::Sphere;
use acmotion_types::{CellPosition, Guid, Vec3};
use acmotion_wire::PhysicsState;

use super::scene::{RoomSearch, Scene};
use super::{Mover, MoverFlags, Obstacles, Shape, Transition};

/// The position of a camera that looks at a body (`docs/collision.md` 2.8).
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::dat::mannequin::town::landmarks;
/// use acmotion::scene::{CameraView, NoObstacles, Scene};
///
/// # fn main() -> Result<(), acmotion::scene::LoadError> {
/// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
/// let body = landmarks().hall;
/// let (mut pivot, mut wanted) = (body, body);
/// pivot.frame.origin.z += 1.5;
/// wanted.frame.origin.z += 1.5;
/// wanted.frame.origin.x -= 20.0;
/// // The camera cannot be 20 m away: the wall of the hall stops it.
/// let CameraView { eye, in_cell } = scene.camera_view(&body, &pivot, &wanted, &NoObstacles);
/// assert!(in_cell && eye.cell.is_room());
/// assert!(eye.distance_to(&pivot) < 10.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CameraView {
    /// The position of the eye.
    pub eye: CellPosition,
    /// Whether the eye is in a cell. If not, it is at the position of the body.
    pub in_cell: bool,
}

/// The mover flags of the camera.
const CAMERA: MoverFlags = MoverFlags::IS_VIEWER
    .union(MoverFlags::PATH_CLIPPED)
    .union(MoverFlags::FREE_ROTATE)
    .union(MoverFlags::PERFECT_CLIP);
/// The radius of the camera, in metres.
const CAMERA_RADIUS: f32 = 0.3;

impl Scene {
    /// Sweeps a camera from `pivot`, the point it looks at near the body, to `eye`, the wanted position, and stops it
    /// in front of anything in between.
    #[doc(alias = "update_viewer")]
    pub fn camera_view(
        &self,
        body: &CellPosition,
        pivot: &CellPosition,
        eye: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> CameraView {
        camera_view_inspected(self, body, [pivot, eye], obstacles, |_, _| ())
    }
}

/// Sweeps a camera as [`Scene::camera_view`] does from a pivot to an eye, and calls `inspect` with the transition when it has
/// ended, and whether it succeeded.
pub fn camera_view_inspected(
    scene: &Scene,
    body: &CellPosition,
    [pivot, eye]: [&CellPosition; 2],
    obstacles: &dyn Obstacles,
    inspect: impl FnOnce(&Transition<'_>, bool),
) -> CameraView {
    let mut start = *pivot;
    let mut cell = scene.cell(body.cell).map(|cell| cell.id());
    if body.cell.is_indoor() {
        let found = scene.adjust_position(&mut start, Vec3::ZERO, RoomSearch::Neighbours);
        cell = found.map(|cell| cell.id()).or(cell);
    }
    let mut shape = Shape::default();
    shape.set_spheres(&[Sphere { origin: Vec3::ZERO, radius: CAMERA_RADIUS }]);
    let mover = Mover::new(Guid(0), &shape, 1.0, PhysicsState::empty(), CAMERA);
    let mut touched = Vec::new();
    let path = (Some(start), *eye);
    let mut transition = Transition::new(scene, obstacles, &mover, path, cell, &mut touched);
    let found = transition.sweep();
    inspect(&transition, found);
    if found {
        let arrival = transition.arrival();
        return CameraView { eye: arrival.position, in_cell: arrival.in_cell };
    }
    let mut wanted = *eye;
    match scene.adjust_position(&mut wanted, Vec3::ZERO, RoomSearch::Neighbours) {
        Some(_) => CameraView { eye: wanted, in_cell: true },
        None => CameraView { eye: *body, in_cell: false },
    }
}
