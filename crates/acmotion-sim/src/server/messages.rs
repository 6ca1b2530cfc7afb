//! The messages of the server.

use acmotion::dat::mannequin;
use acmotion::interp::{InterpretedState, PlayerWeenie, carrying_capacity};
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{
    self, CreateObject, InitialMovement, ModelData, MotionFlags, Movement, MovementBody, MovementData,
    ObjectDesc, Pad, PhysicsDesc, PlayerCreate, PlayerTeleport, PositionFlags, PositionPack, S2C, SetState,
    Skill, UpdateMotion, UpdatePosition, VectorUpdate, WeenieDesc, WireBool,
};

use super::ServerObject;
use crate::scenario::CreatureKind;

/// The item type of creatures and players.
const CREATURE: u32 = 0x10;
/// The object flag of players.
const PLAYER: u32 = 0x8;

pub(super) fn encoded<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

/// A thing appears, doing what it does (rule D13).
pub(super) fn create(
    thing: &ServerObject,
    place: &CellPosition,
    doing: Option<&InterpretedState>,
) -> Vec<u8> {
    let (table, setup, item_type) = match thing.kind {
        CreatureKind::Human => (mannequin::HUMAN_TABLE, mannequin::HUMAN_SETUP, CREATURE),
        CreatureKind::Beast => (mannequin::BEAST_TABLE, mannequin::BEAST_SETUP, CREATURE),
        CreatureKind::Door => (mannequin::DOOR_TABLE, mannequin::DOOR_SETUP, 0),
    };
    let mut actions = Vec::new();
    let mut state = doing.map_or_else(wire::InterpretedState::default, |state| state.to_wire(&mut actions));
    state.actions = wire::Actions::EMPTY;
    if doing.is_none() {
        state.forward_command = Some(thing.forward);
    }
    let movement = interpreted(thing.style, state, None);
    let physics = PhysicsDesc {
        state: thing.state,
        movement: Some(InitialMovement::Movement { movement, autonomous: WireBool::from(false) }),
        position: Some(*place),
        motion_table: Some(table.0),
        setup: Some(setup.0),
        stamps: thing.stamps,
        ..PhysicsDesc::default()
    };
    let mut weenie = Vec::new();
    let flags = if thing.client().is_some() { PLAYER } else { 0 };
    WeenieDesc::encode_typed(thing.name.as_bytes(), 1, item_type, flags, &mut weenie);
    match WeenieDesc::decode(&weenie) {
        Ok(weenie) => {
            encoded(CreateObject(ObjectDesc { guid: thing.guid, model: ModelData::PLAIN, physics, weenie }))
        }
        // What was just written can be read.
        Err(_) => Vec::new(),
    }
}

/// A state to be in.
pub(super) fn interpreted<'a>(
    style: MotionCommand,
    state: wire::InterpretedState<'a>,
    sticky: Option<Guid>,
) -> Movement<'a> {
    let state = wire::InterpretedState {
        current_style: (style != MotionCommand::NON_COMBAT).then_some(style),
        ..state
    };
    Movement { flags: MotionFlags::empty(), style, body: MovementBody::Interpreted { state, sticky } }
}

pub(super) fn update_motion<'a>(
    thing: &ServerObject,
    movement: Movement<'a>,
    autonomous: bool,
) -> UpdateMotion<'a> {
    let data = MovementData {
        movement_stamp: thing.stamps.movement,
        server_control: thing.stamps.server_control,
        autonomous: WireBool::from(autonomous),
        pad: Pad::ZERO,
        movement,
    };
    UpdateMotion { guid: thing.guid, instance: thing.stamps.instance, data }
}

pub(super) fn update_position(thing: &ServerObject, place: &CellPosition, grounded: bool) -> UpdatePosition {
    let mut flags = PositionFlags::empty();
    flags.set(PositionFlags::GROUNDED, grounded);
    let pack = PositionPack {
        flags,
        position: *place,
        velocity: None,
        placement: None,
        instance: thing.stamps.instance,
        position_stamp: thing.stamps.position,
        teleport: thing.stamps.teleport,
        force_position: thing.stamps.force_position,
    };
    UpdatePosition { guid: thing.guid, pack: pack.compact() }
}

pub(super) fn vector_update(thing: &ServerObject, velocity: Vec3) -> VectorUpdate {
    let (instance, vector) = (thing.stamps.instance, thing.stamps.vector);
    VectorUpdate { guid: thing.guid, velocity, omega: Vec3::ZERO, instance, vector }
}

pub(super) fn set_state(thing: &ServerObject) -> SetState {
    let (instance, stamp) = (thing.stamps.instance, thing.stamps.state);
    SetState { guid: thing.guid, state: thing.state, instance, state_stamp: stamp }
}

pub(super) fn player_create(guid: Guid) -> Vec<u8> {
    encoded(PlayerCreate { guid })
}

pub(super) fn player_teleport(thing: &ServerObject) -> Vec<u8> {
    encoded(PlayerTeleport { teleport: thing.stamps.teleport, pad: Pad::ZERO })
}

/// As much strength as makes a load (rule K10), and hardly any of the jump skill.
const STRENGTH: u32 = 2;

/// What a player can do (`docs/wire.md` 2.7): skills that rest on next to no attributes.
pub(super) fn player_description(guid: Guid, sequence: u32, weenie: &PlayerWeenie) -> Vec<u8> {
    let burden = (weenie.load * carrying_capacity(STRENGTH as i32, 0) as f32) as u32;
    let mut bytes = Vec::new();
    let mut words = |list: &[u32]| list.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    let table = |count: u32| count | 16 << 16;
    // The envelope, one table of numbers with the burden, then attributes and skills.
    words(&[0xF7B0, guid.0, sequence, 0x0013, 0x01, 10, table(1), 5, burden, 0x03, 1]);
    words(&[0x1FF, 0, STRENGTH, 0]);
    words(&[0; 15]);
    for vital in [100, weenie.stamina, 100] {
        words(&[0, 100, 0, vital]);
    }
    words(&[table(2)]);
    for (skill, level) in
        [(Skill::JUMP, weenie.jump_skill.saturating_sub(STRENGTH / 2)), (Skill::RUN, weenie.run_skill)]
    {
        words(&[skill, 1 << 16, 2, 0, level, 0, 0, 0]);
    }
    bytes
}
