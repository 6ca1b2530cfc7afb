//! A world with the mannequin's town around everybody.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::sync::{Arc, OnceLock};

use acmotion::body::Body;
use acmotion::collide::Scene;
use acmotion::dat::{Assets, DataId, mannequin};
use acmotion::entity::MotionEvent;
use acmotion::interp::MovementParams;
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{PhysicsState, WeenieDesc};
use acmotion::world::{Event, EventKind, Settings};

use crate::world_support;

/// The town, loaded once.
pub(crate) fn town_scene() -> Scene {
    static LOADED: OnceLock<Scene> = OnceLock::new();
    LOADED.get_or_init(|| Scene::load(&Assets::mannequin(), &Assets::town()).unwrap()).clone()
}

pub(crate) fn town_settings() -> Settings {
    Settings { surroundings: Some(Arc::new(town_scene())), ..Settings::default() }
}

pub(crate) fn in_town() -> world_support::Scene {
    world_support::Scene::with(town_settings())
}

/// What the server says a thing is.
pub(crate) struct Thing {
    pub(crate) item_type: u32,
    pub(crate) object_flags: u32,
    pub(crate) setup: DataId,
    pub(crate) table: Option<DataId>,
    pub(crate) state: PhysicsState,
}

pub(crate) const SOLID: PhysicsState =
    PhysicsState::GRAVITY.union(PhysicsState::REPORT_COLLISIONS).union(PhysicsState::EDGE_SLIDE);

/// A creature, of the human shape.
pub(crate) const CREATURE: Thing = Thing {
    item_type: 0x10,
    object_flags: 0,
    setup: mannequin::HUMAN_SETUP,
    table: Some(mannequin::HUMAN_TABLE),
    state: SOLID,
};
/// A player.
pub(crate) const PERSON: Thing = Thing { object_flags: 0x8, ..CREATURE };
/// A door.
pub(crate) const DOOR: Thing = Thing {
    item_type: 0,
    object_flags: 0x1000,
    setup: mannequin::DOOR_SETUP,
    table: Some(mannequin::DOOR_TABLE),
    state: PhysicsState::REPORT_COLLISIONS.union(PhysicsState::HAS_PHYSICS_BSP),
};
/// A stone in the air: the shape of a human, without motions.
pub(crate) const MISSILE: Thing = Thing {
    item_type: 0x100,
    table: None,
    state: SOLID.union(PhysicsState::MISSILE).union(PhysicsState::ALIGN_PATH),
    ..CREATURE
};

/// The message that describes a thing at a place.
pub(crate) fn describe(guid: Guid, place: &CellPosition, thing: &Thing) -> Vec<u8> {
    describe_sized(guid, place, thing, 1.0)
}

/// The same of a thing of another size.
pub(crate) fn describe_sized(guid: Guid, place: &CellPosition, thing: &Thing, scale: f32) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Something", 1, thing.item_type, thing.object_flags, &mut weenie);
    let weenie = WeenieDesc::decode(&weenie).unwrap();
    world_support::describe(guid, weenie, |physics| {
        physics.state = thing.state;
        physics.setup = Some(thing.setup.0);
        physics.motion_table = thing.table.map(|table| table.0);
        physics.position = Some(*place);
        physics.scale = Some(scale);
    })
}

/// A place so far from another, in metres to the east, to the north and up.
pub(crate) fn beside(place: CellPosition, east: f32, north: f32, up: f32) -> CellPosition {
    let mut beside = place;
    beside.frame.origin += Vec3::new(east, north, up);
    if beside.cell.is_outdoor() { beside.adjusted_to_outside().unwrap() } else { beside }
}

pub(crate) fn facing(mut place: CellPosition, degrees: f32) -> CellPosition {
    place.frame.set_heading(degrees);
    place
}

impl world_support::Scene {
    pub(crate) fn add(&mut self, guid: Guid, place: &CellPosition, thing: &Thing) {
        self.send(&describe(guid, place, thing));
    }

    pub(crate) fn body(&self, guid: Guid) -> &Body {
        self.world.find(guid).unwrap().body()
    }

    pub(crate) fn start(&mut self, guid: Guid, motion: MotionCommand) {
        let params = MovementParams::default();
        self.world.act(guid, self.now, |actor, _| actor.do_interpreted_motion(motion, &params).unwrap());
    }

    pub(crate) fn turn(&mut self, guid: Guid, degrees: f32) {
        self.world.act(guid, self.now, |actor, _| actor.entity.body.position.frame.set_heading(degrees));
    }

    /// Walks straight towards a place, looking there all the while; says whether it was reached within so many ticks.
    pub(crate) fn walk(&mut self, guid: Guid, to: &CellPosition, ticks: usize) -> bool {
        self.start(guid, MotionCommand::WALK_FORWARD);
        for _ in 0..ticks {
            let from = self.body(guid).position;
            let way = from.offset_to(to);
            if way.x.hypot(way.y) < 0.15 {
                return (way.z).abs() < 0.3;
            }
            let heading = from.heading_to(to);
            self.turn(guid, heading);
            self.tick();
            assert!(self.body(guid).is_in_cell(), "lost at {:?}", self.body(guid).position);
        }
        false
    }

    pub(crate) fn walk_all(&mut self, guid: Guid, ways: &[CellPosition]) {
        for (number, place) in ways.iter().enumerate() {
            assert!(
                self.walk(guid, place, 400),
                "way {number}: at {:?}, not {place:?}",
                self.body(guid).position
            );
        }
    }

    pub(crate) fn touches(&self, guid: Guid, other: Guid) -> usize {
        let touched = |event: &&Event| {
            event.guid == guid && event.kind == EventKind::Motion(MotionEvent::Touched(other))
        };
        self.events.iter().filter(touched).count()
    }
}
