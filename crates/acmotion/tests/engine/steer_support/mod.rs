//! A stage for several entities: level ground, optionally a wall, and delivery of notices.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::sync::Arc;

use acmotion::components::{Actor, Entity, Events, Neighbour, Neighbours, Order};
use acmotion::dat::{Assets, mannequin};
use acmotion::scene::{
    Arrival, Contact, InfinitePlane, Mover, Obstacles, PlacementError, Shape, Surroundings, SweepResult,
    Touch,
};
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use acmotion::{HoldKey, Library, MotionEvent, MoveToEvent, PlayerWeenie, RemoteWeenie, Weenie};

/// The length of a tick.
pub(crate) const TICK: f64 = 1.0 / 30.0;
pub(crate) const CELL: CellId = CellId(0xA9B4_0013);
/// The radius of a human, in metres.
pub(crate) const RADIUS: f32 = 0.48;

/// A position in the landblock of [`CELL`].
pub(crate) fn at(x: f32, y: f32) -> CellPosition {
    CellPosition::at(CELL, Vec3::new(x, y, 0.005)).adjusted_to_outside().unwrap()
}

/// Level ground at height 0, and optionally a wall that blocks bodies from the south.
struct Ground {
    plane: InfinitePlane,
    /// The y coordinate of the wall.
    wall: Option<f32>,
}

impl Surroundings for Ground {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        let crosses = |wall: f32| from.frame.origin.y <= wall && to.frame.origin.y > wall;
        if self.wall.is_some_and(crosses) {
            return SweepResult { arrival: None, kills_velocity: false, barrier: None };
        }
        self.plane.sweep(mover, from, to, obstacles, touched)
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        self.plane.place(mover, at, slide, obstacles, touched)
    }

    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
        self.plane.is_free(body, at, obstacles)
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        self.plane.ground(at)
    }
}

/// All entities as others see them.
struct Entities(Vec<(Guid, Neighbour)>);

impl Neighbours for Entities {
    fn neighbour(&self, guid: Guid) -> Option<Neighbour> {
        self.0.iter().find(|(own, _)| *own == guid).map(|(_, neighbour)| *neighbour)
    }
}

pub(crate) struct Stage {
    library: Library,
    pub(crate) entities: Vec<Entity>,
    events: Events,
    ground: Ground,
    pub(crate) now: f64,
    /// The events of orders, with time and entity.
    pub(crate) order_events: Vec<(f64, Guid, MoveToEvent)>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self {
            library: Library::new(),
            entities: Vec::new(),
            events: Events::new(),
            ground: Ground { plane: InfinitePlane::level(0.0), wall: None },
            now: 0.0,
            order_events: Vec::new(),
        }
    }

    /// Builds a wall at a y coordinate.
    pub(crate) fn build_wall(&mut self, north: f32) {
        self.ground.wall = Some(north);
    }

    /// Adds a creature of human shape, at rest. Returns its index.
    pub(crate) fn creature(&mut self, position: CellPosition, heading: f32) -> usize {
        self.add(Arc::new(RemoteWeenie::Creature), position, heading)
    }

    /// Adds a local player that holds the run key. Returns its index.
    pub(crate) fn runner(&mut self, run_skill: u32, position: CellPosition, heading: f32) -> usize {
        let weenie = PlayerWeenie { run_skill, ..PlayerWeenie::default() };
        let index = self.add(Arc::new(weenie), position, heading);
        self.entities[index].interp.raw.current_hold_key = HoldKey::RUN;
        index
    }

    fn add(&mut self, weenie: Arc<dyn Weenie>, mut position: CellPosition, heading: f32) -> usize {
        let table = self.library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
        position.frame.set_heading(heading);
        let index = self.entities.len();
        let mut entity = Entity::new(Guid(0x5000_0001 + index as u32), Some(table));
        entity.shape = Shape::human().into();
        entity.set_weenie(Some(weenie));
        let mut actor = entity.act(&self.library, self.now, &mut self.events);
        actor.enter_default_state();
        assert!(actor.enter_world(&position, true, &self.ground));
        self.entities.push(entity);
        self.run(60);
        self.order_events.clear();
        index
    }

    fn neighbours(&self) -> Entities {
        let seen = |entity: &Entity| {
            let size = entity.shape.cylinder(entity.body.scale);
            (entity.guid, Neighbour { parent: None, position: entity.body.position, size })
        };
        Entities(self.entities.iter().map(seen).collect())
    }

    /// Lets an entity act, and delivers the notices that result.
    pub(crate) fn act(&mut self, index: usize, act: impl FnOnce(&mut Actor<'_>)) {
        let neighbours = self.neighbours();
        let entity = &mut self.entities[index];
        act(&mut entity.act(&self.library, self.now, &mut self.events).with_neighbours(&neighbours));
        self.deliver();
    }

    fn deliver(&mut self) {
        while let Some(notice) = self.events.take_notice() {
            let neighbours = self.neighbours();
            if let Some(entity) = self.entities.iter_mut().find(|entity| entity.guid == notice.to) {
                let mut actor =
                    entity.act(&self.library, self.now, &mut self.events).with_neighbours(&neighbours);
                actor.receive_notice(&notice);
            }
        }
        for event in self.events.drain() {
            if let MotionEvent::MoveTo(kind) = event.kind {
                self.order_events.push((self.now, event.guid, kind));
            }
        }
    }

    pub(crate) fn order(&mut self, index: usize, order: &Order) {
        self.act(index, |actor| actor.order(order));
    }

    /// Advances all entities by one tick.
    pub(crate) fn tick(&mut self) {
        self.now += TICK;
        for index in 0..self.entities.len() {
            let neighbours = self.neighbours();
            let entity = &mut self.entities[index];
            let mut actor =
                entity.act(&self.library, self.now, &mut self.events).with_neighbours(&neighbours);
            actor.update(None, &self.ground);
            self.deliver();
        }
    }

    pub(crate) fn run(&mut self, ticks: usize) {
        (0..ticks).for_each(|_| self.tick());
    }

    /// Ticks until an entity has no order. Returns the number of ticks.
    pub(crate) fn run_to_end(&mut self, index: usize, max_ticks: usize) -> usize {
        for tick in 0..max_ticks {
            if !self.entities[index].is_moving_to() {
                return tick;
            }
            self.tick();
        }
        panic!(
            "the order has not ended after {max_ticks} ticks: {:?}",
            self.entities[index].explain_move_to()
        );
    }

    /// Removes an entity from the world.
    pub(crate) fn remove(&mut self, index: usize) {
        self.act(index, |actor| actor.exit_world());
        self.entities.remove(index);
    }

    pub(crate) fn position(&self, index: usize) -> CellPosition {
        self.entities[index].body.position
    }

    pub(crate) fn heading(&self, index: usize) -> f32 {
        self.position(index).frame.heading()
    }

    pub(crate) fn guid(&self, index: usize) -> Guid {
        self.entities[index].guid
    }

    /// The events of an entity's orders.
    pub(crate) fn story(&self, index: usize) -> Vec<MoveToEvent> {
        let own = self.guid(index);
        self.order_events.iter().filter(|(_, guid, _)| *guid == own).map(|(_, _, event)| *event).collect()
    }
}

/// Returns `true` if two headings differ by less than a hundredth of a degree.
pub(crate) fn same_heading(a: f32, b: f32) -> bool {
    let apart = (a - b).abs() % 360.0;
    apart.min(360.0 - apart) < 0.01
}
