//! Captures for tests.

use acmotion::dat::Assets;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::capture::CaptureWriter;
use acmotion::wire::{
    AutonomousPosition, C2S, Direction, GameAction, InterpretedState, MotionFlags, Movement, MovementBody,
    MovementData, Pad, ParentEvent, PhysicsState, PlayerCreate, PositionPack, S2C, SetState, UpdateMotion,
    UpdatePosition,
};
use acmotion::{EntitySpec, World};

/// The entity that the messages of [`report`] and [`motion`] are about.
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

/// The player of [`story`].
pub(crate) const CAEL: Guid = Guid(0x5000_0011);
/// Entities of [`story`].
pub(crate) const ASHA: Guid = Guid(0x5000_0012);
pub(crate) const BRAM: Guid = Guid(0x5000_0013);
const SWORD: Guid = Guid(0x5000_0014);

/// Returns a capture in which a message of each kind changes something else: two reports about Asha at one time, of which the
/// second is stale; Bram is hidden and shown again; Asha gets a sword; Bram sticks to Asha; and the player's own client reports
/// where Cael is. `start` is the time of the first message in seconds.
pub(crate) fn story(start: f64) -> Vec<u8> {
    let place = |x: f32| CellPosition::at(CellId(0xA9B4_0019), Vec3::new(x, 12.0, 0.0));
    let mut server = World::new(Assets::mannequin());
    let mut create = |guid: Guid, name: &str, x: f32| {
        let id = server.spawn(&EntitySpec::new(guid, place(x)), 0.0).expect("the entity can be placed");
        let mut bytes = Vec::new();
        server.describe(id).expect("the entity exists").named(name).encode(&mut bytes);
        bytes
    };
    let mut messages = vec![
        (0.0, S2C::from(PlayerCreate { guid: CAEL }).to_bytes()),
        (0.0, create(CAEL, "Cael", 84.0)),
        (0.0, create(ASHA, "Asha", 88.0)),
        (0.0, create(BRAM, "Bram", 92.0)),
        (0.0, create(SWORD, "Sword", 90.0)),
    ];
    let report = |x: f32, stamp: u16| {
        let pack = PositionPack { position_stamp: Stamp(stamp), ..PositionPack::grounded(place(x)) };
        S2C::from(UpdatePosition { guid: ASHA, pack }).to_bytes()
    };
    let state = |state: PhysicsState, stamp: u16| {
        let state_stamp = Stamp(stamp);
        S2C::from(SetState { guid: BRAM, state, instance: Stamp(0), state_stamp }).to_bytes()
    };
    let parent = ParentEvent {
        parent: ASHA,
        child: SWORD,
        location: 1,
        child_position: Stamp(1),
        ..ParentEvent::default()
    };
    let body = MovementBody::Interpreted { state: InterpretedState::default(), sticky: Some(ASHA) };
    let data = MovementData {
        movement_stamp: Stamp(1),
        server_control: Stamp(0),
        autonomous: false.into(),
        pad: Pad::ZERO,
        movement: Movement { flags: MotionFlags::STICK_TO_OBJECT, style: MotionCommand::NON_COMBAT, body },
    };
    let stick = S2C::from(UpdateMotion { guid: BRAM, instance: Stamp(0), data }).to_bytes();
    let shown = PhysicsState::REPORT_COLLISIONS | PhysicsState::GRAVITY | PhysicsState::EDGE_SLIDE;
    messages.extend([
        (1.0, report(89.0, 2)),
        (1.0, report(86.0, 1)),
        (2.0, state(shown | PhysicsState::HIDDEN, 1)),
        (2.5, state(shown, 2)),
        (3.0, S2C::from(parent).to_bytes()),
        (4.0, stick),
    ]);
    let mut writer = CaptureWriter::new(Vec::new()).expect("memory can be written to");
    let mut write = |time: f64, direction: Direction, bytes: &[u8]| {
        writer.message(start + time, direction, bytes).expect("memory can be written to");
    };
    messages.iter().for_each(|(time, message)| write(*time, Direction::S2C, message));
    let position = AutonomousPosition { position: place(80.0), contact: true.into(), ..Default::default() };
    let action = GameAction { sequence: 1, action: position.into() };
    write(5.0, Direction::C2S, &C2S::from(action).to_bytes());
    write(7.0, Direction::S2C, &report(89.0, 3));
    writer.into_inner()
}
