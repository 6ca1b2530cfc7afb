//! A scene as the world around bodies (`docs/collision.md` 2, 10.1–10.3).

use std::ops::ControlFlow;

use acmotion_dat::Sphere;
use acmotion_types::{CellPosition, Guid, Vec3};

use super::scene::{Cell, CellArray, Scene, Search};
use super::{InsertType, NoObstacles, Obstacle, ObstacleFlags, Obstacles, Outcome, Touch, Transition};
use crate::body::{Arrival, Contact, Mover, PhysicsState, Refusal, Shape, Surroundings, Sweep};

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
        self.test_obstacle(obstacle) != Outcome::Ok
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
    ) -> Sweep {
        let mut transition = Transition::to_sweep(self, obstacles, mover, from, to, touched);
        let found = transition.sweep();
        let arrival = found.then(|| transition.arrival());
        Sweep { arrival, kills_velocity: transition.info.kills_velocity }
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, Refusal> {
        let Some((transition, has_room)) = Transition::placed(self, obstacles, mover, at, slide, touched)
        else {
            return Ok(Arrival { in_cell: false, ..Arrival::in_the_open(*at) });
        };
        let arrival = transition.arrival();
        match (has_room, arrival.in_cell) {
            (false, _) => Err(Refusal::NoRoom(arrival)),
            (true, false) => Err(Refusal::NoCell),
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

    fn cells_of(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        self.find_cells_of(obstacle, cells);
    }
}

impl Scene {
    /// Is nobody in an obstacle that is to become solid?
    fn is_free_of_others(&self, own: &Obstacle<'_>, obstacles: &dyn Obstacles) -> bool {
        let mut cells = CellArray::default();
        self.find_cell_list(&own.position, &[own.sphere_about()], &mut cells);
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
    /// A sphere about everything of it that bumps, in the axes of its landblock.
    fn sphere_about(&self) -> Sphere {
        let parts = self.parts.iter().map(|part| {
            let Sphere { origin, radius } = part.solid.sphere();
            let centre = part.frame.local_to_global(origin * part.scale);
            centre.length() + radius * part.scale
        });
        let spheres = self.spheres.iter().map(|sphere| sphere.origin.length() + sphere.radius);
        let cylinders =
            self.cylinders.iter().map(|shape| shape.origin.length() + shape.radius + shape.height);
        let radius = parts.chain(spheres).chain(cylinders).fold(0.0, f32::max) * self.scale;
        Sphere { origin: self.position.frame.origin, radius }
    }

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
