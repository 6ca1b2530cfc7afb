//! Whatever is pressed and whatever the server says: every message can be read, and no key stays stuck.

mod world_support;

use acmotion::player::ListKind;
use acmotion::types::{MotionCommand, Stamp};
use acmotion::wire::{InterpretedState, MotionFlags, Movement, MovementBody, MovementData};
use acmotion::wire::{ObjectStamps, Pad, UpdateMotion, WireBool, decode_c2s};
use acmotion::world::Identity;
use proptest::prelude::*;
use world_support::{ERA, PLAYER, Scene, at, create, of, position_with, settings};

const KEYS: [MotionCommand; 12] = [
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
    MotionCommand::WAVE,
];

#[derive(Clone, Copy, Debug)]
enum Input {
    Key(usize, bool),
    Mouse(bool, i16),
    Order(u8, i16),
    Server(u8, u16),
    Wait(u8),
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        6 => (0..KEYS.len(), any::<bool>()).prop_map(|(key, down)| Input::Key(key, down)),
        1 => (any::<bool>(), any::<i16>()).prop_map(|(look, by)| Input::Mouse(look, by)),
        1 => (0..5u8, any::<i16>()).prop_map(|(which, number)| Input::Order(which, number)),
        1 => (0..4u8, any::<u16>()).prop_map(|(which, number)| Input::Server(which, number)),
        4 => (1..40u8).prop_map(Input::Wait),
    ]
}

fn imposed(style: MotionCommand, forward: Option<MotionCommand>, stamp: u16) -> Vec<u8> {
    let state = InterpretedState {
        current_style: Some(style),
        forward_command: forward,
        ..InterpretedState::default()
    };
    of(UpdateMotion {
        guid: PLAYER,
        instance: Stamp(0),
        data: MovementData {
            movement_stamp: Stamp(stamp),
            server_control: Stamp(stamp),
            autonomous: WireBool::from(false),
            pad: Pad::ZERO,
            movement: Movement {
                flags: MotionFlags::empty(),
                style,
                body: MovementBody::Interpreted { state, sticky: None },
            },
        },
    })
}

struct Play {
    scene: Scene,
    stamp: u16,
}

impl Play {
    fn new() -> Self {
        let mut scene = Scene::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
        scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
        scene.world.player_mut().set_run_by_default(true, 10.0);
        Self { scene, stamp: 0 }
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.scene.tick();
            let now = self.scene.now;
            self.scene.world.player_mut().use_time(now);
        }
    }

    fn put_in(&mut self, input: Input) {
        let now = self.scene.now;
        let mut player = self.scene.world.player_mut();
        match input {
            // Refusals are answers too.
            Input::Key(key, true) => {
                let _ = player.press(KEYS[key], now);
            }
            Input::Key(key, false) => {
                let _ = player.release(KEYS[key], now);
            }
            Input::Mouse(look, by) => {
                player.set_mouse_look(look, now);
                player.mouse_turn(f32::from(by) / 10_000.0, now);
            }
            Input::Order(0, number) => {
                let _ = player.turn_to(f32::from(number), now);
            }
            Input::Order(1, number) => {
                let _ = player.walk_to(&at(90.0 + f32::from(number % 10), 90.0), now);
            }
            Input::Order(2, number) => {
                let _ = player.jump(f32::from(number) / 30_000.0, now);
            }
            Input::Order(3, _) => {
                let _ = player.emote(MotionCommand::CHEER, now);
            }
            Input::Order(..) => {
                let _ = player.set_stance(acmotion::wire::CombatMode::MAGIC);
            }
            Input::Server(which, number) => self.hear(which, number),
            Input::Wait(count) => self.frames(usize::from(count)),
        }
    }

    fn hear(&mut self, which: u8, number: u16) {
        self.stamp += 1;
        let (stamp, place) = (self.stamp, at(80.0 + f32::from(number % 30), 96.5));
        let bytes = match which {
            0 => imposed(MotionCommand::HAND_COMBAT, None, stamp),
            1 => imposed(MotionCommand::NON_COMBAT, Some(MotionCommand::WALK_FORWARD), stamp),
            2 => position_with(PLAYER, &place, stamp, |pack| pack.teleport = Stamp(stamp)),
            _ => position_with(PLAYER, &place, stamp, |pack| pack.force_position = Stamp(stamp)),
        };
        self.scene.send(&bytes);
    }

    /// Every key is let go.
    fn let_go(&mut self) {
        let now = self.scene.now;
        let mut player = self.scene.world.player_mut();
        player.set_mouse_look(false, now);
        if player.keyboard().auto_run {
            let _ = player.press(MotionCommand::AUTO_RUN, now);
        }
        for key in KEYS.into_iter().filter(|key| *key != MotionCommand::AUTO_RUN) {
            let _ = player.release(key, now);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]
    #[test]
    fn messages_can_be_read_and_keys_let_go(inputs in proptest::collection::vec(input(), 0..40)) {
        let mut play = Play::new();
        for input in inputs {
            play.put_in(input);
        }
        play.let_go();
        play.frames(30);
        for bytes in play.scene.world.drain_outbound() {
            prop_assert!(decode_c2s(&bytes, ERA).is_ok());
        }
        let keys = play.scene.world.player_mut().keyboard().clone();
        prop_assert!(!keys.is_held());
        for kind in [ListKind::Substate, ListKind::Turn, ListKind::Sidestep] {
            prop_assert!(keys.list(kind).is_empty());
        }
        prop_assert!(!keys.hold_run && !keys.hold_sidestep && !keys.mouse_look && !keys.auto_run);
        let now = play.scene.now;
        prop_assert_eq!(play.scene.world.player_mut().jump_power(now), None);
        if !keys.controlled_by_server {
            let raw = &play.scene.world.find(PLAYER).unwrap().entity().interp.raw;
            let walks = [MotionCommand::WALK_FORWARD, MotionCommand::WALK_BACKWARDS];
            prop_assert!(!walks.contains(&raw.forward.command), "{:?}", raw);
            let still = (MotionCommand::NONE, MotionCommand::NONE);
            prop_assert_eq!((raw.sidestep.command, raw.turn.command), still);
        }
    }
}
