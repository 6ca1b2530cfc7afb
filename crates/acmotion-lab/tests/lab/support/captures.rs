//! Captures for tests: messages of the server about one entity.

use acmotion::types::{CellPosition, Guid, MotionCommand, Stamp};
use acmotion::wire::capture::CaptureWriter;
use acmotion::wire::{
    Direction, InterpretedState, MotionFlags, Movement, MovementBody, MovementData, Pad, PositionPack, S2C,
    UpdateMotion, UpdatePosition,
};

/// The entity that all messages are about.
pub(crate) const RUNNER: Guid = Guid(0x5000_0002);

/// Returns a report of the entity's position.
pub(crate) fn report(position: CellPosition, stamp: u16) -> Vec<u8> {
    let pack = PositionPack { position_stamp: Stamp(stamp), ..PositionPack::grounded(position) };
    S2C::from(UpdatePosition { guid: RUNNER, pack }).to_bytes()
}

/// Returns a message that gives the entity a motion.
pub(crate) fn motion(style: MotionCommand, forward: MotionCommand, speed: f32, stamp: u16) -> Vec<u8> {
    let state = InterpretedState {
        forward_command: Some(forward),
        forward_speed: Some(speed),
        ..InterpretedState::default()
    };
    let body = MovementBody::Interpreted { state, sticky: None };
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(0),
        autonomous: true.into(),
        pad: Pad::ZERO,
        movement: Movement { flags: MotionFlags::empty(), style, body },
    };
    S2C::from(UpdateMotion { guid: RUNNER, instance: Stamp(0), data }).to_bytes()
}

/// Returns a capture of messages from the server, each with its time in seconds.
pub(crate) fn capture(messages: impl IntoIterator<Item = (f64, Vec<u8>)>) -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::new()).expect("memory can be written to");
    for (time, message) in messages {
        writer.message(time, Direction::S2C, &message).expect("memory can be written to");
    }
    writer.into_inner()
}
