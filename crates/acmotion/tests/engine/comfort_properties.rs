//! Comfort under anything that a server can send and any clock: what is shown is finite and smooth, and costs no memory.

use crate::world_support;

use acmotion::types::{CellId, CellPosition, Frame, Guid, Quat, Stamp, Vec3};
use acmotion::wire::{InterpretedState, MotionCommand, MovementBody, ObjectStamps};
use acmotion::{ComfortSettings, EntityId, Presentation, Settings, World};
use proptest::prelude::*;
use world_support::*;

/// Something that happens to a remote before a tick.
#[derive(Clone, Debug)]
enum Change {
    Nothing,
    /// Its client announces a motion, with a speed and a turn.
    Announced(MotionCommand, f32, Option<f32>),
    /// The server orders one.
    Ordered(MotionCommand, f32),
    /// It is reported some metres from its body.
    Reported(f32, f32),
    Jumped(f32, f32),
    Teleported(f32, f32),
    /// A report of nonsense.
    Nonsense(f32, u32),
    RoundTrip(f64),
}

fn honest() -> impl Strategy<Value = Change> {
    let motions = vec![
        MotionCommand::READY,
        MotionCommand::WALK_FORWARD,
        MotionCommand::RUN_FORWARD,
        MotionCommand::SIDE_STEP_RIGHT,
    ];
    let motion = proptest::sample::select(motions);
    prop_oneof![
        40 => Just(Change::Nothing),
        4 => (motion.clone(), 0.3_f32..3.0, proptest::option::of(-1.5_f32..1.5))
            .prop_map(|(motion, speed, turn)| Change::Announced(motion, speed, turn)),
        1 => (motion, 0.3_f32..3.0).prop_map(|(motion, speed)| Change::Ordered(motion, speed)),
        4 => (-2.5_f32..2.5, -2.5_f32..2.5).prop_map(|(x, y)| Change::Reported(x, y)),
        1 => (0.0_f64..0.8).prop_map(Change::RoundTrip),
    ]
}

fn hostile() -> impl Strategy<Value = Change> {
    let wild = || {
        prop_oneof![
            Just(f32::NAN),
            Just(f32::INFINITY),
            Just(-1e30_f32),
            Just(99_999.0),
            Just(f32::MIN_POSITIVE),
            -500.0_f32..500.0
        ]
    };
    prop_oneof![
        10 => honest(),
        2 => (wild(), wild()).prop_map(|(x, y)| Change::Reported(x, y)),
        2 => (wild(), wild()).prop_map(|(x, z)| Change::Jumped(x, z)),
        1 => (0.0_f32..190.0, 0.0_f32..190.0).prop_map(|(x, y)| Change::Teleported(x, y)),
        1 => (wild(), any::<u32>()).prop_map(|(x, cell)| Change::Nonsense(x, cell)),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-1.0), Just(1e300)].prop_map(Change::RoundTrip),
        1 => wild().prop_map(|speed| Change::Announced(MotionCommand::RUN_FORWARD, speed, Some(speed))),
    ]
}

/// The time from one tick to the next, in seconds.
fn honest_clock() -> impl Strategy<Value = f64> {
    prop_oneof![9 => Just(TICK), 1 => 0.0334_f64..0.05]
}

fn hostile_clock() -> impl Strategy<Value = f64> {
    prop_oneof![
        9 => Just(TICK),
        1 => proptest::sample::select(vec![0.0, 1e-9, 0.2, 1.9, 60.0, 1e9, -5.0, -1e6, f64::NAN, f64::INFINITY])
    ]
}

fn scene() -> TestWorld {
    let presentation = Presentation::Comfort(ComfortSettings::default());
    let mut scene = TestWorld::with(Settings { presentation, ..Settings::default() });
    scene.world.set_round_trip(Some(0.3));
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(3);
    scene
}

fn announced(motion: MotionCommand, speed: f32, turn: Option<f32>) -> InterpretedState<'static> {
    InterpretedState {
        forward_command: Some(motion),
        forward_speed: Some(speed),
        turn_command: turn.map(|_| MotionCommand::TURN_RIGHT),
        turn_speed: turn,
        ..InterpretedState::default()
    }
}

fn apply(scene: &mut TestWorld, change: &Change, stamp: u16) {
    let own = scene.world.find(REMOTE).map(|remote| remote.position()).unwrap_or_default();
    let message = match *change {
        Change::Nothing => return,
        Change::Announced(command, speed, turn) => motion(REMOTE, announced(command, speed, turn), stamp),
        Change::Ordered(command, speed) => {
            let state = announced(command, speed, None);
            movement_with(REMOTE, MovementBody::Interpreted { state, sticky: None }, stamp, |_| {})
        }
        Change::Reported(x, y) => {
            let mut reported = own;
            reported.frame.origin += Vec3::new(x, y, 0.0);
            position(REMOTE, &reported, stamp)
        }
        Change::Jumped(x, z) => vector(REMOTE, Vec3::new(x, 0.0, z), stamp),
        Change::Teleported(x, y) => {
            position_with(REMOTE, &at(x, y), stamp, |pack| pack.teleport = Stamp(stamp))
        }
        Change::Nonsense(x, cell) => {
            let frame = Frame::new(Vec3::new(x, -x, x), Quat::new(x, 1.0, x, 0.5));
            position(REMOTE, &CellPosition::new(CellId(cell), frame), stamp)
        }
        Change::RoundTrip(seconds) => {
            scene.world.set_round_trip(Some(seconds));
            return;
        }
    };
    let _ = scene.world.receive(&message, scene.now);
}

/// What is shown of the remote.
fn shown(world: &World) -> Option<(EntityId, CellPosition)> {
    let id = world.id_of(REMOTE)?;
    Some((id, world.shown_position(id)?))
}

/// How far the motion that plays carries the body in a tick, in metres.
fn motion_step(world: &World, seconds: f64) -> f32 {
    let remote = world.find(REMOTE).unwrap();
    let root = remote.entity().animator.sequence().root_velocity(world.library());
    Vec3 { z: 0.0, ..root }.length() * seconds as f32
}

/// Ticks until the body stands and has not moved for ten seconds, after all motions that were to end first: a slow one moves it
/// only now and then, by a frame, and may begin with a pause. Returns where it stands.
fn rest(scene: &mut TestWorld) -> CellPosition {
    for _ in 0..200 {
        let before = scene.world.find(REMOTE).unwrap().position();
        scene.ticks(300);
        let now = scene.world.find(REMOTE).unwrap().position();
        if now == before && motion_step(&scene.world, 1.0) == 0.0 {
            return before;
        }
    }
    panic!("it never comes to rest");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// On the ground no step goes back at once, none is much longer than the one before or than the motion, and none goes
    /// against the motion.
    #[test]
    fn a_remote_never_steps_back_nor_jumps(
        ticks in proptest::collection::vec((honest(), honest_clock()), 1..400),
    ) {
        let mut scene = scene();
        let (mut last, mut before) = (shown(&scene.world).unwrap().1, Vec3::ZERO);
        for (number, (change, seconds)) in (1_u16..).zip(&ticks) {
            apply(&mut scene, change, number);
            scene.now += seconds;
            scene.world.tick(scene.now);
            let now = shown(&scene.world).unwrap().1;
            let step = Vec3 { z: 0.0, ..last.offset_to(&now) };
            let long = step.length() > 0.01 && before.length() > 0.01;
            prop_assert!(!long || step.dot(before) >= 0.0, "{before:?} then {step:?}");
            let most = before.length().max(motion_step(&scene.world, *seconds)) + 0.05;
            prop_assert!(step.length() <= most, "{} m, at most {most}", step.length());
            (last, before) = (now, step);
        }
    }

    /// Left alone, a remote ends where its body is.
    #[test]
    fn a_remote_comes_to_rest_where_its_body_is(
        ticks in proptest::collection::vec((honest(), honest_clock()), 1..200),
    ) {
        let mut scene = scene();
        for (number, (change, seconds)) in (1_u16..).zip(&ticks) {
            apply(&mut scene, change, number);
            scene.now += seconds;
            scene.world.tick(scene.now);
        }
        apply(&mut scene, &Change::Announced(MotionCommand::READY, 1.0, None), 500);
        let rest = rest(&mut scene);
        scene.send(&position(REMOTE, &rest, 501));
        scene.ticks(240);
        let (id, now) = shown(&scene.world).unwrap();
        let body = scene.world.find(REMOTE).unwrap().position();
        let state = scene.world.comfort(id);
        let speed = motion_step(&scene.world, 1.0);
        prop_assert!(now.distance_to(&body) < 0.05, "{state:?}, {body:?}, reported {rest:?}, {speed} m/s");
    }

    /// Whatever is sent, at whatever times: what is shown is finite, upright and in a cell, and the simulation is the same as
    /// without comfort.
    #[test]
    fn hostile_messages_and_clocks_are_survived(
        ticks in proptest::collection::vec((hostile(), hostile_clock()), 1..200),
    ) {
        let mut scene = scene();
        let mut plain = TestWorld { world: scene.world.clone(), now: scene.now, events: Vec::new() };
        plain.world.set_presentation(Presentation::Faithful);
        for (number, (change, seconds)) in (1_u16..).zip(&ticks) {
            for world in [&mut scene, &mut plain] {
                apply(world, change, number);
                world.now += seconds;
                world.world.tick(world.now);
                world.world.drain_events().for_each(drop);
                if !world.now.is_finite() {
                    world.now = 1e3;
                }
            }
            let (id, now) = shown(&scene.world).unwrap();
            prop_assert!(now.frame.origin.is_finite() && now.frame.is_valid(), "{now:?}");
            if let Some(state) = scene.world.comfort(id) {
                let numbers = [state.lead, state.rate, state.delay, state.jitter];
                prop_assert!(numbers.iter().all(|number| number.is_finite()), "{state:?}");
                prop_assert!((0.0..=1.5).contains(&state.lead) && (0.25..=3.0).contains(&state.rate), "{state:?}");
                prop_assert!(state.known.frame.origin.is_finite(), "{state:?}");
            }
            prop_assert!(scene.world.snapshot() == plain.world.snapshot());
        }
    }
}

/// The messages of one second: a position and a motion for each of twenty runners.
fn messages(second: u16) -> Vec<Vec<u8>> {
    let of_runner = |number: u8| {
        let guid = Guid(1 + u32::from(number));
        let reported = at(50.0 + f32::from(number), 20.0 + 4.0 * f32::from(second));
        let speed = if second.is_multiple_of(5) { 0.5 } else { 1.0 };
        [position(guid, &reported, 1 + second), motion(guid, running(speed), 1 + second)]
    };
    (0..20).flat_map(of_runner).collect()
}

#[test]
fn steady_comfort_allocates_nothing() {
    let mut scene = scene();
    for number in 0..20_u8 {
        let position = at(50.0 + f32::from(number), 20.0);
        scene.send(&create(Guid(1 + u32::from(number)), &position, ObjectStamps::default(), None));
    }
    let seconds: Vec<_> = (0..40).map(messages).collect();
    let mut run = |seconds: &[Vec<Vec<u8>>]| {
        for messages in seconds {
            scene.world.receive_all(messages.iter().map(Vec::as_slice), scene.now).unwrap();
            for _ in 0..30 {
                scene.now += TICK;
                scene.world.tick(scene.now);
                scene.world.drain_events().for_each(drop);
            }
        }
    };
    run(&seconds[..20]);
    let allocations = allocation_counter::measure(|| run(&seconds[20..]));
    assert_eq!(allocations.count_total, 0);
    let far = shown_y(&scene.world, Guid(1));
    assert!(far > 150.0, "a runner is shown at {far}");
}

fn shown_y(world: &World, guid: Guid) -> f32 {
    world.shown_position(world.id_of(guid).unwrap()).unwrap().frame.origin.y
}
