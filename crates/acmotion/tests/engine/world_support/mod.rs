//! Messages as a server would send them, and a world that receives them.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use acmotion::components::Entity;
use acmotion::dat::{Assets, mannequin};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    Attachment, CreateObject, DeleteObject, Era, InitialMovement, InterpretedState, ModelData, MotionFlags,
    Movement, MovementBody, MovementData, ObjectDesc, ObjectStamps, Pad, PhysicsDesc, PhysicsState,
    PickupEvent, PositionFlags, PositionPack, S2C, SetState, UpdateMotion, UpdatePosition, VectorUpdate,
    WeenieDesc, WireBool, decode_s2c,
};
use acmotion::{Event, EventKind, Identity, MotionEvent, MoveToEvent, Settings, World};

pub(crate) const CELL: CellId = CellId(0xA9B4_0001);
/// A little more than a thirtieth of a second, so that the physics gate opens every time.
pub(crate) const TICK: f64 = 0.033_334;
pub(crate) const REMOTE: Guid = Guid(0x5000_0001);
pub(crate) const PLAYER: Guid = Guid(0x5000_000A);
pub(crate) const GROUND: f32 = 94.0;

/// A position in the landblock, on the ground, facing north.
pub(crate) fn at(x: f32, y: f32) -> CellPosition {
    let position = CellPosition::at(CELL, Vec3::new(x, y, GROUND));
    position.adjusted_to_outside().unwrap_or(position)
}

/// The default settings, changed by `change`.
pub(crate) fn settings(change: impl FnOnce(&mut Settings)) -> Settings {
    let mut settings = Settings::default();
    change(&mut settings);
    settings
}

/// A world with its clock and all its events so far.
pub(crate) struct TestWorld {
    pub(crate) world: World,
    pub(crate) now: f64,
    pub(crate) events: Vec<Event>,
}

impl TestWorld {
    pub(crate) fn new() -> Self {
        Self::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        Self { world: World::with_settings(Assets::mannequin(), settings), now: 10.0, events: Vec::new() }
    }

    /// With one of the mannequin's humans, standing at (96, 96).
    pub(crate) fn with_remote() -> Self {
        let mut scene = Self::new();
        scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
        scene.ticks(2);
        scene.events.clear();
        scene
    }

    /// With the same human, just created, and the local player at (96, `y`).
    pub(crate) fn with_remote_and_player_at(y: f32) -> Self {
        let mut scene = Self::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
        scene.world.set_player_position(&at(96.0, y), true, scene.now);
        scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
        scene
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.world.receive(bytes, self.now).unwrap();
        self.events.extend(self.world.drain_events());
    }

    pub(crate) fn tick(&mut self) {
        self.now += TICK;
        self.world.tick(self.now);
        self.events.extend(self.world.drain_events());
    }

    pub(crate) fn ticks(&mut self, count: usize) {
        (0..count).for_each(|_| self.tick());
    }

    /// The origin of an entity.
    pub(crate) fn origin(&self, guid: Guid) -> Vec3 {
        self.world.find(guid).unwrap().position().frame.origin
    }

    pub(crate) fn entity(&self, guid: Guid) -> &Entity {
        self.world.find(guid).unwrap().entity()
    }

    /// The events of an entity's orders.
    pub(crate) fn order_events(&self, guid: Guid) -> Vec<MoveToEvent> {
        let order_event = |event: &Event| match event.kind {
            EventKind::Motion(MotionEvent::MoveTo(order)) if event.guid == guid => Some(order),
            _ => None,
        };
        self.events.iter().filter_map(order_event).collect()
    }

    /// The number of events that match.
    pub(crate) fn count_events(&self, matches: impl Fn(&EventKind) -> bool) -> usize {
        self.events.iter().filter(|event| matches(&event.kind)).count()
    }
}

fn encoded<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

/// The description of a creature.
pub(crate) fn create(
    guid: Guid,
    position: &CellPosition,
    stamps: ObjectStamps,
    state: Option<InterpretedState<'_>>,
) -> Vec<u8> {
    create_with(guid, stamps, |physics| {
        physics.position = Some(*position);
        physics.movement = state.map(|state| InitialMovement::Movement {
            movement: movement(state),
            autonomous: WireBool::from(false),
        });
    })
}

/// The description of a creature, completed by `complete`.
pub(crate) fn create_with<'a>(
    guid: Guid,
    stamps: ObjectStamps,
    complete: impl FnOnce(&mut PhysicsDesc<'a>),
) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Creature", 1, 0x10, 0, &mut weenie);
    describe(guid, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        *physics = PhysicsDesc {
            state: PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS | PhysicsState::EDGE_SLIDE,
            motion_table: Some(mannequin::HUMAN_TABLE.0),
            setup: Some(mannequin::HUMAN_SETUP.0),
            stamps,
            ..PhysicsDesc::default()
        };
        complete(physics);
    })
}

/// The description of the mannequin's sword, completed by `complete`.
pub(crate) fn item<'a>(guid: Guid, complete: impl FnOnce(&mut PhysicsDesc<'a>)) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Sword", 1, 1, 0, &mut weenie);
    describe(guid, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        physics.setup = Some(mannequin::SWORD_SETUP.0);
        complete(physics);
    })
}

/// The description of a sword in a body's right hand.
pub(crate) fn held_item(guid: Guid, parent: Guid) -> Vec<u8> {
    item(guid, |physics| physics.parent = Some(Attachment { guid: parent, location: 1 }))
}

/// The description of an object, completed by `complete`.
pub(crate) fn describe<'a>(
    guid: Guid,
    weenie: WeenieDesc<'_>,
    complete: impl FnOnce(&mut PhysicsDesc<'a>),
) -> Vec<u8> {
    let mut physics = PhysicsDesc::default();
    complete(&mut physics);
    encoded(CreateObject(ObjectDesc { guid, model: plain_model(&plain_object()), physics, weenie }))
}

/// The shortest description of an object.
fn plain_object() -> Vec<u8> {
    let mut bytes = vec![0x45, 0xF7, 0, 0, 1, 0, 0, 0, 0x11, 0, 0, 0];
    bytes.extend([0; 8 + 20]);
    WeenieDesc::encode_plain(b"", 0, &mut bytes);
    bytes
}

fn plain_model(object: &[u8]) -> ModelData<'_> {
    match decode_s2c(object, ERA).unwrap() {
        S2C::CreateObject(object) => object.0.model,
        other => panic!("not an object: {other:?}"),
    }
}

pub(crate) fn delete(guid: Guid, instance: u16) -> Vec<u8> {
    encoded(DeleteObject { guid, instance: Stamp(instance), pad: Pad::ZERO })
}

/// A report of a standing body, changed by `change`.
pub(crate) fn position_with(
    guid: Guid,
    position: &CellPosition,
    stamp: u16,
    change: impl FnOnce(&mut PositionPack),
) -> Vec<u8> {
    let mut pack = PositionPack {
        flags: PositionFlags::GROUNDED,
        position: *position,
        velocity: None,
        placement: None,
        instance: Stamp(0),
        position_stamp: Stamp(stamp),
        teleport: Stamp(0),
        force_position: Stamp(0),
    };
    change(&mut pack);
    encoded(UpdatePosition { guid, pack })
}

pub(crate) fn position(guid: Guid, position: &CellPosition, stamp: u16) -> Vec<u8> {
    position_with(guid, position, stamp, |_| {})
}

/// The motion state of running forward.
pub(crate) fn running(speed: f32) -> InterpretedState<'static> {
    InterpretedState {
        forward_command: Some(MotionCommand::RUN_FORWARD),
        forward_speed: Some(speed),
        ..InterpretedState::default()
    }
}

fn movement(state: InterpretedState<'_>) -> Movement<'_> {
    Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state, sticky: None },
    }
}

pub(crate) fn motion(guid: Guid, state: InterpretedState<'_>, stamp: u16) -> Vec<u8> {
    encoded(UpdateMotion {
        guid,
        instance: Stamp(0),
        data: MovementData {
            movement_stamp: Stamp(stamp),
            server_control: Stamp(0),
            autonomous: WireBool::from(true),
            pad: Pad::ZERO,
            movement: movement(state),
        },
    })
}

/// A movement of any kind that the server starts, changed by `change`.
pub(crate) fn movement_with<'a>(
    guid: Guid,
    body: MovementBody<'a>,
    stamp: u16,
    change: impl FnOnce(&mut MovementData<'a>),
) -> Vec<u8> {
    encoded(UpdateMotion { guid, instance: Stamp(0), data: movement_data(body, stamp, change) })
}

/// The part that movement messages share, changed by `change`.
pub(crate) fn movement_data<'a>(
    body: MovementBody<'a>,
    stamp: u16,
    change: impl FnOnce(&mut MovementData<'a>),
) -> MovementData<'a> {
    let style = MotionCommand::NON_COMBAT;
    let mut data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(0),
        autonomous: WireBool::from(false),
        pad: Pad::ZERO,
        movement: Movement { flags: MotionFlags::empty(), style, body },
    };
    change(&mut data);
    data
}

/// A movement state that makes a body stick to another.
pub(crate) fn stick(guid: Guid, target: Guid, stamp: u16) -> Vec<u8> {
    let state = InterpretedState::default();
    movement_with(guid, MovementBody::Interpreted { state, sticky: Some(target) }, stamp, |_| {})
}

pub(crate) fn set_state(guid: Guid, state: PhysicsState, stamp: u16) -> Vec<u8> {
    encoded(SetState { guid, state, instance: Stamp(0), state_stamp: Stamp(stamp) })
}

pub(crate) fn pickup(guid: Guid, stamp: u16) -> Vec<u8> {
    encoded(PickupEvent { guid, instance: Stamp(0), position: Stamp(stamp) })
}

pub(crate) fn vector(guid: Guid, velocity: Vec3, stamp: u16) -> Vec<u8> {
    vector_and_omega(guid, velocity, Vec3::ZERO, stamp)
}

pub(crate) fn vector_and_omega(guid: Guid, velocity: Vec3, omega: Vec3, stamp: u16) -> Vec<u8> {
    encoded(VectorUpdate { guid, velocity, omega, instance: Stamp(0), vector: Stamp(stamp) })
}

pub(crate) fn encode<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    encoded(message)
}

pub(crate) const ERA: Era = Era::EndOfRetail;

/// The visible state of a world, and the number of its events, as bits.
pub(crate) fn digest(world: &World, events: usize) -> Vec<u32> {
    let mut bits = Vec::new();
    for resident in world.entities() {
        let position = resident.position();
        bits.extend([resident.guid().0, position.cell.0]);
        bits.extend(<[f32; 3]>::from(position.frame.origin).map(f32::to_bits));
        bits.extend(<[f32; 4]>::from(position.frame.rotation).map(f32::to_bits));
        bits.push(resident.entity().animator.sequence().frame() as f32 as u32);
    }
    bits.push(events as u32);
    bits
}
