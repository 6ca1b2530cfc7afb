//! Properties that hold for any keys, requests and server messages: every sent message can be decoded, no key stays held, a
//! player without held keys stands still, and every request ends.
//!
//! In three cases the original keeps moving after the last key is released, until the next key of that kind (see the
//! documentation of `acmotion::player`); that is tested here too.

use crate::world_support;

use std::collections::HashMap;

use acmotion::components::ListKind;
use acmotion::types::{Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    InterpretedState, MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin,
    Pad, PhysicsState, PickupEvent, PlayerTeleport, SetState, TurnToParams, UpdateMotion, VectorUpdate,
    WireBool, decode_c2s,
};
use acmotion::{Event, EventKind, Identity, RequestId, RequestKind};
use proptest::prelude::*;
use world_support::{
    ERA, PLAYER, REMOTE, TICK, TestWorld, at, create, delete, encode, position_with, settings,
};

const KEYS: [MotionCommand; 13] = [
    MotionCommand::WALK_FORWARD,
    MotionCommand::WALK_BACKWARDS,
    MotionCommand::TURN_LEFT,
    MotionCommand::TURN_RIGHT,
    MotionCommand::SIDE_STEP_LEFT,
    MotionCommand::SIDE_STEP_RIGHT,
    MotionCommand::HOLD_RUN,
    MotionCommand::HOLD_SIDESTEP,
    MotionCommand::JUMP,
    MotionCommand::AUTO_RUN,
    MotionCommand::CROUCH,
    MotionCommand::READY,
    MotionCommand::WAVE,
];
/// One key of each list, and the hold keys.
const ONE_OF_EACH: [MotionCommand; 5] = [
    MotionCommand::HOLD_RUN,
    MotionCommand::HOLD_SIDESTEP,
    MotionCommand::WALK_FORWARD,
    MotionCommand::TURN_LEFT,
    MotionCommand::SIDE_STEP_LEFT,
];

#[derive(Clone, Debug)]
enum Input {
    Key(usize, bool),
    Mouse(bool, i16),
    Request(u8, i16),
    Server(u8, u16),
    Garbage(Vec<u8>),
    Wait(u8),
}

/// Ignores a result: refusals are expected.
fn ignore<T>(_result: T) {}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        6 => (0..KEYS.len(), any::<bool>()).prop_map(|(key, is_down)| Input::Key(key, is_down)),
        1 => (any::<bool>(), any::<i16>()).prop_map(|(look, by)| Input::Mouse(look, by)),
        2 => (0..8u8, any::<i16>()).prop_map(|(which, number)| Input::Request(which, number)),
        2 => (0..KINDS, any::<u16>()).prop_map(|(which, number)| Input::Server(which, number)),
        1 => proptest::collection::vec(any::<u8>(), 0..60).prop_map(Input::Garbage),
        4 => (1..40u8).prop_map(Input::Wait),
    ]
}

/// The number of kinds of server messages.
const KINDS: u8 = 16;
const NORMAL: PhysicsState =
    PhysicsState::GRAVITY.union(PhysicsState::REPORT_COLLISIONS).union(PhysicsState::EDGE_SLIDE);

struct Session {
    scene: TestWorld,
    /// Used for every kind of stamp.
    stamp: u16,
    instance: Stamp,
    events: Vec<Event>,
}

impl Session {
    fn new() -> Self {
        let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
        scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
        scene.send(&create(REMOTE, &at(90.5, 96.5), ObjectStamps::default(), None));
        scene.world.player_mut().set_run_by_default(true, 10.0);
        Self { scene, stamp: 0, instance: Stamp(0), events: Vec::new() }
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.scene.now += TICK;
            let now = self.scene.now;
            self.scene.world.tick(now);
            self.scene.world.player_mut().use_time(now);
        }
        self.events.extend(self.scene.world.drain_events());
    }

    fn apply(&mut self, input: Input) {
        let now = self.scene.now;
        let mut player = self.scene.world.player_mut();
        match input {
            Input::Key(key, true) => ignore(player.press(KEYS[key], now)),
            Input::Key(key, false) => ignore(player.release(KEYS[key], now)),
            Input::Mouse(look, by) => {
                player.set_mouse_look(look, now);
                player.mouse_turn(f32::from(by) / 10_000.0, now);
            }
            Input::Request(0, number) => ignore(player.turn_to(f32::from(number), now)),
            Input::Request(1, number) => {
                ignore(player.walk_to(at(90.0 + f32::from(number % 10), 90.0), now));
            }
            Input::Request(2, number) => ignore(player.jump(f32::from(number) / 30_000.0, now)),
            Input::Request(3, _) => ignore(player.emote(MotionCommand::CHEER, now)),
            Input::Request(4, number) => ignore(player.follow(REMOTE, f32::from(number % 5), now)),
            Input::Request(5, number) => {
                let last = player.last_request().map_or(0, |id| id.0);
                ignore(
                    player.cancel(RequestId(last.saturating_sub(u32::from(number.unsigned_abs() % 4))), now),
                );
            }
            Input::Request(6, number) if number % 4 == 0 => ignore(player.cancel_all(now)),
            Input::Request(..) => ignore(player.set_stance(acmotion::wire::CombatMode::MAGIC)),
            Input::Server(which, number) => self.receive(which, number),
            Input::Garbage(bytes) => ignore(self.scene.world.receive(&bytes, now)),
            Input::Wait(count) => self.frames(usize::from(count)),
        }
    }

    fn movement(&self, body: MovementBody<'_>, style: MotionCommand, autonomous: bool) -> Vec<u8> {
        encode(UpdateMotion {
            guid: PLAYER,
            instance: self.instance,
            data: MovementData {
                movement_stamp: Stamp(self.stamp),
                server_control: Stamp(self.stamp),
                autonomous: WireBool::from(autonomous),
                pad: Pad::ZERO,
                movement: Movement { flags: MotionFlags::empty(), style, body },
            },
        })
    }

    fn server_movement(
        &self,
        style: MotionCommand,
        forward: Option<MotionCommand>,
        autonomous: bool,
    ) -> Vec<u8> {
        let state = InterpretedState {
            current_style: Some(style),
            forward_command: forward,
            ..InterpretedState::default()
        };
        self.movement(MovementBody::Interpreted { state, sticky: None }, style, autonomous)
    }

    fn order(&self, which: u8, number: u16) -> Vec<u8> {
        let goal = at(80.0 + f32::from(number % 30), 96.5);
        let origin = Origin { cell: goal.cell, point: goal.frame.origin };
        let target = if number.is_multiple_of(3) { Guid(77) } else { REMOTE };
        let heading = f32::from(number % 360);
        let (params, run_rate) = (MoveToParams::default(), 2.0);
        let turn = TurnToParams { desired_heading: heading, ..TurnToParams::default() };
        let body = match which {
            0 => MovementBody::MoveToObject { target, origin, params, run_rate },
            1 => MovementBody::MoveToPosition { origin, params, run_rate },
            2 => MovementBody::TurnToObject { target, heading, params: turn },
            _ => MovementBody::TurnToHeading { params: turn },
        };
        self.movement(body, MotionCommand::NON_COMBAT, false)
    }

    fn state(&self, state: PhysicsState) -> Vec<u8> {
        let state_stamp = Stamp(self.stamp);
        encode(SetState { guid: PLAYER, state, instance: self.instance, state_stamp })
    }

    fn position(&self, x: f32, teleport: bool, force: bool) -> Vec<u8> {
        position_with(PLAYER, &at(x, 96.5), self.stamp, |pack| {
            pack.instance = self.instance;
            pack.teleport = Stamp(if teleport { self.stamp } else { 0 });
            pack.force_position = Stamp(if force { self.stamp } else { 0 });
        })
    }

    /// Receives one of the server's messages.
    fn receive(&mut self, which: u8, number: u16) {
        self.stamp += 1;
        let (stamp, x) = (Stamp(self.stamp), 80.0 + f32::from(number % 30));
        let bytes = match which {
            0 => self.server_movement(MotionCommand::HAND_COMBAT, None, false),
            1 => self.server_movement(MotionCommand::NON_COMBAT, Some(MotionCommand::WALK_FORWARD), false),
            2 => self.server_movement(MotionCommand::NON_COMBAT, Some(MotionCommand::DEAD), false),
            3 => self.server_movement(MotionCommand::NON_COMBAT, Some(MotionCommand::RUN_FORWARD), true),
            4 => self.position(x, true, false),
            5 => self.position(x, false, true),
            6 => self.position(x, false, false),
            7..=10 => self.order(which - 7, number),
            11 => self.state(PhysicsState::from_bits_retain(u32::from(number)) | NORMAL),
            12 => encode(PlayerTeleport { teleport: stamp, pad: Pad::ZERO }),
            13 => {
                let guid = if number.is_multiple_of(2) { PLAYER } else { REMOTE };
                delete(guid, self.instance.0)
            }
            14 if number.is_multiple_of(2) => {
                let velocity = Vec3::new(f32::from(number % 20), 0.0, 5.0);
                let (omega, instance) = (Vec3::ZERO, self.instance);
                encode(VectorUpdate { guid: PLAYER, velocity, omega, instance, vector: stamp })
            }
            14 => encode(PickupEvent { guid: PLAYER, instance: self.instance, position: stamp }),
            _ => {
                self.instance = Stamp(self.instance.0 + number % 2);
                let stamps = ObjectStamps { instance: self.instance, ..ObjectStamps::default() };
                create(PLAYER, &at(x, 96.5), stamps, None)
            }
        };
        self.scene.send(&bytes);
        self.events.append(&mut self.scene.events);
    }

    /// Receives messages that leave the player alive, in the world, and in the peace stance.
    fn reset_by_server(&mut self) {
        for step in 0..3 {
            self.stamp += 1;
            let bytes = match step {
                0 => self.state(NORMAL),
                1 => self.position(96.5, true, false),
                _ => self.server_movement(MotionCommand::NON_COMBAT, Some(MotionCommand::READY), false),
            };
            self.scene.send(&bytes);
        }
        self.events.append(&mut self.scene.events);
        self.frames(900);
    }

    fn release_all_keys(&mut self) {
        let now = self.scene.now;
        let mut player = self.scene.world.player_mut();
        player.set_mouse_look(false, now);
        if player.keyboard().auto_run {
            ignore(player.press(MotionCommand::AUTO_RUN, now));
        }
        for key in KEYS.into_iter().filter(|key| *key != MotionCommand::AUTO_RUN) {
            ignore(player.release(key, now));
        }
    }
}

/// Checks that no request has a step after its end, and that every request ends. A stance may wait for the server.
fn check_requests(events: &[Event]) -> Result<(), TestCaseError> {
    let mut requests = HashMap::new();
    for event in events {
        let EventKind::Request(step) = event.kind else { continue };
        let before = requests.insert(step.id, (step.kind, step.progress.is_last()));
        prop_assert!(!before.is_some_and(|(_, had_ended)| had_ended), "{step:?} after its end");
    }
    for (id, (kind, has_ended)) in requests {
        let may_wait = matches!(kind, RequestKind::Stance(_));
        prop_assert!(has_ended || may_wait, "{id:?} {kind:?} never ended");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_input_sends_valid_messages_and_leaves_no_key_held(inputs in proptest::collection::vec(input(), 0..40)) {
        let mut session = Session::new();
        for input in inputs {
            session.apply(input);
        }
        session.release_all_keys();
        let keys = session.scene.world.player_mut().keyboard().clone();
        prop_assert!(!keys.is_any_held());
        for kind in [ListKind::Substate, ListKind::Turn, ListKind::Sidestep] {
            prop_assert!(keys.list(kind).is_empty());
        }
        prop_assert!(!keys.mouse_look && !keys.auto_run);
        let now = session.scene.now;
        prop_assert_eq!(session.scene.world.player_mut().jump_power(now), None);

        session.reset_by_server();
        for key in ONE_OF_EACH {
            let now = session.scene.now;
            let tapped = session.scene.world.player_mut().tap(key, now);
            prop_assert!(tapped.is_ok(), "{key}: {tapped:?}");
        }
        session.frames(900);
        for bytes in session.scene.world.drain_outbound() {
            prop_assert!(decode_c2s(&bytes, ERA).is_ok());
        }
        let keys = session.scene.world.player_mut().keyboard().clone();
        prop_assert!(!keys.hold_run && !keys.hold_sidestep && !keys.controlled_by_server);
        let interp = &session.scene.world.find(PLAYER).unwrap().entity().interp;
        let (raw, interpreted) = (&interp.raw, &interp.interpreted);
        let still = (MotionCommand::READY, MotionCommand::NONE, MotionCommand::NONE);
        prop_assert_eq!((raw.forward.command, raw.sidestep.command, raw.turn.command), still);
        prop_assert_eq!(
            (interpreted.forward.command, interpreted.sidestep.command, interpreted.turn.command),
            still
        );
        let origin = session.scene.origin(PLAYER);
        session.frames(30);
        prop_assert_eq!(session.scene.origin(PLAYER), origin);
        check_requests(&session.events)?;
    }

    /// Without crouches and jumps no further key is needed.
    #[test]
    fn a_player_stands_still_after_all_keys_are_released(inputs in proptest::collection::vec(input(), 0..40)) {
        let mut session = Session::new();
        let is_excluded = |input: &Input| match input {
            Input::Key(key, _) => [MotionCommand::JUMP, MotionCommand::CROUCH].contains(&KEYS[*key]),
            Input::Request(which, _) => *which == 2,
            _ => false,
        };
        for input in inputs.into_iter().filter(|input| !is_excluded(input)) {
            session.apply(input);
        }
        session.release_all_keys();
        session.frames(900);
        if !session.scene.world.player_mut().keyboard().controlled_by_server {
            let raw = &session.scene.world.find(PLAYER).unwrap().entity().interp.raw;
            let still = (MotionCommand::READY, MotionCommand::NONE, MotionCommand::NONE);
            prop_assert_eq!((raw.forward.command, raw.sidestep.command, raw.turn.command), still);
            let origin = session.scene.origin(PLAYER);
            session.frames(30);
            prop_assert_eq!(session.scene.origin(PLAYER), origin);
        }
    }
}
