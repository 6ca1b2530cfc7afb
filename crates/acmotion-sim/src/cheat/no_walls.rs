//! Surroundings without walls, for a client that cheats.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use acmotion::scene::{
    Arrival, Contact, Mover, NoObstacles, Obstacles, PlacementError, Surroundings, SweepResult, Touch,
};
use acmotion::types::{CellId, CellPosition, Guid};

use crate::scenario::SharedSurroundings;

/// The distance, in metres, by which a sweep must end elsewhere for a wall to have been ignored.
const MIN_EFFECT: f32 = 0.02;

/// Surroundings in which bodies walk over the land of others, but through everything else.
pub(super) struct NoWalls {
    inner: SharedSurroundings,
    /// Set when something that would have stopped a body did not.
    ignored_wall: Arc<AtomicBool>,
}

impl NoWalls {
    pub(super) fn new(inner: SharedSurroundings, ignored_wall: Arc<AtomicBool>) -> Self {
        Self { inner, ignored_wall }
    }

    /// Returns where a body ends that nothing stops but the ground.
    fn walk(&self, mover: &Mover<'_>, to: &CellPosition) -> Option<Arrival> {
        let mut position = to.adjusted_to_outside()?;
        let ground = self.inner.ground(&position)?;
        let height = ground.plane.distance(position.frame.origin);
        let mut arrival = Arrival::without_contact(position);
        if height <= 0.0 || mover.contact.is_some() {
            position.frame.origin.z -= height / ground.plane.normal.z;
            arrival = Arrival { position, contact: ground, has_contact: true, ..arrival };
        }
        Some(arrival)
    }
}

impl Surroundings for NoWalls {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        let honest = self.inner.sweep(mover, from, to, obstacles, touched);
        touched.clear();
        let Some(arrival) = self.walk(mover, to) else { return honest };
        let stopped = honest.arrival.map_or(*from, |arrival| arrival.position);
        let offset = stopped.offset_to(&arrival.position);
        if libm::hypotf(offset.x, offset.y) < MIN_EFFECT {
            return honest;
        }
        self.ignored_wall.store(true, Ordering::Relaxed);
        SweepResult { arrival: Some(arrival), kills_velocity: false, barrier: None }
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        self.inner.place(mover, at, slide, obstacles, touched)
    }

    fn is_free(&self, body: Guid, at: &CellPosition, _obstacles: &dyn Obstacles) -> bool {
        self.inner.is_free(body, at, &NoObstacles)
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        self.inner.ground(at)
    }

    fn has_cell(&self, cell: CellId) -> bool {
        self.inner.has_cell(cell)
    }

    fn has_obstacles(&self) -> bool {
        self.inner.has_obstacles()
    }
}
