//! A test stage: one mannequin entity on a plane, and a clock.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::Arc;

use acmotion::components::{Actor, Entity, Events, MovementParams, MovementRequest};
use acmotion::dat::{Assets, mannequin};
use acmotion::internals::body::BodyFlags;
use acmotion::scene::{InfinitePlane, OpenAir, Shape, Surroundings};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{HoldKey, Library, MotionError, MotionEvent, PlayerWeenie, RemoteWeenie, Weenie};

/// The duration of a tick in seconds.
pub(crate) const TICK: f64 = 1.0 / 30.0;
/// The height of a standing human's origin above the ground, in metres: the foot sphere reaches 5 mm below the origin.
pub(crate) const STAND: f32 = 0.005;
/// The cell of the stage.
pub(crate) const CELL: CellId = CellId(0xA9B4_0013);
/// The initial origin of the entity.
pub(crate) const START: Vec3 = Vec3::new(60.0, 60.0, STAND);

/// The ground under the entity.
#[derive(Clone, Copy)]
pub(crate) enum Ground {
    Plane(InfinitePlane),
    None,
}

pub(crate) struct Stage {
    pub(crate) library: Library,
    pub(crate) entity: Entity,
    pub(crate) events: Events,
    pub(crate) ground: Ground,
    pub(crate) now: f64,
}

impl Stage {
    /// Creates a stage with a local player at rest on level ground.
    pub(crate) fn player(run_skill: u32, jump_skill: u32) -> Self {
        let mut stage =
            Self::new(Arc::new(PlayerWeenie { run_skill, jump_skill, ..PlayerWeenie::default() }));
        stage.entity.body.flags.insert(BodyFlags::AUTONOMOUS);
        stage
    }

    /// Creates a stage with a creature at rest on level ground.
    pub(crate) fn creature() -> Self {
        Self::new(Arc::new(RemoteWeenie::Creature))
    }

    pub(crate) fn new(weenie: Arc<dyn Weenie>) -> Self {
        let assets = Assets::mannequin();
        let mut library = Library::new();
        let table = library.load_table(&assets, mannequin::HUMAN_TABLE).unwrap();
        let mut entity = Entity::new(Guid(0x5000_0001), Some(table));
        entity.shape = Shape::human().into();
        entity.set_weenie(Some(weenie));
        let ground = Ground::Plane(InfinitePlane::level(0.0));
        let mut stage = Self { library, entity, events: Events::new(), ground, now: 0.0 };
        stage.act().enter_default_state();
        stage.put(START);
        stage.settle();
        stage
    }

    /// Makes the entity enter the world again at an origin.
    pub(crate) fn put(&mut self, origin: Vec3) {
        let ground = self.ground;
        let position = CellPosition::at(CELL, origin);
        assert!(self.act().enter_world(&position, true, ground.around()));
    }

    /// Runs until all motions have ended.
    pub(crate) fn settle(&mut self) {
        self.run(90);
        self.events.clear();
    }

    pub(crate) fn act(&mut self) -> Actor<'_> {
        self.entity.act(&self.library, self.now, &mut self.events)
    }

    /// Advances by one tick of 1/30 s.
    pub(crate) fn tick(&mut self) {
        self.now += TICK;
        let ground = self.ground;
        self.act().update(None, ground.around());
    }

    pub(crate) fn run(&mut self, ticks: usize) {
        for _ in 0..ticks {
            self.tick();
        }
    }

    pub(crate) fn at(&self) -> Vec3 {
        self.entity.body.position.frame.origin
    }

    pub(crate) fn velocity(&self) -> Vec3 {
        self.entity.body.velocity
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, motion: MotionCommand) -> Result<(), MotionError> {
        self.act().perform(&MovementRequest::Do(motion, MovementParams::default()))
    }

    /// Releases a key.
    pub(crate) fn release(&mut self, motion: MotionCommand) -> Result<(), MotionError> {
        self.act().perform(&MovementRequest::Stop(motion, MovementParams::default()))
    }

    pub(crate) fn hold_run(&mut self) {
        self.act().set_hold_run(true, true);
        assert_eq!(self.entity.interp.raw.current_hold_key, HoldKey::RUN);
    }

    /// Returns `true` if an event occurred since the events were last cleared.
    pub(crate) fn saw(&self, kind: MotionEvent) -> bool {
        self.events.list().iter().any(|event| event.kind == kind)
    }

    pub(crate) fn substate(&self) -> MotionCommand {
        self.entity.animator.state().substate()
    }
}

impl Ground {
    pub(crate) fn around(&self) -> &dyn Surroundings {
        match self {
            Self::Plane(plane) => plane,
            Self::None => &OpenAir,
        }
    }
}

#[track_caller]
pub(crate) fn assert_near(got: f32, expected: f32, tolerance: f32) {
    assert!((got - expected).abs() <= tolerance, "expected {expected}, got {got}");
}
