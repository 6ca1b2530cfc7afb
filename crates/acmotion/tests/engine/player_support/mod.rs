//! A player whose keys tests press, and the messages that it sends.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use acmotion::components::{InterpretedState as Interpreted, RawState};
use acmotion::types::{MotionCommand, Stamp};
use acmotion::wire::{
    AttackDone, C2S, CombatCommenceAttack, GameActionBody, GameEvent, GameEventBody, InterpretedState,
    MotionFlags, MoveToState, Movement, MovementBody, MovementData, ObjectStamps, Pad, Skill, UpdateMotion,
    UseDone, WireBool, decode_c2s,
};
use acmotion::{Identity, PlayerWeenie};

use crate::world_support::{ERA, PLAYER, TestWorld, at, create, encode, settings};

pub(crate) const W: MotionCommand = MotionCommand::WALK_FORWARD;
pub(crate) const D: MotionCommand = MotionCommand::TURN_RIGHT;
pub(crate) const RATE: f32 = 2.375;

/// A standing player that runs by default and has reported its entry.
pub(crate) fn player() -> TestWorld {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    let now = scene.now;
    let mut player = scene.world.player_mut();
    player.set_weenie(PlayerWeenie { run_skill: 200, jump_skill: 300, ..PlayerWeenie::default() }, now);
    player.set_run_by_default(true, now);
    frames(&mut scene, 2);
    sent(&mut scene);
    scene
}

pub(crate) fn frames(scene: &mut TestWorld, count: usize) {
    for _ in 0..count {
        scene.tick();
        let now = scene.now;
        scene.world.player_mut().use_time(now);
    }
}

/// Removes the messages sent since the last call and returns their names.
pub(crate) fn sent(scene: &mut TestWorld) -> Vec<&'static str> {
    let name = |bytes: Vec<u8>| decode_c2s(&bytes, ERA).unwrap().name();
    scene.world.drain_outbound().map(name).collect()
}

pub(crate) fn take(scene: &mut TestWorld) -> Vec<Vec<u8>> {
    scene.world.drain_outbound().collect()
}

pub(crate) fn action(bytes: &[u8]) -> GameActionBody<'_> {
    match decode_c2s(bytes, ERA).unwrap() {
        C2S::GameAction(action) => action.action,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn move_to_state(bytes: &[u8]) -> MoveToState<'_> {
    match action(bytes) {
        GameActionBody::MoveToState(message) => message,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn press(scene: &mut TestWorld, command: MotionCommand) {
    let now = scene.now;
    scene.world.player_mut().press(command, now).unwrap();
}

pub(crate) fn release(scene: &mut TestWorld, command: MotionCommand) {
    let now = scene.now;
    scene.world.player_mut().release(command, now).unwrap();
}

pub(crate) fn states(scene: &TestWorld) -> (RawState, Interpreted) {
    let interp = &scene.world.find(PLAYER).unwrap().entity().interp;
    (interp.raw.clone(), interp.interpreted.clone())
}

/// A movement that the server imposes on the player.
pub(crate) fn server_movement(body: MovementBody<'_>, style: MotionCommand, stamp: u16) -> Vec<u8> {
    encode(UpdateMotion {
        guid: PLAYER,
        instance: Stamp(0),
        data: MovementData {
            movement_stamp: Stamp(stamp),
            server_control: Stamp(stamp),
            autonomous: WireBool::from(false),
            pad: Pad::ZERO,
            movement: Movement { flags: MotionFlags::empty(), style, body },
        },
    })
}

pub(crate) fn stance(style: MotionCommand, stamp: u16) -> Vec<u8> {
    let state = InterpretedState { current_style: Some(style), ..InterpretedState::default() };
    server_movement(MovementBody::Interpreted { state, sticky: None }, style, stamp)
}

/// A state that the server imposes on the player.
pub(crate) fn state(style: MotionCommand, forward: MotionCommand, stamp: u16) -> Vec<u8> {
    let state = InterpretedState {
        current_style: Some(style),
        forward_command: Some(forward),
        ..InterpretedState::default()
    };
    server_movement(MovementBody::Interpreted { state, sticky: None }, style, stamp)
}

/// A description of the player: quickness 100, a run skill of `run`, no jump skill, a strength and a burden; 20 stamina.
pub(crate) fn description(run: u32, strength: u32, burden: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut words = |list: &[u32]| list.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    words(&[0xF7B0, PLAYER.0, 1, 0x0013]);
    // One integer, the burden; then attributes and skills.
    words(&[0x01, 10, 16 << 16 | 1, 5, burden, 0x03, 1]);
    // Strength, endurance, quickness, coordination, focus, self: ranks, start, experience.
    words(&[0x1FF, 0, strength, 0, 0, 10, 0, 0, 100, 0, 0, 10, 0, 0, 10, 0, 0, 10, 0]);
    for current in [10, 20, 10] {
        words(&[0, 10, 0, current]);
    }
    words(&[16 << 16 | 1, Skill::RUN, 1 << 16, 2, 0, run - 100, 0, 0, 0]);
    bytes
}

/// Puts the player into a combat stance, and in control of itself.
pub(crate) fn take_stance(scene: &mut TestWorld, style: MotionCommand) {
    scene.send(&stance(style, 1));
    frames(scene, 60);
    press(scene, D);
    release(scene, D);
    frames(scene, 60);
    take(scene);
    scene.events.clear();
}

/// Sends the player an event of the game.
pub(crate) fn event(scene: &mut TestWorld, event: GameEventBody<'_>) {
    scene.send(&encode(GameEvent { guid: PLAYER, sequence: 2, event }));
}

pub(crate) fn attack_done(scene: &mut TestWorld, error: u32) {
    event(scene, GameEventBody::AttackDone(AttackDone { error }));
}

pub(crate) fn commence(scene: &mut TestWorld) {
    event(scene, GameEventBody::CombatCommenceAttack(CombatCommenceAttack));
}

pub(crate) fn use_done(scene: &mut TestWorld, error: u32) {
    event(scene, GameEventBody::UseDone(UseDone { error }));
}
