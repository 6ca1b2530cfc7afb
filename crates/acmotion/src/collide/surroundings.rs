//! A scene as the world around bodies (`docs/collision.md` 2, 10.1–10.3).

use std::ops::ControlFlow;

use acmotion_dat::Sphere;
use acmotion_types::{CellId, CellPosition, Guid, Vec3};

use super::scene::{Cell, CellArray, Scene, Search};
use super::{
    InsertType, NoObstacles, Obstacle, ObstacleFlags, Obstacles, Touch, Transition, TransitionState,
};
use crate::body::{
    Arrival, Body, Contact, Mover, MoverFlags, PhysicsState, PlacementError, Shape, Surroundings, SweepResult,
};

/// How far in the direction of x and y a body that may not slide may be moved, in metres. The other way there is no limit,
/// as in the original.
#[doc(alias = "SNAP_TOL")]
const SNAP: f32 = 0.05;

impl<'a> Transition<'a> {
    /// A body about to go from one place to another.
    pub fn to_sweep(
        scene: &'a Scene,
        obstacles: &'a dyn Obstacles,
        mover: &'a Mover<'a>,
        from: &CellPosition,
        to: &CellPosition,
        touched: &'a mut Vec<Touch>,
    ) -> Self {
        let cell = scene.cell(from.cell).map(|cell| cell.id());
        Self::new(scene, obstacles, mover, (Some(*from), *to), cell, touched)
    }

    /// Finds room for a body; `None` if there is not even a cell for it, and it is lost then. Otherwise says whether there
    /// was room (`docs/collision.md` 10.2, 10.3).
    #[doc(alias = "CheckPositionInternal")]
    pub fn placed(
        scene: &'a Scene,
        obstacles: &'a dyn Obstacles,
        mover: &'a Mover<'a>,
        at: &CellPosition,
        slide: bool,
        touched: &'a mut Vec<Touch>,
    ) -> Option<(Self, bool)> {
        let mut wanted = *at;
        let foot = mover.shape.spheres().first().map_or(DUMMY_CENTRE, |sphere| sphere.origin * mover.scale);
        let cell = scene.adjust_position(&mut wanted, foot, Search::Visible)?.id();
        let mut transition = Self::new(scene, obstacles, mover, (None, wanted), Some(cell), touched);
        transition.path.placement_allows_sliding = slide;
        let has_room = transition.place() && (slide || transition.is_near(&wanted));
        Some((transition, has_room))
    }

    fn is_near(&self, wanted: &CellPosition) -> bool {
        let moved = self.path.current.frame.origin - wanted.frame.origin;
        moved.x < SNAP && moved.y < SNAP && self.path.current.cell == wanted.cell
    }

    /// Does a body at a place overlap an obstacle (`docs/collision.md` 8.6)?
    fn overlaps(&mut self, obstacle: &Obstacle<'a>) -> bool {
        self.path.insert_type = InsertType::Placement;
        let (outcome, passes) = self.meet(obstacle);
        outcome != TransitionState::Ok && !passes
    }
}

/// The centre of the sphere of a body that has none.
const DUMMY_CENTRE: Vec3 = Vec3::new(0.0, 0.0, 0.1);

impl Surroundings for Scene {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        let mut transition = Transition::to_sweep(self, obstacles, mover, from, to, touched);
        let found = transition.sweep();
        let arrival = found.then(|| transition.arrival());
        SweepResult { arrival, kills_velocity: transition.info.kills_velocity }
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        let Some((transition, has_room)) = Transition::placed(self, obstacles, mover, at, slide, touched)
        else {
            return Ok(Arrival { in_cell: false, ..Arrival::in_the_open(*at) });
        };
        let arrival = transition.arrival();
        match (has_room, arrival.in_cell) {
            (false, _) => Err(PlacementError::NoRoom(arrival)),
            (true, false) => Err(PlacementError::NoCell),
            (true, true) => Ok(arrival),
        }
    }

    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
        let mut own = None;
        obstacles.visit(at.cell, &mut |obstacle| {
            if obstacle.guid != body {
                return ControlFlow::Continue(());
            }
            own = Some(Obstacle { state: obstacle.state - PhysicsState::ETHEREAL, ..*obstacle });
            ControlFlow::Break(())
        });
        own.is_none_or(|own| self.is_free_of_others(&own, obstacles))
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        let mut place = *at;
        let Cell::Land(land) = self.adjust_position(&mut place, Vec3::ZERO, Search::Visible)? else {
            return None;
        };
        let ground = land.ground_at(place.frame.origin)?;
        Some(Contact { plane: ground.plane, cell: land.id(), is_water: ground.is_water })
    }

    fn knows(&self, cell: CellId) -> bool {
        self.cell(cell).is_some()
    }

    fn cells_of(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        self.find_cells_of(obstacle, cells);
    }
}

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
        let mover = Mover::to_place(Guid(0), &Body::new(*body), &shape, CAMERA);
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

    /// Is nobody in an obstacle that is to become solid?
    fn is_free_of_others(&self, own: &Obstacle<'_>, obstacles: &dyn Obstacles) -> bool {
        let mut cells = CellArray::default();
        self.find_cells_of(own, &mut cells);
        let mut is_free = true;
        for cell in cells.iter() {
            obstacles.visit(cell, &mut |other| {
                let minds = other.guid != own.guid
                    && !other.state.contains(PhysicsState::STATIC)
                    && !other.flags.contains(ObstacleFlags::PARENTED);
                is_free &= !(minds && other.is_inside(own, self));
                if is_free { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        is_free
    }
}

impl Obstacle<'_> {
    /// Does it, as a body with its spheres, overlap another?
    fn is_inside(&self, other: &Obstacle<'_>, scene: &Scene) -> bool {
        let mut shape = Shape::default();
        shape.set_spheres(self.spheres);
        let mover = Mover {
            guid: self.guid,
            shape: &shape,
            scale: self.scale,
            flags: self.flags.as_mover(),
            state: self.state,
            contact: None,
            last_known: None,
            sliding_normal: None,
            frames_stationary_fall: 0,
        };
        let mut touched = Vec::new();
        let way = (None, self.position);
        Transition::new(scene, &NoObstacles, &mover, way, None, &mut touched).overlaps(other)
    }
}
