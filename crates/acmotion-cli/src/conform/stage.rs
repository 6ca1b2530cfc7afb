//! A world for the bodies of a case, and the space around them.

use acmotion::components::{Actor, Entity};
use acmotion::internals::collide::{Arrival, Contact, Mover, Obstacles, PlacementError, SweepResult, Touch};
use acmotion::scene::{Plane, Surroundings};
use acmotion::types::{CellPosition, Guid, Vec3};
use acmotion::{EventKind, MotionEvent, World};

use super::check::{CheckResult, Difference};

/// A world whose bodies a case sets up as it likes. Everything that happens to them afterwards is the world's doing.
pub(super) struct Stage {
    pub(super) world: World,
}

impl Stage {
    /// Creates the stage from a world, which must not contain the bodies of the case yet.
    pub(super) fn new(world: World) -> Self {
        Self { world }
    }

    /// Adds a body as it is.
    pub(super) fn add(&mut self, entity: Entity) -> CheckResult {
        let guid = entity.guid;
        self.world.add_stand_in(guid, &entity.body.position, 0.0);
        self.act(guid, 0.0, |actor| *actor.entity = entity)?;
        self.clear_events();
        Ok(())
    }

    /// Forgets what has happened.
    pub(super) fn clear_events(&mut self) {
        self.world.drain_events().for_each(drop);
    }

    /// Runs `act` on a body. The world then delivers the notices between bodies.
    pub(super) fn act<R>(
        &mut self,
        guid: Guid,
        now: f64,
        act: impl FnOnce(&mut Actor<'_>) -> R,
    ) -> CheckResult<R> {
        self.world.act(guid, now, |actor, _| act(actor)).ok_or_else(|| no_body(guid))
    }

    /// Returns a body.
    pub(super) fn entity(&self, guid: Guid) -> CheckResult<&Entity> {
        Ok(self.world.find(guid).ok_or_else(|| no_body(guid))?.entity())
    }

    /// Removes and returns what happened to the motion of a body.
    pub(super) fn drain(&mut self, guid: Guid) -> Vec<MotionEvent> {
        let events = self.world.drain_events().filter(|event| event.guid == guid);
        let motions = events.filter_map(|event| match event.kind {
            EventKind::Motion(motion) => Some(motion),
            _ => None,
        });
        motions.collect()
    }
}

fn no_body(guid: Guid) -> Difference {
    Difference::new("body", guid, "none")
}

/// Space without geometry. Where bodies can go and whether they stand is up to the case; what they stand on is level.
#[derive(Clone, Copy)]
pub(super) struct Space {
    /// Whether bodies have contact wherever they are.
    pub(super) has_contact: bool,
    /// Whether a body that is swept arrives. Otherwise there is no way, so that it keeps its origin and turns
    /// (`docs/collision.md` 2.10).
    pub(super) is_passable: bool,
    /// Whether bodies can be placed.
    pub(super) has_room: bool,
}

impl Space {
    /// Open space, in which bodies stand.
    pub(super) const OPEN: Self = Self { has_contact: true, is_passable: true, has_room: true };

    fn arrival(&self, position: &CellPosition) -> Arrival {
        let mut arrival = Arrival::without_contact(*position);
        arrival.contact = level(position);
        arrival.has_contact = self.has_contact;
        arrival
    }
}

/// Returns level ground at the height of a position.
fn level(position: &CellPosition) -> Contact {
    let plane = Plane::new(Vec3::new(0.0, 0.0, 1.0), -position.frame.origin.z);
    Contact { plane, cell: position.cell, is_water: false }
}

impl Surroundings for Space {
    fn sweep(
        &self,
        _mover: &Mover<'_>,
        _from: &CellPosition,
        to: &CellPosition,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> SweepResult {
        let arrival = self.is_passable.then(|| self.arrival(to));
        SweepResult { arrival, kills_velocity: false, barrier: None }
    }

    fn place(
        &self,
        _mover: &Mover<'_>,
        at: &CellPosition,
        _slide: bool,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        let arrival = self.arrival(at);
        if self.has_room { Ok(arrival) } else { Err(PlacementError::NoRoom(arrival)) }
    }

    fn is_free(&self, _body: Guid, _at: &CellPosition, _obstacles: &dyn Obstacles) -> bool {
        true
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        self.has_contact.then(|| level(at))
    }

    fn has_obstacles(&self) -> bool {
        false
    }
}
