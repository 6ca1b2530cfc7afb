//! Invalid values, clocks that jump and extreme velocities: bodies stay finite and keep responding.

use crate::interp_common;

use acmotion::Sequence;
use acmotion::components::{Axis, InterpretedState, MovementParams, MovementRequest, PhysicsState};
use acmotion::scene::InfinitePlane;
use acmotion::types::{MotionCommand, Quat, Vec3};
use interp_common::{Ground, START, Stage};
use proptest::prelude::*;

const BAD: [f32; 8] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, f32::MAX, f32::MIN_POSITIVE, -0.0];

#[track_caller]
fn assert_valid(stage: &Stage) {
    let body = &stage.entity.body;
    let frame = &body.position.frame;
    assert!(frame.is_valid() && frame.origin.is_finite(), "{frame:?}");
    for vector in [body.velocity, body.acceleration, body.omega, body.cached_velocity] {
        assert!(vector.is_finite(), "{vector:?}");
    }
    assert!(body.velocity.length() < 60.0, "{:?}", body.velocity);
    let animator = &stage.entity.animator;
    let sequence = animator.sequence();
    let mut rates = sequence.nodes(&stage.library).map(|node| node.framerate);
    assert!(rates.all(f32::is_finite) && animator.state().substate_speed().is_finite(), "{sequence:?}");
    assert!(sequence.velocity().is_finite() && sequence.omega().is_finite(), "{sequence:?}");
}

/// Asserts that the body still walks once valid values are set again.
#[track_caller]
fn assert_responsive(stage: &mut Stage) {
    stage.ground = Ground::Plane(InfinitePlane::level(0.0));
    stage.entity.body.state.remove(PhysicsState::STATIC | PhysicsState::FROZEN | PhysicsState::HIDDEN);
    stage.act().enter_default_state();
    stage.put(START);
    stage.run(60);
    let start = stage.at();
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.run(60);
    assert!((stage.at() - start).length() > 1.0, "it does not walk");
}

#[test]
fn invalid_speeds_do_no_harm() {
    for bad in BAD {
        let mut stage = Stage::player(200, 300);
        let axis = |command| Axis { command, speed: bad };
        let mut state = InterpretedState::default();
        state.forward = axis(MotionCommand::RUN_FORWARD);
        state.sidestep = axis(MotionCommand::SIDE_STEP_RIGHT);
        state.turn = axis(MotionCommand::TURN_RIGHT);
        stage.act().move_to_interpreted_state(&state);
        stage.run(10);
        assert_valid(&stage);
        let _ = stage.act().jump(bad);
        stage.run(10);
        let params = MovementParams::default().at_speed(bad);
        for motion in [MotionCommand::WALK_FORWARD, MotionCommand::TURN_LEFT, MotionCommand::WAVE] {
            let _ = stage.act().perform(&MovementRequest::Do(motion, params));
            stage.tick();
            assert_valid(&stage);
        }
        assert_responsive(&mut stage);
    }
}

/// A modifier whose omega overflows was subtracted from itself when the ground was left, and gave NaN. A property test found
/// it at the first two speeds; they are fixed here, because random runs rarely find others.
#[test]
fn hostile_07_an_overflowing_turn_is_ignored() {
    for speed in [-2.6e38, -3.382_465e38, 2.6e38, f32::MAX] {
        let mut stage = Stage::player(200, 300);
        let params = MovementParams::default().at_speed(speed);
        let _ = stage.act().perform(&MovementRequest::Do(MotionCommand::TURN_RIGHT, params));
        assert_valid(&stage);
        stage.tick();
        stage.act().release_jump(0.5).unwrap();
        assert_valid(&stage);
        stage.run(10);
        assert_valid(&stage);
        assert_responsive(&mut stage);
    }
}

#[test]
fn hostile_07_no_motion_is_faster_than_a_thousand_times_its_speed() {
    for (speed, played) in [(999.0, 999.0), (1_001.0, 1_000.0), (-1_001.0, -1_000.0), (f32::MAX, 1_000.0)] {
        let mut stage = Stage::creature();
        let mut state = InterpretedState::default();
        state.forward = Axis { command: MotionCommand::WALK_FORWARD, speed };
        stage.act().move_to_interpreted_state(&state);
        assert_eq!(stage.entity.animator.state().substate_speed(), played, "asked for {speed}");
    }
}

#[test]
fn hostile_07_the_speed_after_an_overflow_is_exact() {
    let omega_at = |speeds: &[f32]| {
        let mut stage = Stage::creature();
        for speed in speeds {
            let mut state = InterpretedState::default();
            state.forward = Axis { command: MotionCommand::WALK_FORWARD, speed: *speed };
            state.turn = Axis { command: MotionCommand::TURN_RIGHT, speed: *speed };
            stage.act().move_to_interpreted_state(&state);
            assert_valid(&stage);
        }
        stage.entity.animator.sequence().omega()
    };
    assert_eq!(omega_at(&[1.0]).z, -1.5);
    assert_eq!(omega_at(&[f32::MAX, 1.0]).z, -1.5);
}

#[test]
fn hostile_07_a_sequence_takes_only_finite_velocities() {
    let (one, max) = (Vec3::ONE, Vec3::ONE * f32::MAX);
    let mut sequence = Sequence::new();
    sequence.set_physics(one, one);
    for bad in BAD.map(|bad| Vec3::new(0.0, bad, 0.0)).into_iter().filter(|bad| !bad.is_finite()) {
        sequence.combine_physics(bad, bad);
        sequence.subtract_physics(bad, bad);
        assert_eq!((sequence.velocity(), sequence.omega()), (one, one), "{bad:?} is ignored");
    }
    sequence.set_physics(max, one);
    sequence.combine_physics(max, one);
    assert_eq!((sequence.velocity(), sequence.omega()), (max, one + one), "a sum that overflows is ignored");
    sequence.set_physics(one, max * 2.0);
    assert_eq!((sequence.velocity(), sequence.omega()), (one, Vec3::ZERO), "the cycle before is not kept");
    sequence.set_physics(max * 2.0, one);
    assert_eq!((sequence.velocity(), sequence.omega()), (Vec3::ZERO, one));
}

#[test]
fn invalid_velocities_and_scales_do_no_harm() {
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
        assert_valid(&stage);
        stage.entity.body.scale = 1.0;
        assert_responsive(&mut stage);
    }
}

#[test]
fn invalid_positions_are_ignored() {
    let mut stage = Stage::creature();
    for bad in [f32::NAN, f32::INFINITY, 1e38] {
        let mut position = stage.entity.body.position;
        position.frame.origin.x = bad;
        let ground = stage.ground;
        stage.act().set_position(&position, true, ground.around());
        position.frame.origin.x = 60.0;
        position.frame.rotation = Quat::new(bad, 0.0, 0.0, 0.0);
        stage.act().set_position(&position, true, ground.around());
        stage.run(5);
        assert_valid(&stage);
    }
    assert_responsive(&mut stage);
}

#[test]
fn a_clock_that_jumps_causes_no_burst_of_motion() {
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
        assert_valid(&stage);
        assert!((stage.at() - before).length() < 10.0, "a burst after a jump of {jump} s");
    }
    let start = stage.at();
    stage.run(30);
    assert!((stage.at() - start).length() > 1.0, "it no longer walks");
}

#[derive(Clone, Debug)]
enum Input {
    Do(u32, f32),
    Stop(u32),
    Jump(f32),
    State(u32, f32, u32, f32),
    Velocity(f32, f32, f32),
    Flags(u32),
    Tick(f64),
    Slope(f32),
    EnterWorld(f32),
}

fn input() -> impl Strategy<Value = Input> {
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
        1 => (motion.clone(), number()).prop_map(|(m, s)| Input::Do(m, s)),
        1 => motion.clone().prop_map(Input::Stop),
        1 => number().prop_map(Input::Jump),
        1 => (motion.clone(), number(), motion, number()).prop_map(|(a, b, c, d)| Input::State(a, b, c, d)),
        1 => (number(), number(), number()).prop_map(|(x, y, z)| Input::Velocity(x, y, z)),
        1 => any::<u32>().prop_map(Input::Flags),
        4 => prop_oneof![4 => 0f64..0.5, 1 => any::<f64>()].prop_map(Input::Tick),
        1 => (-89f32..89.0).prop_map(Input::Slope),
        1 => (-100f32..100.0).prop_map(Input::EnterWorld),
    ]
}

fn perform(stage: &mut Stage, input: &Input) {
    let params = |speed| MovementParams::default().at_speed(speed);
    match *input {
        Input::Do(motion, speed) => {
            let _ = stage.act().perform(&MovementRequest::Do(MotionCommand(motion), params(speed)));
        }
        Input::Stop(motion) => {
            let _ = stage.release(MotionCommand(motion));
        }
        Input::Jump(extent) => {
            let _ = stage.act().release_jump(extent);
        }
        Input::State(forward, speed, turn, turning) => {
            let mut state = InterpretedState::default();
            state.forward = Axis { command: MotionCommand(forward), speed };
            state.turn = Axis { command: MotionCommand(turn), speed: turning };
            stage.act().move_to_interpreted_state(&state);
        }
        Input::Velocity(x, y, z) => {
            let now = stage.now;
            stage.entity.body.set_velocity(Vec3::new(x, y, z), now);
        }
        Input::Flags(bits) => stage.act().set_state(PhysicsState::from_bits_retain(bits)),
        Input::Tick(seconds) => {
            stage.now = if seconds.is_finite() { (stage.now + seconds).clamp(-1e9, 1e9) } else { stage.now };
            let ground = stage.ground;
            stage.act().update(None, ground.around());
        }
        Input::Slope(degrees) => {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let position = stage.entity.body.position;
            stage.ground = InfinitePlane::through(&position, Vec3::new(sin, 0.0, cos))
                .map_or(Ground::None, Ground::Plane);
        }
        Input::EnterWorld(z) => {
            let ground = stage.ground;
            let mut position = stage.entity.body.position;
            position.frame.origin.z = z;
            stage.act().enter_world(&position, true, ground.around());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// And the same inputs lead to the same bits.
    #[test]
    fn any_inputs_leave_the_body_valid(inputs in proptest::collection::vec(input(), 1..60)) {
        let mut stages = [Stage::player(200, 300), Stage::player(200, 300)];
        for input in &inputs {
            for stage in &mut stages {
                perform(stage, input);
                assert_valid(stage);
            }
        }
        let [first, second] = &stages;
        prop_assert_eq!(&first.entity.body, &second.entity.body);
        prop_assert_eq!(&first.entity.animator, &second.entity.animator);
    }
}
