//! Builds the messages of the server.

use acmotion::PlayerWeenie;
use acmotion::components::InterpretedState;
use acmotion::formulas::carrying_capacity;
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{
    self, CreateObject, GameEvent, GameEventBody, InitialMovement, ModelData, MotionFlags, Movement,
    MovementBody, MovementData, ObjectDesc, Pad, PhysicsDesc, PlayerCreate, PlayerTeleport, PositionFlags,
    PositionPack, S2C, SetState, Skill, UpdateMotion, UpdatePosition, VectorUpdate, WeenieDesc, WireBool,
};

use super::ServerObject;
use crate::scenario::CreatureKind;

/// The item type of creatures and players.
const CREATURE: u32 = 0x10;
/// The object description flag of players.
const PLAYER: u32 = 0x8;

pub(super) fn encoded<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

/// Builds the `CreateObject` of an object (rule D13), in a motion state or, with `None`, in its initial one.
pub(super) fn create(
    object: &ServerObject,
    position: &CellPosition,
    state: Option<&InterpretedState>,
) -> Vec<u8> {
    let item_type = if object.kind == CreatureKind::Door { 0 } else { CREATURE };
    let mut actions = Vec::new();
    let mut wire_state =
        state.map_or_else(wire::InterpretedState::default, |state| state.to_wire(&mut actions));
    wire_state.actions = wire::Actions::EMPTY;
    if state.is_none() {
        wire_state.forward_command = Some(object.forward);
    }
    let movement = interpreted(object.style, wire_state, None);
    let physics = PhysicsDesc {
        state: object.state,
        movement: Some(InitialMovement::Movement { movement, autonomous: WireBool::from(false) }),
        position: Some(*position),
        motion_table: Some(object.kind.motion_table().0),
        setup: Some(object.kind.setup().0),
        stamps: object.stamps,
        ..PhysicsDesc::default()
    };
    let flags = if object.client().is_some() { PLAYER } else { 0 };
    create_object(object.guid, &object.name, (item_type, flags), physics)
}

/// Builds the `CreateObject` of an item.
pub(super) fn create_item(guid: Guid, name: &str, item_type: u32, physics: PhysicsDesc<'_>) -> Vec<u8> {
    create_object(guid, name, (item_type, 0), physics)
}

fn create_object(
    guid: Guid,
    name: &str,
    (item_type, flags): (u32, u32),
    physics: PhysicsDesc<'_>,
) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(name.as_bytes(), 1, item_type, flags, &mut weenie);
    match WeenieDesc::decode(&weenie) {
        Ok(weenie) => encoded(CreateObject(ObjectDesc { guid, model: ModelData::PLAIN, physics, weenie })),
        // What was just encoded can be decoded.
        Err(_) => Vec::new(),
    }
}

/// Builds a movement of type 0, sticking to an object if one is given.
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
    object: &ServerObject,
    movement: Movement<'a>,
    autonomous: bool,
) -> UpdateMotion<'a> {
    let data = MovementData {
        movement_stamp: object.stamps.movement,
        server_control: object.stamps.server_control,
        autonomous: WireBool::from(autonomous),
        pad: Pad::ZERO,
        movement,
    };
    UpdateMotion { guid: object.guid, instance: object.stamps.instance, data }
}

pub(super) fn update_position(
    object: &ServerObject,
    position: &CellPosition,
    grounded: bool,
) -> UpdatePosition {
    let mut flags = PositionFlags::empty();
    flags.set(PositionFlags::GROUNDED, grounded);
    let pack = PositionPack {
        flags,
        position: *position,
        velocity: None,
        placement: None,
        instance: object.stamps.instance,
        position_stamp: object.stamps.position,
        teleport: object.stamps.teleport,
        force_position: object.stamps.force_position,
    };
    UpdatePosition { guid: object.guid, pack: pack.compact() }
}

pub(super) fn vector_update(object: &ServerObject, velocity: Vec3) -> VectorUpdate {
    let (instance, vector) = (object.stamps.instance, object.stamps.vector);
    VectorUpdate { guid: object.guid, velocity, omega: Vec3::ZERO, instance, vector }
}

pub(super) fn set_state(object: &ServerObject) -> SetState {
    let (instance, stamp) = (object.stamps.instance, object.stamps.state);
    SetState { guid: object.guid, state: object.state, instance, state_stamp: stamp }
}

/// Builds a game event for a player.
pub(super) fn event(guid: Guid, sequence: u32, event: GameEventBody<'_>) -> Vec<u8> {
    encoded(GameEvent { guid, sequence, event })
}

pub(super) fn player_create(guid: Guid) -> Vec<u8> {
    encoded(PlayerCreate { guid })
}

pub(super) fn player_teleport(object: &ServerObject) -> Vec<u8> {
    encoded(PlayerTeleport { teleport: object.stamps.teleport, pad: Pad::ZERO })
}

/// The players' strength: enough for a load to count (rule K10), and hardly any jump skill.
const STRENGTH: u32 = 2;

/// Builds the `PlayerDescription` of a player (`docs/wire.md` 2.7), with skills that depend on next to no attributes.
pub(super) fn player_description(guid: Guid, sequence: u32, weenie: &PlayerWeenie) -> Vec<u8> {
    let burden = (weenie.load * carrying_capacity(STRENGTH as i32, 0) as f32) as u32;
    let mut bytes = Vec::new();
    let mut words = |list: &[u32]| list.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    let table = |count: u32| count | 16 << 16;
    // The envelope, one integer property table with the burden, then attributes and skills.
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
