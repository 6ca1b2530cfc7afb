//! A world whose surroundings are the mannequin's town.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::sync::{Arc, OnceLock};

use acmotion::components::{Body, MovementParams};
use acmotion::dat::{Assets, DataId, mannequin};
use acmotion::scene::{Scene, SceneBuilder};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{PhysicsState, WeenieDesc};
use acmotion::{Event, EventKind, MotionEvent, Settings};

use crate::world_support;

/// Returns the town, loaded once.
pub(crate) fn town_scene() -> Scene {
    static LOADED: OnceLock<Scene> = OnceLock::new();
    LOADED.get_or_init(|| Scene::load(&Assets::mannequin(), &Assets::town()).unwrap()).clone()
}

/// The restriction object of the rooms of [`guarded_town`].
pub(crate) const HOUSE: Guid = Guid(0x7A9B_4010);

/// The town, with a restriction object for all rooms of its house.
pub(crate) fn guarded_town() -> Scene {
    let town = town_scene();
    let mut builder = SceneBuilder::from_scene(&town, &[0.0; 256]);
    let block = mannequin::town::landmarks().hall.cell.0 & 0xFFFF_0000;
    let mut rooms = 0;
    for low in 0x100..0x140 {
        if let Some(room) = town.room(CellId(block | low)) {
            let mut room = room.clone();
            room.restriction = Some(HOUSE);
            builder.add_room(room).unwrap();
            rooms += 1;
        }
    }
    assert!(rooms > 5, "the house has rooms");
    builder.finish()
}

pub(crate) fn town_settings() -> Settings {
    Settings { surroundings: Some(Arc::new(town_scene())), ..Settings::default() }
}

pub(crate) fn in_town() -> world_support::TestWorld {
    world_support::TestWorld::with(town_settings())
}

/// What the server's description makes of an object.
pub(crate) struct ObjectKind {
    pub(crate) item_type: u32,
    pub(crate) object_flags: u32,
    pub(crate) setup: DataId,
    pub(crate) table: Option<DataId>,
    pub(crate) state: PhysicsState,
}

pub(crate) const SOLID: PhysicsState =
    PhysicsState::GRAVITY.union(PhysicsState::REPORT_COLLISIONS).union(PhysicsState::EDGE_SLIDE);

/// A creature of human shape.
pub(crate) const CREATURE: ObjectKind = ObjectKind {
    item_type: 0x10,
    object_flags: 0,
    setup: mannequin::HUMAN_SETUP,
    table: Some(mannequin::HUMAN_TABLE),
    state: SOLID,
};
/// A player character.
pub(crate) const CHARACTER: ObjectKind = ObjectKind { object_flags: 0x8, ..CREATURE };
/// A door.
pub(crate) const DOOR: ObjectKind = ObjectKind {
    item_type: 0,
    object_flags: 0x1000,
    setup: mannequin::DOOR_SETUP,
    table: Some(mannequin::DOOR_TABLE),
    state: PhysicsState::REPORT_COLLISIONS.union(PhysicsState::HAS_PHYSICS_BSP),
};
/// A missile: of human shape, but without motions.
pub(crate) const MISSILE: ObjectKind = ObjectKind {
    item_type: 0x100,
    table: None,
    state: SOLID.union(PhysicsState::MISSILE).union(PhysicsState::ALIGN_PATH),
    ..CREATURE
};

/// The `CreateObject` message of an object at a position.
pub(crate) fn describe(guid: Guid, position: &CellPosition, kind: &ObjectKind) -> Vec<u8> {
    describe_scaled(guid, position, kind, 1.0)
}

/// The `CreateObject` message of a scaled object at a position.
pub(crate) fn describe_scaled(guid: Guid, position: &CellPosition, kind: &ObjectKind, scale: f32) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Something", 1, kind.item_type, kind.object_flags, &mut weenie);
    let weenie = WeenieDesc::decode(&weenie).unwrap();
    world_support::describe(guid, weenie, |physics| {
        physics.state = kind.state;
        physics.setup = Some(kind.setup.0);
        physics.motion_table = kind.table.map(|table| table.0);
        physics.position = Some(*position);
        physics.scale = Some(scale);
    })
}

/// A position moved by an offset in metres to the east, to the north and up.
pub(crate) fn beside(position: CellPosition, east: f32, north: f32, up: f32) -> CellPosition {
    let mut beside = position;
    beside.frame.origin += Vec3::new(east, north, up);
    if beside.cell.is_outdoor() { beside.adjusted_to_outside().unwrap() } else { beside }
}

/// Returns the position with another heading.
pub(crate) fn facing(mut position: CellPosition, degrees: f32) -> CellPosition {
    position.frame.set_heading(degrees);
    position
}

impl world_support::TestWorld {
    pub(crate) fn add(&mut self, guid: Guid, position: &CellPosition, kind: &ObjectKind) {
        self.send(&describe(guid, position, kind));
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

    /// Walks straight towards a position, facing it all the time. Returns `true` if it was reached within `ticks` ticks.
    pub(crate) fn walk(&mut self, guid: Guid, to: &CellPosition, ticks: usize) -> bool {
        self.start(guid, MotionCommand::WALK_FORWARD);
        for _ in 0..ticks {
            let from = self.body(guid).position;
            let offset = from.offset_to(to);
            if offset.x.hypot(offset.y) < 0.15 {
                return offset.z.abs() < 0.3;
            }
            let heading = from.heading_to(to);
            self.turn(guid, heading);
            self.tick();
            assert!(self.body(guid).is_in_cell(), "lost at {:?}", self.body(guid).position);
        }
        false
    }

    /// Walks from position to position.
    pub(crate) fn walk_all(&mut self, guid: Guid, route: &[CellPosition]) {
        for (number, position) in route.iter().enumerate() {
            assert!(
                self.walk(guid, position, 400),
                "leg {number}: at {:?}, not {position:?}",
                self.body(guid).position
            );
        }
    }

    /// The number of touches of another entity reported for an entity.
    pub(crate) fn touches(&self, guid: Guid, other: Guid) -> usize {
        let touched = |event: &&Event| {
            event.guid == guid && event.kind == EventKind::Motion(MotionEvent::Touched(other))
        };
        self.events.iter().filter(touched).count()
    }
}
