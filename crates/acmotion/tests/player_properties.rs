//! Whatever is pressed, whatever is asked for and whatever the server says: every message can be read, no key stays held,
//! who lets go of everything stands still, and every request comes to an end.
//!
//! In three ways the original goes on moving after the last key is up; the next key of that kind ends it, and that is what
//! is tried here (see the documentation of `acmotion::player`).

mod world_support;

use std::collections::HashMap;

use acmotion::player::{ListKind, RequestKind, RequestProgress};
use acmotion::types::{Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    InterpretedState, MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin,
    Pad, PhysicsState, PickupEvent, PlayerTeleport, SetState, TurnToParams, UpdateMotion, VectorUpdate,
    WireBool, decode_c2s,
};
use acmotion::world::{Event, EventKind, Identity};
use proptest::prelude::*;
use world_support::{ERA, PLAYER, REMOTE, Scene, TICK, at, create, delete, of, position_with, settings};

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
/// One key of each list, and those that are kept apart.
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

/// Refusals are answers too.
fn ignore<T>(_answer: T) {}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        6 => (0..KEYS.len(), any::<bool>()).prop_map(|(key, down)| Input::Key(key, down)),
        1 => (any::<bool>(), any::<i16>()).prop_map(|(look, by)| Input::Mouse(look, by)),
        2 => (0..5u8, any::<i16>()).prop_map(|(which, number)| Input::Request(which, number)),
        2 => (0..KINDS, any::<u16>()).prop_map(|(which, number)| Input::Server(which, number)),
        1 => proptest::collection::vec(any::<u8>(), 0..60).prop_map(Input::Garbage),
        4 => (1..40u8).prop_map(Input::Wait),
    ]
}

/// How many kinds of messages the server knows.
const KINDS: u8 = 16;
const NORMAL: PhysicsState =
    PhysicsState::GRAVITY.union(PhysicsState::REPORT_COLLISIONS).union(PhysicsState::EDGE_SLIDE);

struct Play {
    scene: Scene,
    /// All stamps count alike.
    stamp: u16,
    instance: Stamp,
    events: Vec<Event>,
}

impl Play {
    fn new() -> Self {
        let mut scene = Scene::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
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

    fn put_in(&mut self, input: Input) {
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
                ignore(player.walk_to(&at(90.0 + f32::from(number % 10), 90.0), now));
            }
            Input::Request(2, number) => ignore(player.jump(f32::from(number) / 30_000.0, now)),
            Input::Request(3, _) => ignore(player.emote(MotionCommand::CHEER, now)),
            Input::Request(..) => ignore(player.set_stance(acmotion::wire::CombatMode::MAGIC)),
            Input::Server(which, number) => self.hear(which, number),
            Input::Garbage(bytes) => ignore(self.scene.world.receive(&bytes, now)),
            Input::Wait(count) => self.frames(usize::from(count)),
        }
    }

    fn movement(&self, body: MovementBody<'_>, style: MotionCommand, autonomous: bool) -> Vec<u8> {
        of(UpdateMotion {
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

    fn imposed(&self, style: MotionCommand, forward: Option<MotionCommand>, autonomous: bool) -> Vec<u8> {
        let state = InterpretedState {
            current_style: Some(style),
            forward_command: forward,
            ..InterpretedState::default()
        };
        self.movement(MovementBody::Interpreted { state, sticky: None }, style, autonomous)
    }

    fn ordered(&self, which: u8, number: u16) -> Vec<u8> {
        let place = at(80.0 + f32::from(number % 30), 96.5);
        let origin = Origin { cell: place.cell, point: place.frame.origin };
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
        of(SetState { guid: PLAYER, state, instance: self.instance, state_stamp })
    }

    fn position(&self, x: f32, teleport: bool, force: bool) -> Vec<u8> {
        position_with(PLAYER, &at(x, 96.5), self.stamp, |pack| {
            pack.instance = self.instance;
            pack.teleport = Stamp(if teleport { self.stamp } else { 0 });
            pack.force_position = Stamp(if force { self.stamp } else { 0 });
        })
    }

    /// One of the things that a server says.
    fn hear(&mut self, which: u8, number: u16) {
        self.stamp += 1;
        let (stamp, x) = (Stamp(self.stamp), 80.0 + f32::from(number % 30));
        let bytes = match which {
            0 => self.imposed(MotionCommand::HAND_COMBAT, None, false),
            1 => self.imposed(MotionCommand::NON_COMBAT, Some(MotionCommand::WALK_FORWARD), false),
            2 => self.imposed(MotionCommand::NON_COMBAT, Some(MotionCommand::DEAD), false),
            3 => self.imposed(MotionCommand::NON_COMBAT, Some(MotionCommand::RUN_FORWARD), true),
            4 => self.position(x, true, false),
            5 => self.position(x, false, true),
            6 => self.position(x, false, false),
            7..=10 => self.ordered(which - 7, number),
            11 => self.state(PhysicsState::from_bits_retain(u32::from(number)) | NORMAL),
            12 => of(PlayerTeleport { teleport: stamp, pad: Pad::ZERO }),
            13 => {
                let guid = if number.is_multiple_of(2) { PLAYER } else { REMOTE };
                delete(guid, self.instance.0)
            }
            14 if number.is_multiple_of(2) => {
                let velocity = Vec3::new(f32::from(number % 20), 0.0, 5.0);
                let (omega, instance) = (Vec3::ZERO, self.instance);
                of(VectorUpdate { guid: PLAYER, velocity, omega, instance, vector: stamp })
            }
            14 => of(PickupEvent { guid: PLAYER, instance: self.instance, position: stamp }),
            _ => {
                self.instance = Stamp(self.instance.0 + number % 2);
                let stamps = ObjectStamps { instance: self.instance, ..ObjectStamps::default() };
                create(PLAYER, &at(x, 96.5), stamps, None)
            }
        };
        self.scene.send(&bytes);
        self.events.append(&mut self.scene.events);
    }

    /// The server lets the player be: alive, somewhere, at peace.
    fn set_free(&mut self) {
        for step in 0..3 {
            self.stamp += 1;
            let bytes = match step {
                0 => self.state(NORMAL),
                1 => self.position(96.5, true, false),
                _ => self.imposed(MotionCommand::NON_COMBAT, Some(MotionCommand::READY), false),
            };
            self.scene.send(&bytes);
        }
        self.events.append(&mut self.scene.events);
        self.frames(900);
    }

    /// Every key is let go.
    fn let_go(&mut self) {
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

/// Every request begins once, ends once, and in that order.
fn check_requests(events: &[Event]) -> Result<(), TestCaseError> {
    let mut over = HashMap::new();
    for event in events {
        let EventKind::Request(step) = event.kind else { continue };
        let is_end = !matches!(step.progress, RequestProgress::Parked | RequestProgress::Started);
        let before = over.insert(step.id, (step.kind, is_end));
        prop_assert!(!before.is_some_and(|(_, was_over)| was_over), "{step:?} after its end");
    }
    for (id, (kind, is_over)) in over {
        let waits = matches!(kind, RequestKind::Stance(_));
        prop_assert!(is_over || waits, "{id:?} {kind:?} never ended");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn messages_can_be_read_and_keys_let_go(inputs in proptest::collection::vec(input(), 0..40)) {
        let mut play = Play::new();
        for input in inputs {
            play.put_in(input);
        }
        play.let_go();
        let keys = play.scene.world.player_mut().keyboard().clone();
        prop_assert!(!keys.is_held());
        for kind in [ListKind::Substate, ListKind::Turn, ListKind::Sidestep] {
            prop_assert!(keys.list(kind).is_empty());
        }
        prop_assert!(!keys.mouse_look && !keys.auto_run);
        let now = play.scene.now;
        prop_assert_eq!(play.scene.world.player_mut().jump_power(now), None);

        play.set_free();
        for key in ONE_OF_EACH {
            let now = play.scene.now;
            let tapped = play.scene.world.player_mut().tap(key, now);
            prop_assert!(tapped.is_ok(), "{key}: {tapped:?}");
        }
        play.frames(900);
        for bytes in play.scene.world.drain_outbound() {
            prop_assert!(decode_c2s(&bytes, ERA).is_ok());
        }
        let keys = play.scene.world.player_mut().keyboard().clone();
        prop_assert!(!keys.hold_run && !keys.hold_sidestep && !keys.controlled_by_server);
        let interp = &play.scene.world.find(PLAYER).unwrap().entity().interp;
        let (raw, done) = (&interp.raw, &interp.interpreted);
        let still = (MotionCommand::READY, MotionCommand::NONE, MotionCommand::NONE);
        prop_assert_eq!((raw.forward.command, raw.sidestep.command, raw.turn.command), still);
        prop_assert_eq!((done.forward.command, done.sidestep.command, done.turn.command), still);
        let place = play.scene.place(PLAYER);
        play.frames(30);
        prop_assert_eq!(play.scene.place(PLAYER), place);
        check_requests(&play.events)?;
    }

    /// Who neither crouches nor jumps needs no other key to stand still.
    #[test]
    fn nothing_goes_on_when_all_is_let_go(inputs in proptest::collection::vec(input(), 0..40)) {
        let mut play = Play::new();
        let lasts = |input: &Input| match input {
            Input::Key(key, _) => [MotionCommand::JUMP, MotionCommand::CROUCH].contains(&KEYS[*key]),
            Input::Request(which, _) => *which == 2,
            _ => false,
        };
        for input in inputs.into_iter().filter(|input| !lasts(input)) {
            play.put_in(input);
        }
        play.let_go();
        play.frames(900);
        if !play.scene.world.player_mut().keyboard().controlled_by_server {
            let raw = &play.scene.world.find(PLAYER).unwrap().entity().interp.raw;
            let still = (MotionCommand::READY, MotionCommand::NONE, MotionCommand::NONE);
            prop_assert_eq!((raw.forward.command, raw.sidestep.command, raw.turn.command), still);
            let place = play.scene.place(PLAYER);
            play.frames(30);
            prop_assert_eq!(play.scene.place(PLAYER), place);
        }
    }
}
