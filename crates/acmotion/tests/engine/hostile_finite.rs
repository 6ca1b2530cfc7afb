//! Arbitrary messages at arbitrary times, with numbers that are infinite, NaN or absurd, and any flags: what comes out of a
//! world is always finite. In the town and on level ground.

use crate::town_support;
use crate::world_support;

use std::fmt::Debug;

use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{ActionStamp, CellId, CellPosition, Frame, Guid, MotionCommand, Quat, Stamp, Vec3};
use acmotion::wire::{
    ActionItem, Actions, Attachment, InitialMovement, InterpretedState, MotionFlags, MoveFlags, MoveToParams,
    Movement, MovementBody, ObjectStamps, Origin, ParentEvent, PhysicsState, PlayScriptId, PlayScriptType,
    PositionFlags, TurnToParams, WireBool, decode_c2s,
};
use acmotion::{Identity, Matrix, PresentedBody, Settings, View, World};
use proptest::prelude::*;
use proptest::sample::select;
use town_support::town_settings;
use world_support::*;

const GUIDS: [Guid; 5] = [PLAYER, REMOTE, Guid(0x5000_0002), Guid(0x8000_0003), Guid(0x8000_0004)];

/// One thing that happens to a world.
#[derive(Clone, Debug)]
enum Input {
    Message(Vec<u8>),
    Advance(f64),
    Press(MotionCommand, bool),
}

/// A number as a server sends it, or as none would.
fn number() -> impl Strategy<Value = f32> + Clone {
    let absurd = vec![
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e30,
        -1e30,
        1e18,
        1e6,
        -0.0,
    ];
    prop_oneof![6 => -4f32..4.0, 2 => -400f32..400.0, 2 => select(absurd), 1 => any::<f32>()]
}

fn vector_of_numbers() -> impl Strategy<Value = Vec3> + Clone {
    (number(), number(), number()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// A position near the town's spawn, or anywhere.
fn anywhere() -> impl Strategy<Value = CellPosition> + Clone {
    let near = (-6f32..6.0, -6f32..6.0, 0f32..3.0, 0f32..360.0).prop_map(|(x, y, z, heading)| {
        let mut position = landmarks().spawn;
        position.frame.origin += Vec3::new(x, y, z);
        position.frame.set_heading(heading);
        position.adjusted_to_outside().unwrap_or(position)
    });
    let cell = prop_oneof![
        2 => Just(landmarks().spawn.cell),
        2 => Just(landmarks().hall.cell),
        1 => any::<u32>().prop_map(CellId),
        1 => Just(CellId::NONE),
    ];
    let far =
        (cell, vector_of_numbers(), number(), vector_of_numbers()).prop_map(|(cell, origin, w, axis)| {
            CellPosition::new(cell, Frame::new(origin, Quat::new(w, axis.x, axis.y, axis.z)))
        });
    prop_oneof![4 => near, 2 => far]
}

fn guid() -> impl Strategy<Value = Guid> + Clone {
    prop_oneof![12 => select(GUIDS.to_vec()), 1 => Just(Guid::NONE), 1 => any::<u32>().prop_map(Guid)]
}

fn command() -> impl Strategy<Value = MotionCommand> + Clone {
    let usual = vec![
        MotionCommand::READY,
        MotionCommand::WALK_FORWARD,
        MotionCommand::RUN_FORWARD,
        MotionCommand::TURN_RIGHT,
        MotionCommand::TURN_LEFT,
        MotionCommand::SIDE_STEP_RIGHT,
        MotionCommand::WAVE,
        MotionCommand::NON_COMBAT,
        MotionCommand::HAND_COMBAT,
        MotionCommand::JUMP,
    ];
    prop_oneof![8 => select(usual), 1 => any::<u32>().prop_map(MotionCommand)]
}

fn physics_state() -> impl Strategy<Value = PhysicsState> + Clone {
    prop_oneof![
        4 => Just(PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS),
        2 => any::<u32>().prop_map(PhysicsState::from_bits_retain),
    ]
}

fn origin() -> impl Strategy<Value = Origin> {
    anywhere().prop_map(|position| Origin { cell: position.cell, point: position.frame.origin })
}

fn move_to_params() -> impl Strategy<Value = MoveToParams> {
    let flags = prop_oneof![Just(MoveFlags::default()), any::<u32>().prop_map(MoveFlags::from_bits_retain)];
    (flags, vector_of_numbers(), vector_of_numbers()).prop_map(|(flags, first, second)| MoveToParams {
        flags,
        distance_to_object: first.x,
        min_distance: first.y,
        fail_distance: first.z,
        speed: second.x,
        walk_run_threshold: second.y,
        desired_heading: second.z,
    })
}

fn turn_to_params() -> impl Strategy<Value = TurnToParams> {
    let flags = any::<u32>().prop_map(MoveFlags::from_bits_retain);
    (flags, number(), number()).prop_map(|(flags, speed, desired_heading)| TurnToParams {
        flags,
        speed,
        desired_heading,
    })
}

/// A motion state and the object to stick to, sent by `send`.
fn state_message(
    send: impl Fn(InterpretedState<'_>, Option<Guid>) -> Vec<u8> + Clone,
) -> impl Strategy<Value = Vec<u8>> {
    let commands = proptest::array::uniform4(proptest::option::of(command()));
    let speeds = proptest::array::uniform3(proptest::option::of(number()));
    let action = (command(), any::<u16>(), number()).prop_map(|(command, stamp, speed)| ActionItem {
        command,
        stamp: ActionStamp::new(stamp),
        autonomous: false,
        speed,
    });
    let actions = proptest::collection::vec(action, 0..4);
    (commands, speeds, actions, proptest::option::of(guid())).prop_map(
        move |(commands, speeds, actions, sticky)| {
            let state = InterpretedState {
                current_style: commands[0],
                forward_command: commands[1],
                sidestep_command: commands[2],
                turn_command: commands[3],
                forward_speed: speeds[0],
                sidestep_speed: speeds[1],
                turn_speed: speeds[2],
                actions: Actions::new(&actions),
                ..InterpretedState::default()
            };
            send(state, sticky)
        },
    )
}

fn update_motion(stamp: u16) -> impl Strategy<Value = Vec<u8>> {
    let state = guid().prop_flat_map(move |guid| {
        state_message(move |state, sticky| {
            movement_with(guid, MovementBody::Interpreted { state, sticky }, stamp, |_| {})
        })
    });
    let order = prop_oneof![
        (guid(), origin(), move_to_params(), number()).prop_map(|(target, origin, params, run_rate)| {
            MovementBody::MoveToObject { target, origin, params, run_rate }
        }),
        (origin(), move_to_params(), number()).prop_map(|(origin, params, run_rate)| {
            MovementBody::MoveToPosition { origin, params, run_rate }
        }),
        (guid(), number(), turn_to_params())
            .prop_map(|(target, heading, params)| MovementBody::TurnToObject { target, heading, params }),
        turn_to_params().prop_map(|params| MovementBody::TurnToHeading { params }),
    ];
    let order = (guid(), order).prop_map(move |(guid, body)| movement_with(guid, body, stamp, |_| {}));
    prop_oneof![state, order]
}

fn create_object(stamp: u16) -> impl Strategy<Value = Vec<u8>> {
    let numbers = proptest::array::uniform5(proptest::option::of(number()));
    let vectors = proptest::array::uniform3(proptest::option::of(vector_of_numbers()));
    let parent = proptest::option::weighted(0.2, (guid(), 0u32..4));
    let movement = proptest::option::of((command(), number()));
    (guid(), anywhere(), physics_state(), numbers, vectors, parent, movement).prop_map(
        move |(guid, position, state, numbers, vectors, parent, movement)| {
            let stamps = ObjectStamps { instance: Stamp(stamp / 8), ..ObjectStamps::default() };
            create_with(guid, stamps, |physics| {
                physics.position = Some(position);
                physics.state = state;
                physics.scale = numbers[0];
                physics.friction = numbers[1];
                physics.elasticity = numbers[2];
                physics.translucency = numbers[3];
                physics.default_script = Some(7);
                physics.default_script_intensity = numbers[4];
                physics.velocity = vectors[0];
                physics.acceleration = vectors[1];
                physics.omega = vectors[2];
                physics.parent = parent.map(|(guid, location)| Attachment { guid, location });
                physics.movement = movement.map(|(forward, speed)| InitialMovement::Movement {
                    movement: Movement {
                        flags: MotionFlags::empty(),
                        style: MotionCommand::NON_COMBAT,
                        body: MovementBody::Interpreted {
                            state: InterpretedState {
                                forward_command: Some(forward),
                                forward_speed: Some(speed),
                                ..InterpretedState::default()
                            },
                            sticky: None,
                        },
                    },
                    autonomous: WireBool::from(false),
                });
            })
        },
    )
}

fn update_position(stamp: u16) -> impl Strategy<Value = Vec<u8>> {
    let velocity = proptest::option::of(vector_of_numbers());
    (guid(), anywhere(), any::<bool>(), velocity, 0u16..3, 0u16..3).prop_map(
        move |(guid, position, grounded, velocity, teleport, force)| {
            position_with(guid, &position, stamp, |pack| {
                pack.flags.set(PositionFlags::GROUNDED, grounded);
                pack.velocity = velocity;
                pack.teleport = Stamp(teleport);
                pack.force_position = Stamp(force);
            })
        },
    )
}

/// Boxed, because the strategies are large and there are many of them.
fn message(stamp: u16) -> BoxedStrategy<Vec<u8>> {
    let message = prop_oneof![
        2 => create_object(stamp).boxed(),
        4 => update_motion(stamp).boxed(),
        3 => update_position(stamp).boxed(),
        2 => (guid(), vector_of_numbers(), vector_of_numbers())
            .prop_map(move |(guid, velocity, omega)| vector_and_omega(guid, velocity, omega, stamp)),
        1 => (guid(), physics_state()).prop_map(move |(guid, state)| set_state(guid, state, stamp)),
        1 => guid().prop_map(move |guid| pickup(guid, stamp)),
        1 => guid().prop_map(move |guid| delete(guid, stamp / 8)),
        1 => (guid(), guid(), 0u32..5).prop_map(move |(parent, child, location)| encode(ParentEvent {
            parent,
            child,
            location,
            placement: 0,
            parent_instance: Stamp(0),
            child_position: Stamp(stamp),
        })),
        1 => (guid(), number()).prop_map(|(guid, speed)| encode(PlayScriptType {
            guid,
            script_type: 7,
            speed,
        })),
        1 => guid().prop_map(|guid| encode(PlayScriptId { guid, script: 0x3300_0001 })),
    ];
    message.boxed()
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let input = |stamp: u16| {
        prop_oneof![
            4 => message(stamp).prop_map(Input::Message),
            3 => prop_oneof![6 => 0f64..0.3, 1 => any::<f64>()].prop_map(Input::Advance),
            1 => (command(), any::<bool>()).prop_map(|(command, down)| Input::Press(command, down)),
        ]
    };
    (20u16..60).prop_flat_map(move |count| (1..=count).map(input).collect::<Vec<_>>())
}

/// Asserts that no number is infinite or NaN in what a value shows of itself.
#[track_caller]
fn assert_finite(value: &impl Debug) {
    let text = format!("{value:?}");
    let is_bad = |word: &str| matches!(word, "NaN" | "inf");
    assert!(!text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_bad), "{text}");
}

/// Asserts that everything that a world shows, reports and sends is finite.
fn assert_outputs_finite(world: &mut World) {
    let events: Vec<_> = world.drain_events().collect();
    events.iter().for_each(assert_finite);
    for bytes in world.drain_outbound() {
        assert_finite(&decode_c2s(&bytes, ERA).unwrap());
    }
    let mut matrices = vec![Matrix::default(); 512];
    for resident in world.entities() {
        let body = resident.body();
        assert_finite(&(body.position, body.velocity, body.acceleration, body.omega, body.cached_velocity));
        assert_finite(&(body.scale, body.contact_plane, body.sliding_normal, body.player_distance));
        assert!(resident.position().frame.is_valid(), "{:?}", resident.position());
        let count = resident.pose(world.library(), &mut matrices);
        assert_finite(&&matrices[..count]);
        assert_finite(&resident.effects().map(|effects| format!("{effects:?}")));
        assert_finite(&resident.entity().animator.sequence().frame());
    }
    let mut bodies = Vec::<PresentedBody>::new();
    for share in [0.0, 0.5, 1.0] {
        let view = View::new(landmarks().spawn.cell, share);
        let batch = world.present_all(&view, &mut matrices, &mut bodies);
        assert_finite(&&matrices[..batch.written]);
        bodies.iter().for_each(|body| assert_finite(&body.position));
    }
}

fn run(settings: Settings, inputs: &[Input]) {
    let settings = Settings { player: Identity::Known(PLAYER), presents_between_ticks: true, ..settings };
    let mut world = World::with_settings(acmotion::dat::Assets::mannequin(), settings);
    world.add_stand_in(PLAYER, &landmarks().spawn, 0.0);
    world.player_mut();
    let mut now = 0.0;
    for input in inputs {
        match input {
            // A command that does not exist is an error, and changes nothing.
            Input::Message(bytes) => drop(world.receive(bytes, now)),
            Input::Advance(seconds) => {
                let time = now + seconds;
                world.advance(time);
                // An absurd time is tried once, and the clock goes on from where it was.
                now = if seconds.abs() < 1e4 { time } else { now };
            }
            Input::Press(command, is_down) => drop(world.player_mut().handle_key(*command, *is_down, now)),
        }
        assert_outputs_finite(&mut world);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn hostile_18_nothing_that_is_not_finite_leaves_a_world_on_level_ground(inputs in inputs()) {
        run(Settings::default(), &inputs);
    }

    #[test]
    fn hostile_18_nothing_that_is_not_finite_leaves_a_world_in_the_town(inputs in inputs()) {
        run(town_settings(), &inputs);
    }
}
