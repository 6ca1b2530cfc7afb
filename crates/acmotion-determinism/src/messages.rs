//! Messages as a server sends them.

use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    InterpretedState, MotionFlags, MoveFlags, MoveToParams, Movement, MovementBody, MovementData, Origin,
    Pad, PositionFlags, PositionPack, S2C, UpdateMotion, UpdatePosition, VectorUpdate, WireBool,
};

fn encode<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

/// Returns the motion state of running forward.
pub(crate) fn running(speed: f32) -> InterpretedState<'static> {
    InterpretedState {
        forward_command: Some(MotionCommand::RUN_FORWARD),
        forward_speed: Some(speed),
        ..InterpretedState::default()
    }
}

pub(crate) fn motion(guid: Guid, state: InterpretedState<'_>, stamp: u16) -> Vec<u8> {
    movement(guid, MovementBody::Interpreted { state, sticky: None }, stamp)
}

/// Returns the order to go to an object, and to stick to it if `sticks`.
pub(crate) fn move_to_object(guid: Guid, target: Guid, sticks: bool, stamp: u16) -> Vec<u8> {
    let mut params = MoveToParams::default();
    params.flags.set(MoveFlags::STICKY, sticks);
    // The client looks where the object is.
    let origin = Origin { cell: CellId::NONE, point: Vec3::ZERO };
    movement(guid, MovementBody::MoveToObject { target, origin, params, run_rate: 1.0 }, stamp)
}

fn movement(guid: Guid, body: MovementBody<'_>, stamp: u16) -> Vec<u8> {
    encode(UpdateMotion {
        guid,
        instance: Stamp(0),
        data: MovementData {
            movement_stamp: Stamp(stamp),
            server_control: Stamp(0),
            autonomous: WireBool::from(true),
            pad: Pad::ZERO,
            movement: Movement { flags: MotionFlags::empty(), style: MotionCommand::NON_COMBAT, body },
        },
    })
}

pub(crate) fn position(guid: Guid, position: &CellPosition, stamp: u16) -> Vec<u8> {
    encode(UpdatePosition {
        guid,
        pack: PositionPack {
            flags: PositionFlags::GROUNDED,
            position: *position,
            velocity: None,
            placement: None,
            instance: Stamp(0),
            position_stamp: Stamp(stamp),
            teleport: Stamp(0),
            force_position: Stamp(0),
        },
    })
}

pub(crate) fn velocity(guid: Guid, velocity: Vec3, stamp: u16) -> Vec<u8> {
    encode(VectorUpdate { guid, velocity, omega: Vec3::ZERO, instance: Stamp(0), vector: Stamp(stamp) })
}
