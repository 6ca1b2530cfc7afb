//! Whatever a server sends, the state that it leads to can be written and restored: no message brings a world into a state
//! that its own snapshot calls invalid.

use crate::town_support;
use crate::world_support;

use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    InterpretedState, MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin,
    Pad, PhysicsState, PositionFlags, TurnToParams, UpdateMotion, WireBool,
};
use acmotion::{Identity, PlayerWeenie, Settings, World};
use proptest::prelude::*;
use town_support::{beside, town_settings};
use world_support::*;

/// A number that a careless or hostile server may send.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        2 => -100.0..100.0_f32,
        1 => proptest::sample::select(vec![
            f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, -1e30, 1e-40, -0.0, 0.0, 1.0,
        ]),
        1 => any::<u32>().prop_map(f32::from_bits),
    ]
}

fn vector3() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from)
}

/// A message, by its kind, and the numbers in it.
#[derive(Clone, Debug)]
struct Sent {
    kind: u8,
    guid: Guid,
    numbers: [f32; 8],
    vector: Vec3,
    word: u32,
    ticks: u8,
}

fn sent() -> impl Strategy<Value = Sent> {
    let guid = (1..5_u32).prop_map(|number| if number == 4 { PLAYER } else { Guid(number) });
    let numbers = proptest::array::uniform8(number());
    (0..9_u8, guid, numbers, vector3(), any::<u32>(), 0..4_u8).prop_map(
        |(kind, guid, numbers, vector, word, ticks)| Sent { kind, guid, numbers, vector, word, ticks },
    )
}

fn movement(guid: Guid, body: MovementBody<'_>, stamp: u16) -> Vec<u8> {
    let movement = Movement { flags: MotionFlags::empty(), style: MotionCommand::NON_COMBAT, body };
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(stamp),
        autonomous: WireBool::from(false),
        pad: Pad::ZERO,
        movement,
    };
    encode(UpdateMotion { guid, instance: Stamp(0), data })
}

/// A position near another, by numbers that may be anything.
fn somewhere(near: &CellPosition, east: f32, north: f32) -> CellPosition {
    let offset = |number: f32| if number.is_finite() { number % 10.0 } else { 0.0 };
    beside(*near, offset(east), offset(north), 0.0)
}

impl Sent {
    /// The message, for a body near a position.
    fn bytes(&self, near: &CellPosition, stamp: u16) -> Vec<u8> {
        let Self { guid, numbers: [a, b, c, d, e, f, g, h], vector: point, word, .. } = *self;
        let origin = Origin { cell: near.cell, point };
        let flags = acmotion::wire::MoveFlags::from_bits_retain(word);
        let params = MoveToParams {
            flags,
            distance_to_object: a,
            min_distance: b,
            fail_distance: c,
            speed: d,
            walk_run_threshold: e,
            desired_heading: f,
        };
        match self.kind {
            0 => create_with(
                guid,
                ObjectStamps { instance: Stamp(word as u16 % 3), ..Default::default() },
                |physics| {
                    physics.position = Some(somewhere(near, a, b));
                    physics.state = PhysicsState::from_bits_retain(word);
                    (physics.scale, physics.friction, physics.elasticity) = (Some(b), Some(c), Some(d));
                    (physics.translucency, physics.default_script_intensity) = (Some(e), Some(f));
                    (physics.velocity, physics.omega) = (Some(point), Some(Vec3::new(g, h, a)));
                },
            ),
            1 => vector(guid, point, stamp),
            2 => position_with(guid, &somewhere(near, a, b), stamp, |pack| {
                pack.velocity = Some(point);
                if word.is_multiple_of(2) {
                    pack.flags = PositionFlags::empty();
                }
            }),
            3 => position_with(guid, near, stamp, |pack| pack.position.frame.origin = point),
            4 => movement(
                guid,
                MovementBody::MoveToObject { target: Guid(2), origin, params, run_rate: g },
                stamp,
            ),
            5 => movement(guid, MovementBody::MoveToPosition { origin, params, run_rate: g }, stamp),
            6 => {
                let params = TurnToParams { flags, speed: a, desired_heading: b };
                movement(guid, MovementBody::TurnToObject { target: Guid(3), heading: c, params }, stamp)
            }
            7 => {
                let params = TurnToParams { flags, speed: a, desired_heading: b };
                movement(guid, MovementBody::TurnToHeading { params }, stamp)
            }
            _ => {
                let state = InterpretedState {
                    forward_command: Some(MotionCommand::WALK_FORWARD),
                    forward_speed: Some(a),
                    sidestep_command: Some(MotionCommand::SIDE_STEP_RIGHT),
                    sidestep_speed: Some(b),
                    turn_command: Some(MotionCommand::TURN_RIGHT),
                    turn_speed: Some(c),
                    ..InterpretedState::default()
                };
                movement(guid, MovementBody::Interpreted { state, sticky: Some(Guid(2)) }, stamp)
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_reachable_state_can_be_restored(sent in proptest::collection::vec(sent(), 1..40), load in number(), is_town: bool) {
        let settings = if is_town { town_settings() } else { Settings::default() };
        let surroundings = settings.surroundings.clone();
        let mut scene = TestWorld::with(Settings { player: Identity::Known(PLAYER), ..settings });
        let near = if is_town { landmarks().spawn } else { at(96.0, 96.0) };
        for guid in [Guid(1), Guid(2), Guid(3), PLAYER] {
            scene.send(&create(guid, &beside(near, guid.0 as u8 as f32 - 5.0, 0.0, 0.0), ObjectStamps::default(), None));
        }
        let now = scene.now;
        scene.world.player_mut().set_weenie(PlayerWeenie { load, ..PlayerWeenie::default() }, now);
        for (stamp, sent) in (1..).zip(&sent) {
            // Bytes that the decoder refuses change nothing.
            let _ = scene.world.receive(&sent.bytes(&near, stamp), scene.now);
            for _ in 0..sent.ticks {
                scene.now += TICK;
                scene.world.advance(scene.now);
            }
            let bytes = scene.world.snapshot();
            match World::restore(&bytes, Assets::mannequin(), surroundings.clone()) {
                Ok(restored) => prop_assert!(restored.snapshot() == bytes),
                Err(error) => prop_assert!(false, "{error} after {sent:?}"),
            }
        }
    }
}
