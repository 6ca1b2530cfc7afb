//! A scene as the world around bodies (`docs/collision.md` 2, 10.1–10.3).

use std::ops::ControlFlow;

use acmotion_types::{CellId, CellPosition, Guid, Vec3};
use acmotion_wire::PhysicsState;

use super::{Cell, CellArray, Scene, Search};
use crate::collide::{
    Arrival, Contact, Mover, NoObstacles, Obstacle, ObstacleFlags, Obstacles, PlacementError, Shape,
    Surroundings, SweepResult, Touch, Transition,
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

impl Scene {
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
        let mover = Mover::new(self.guid, &shape, self.scale, self.state, self.flags.as_mover());
        let mut touched = Vec::new();
        let way = (None, self.position);
        Transition::new(scene, &NoObstacles, &mover, way, None, &mut touched).overlaps(other)
    }
}
