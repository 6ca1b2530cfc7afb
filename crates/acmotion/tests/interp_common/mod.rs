//! A stage for stories: one entity of the mannequin's kind on a piece of ground, and a clock.

#![allow(dead_code, reason = "each story uses a part of it")]

use std::sync::Arc;

use acmotion::body::{BodyFlags, InfinitePlane, OpenAir, Shape, Surroundings};
use acmotion::dat::{Assets, mannequin};
use acmotion::entity::{Actor, Entity, Events, MotionEvent};
use acmotion::interp::{HoldKey, MovementParams, MovementRequest, PlayerWeenie, RemoteWeenie, Weenie};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{Library, MotionError};

/// The length of a tick.
pub(crate) const TICK: f64 = 1.0 / 30.0;
/// How high above the ground a human stands: its foot sphere is 5 mm deeper than its origin.
pub(crate) const STAND: f32 = 0.005;
/// The cell everything happens in, and where the entity begins.
pub(crate) const CELL: CellId = CellId(0xA9B4_0013);
pub(crate) const START: Vec3 = Vec3::new(60.0, 60.0, STAND);

/// What is under the entity.
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
    /// A player of those skills, at rest on level ground, ready to be moved by its own client.
    pub(crate) fn player(run_skill: u32, jump_skill: u32) -> Self {
        let mut stage =
            Self::new(Arc::new(PlayerWeenie { run_skill, jump_skill, ..PlayerWeenie::default() }));
        stage.entity.body.flags.insert(BodyFlags::AUTONOMOUS);
        stage
    }

    /// A creature at rest on level ground.
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

    /// Puts the entity into the world anew.
    pub(crate) fn put(&mut self, place: Vec3) {
        let ground = self.ground;
        let place = CellPosition::at(CELL, place);
        assert!(self.act().enter_world(&place, true, ground.around()));
    }

    /// Lets everything that was begun come to its end.
    pub(crate) fn settle(&mut self) {
        self.run(90);
        self.events.clear();
    }

    pub(crate) fn act(&mut self) -> Actor<'_> {
        self.entity.act(&self.library, self.now, &mut self.events)
    }

    /// One tick of 1/30 s.
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

    /// A key goes down.
    pub(crate) fn press(&mut self, motion: MotionCommand) -> Result<(), MotionError> {
        self.act().perform(&MovementRequest::Do(motion, MovementParams::default()))
    }

    /// A key goes up.
    pub(crate) fn release(&mut self, motion: MotionCommand) -> Result<(), MotionError> {
        self.act().perform(&MovementRequest::Stop(motion, MovementParams::default()))
    }

    pub(crate) fn hold_run(&mut self) {
        self.act().set_hold_run(true, true);
        assert_eq!(self.entity.interp.raw.current_hold_key, HoldKey::RUN);
    }

    /// Did that happen since it was last looked at?
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
