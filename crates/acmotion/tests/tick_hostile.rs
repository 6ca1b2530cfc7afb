//! Numbers that are none, clocks that jump, forces beyond reason: bodies stay finite and go on answering.

mod interp_common;

use acmotion::body::{InfinitePlane, PhysicsState};
use acmotion::interp::{Axis, InterpretedState, MovementParams, MovementRequest};
use acmotion::types::{MotionCommand, Quat, Vec3};
use interp_common::{Ground, START, Stage};
use proptest::prelude::*;

const BAD: [f32; 8] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, f32::MAX, f32::MIN_POSITIVE, -0.0];

#[track_caller]
fn assert_sound(stage: &Stage) {
    let body = &stage.entity.body;
    let frame = &body.position.frame;
    assert!(frame.is_valid() && frame.origin.is_finite(), "{frame:?}");
    for vector in [body.velocity, body.acceleration, body.omega, body.cached_velocity] {
        assert!(vector.is_finite(), "{vector:?}");
    }
    assert!(body.velocity.length() < 60.0, "{:?}", body.velocity);
}

/// It still walks when it is asked to, once the bad numbers are over.
#[track_caller]
fn assert_responsive(stage: &mut Stage) {
    stage.ground = Ground::Plane(InfinitePlane::level(0.0));
    stage.entity.body.state.remove(PhysicsState::STATIC | PhysicsState::FROZEN | PhysicsState::HIDDEN);
    stage.act().enter_default_state();
    stage.put(START);
    stage.run(60);
    let begun = stage.at();
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.run(60);
    assert!((stage.at() - begun).length() > 1.0, "it walks");
}

#[test]
fn speeds_that_are_none() {
    for bad in BAD {
        let mut stage = Stage::player(200, 300);
        let axis = |command| Axis { command, speed: bad };
        let mut state = InterpretedState::default();
        state.forward = axis(MotionCommand::RUN_FORWARD);
        state.sidestep = axis(MotionCommand::SIDE_STEP_RIGHT);
        state.turn = axis(MotionCommand::TURN_RIGHT);
        stage.act().move_to_interpreted_state(&state);
        stage.run(10);
        assert_sound(&stage);
        let _ = stage.act().jump(bad);
        stage.run(10);
        let params = MovementParams::default().at_speed(bad);
        for motion in [MotionCommand::WALK_FORWARD, MotionCommand::TURN_LEFT, MotionCommand::WAVE] {
            let _ = stage.act().perform(&MovementRequest::Do(motion, params));
            stage.tick();
            assert_sound(&stage);
        }
        assert_responsive(&mut stage);
    }
}

#[test]
fn forces_beyond_reason() {
    for bad in BAD {
        let mut stage = Stage::creature();
        let now = stage.now;
        let body = &mut stage.entity.body;
        body.set_velocity(Vec3::new(bad, -bad, bad), now);
        body.set_omega(Vec3::new(0.0, bad, bad));
        body.set_friction(bad);
        body.set_elasticity(bad);
        body.scale = bad;
        stage.run(30);
        assert_sound(&stage);
        stage.entity.body.scale = 1.0;
        assert_responsive(&mut stage);
    }
}

#[test]
fn places_that_are_none() {
    let mut stage = Stage::creature();
    for bad in [f32::NAN, f32::INFINITY, 1e38] {
        let mut place = stage.entity.body.position;
        place.frame.origin.x = bad;
        let ground = stage.ground;
        stage.act().set_position(&place, true, ground.around());
        place.frame.origin.x = 60.0;
        place.frame.rotation = Quat::new(bad, 0.0, 0.0, 0.0);
        stage.act().set_position(&place, true, ground.around());
        stage.run(5);
        assert_sound(&stage);
    }
    assert_responsive(&mut stage);
}

#[test]
fn clocks_that_jump() {
    let mut stage = Stage::player(200, 0);
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.run(30);
    for jump in [-5.0, 7200.0, -7200.0, 1.9, f64::NAN, 1e300, -1e300, f64::INFINITY] {
        let (ground, before) = (stage.ground, stage.at());
        let now = stage.now;
        stage.now = now + jump;
        stage.act().update(None, ground.around());
        stage.now = now;
        stage.act().update(None, ground.around());
        stage.run(3);
        assert_sound(&stage);
        assert!((stage.at() - before).length() < 10.0, "no burst after a jump of {jump} s");
    }
    let begun = stage.at();
    stage.run(30);
    assert!((stage.at() - begun).length() > 1.0, "it still walks");
}

#[derive(Clone, Debug)]
enum Deed {
    Do(u32, f32),
    Stop(u32),
    Jump(f32),
    State(u32, f32, u32, f32),
    Velocity(f32, f32, f32),
    Flags(u32),
    Tick(f64),
    Slope(f32),
    World(f32),
}

fn deed() -> impl Strategy<Value = Deed> {
    let motion = prop_oneof![
        proptest::sample::select(vec![
            0x4100_0003,
            0x4500_0005,
            0x4500_0006,
            0x4400_0007,
            0x6500_000D,
            0x6500_000E,
            0x6500_000F,
            0x6500_0010,
            0x4000_0011,
            0x4000_0015,
            0x4100_0012,
            0x8000_003C,
            0x8000_003D,
            0x8000_003E,
            0x1300_0087,
            0u32,
        ]),
        any::<u32>(),
    ];
    let number = || prop_oneof![4 => -5f32..5.0, 1 => any::<f32>()];
    prop_oneof![
        1 => (motion.clone(), number()).prop_map(|(m, s)| Deed::Do(m, s)),
        1 => motion.clone().prop_map(Deed::Stop),
        1 => number().prop_map(Deed::Jump),
        1 => (motion.clone(), number(), motion, number()).prop_map(|(a, b, c, d)| Deed::State(a, b, c, d)),
        1 => (number(), number(), number()).prop_map(|(x, y, z)| Deed::Velocity(x, y, z)),
        1 => any::<u32>().prop_map(Deed::Flags),
        4 => prop_oneof![4 => 0f64..0.5, 1 => any::<f64>()].prop_map(Deed::Tick),
        1 => (-89f32..89.0).prop_map(Deed::Slope),
        1 => (-100f32..100.0).prop_map(Deed::World),
    ]
}

fn perform(stage: &mut Stage, deed: &Deed) {
    let params = |speed| MovementParams::default().at_speed(speed);
    match *deed {
        Deed::Do(motion, speed) => {
            let _ = stage.act().perform(&MovementRequest::Do(MotionCommand(motion), params(speed)));
        }
        Deed::Stop(motion) => {
            let _ = stage.release(MotionCommand(motion));
        }
        Deed::Jump(extent) => {
            let _ = stage.act().release_jump(extent);
        }
        Deed::State(forward, speed, turn, turning) => {
            let mut state = InterpretedState::default();
            state.forward = Axis { command: MotionCommand(forward), speed };
            state.turn = Axis { command: MotionCommand(turn), speed: turning };
            stage.act().move_to_interpreted_state(&state);
        }
        Deed::Velocity(x, y, z) => {
            let now = stage.now;
            stage.entity.body.set_velocity(Vec3::new(x, y, z), now);
        }
        Deed::Flags(bits) => stage.act().set_state(PhysicsState::from_bits_retain(bits)),
        Deed::Tick(seconds) => {
            stage.now = if seconds.is_finite() { (stage.now + seconds).clamp(-1e9, 1e9) } else { stage.now };
            let ground = stage.ground;
            stage.act().update(None, ground.around());
        }
        Deed::Slope(degrees) => {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let place = stage.entity.body.position;
            stage.ground =
                InfinitePlane::through(&place, Vec3::new(sin, 0.0, cos)).map_or(Ground::None, Ground::Plane);
        }
        Deed::World(z) => {
            let ground = stage.ground;
            let mut place = stage.entity.body.position;
            place.frame.origin.z = z;
            stage.act().enter_world(&place, true, ground.around());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever is done to it, a body stays finite; and the same deeds lead to the same bits.
    #[test]
    fn any_deeds_leave_the_body_sound(deeds in proptest::collection::vec(deed(), 1..60)) {
        let mut stages = [Stage::player(200, 300), Stage::player(200, 300)];
        for deed in &deeds {
            for stage in &mut stages {
                perform(stage, deed);
                assert_sound(stage);
            }
        }
        let [first, second] = &stages;
        prop_assert_eq!(&first.entity.body, &second.entity.body);
        prop_assert_eq!(&first.entity.animator, &second.entity.animator);
    }
}
