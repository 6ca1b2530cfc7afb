//! Scenes as [`Surroundings`] (`docs/collision.md` 2, 10.1–10.3).

use std::ops::ControlFlow;

use acmotion_types::{CellId, CellPosition, Guid, Vec3};
use acmotion_wire::PhysicsState;

use super::{Cell, CellArray, RoomSearch, Scene};
use crate::collide::landscape::Landscape;
use crate::collide::trace::trace;
use crate::collide::{
    Arrival, Contact, GroundHit, Mover, NoObstacles, Obstacle, ObstacleFlags, Obstacles, Obstruction,
    PlacementError, Shape, Surroundings, SweepResult, SweepTrace, Touch, Transition,
};

impl Surroundings for Scene {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        if let Some(arrival) = self.stride(mover, from, to, obstacles) {
            touched.clear();
            return SweepResult { arrival: Some(arrival), kills_velocity: false, barrier: None };
        }
        sweep_inspected(self, mover, [from, to], obstacles, touched, |_| ())
    }

    fn trace_sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<SweepTrace> {
        Some(trace(Landscape::Scene(self), mover, from, to, obstacles))
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        place_inspected(self, mover, (at, slide), obstacles, touched, |_| ())
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
        let mut position = *at;
        let Cell::Land(land) = self.adjust_position(&mut position, Vec3::ZERO, RoomSearch::Visible)? else {
            return None;
        };
        let ground = land.ground_at(position.frame.origin)?;
        Some(Contact { plane: ground.plane, cell: land.id(), is_water: ground.is_water })
    }

    fn find_ground(&self, at: &CellPosition, obstacles: &dyn Obstacles) -> Option<GroundHit> {
        self.ground_among(at, obstacles)
    }

    fn find_obstruction(
        &self,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<Obstruction> {
        self.obstruction_among(from, to, obstacles)
    }

    fn land_height(&self, at: &CellPosition) -> Option<f32> {
        self.height_at(at)
    }

    fn visible_rooms(&self, cell: CellId) -> &[CellId] {
        self.visible_cells(cell)
    }

    fn adjust_to_cell(&self, mover: &Mover<'_>, at: &CellPosition) -> Option<CellPosition> {
        let mut position = *at;
        let cell = self.adjust_position(&mut position, mover.foot(), RoomSearch::Visible)?.id();
        Some(CellPosition { cell, ..position })
    }

    fn restriction(&self, cell: CellId) -> Option<Guid> {
        self.cell(cell)?.restriction()
    }

    fn has_cell(&self, cell: CellId) -> bool {
        self.cell(cell).is_some()
    }

    fn find_obstacle_cells(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        self.find_cells_of(obstacle, cells);
    }
}

/// Sweeps a body as [`Surroundings::sweep`] does for a scene, and calls `inspect` with the transition when it has ended,
/// whether it succeeded or not.
#[inline]
pub fn sweep_inspected(
    scene: &Scene,
    mover: &Mover<'_>,
    [from, to]: [&CellPosition; 2],
    obstacles: &dyn Obstacles,
    touched: &mut Vec<Touch>,
    inspect: impl FnOnce(&Transition<'_>),
) -> SweepResult {
    let mut transition = Transition::for_sweep(scene, obstacles, mover, from, to, touched);
    let found = transition.sweep();
    inspect(&transition);
    let arrival = found.then(|| transition.arrival());
    SweepResult { arrival, kills_velocity: transition.info.kills_velocity, barrier: transition.barrier() }
}

/// Places a body as [`Surroundings::place`] does for a scene, and calls `inspect` with the transition when it has ended,
/// whether it succeeded or not. There is none if there is no cell at the position.
///
/// # Errors
/// As those of [`Surroundings::place`].
#[inline]
pub fn place_inspected(
    scene: &Scene,
    mover: &Mover<'_>,
    (at, slide): (&CellPosition, bool),
    obstacles: &dyn Obstacles,
    touched: &mut Vec<Touch>,
    inspect: impl FnOnce(&Transition<'_>),
) -> Result<Arrival, PlacementError> {
    let Some((transition, has_room)) = Transition::place_at(scene, obstacles, mover, at, slide, touched)
    else {
        return Ok(Arrival { in_cell: false, ..Arrival::without_contact(*at) });
    };
    inspect(&transition);
    let arrival = transition.arrival();
    match (has_room, arrival.in_cell) {
        (false, _) => Err(PlacementError::NoRoom(arrival)),
        (true, false) => Err(PlacementError::NoCell),
        (true, true) => Ok(arrival),
    }
}

impl Scene {
    /// Returns `true` if no other obstacle that moves overlaps one that is to become solid.
    fn is_free_of_others(&self, own: &Obstacle<'_>, obstacles: &dyn Obstacles) -> bool {
        let mut cells = CellArray::default();
        self.find_cells_of(own, &mut cells);
        let mut is_free = true;
        for cell in cells.iter() {
            obstacles.visit(cell, &mut |other| {
                let counts = other.guid != own.guid
                    && !other.state.contains(PhysicsState::STATIC)
                    && !other.flags.contains(ObstacleFlags::PARENTED);
                is_free &= !(counts && other.overlaps(own, self));
                if is_free { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        is_free
    }
}

impl Obstacle<'_> {
    /// Returns `true` if the spheres of this obstacle, as a mover, overlap another obstacle.
    fn overlaps(&self, other: &Obstacle<'_>, scene: &Scene) -> bool {
        let mut shape = Shape::default();
        shape.set_spheres(self.spheres);
        let mover = Mover::new(self.guid, &shape, self.scale, self.state, self.flags.mover_flags());
        let mut touched = Vec::new();
        let path = (None, self.position);
        Transition::new(scene, &NoObstacles, &mover, path, None, &mut touched).overlaps(other)
    }
}
