//! What the server's messages do to entities in a world, message by message (`docs/behaviour.md` B2, D4–D13, E2, E4).

use crate::town_support;
use crate::world_support;

use acmotion::components::{MoveKind, TransientState};
use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    InitialMovement, InterpretedState, MotionFlags, MoveFlags, MoveToParams, Movement, MovementBody,
    ObjectStamps, Origin, Pad, ParentEvent, PhysicsDesc, PhysicsState, PlayerTeleport, PositionAndMovement,
    PositionFlags, PositionPack, TurnToParams, WireBool,
};
use acmotion::{EventKind, Identity, MotionError, MotionEvent, MoveToEvent, PlayerWeenie, Rejection};
use town_support::*;
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);
const SWORD: Guid = Guid(0x8000_0001);
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;
const READY: MotionCommand = MotionCommand::READY;
/// An object with a motion table that is not a creature.
const MACHINE: ObjectKind = ObjectKind { item_type: 1, ..CREATURE };

fn forward(scene: &TestWorld, guid: Guid) -> MotionCommand {
    scene.entity(guid).interp.interpreted.forward.command
}

fn substate(scene: &TestWorld, guid: Guid) -> MotionCommand {
    scene.entity(guid).animator.state().substate()
}

/// The local player, standing at (96, 96), with a jump skill.
fn with_player() -> TestWorld {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.0, 96.0), ObjectStamps::default(), None));
    let skills = PlayerWeenie { run_skill: 200, jump_skill: 300, ..PlayerWeenie::default() };
    let now = scene.now;
    scene.world.player_mut().set_weenie(skills, now);
    scene.ticks(60);
    scene.events.clear();
    scene
}

/// An order to move to a position.
fn go_to(goal: CellPosition) -> MovementBody<'static> {
    let origin = Origin { cell: goal.cell, point: goal.frame.origin };
    MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate: 1.0 }
}

/// A client that draws 90 frames a second moves its bodies in every third of them.
#[test]
fn b2_the_gate_opens_thirty_times_a_second() {
    let mut scene = TestWorld::with_remote();
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(60);
    for frame in 1..=30 {
        let before = scene.origin(REMOTE);
        scene.now += TICK / 3.0;
        let opened = scene.world.tick(scene.now);
        assert_eq!(opened, frame % 3 == 0, "frame {frame}");
        assert_eq!(scene.origin(REMOTE) != before, opened, "frame {frame}: it moves only if the gate opens");
    }
}

/// The nine stamps that a message leaves behind, as numbers in the order of rule D1.
fn stamps(scene: &TestWorld, guid: Guid) -> [u16; 9] {
    let stamps = scene.world.find(guid).unwrap().stamps();
    [
        stamps.position,
        stamps.movement,
        stamps.state,
        stamps.vector,
        stamps.teleport,
        stamps.server_control,
        stamps.force_position,
        stamps.visual_desc,
        stamps.instance,
    ]
    .map(|stamp| stamp.0)
}

/// Every message advances its own stamps and no others, and a message with the same stamps changes nothing any more.
#[test]
fn d4_every_message_advances_its_own_stamps() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(99.0, 96.0), ObjectStamps::default(), None));
    let attach = encode(ParentEvent {
        parent: OTHER,
        child: REMOTE,
        location: 1,
        placement: 0,
        parent_instance: Stamp(0),
        child_position: Stamp(8),
    });
    let controlled = movement_with(REMOTE, go_to(at(96.0, 99.0)), 3, |data| data.server_control = Stamp(4));
    let story = [
        ("position", position(REMOTE, &at(96.0, 97.0), 1), [1, 0, 0, 0, 0, 0, 0, 0, 0]),
        (
            "teleport",
            position_with(REMOTE, &at(96.0, 98.0), 2, |pack| pack.teleport = Stamp(6)),
            [2, 0, 0, 0, 6, 0, 0, 0, 0],
        ),
        (
            "a force stamp, which only the player has",
            position_with(REMOTE, &at(96.0, 98.0), 7, |pack| {
                pack.teleport = Stamp(6);
                pack.force_position = Stamp(9);
            }),
            [7, 0, 0, 0, 6, 0, 0, 0, 0],
        ),
        ("movement and server control", controlled, [7, 3, 0, 0, 6, 4, 0, 0, 0]),
        ("state", set_state(REMOTE, SOLID, 5), [7, 3, 5, 0, 6, 4, 0, 0, 0]),
        ("vector", vector(REMOTE, Vec3::new(0.0, 0.0, 2.0), 2), [7, 3, 5, 2, 6, 4, 0, 0, 0]),
        ("the position of the child", attach, [8, 3, 5, 2, 6, 4, 0, 0, 0]),
        ("the position of what is picked up", pickup(REMOTE, 9), [9, 3, 5, 2, 6, 4, 0, 0, 0]),
    ];
    for (name, message, expected) in &story {
        scene.send(message);
        assert_eq!(stamps(&scene, REMOTE), *expected, "{name}");
        scene.events.clear();
        scene.send(message);
        let stale = |kind: &EventKind| matches!(kind, EventKind::Rejected(Rejection::Stale(_)));
        assert_eq!(scene.count_events(stale), 1, "{name}: the same message again is stale");
        assert_eq!(stamps(&scene, REMOTE), *expected, "{name}");
    }
    assert_eq!(stamps(&scene, OTHER), [0; 9], "the parent's are only compared");

    let mut scene = with_player();
    scene.send(&position_with(PLAYER, &at(96.0, 97.0), 3, |pack| pack.force_position = Stamp(2)));
    assert_eq!(stamps(&scene, PLAYER), [3, 0, 0, 0, 0, 0, 2, 0, 0], "position and force of the player");
    scene.send(&encode(PlayerTeleport { teleport: Stamp(1), pad: Pad::ZERO }));
    assert_eq!(stamps(&scene, PLAYER), [3, 0, 0, 0, 0, 0, 2, 0, 0], "an announcement is only compared");
}

/// The velocity of a position report has no effect, and without contact neither have its position and its heading; its
/// stamp counts all the same (rules D5, D7).
#[test]
fn d5_the_velocity_of_a_report_has_no_effect() {
    let mut scene = TestWorld::with_remote();
    let mut reported = at(96.0, 99.0);
    reported.frame.set_heading(120.0);
    let report = |flags: PositionFlags, stamp: u16| {
        position_with(REMOTE, &reported, stamp, |pack| {
            pack.flags = flags | PositionFlags::VELOCITY;
            pack.velocity = Some(Vec3::new(0.0, 0.0, 9.0));
        })
    };
    let before = scene.body(REMOTE).position;
    scene.send(&report(PositionFlags::empty(), 1));
    scene.ticks(3);
    assert_eq!(scene.body(REMOTE).position, before, "no contact, no change");
    assert_eq!(stamps(&scene, REMOTE)[0], 1);
    scene.send(&report(PositionFlags::GROUNDED, 2));
    assert_eq!(scene.body(REMOTE).velocity, Vec3::ZERO);
    for tick in 0..20 {
        scene.tick();
        assert!(scene.body(REMOTE).is_standing(), "tick {tick}: it does not fly");
    }
    assert!((scene.origin(REMOTE).y - 99.0).abs() < 0.05, "it follows the position");
}

fn position_and_run(stamp: u16, north: f32) -> Vec<u8> {
    let state = running(1.0);
    encode(PositionAndMovement {
        guid: REMOTE,
        pack: PositionPack {
            flags: PositionFlags::GROUNDED,
            position: at(96.0, 96.0 + north),
            velocity: None,
            placement: None,
            instance: Stamp(0),
            position_stamp: Stamp(stamp),
            teleport: Stamp(0),
            force_position: Stamp(0),
        },
        data: movement_data(MovementBody::Interpreted { state, sticky: None }, 1, |_| {}),
    })
}

/// The combined message: the movement follows its position, and is dropped with it.
#[test]
fn d4_the_movement_of_a_combined_message_needs_its_position() {
    let mut scene = TestWorld::with_remote();
    scene.send(&position(REMOTE, &at(96.0, 96.0), 5));
    scene.send(&position_and_run(5, 2.0));
    let remote = scene.entity(REMOTE);
    assert!(remote.correction.interpolation.is_idle(), "the position is stale");
    assert_eq!(forward(&scene, REMOTE), READY, "and so the movement is dropped, fresh as it is");
    assert_eq!(scene.world.find(REMOTE).unwrap().stamps().movement, Stamp(0), "its stamp is not used up");

    scene.send(&position_and_run(6, 2.0));
    assert_eq!(scene.entity(REMOTE).correction.interpolation.nodes().len(), 1);
    assert_eq!(forward(&scene, REMOTE), RUN);
    assert_eq!(scene.world.find(REMOTE).unwrap().stamps().movement, Stamp(1));
}

/// A player in the middle of a jump is teleported: it arrives without the velocity of the jump. A forced position leaves
/// the velocity alone.
#[test]
fn d6_5_a_teleport_stops_the_player() {
    let mut scene = with_player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    scene.ticks(3);
    assert!(scene.body(PLAYER).velocity.z > 5.0, "it rises");
    let mut above = at(96.0, 100.0);
    above.frame.origin.z += 3.0;
    scene.send(&position_with(PLAYER, &above, 1, |pack| {
        pack.force_position = Stamp(1);
        pack.flags = PositionFlags::empty();
    }));
    assert!(scene.body(PLAYER).velocity.z > 5.0, "a forced position changes no velocity");
    scene.send(&position_with(PLAYER, &at(150.0, 96.0), 2, |pack| {
        pack.teleport = Stamp(1);
        pack.force_position = Stamp(1);
    }));
    assert_eq!(scene.body(PLAYER).velocity, Vec3::ZERO);
    scene.ticks(5);
    assert!(scene.body(PLAYER).is_standing());
    assert!((scene.origin(PLAYER) - at(150.0, 96.0).frame.origin).length() < 0.01);
}

/// A report three metres away constrains a remote to where it *is*, so the constraint starts anew from 0 m; the player is
/// constrained to the reported position, 3 m from its own.
#[test]
fn d6_6_a_remote_is_constrained_to_its_own_position() {
    let mut scene = TestWorld::with_remote();
    assert!(!scene.entity(REMOTE).correction.constraint.is_active(), "no report yet");
    scene.send(&position(REMOTE, &at(96.0, 99.0), 1));
    let constraint = &scene.entity(REMOTE).correction.constraint;
    assert!(constraint.is_active());
    assert_eq!(constraint.pos_offset(), 0.0);
    scene.ticks(5);
    let after = scene.entity(REMOTE).correction.constraint.pos_offset();
    let moved = scene.origin(REMOTE).y - 96.0;
    assert!((after - moved).abs() < 1e-3 && moved > 1.0, "it counts the path since then: {after} m");
    scene.send(&position(REMOTE, &at(96.0, 100.0), 2));
    assert_eq!(scene.entity(REMOTE).correction.constraint.pos_offset(), 0.0, "and starts anew");

    let mut scene = with_player();
    scene.send(&position(PLAYER, &at(96.0, 99.0), 1));
    let constraint = &scene.entity(PLAYER).correction.constraint;
    assert!((constraint.pos_offset() - 3.0).abs() < 1e-3);
}

/// A remote follows a report. Then the player is far away and the next report moves the remote at once: the older report
/// is forgotten, and when the player comes back the remote stays where it is.
#[test]
fn d7d_a_far_report_ends_interpolation() {
    let mut scene = TestWorld::with_remote_and_player_at(90.0);
    scene.ticks(2);
    scene.send(&position(REMOTE, &at(96.0, 110.0), 1));
    scene.ticks(3);
    assert_eq!(scene.entity(REMOTE).correction.interpolation.nodes().len(), 1, "14 m take a while");

    scene.world.set_player_position(&at(96.0, 300.0), true, scene.now);
    scene.tick();
    assert!(scene.body(REMOTE).player_distance > 96.0);
    scene.send(&position(REMOTE, &at(120.0, 96.0), 2));
    assert_eq!(scene.origin(REMOTE).x, 120.0, "at once");
    assert!(scene.entity(REMOTE).correction.interpolation.is_idle(), "nothing is left to catch up with");

    scene.world.set_player_position(&at(96.0, 90.0), true, scene.now);
    for tick in 0..30 {
        scene.tick();
        assert_eq!((scene.origin(REMOTE).x, scene.origin(REMOTE).y), (120.0, 96.0), "tick {tick}");
    }
}

/// A creature is teleported to where another stands. Reports may slide: it is placed beside the other (rule C18).
#[test]
fn d7b_a_teleport_onto_another_body_slides_beside_it() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(OTHER, &spawn, &CREATURE);
    scene.add(REMOTE, &beside(spawn, 0.0, -12.0, 0.0), &CREATURE);
    scene.ticks(2);
    scene.send(&position_with(REMOTE, &spawn, 1, |pack| pack.teleport = Stamp(1)));
    let apart = (scene.origin(REMOTE) - scene.origin(OTHER)).length();
    assert!((0.9..2.0).contains(&apart), "{apart} m apart");
    assert!(scene.body(REMOTE).is_standing());
}

/// The player has pressed and released a key, so its last movement was its own. A movement that the server starts takes
/// that back: the interpreted state of the message is applied and not the player's raw one (rules D9, E9, F8).
#[test]
fn d9_a_movement_of_the_server_is_not_autonomous() {
    let mut scene = with_player();
    let now = scene.now;
    scene.world.player_mut().tap(MotionCommand::WALK_FORWARD, now).unwrap();
    scene.ticks(30);
    let body = MovementBody::Interpreted { state: running(1.0), sticky: None };
    scene.send(&movement_with(PLAYER, body, 1, |_| {}));
    assert_eq!(forward(&scene, PLAYER), RUN);
    assert_eq!(scene.entity(PLAYER).interp.raw.forward.command, READY, "the raw state is the player's");
    let before = scene.origin(PLAYER).y;
    scene.ticks(60);
    assert!(scene.origin(PLAYER).y > before + 4.0, "it runs: {} m", scene.origin(PLAYER).y - before);
}

/// Velocity and omega of one message: the body flies and spins. In the air nothing resets the omega.
#[test]
fn d10_a_vector_update_sets_velocity_and_omega() {
    let mut scene = TestWorld::with_remote();
    let (velocity, omega) = (Vec3::new(1.0, 2.0, 6.0), Vec3::new(0.0, 0.0, -2.0));
    scene.send(&vector_and_omega(REMOTE, velocity, omega, 1));
    assert_eq!((scene.body(REMOTE).velocity, scene.body(REMOTE).omega), (velocity, omega));
    scene.ticks(2);
    for tick in 0..10 {
        let before = scene.body(REMOTE).position.frame.heading();
        scene.tick();
        let turned = scene.body(REMOTE).position.frame.heading() - before;
        assert!((turned - (2.0 * TICK as f32).to_degrees()).abs() < 0.05, "tick {tick}: {turned} degrees");
    }
    scene.send(&vector_and_omega(REMOTE, Vec3::ZERO, Vec3::ZERO, 1));
    assert_eq!(scene.body(REMOTE).omega, omega, "a stale stamp");
}

/// A creature that touches another is attached to a third: it leaves its cell, and touch and contact end.
#[test]
fn d11_an_attached_body_leaves_its_cell() {
    const HOLDER: Guid = Guid(0x5000_0003);
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(HOLDER, &beside(spawn, 3.0, 0.0, 0.0), &CREATURE);
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -1.5, 0.0), 0.0), &CREATURE);
    scene.add(OTHER, &spawn, &CREATURE);
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    while scene.touches(REMOTE, OTHER) == 0 {
        assert!(scene.now < 12.0, "they never touch");
        scene.tick();
    }
    assert!(scene.body(REMOTE).is_standing());
    scene.send(&encode(ParentEvent {
        parent: HOLDER,
        child: REMOTE,
        location: 1,
        placement: 0,
        parent_instance: Stamp(0),
        child_position: Stamp(1),
    }));
    let parted = EventKind::Motion(MotionEvent::Parted(OTHER));
    assert_eq!(scene.count_events(|kind| *kind == parted), 1);
    let body = scene.body(REMOTE);
    assert!(!body.is_in_cell() && !body.has_contact() && !body.is_on_walkable(), "{:?}", body.transient);
}

/// The player waits in portal space until the server shows it, or until a teleport position arrives.
#[test]
fn d11_a_state_that_is_not_hidden_ends_portal_space() {
    let mut scene = with_player();
    scene.send(&encode(PlayerTeleport { teleport: Stamp(1), pad: Pad::ZERO }));
    scene.send(&set_state(PLAYER, SOLID | PhysicsState::HIDDEN, 1));
    assert!(scene.world.player().is_waiting_for_teleport(), "hidden");
    scene.send(&set_state(PLAYER, SOLID, 2));
    assert!(!scene.world.player().is_waiting_for_teleport(), "shown");
    assert_eq!(scene.count_events(|kind| *kind == EventKind::PortalSpace(false)), 1);
    scene.send(&set_state(PLAYER, SOLID | PhysicsState::HIDDEN, 3));
    scene.send(&set_state(PLAYER, SOLID, 4));
    assert_eq!(scene.count_events(|kind| *kind == EventKind::PortalSpace(false)), 1, "only once");
}

/// A known remote is described again, with new stamps for some of its parts.
fn described_again(complete: impl FnOnce(&mut PhysicsDesc<'_>)) -> TestWorld {
    let mut scene = TestWorld::with_remote();
    scene.ticks(60);
    scene.events.clear();
    scene.send(&create_with(REMOTE, ObjectStamps::default(), complete));
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Created), 0, "it is the same instance");
    scene
}

/// Neither a position nor a parent: the object has been picked up.
#[test]
fn d12_a_description_without_a_position_is_a_pickup() {
    let scene = described_again(|physics| physics.stamps.position = Stamp(1));
    assert!(!scene.body(REMOTE).is_in_cell());
    assert_eq!(scene.body(REMOTE).position.cell, CellId::NONE);
    let scene = described_again(|_| {});
    assert!(scene.body(REMOTE).is_in_cell(), "a stale position stamp");
}

/// State, velocity and omega are taken as from messages of their own, each by its stamp.
#[test]
fn d12_state_and_velocity_of_a_description_have_their_own_stamps() {
    let (state, velocity, omega) =
        (SOLID | PhysicsState::ETHEREAL, Vec3::new(2.0, 0.0, 3.0), Vec3::new(0.0, 0.0, 1.0));
    let with_stamps = |state_stamp: u16, vector_stamp: u16| {
        described_again(|physics| {
            physics.position = Some(at(96.0, 96.0));
            (physics.state, physics.velocity, physics.omega) = (state, Some(velocity), Some(omega));
            (physics.stamps.state, physics.stamps.vector) = (Stamp(state_stamp), Stamp(vector_stamp));
        })
    };
    let scene = with_stamps(1, 0);
    assert_eq!((scene.body(REMOTE).state, scene.body(REMOTE).velocity), (state, Vec3::ZERO));
    let scene = with_stamps(0, 1);
    assert!(!scene.body(REMOTE).state.contains(PhysicsState::ETHEREAL));
    assert_eq!((scene.body(REMOTE).velocity, scene.body(REMOTE).omega), (velocity, omega));
}

/// A description without a velocity stops the object, if its vector stamp is newer.
#[test]
fn d12_a_description_without_a_velocity_stops_the_object() {
    let mut scene = TestWorld::with_remote();
    scene.send(&vector(REMOTE, Vec3::new(0.0, 0.0, 9.0), 1));
    scene.ticks(5);
    assert!(scene.body(REMOTE).velocity.z > 5.0);
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.stamps.vector = Stamp(2);
    }));
    assert_eq!(scene.body(REMOTE).velocity, Vec3::ZERO);
}

fn readies(scene: &TestWorld) -> usize {
    let failed = MotionEvent::MotionDone { motion: READY, success: false };
    scene.count_events(|kind| *kind == EventKind::Motion(failed))
}

/// A new object enters its default state twice. That shows on what is not a creature: two motions are pending until it
/// enters the world, which ends both without success (rule C17). A creature leaves the ground each time, and has none.
#[test]
fn d13_the_default_state_is_entered_twice() {
    let outside = |kind: &ObjectKind| {
        let mut scene = TestWorld::new();
        let mut weenie = Vec::new();
        acmotion::wire::WeenieDesc::encode_typed(b"Machine", 1, kind.item_type, 0, &mut weenie);
        let weenie = acmotion::wire::WeenieDesc::decode(&weenie).unwrap();
        scene.send(&world_support::describe(REMOTE, weenie, |physics| {
            physics.state = kind.state;
            physics.setup = Some(kind.setup.0);
            physics.motion_table = kind.table.map(|table| table.0);
        }));
        let remote = scene.entity(REMOTE);
        (remote.interp.pending().len(), remote.animator.pending().len())
    };
    assert_eq!(outside(&MACHINE), (2, 2));
    assert_eq!(outside(&CREATURE), (0, 0));
    let mut scene = TestWorld::new();
    scene.add(REMOTE, &at(96.0, 96.0), &MACHINE);
    assert_eq!(readies(&scene), 2);
    assert!(!scene.entity(REMOTE).interp.has_pending());
}

/// The description of the player carries a run. If it is the player's own movement, its raw state counts, and that is
/// at rest; if it is the server's, the player runs (rule F8).
#[test]
fn d13_a_description_says_whose_movement_it_carries() {
    let described = |autonomous: bool| {
        let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
        scene.send(&create_with(PLAYER, ObjectStamps::default(), |physics| {
            physics.position = Some(at(96.0, 96.0));
            physics.movement = Some(InitialMovement::Movement {
                movement: Movement {
                    flags: MotionFlags::empty(),
                    style: MotionCommand::NON_COMBAT,
                    body: MovementBody::Interpreted { state: running(1.0), sticky: None },
                },
                autonomous: WireBool::from(autonomous),
            });
        }));
        forward(&scene, PLAYER)
    };
    assert_eq!(described(false), RUN);
    assert_eq!(described(true), READY);
}

/// An object without motions shows the placement frame of its description, or the setup's default.
#[test]
fn d13_an_object_without_a_movement_takes_its_placement_frame() {
    // In the right hand, and the default.
    for key in [1, 0] {
        let mut scene = TestWorld::new();
        scene.send(&item(SWORD, |physics| {
            physics.position = Some(at(96.0, 96.0));
            physics.placement = Some(key);
        }));
        let sword = scene.world.find(SWORD).unwrap();
        let expected = scene.world.library().model(sword.model().unwrap()).placement(key.cast_signed());
        assert!(expected.is_some(), "the setup has placement {key}");
        assert_eq!(sword.entity().animator.sequence().placement(), expected, "placement {key}");
    }
}

/// An arrow is described in its flight: it has the velocity and the omega of the description from its first tick on.
#[test]
fn d13_a_description_sets_velocity_and_omega() {
    let (velocity, omega) = (Vec3::new(0.0, 12.0, 1.0), Vec3::new(0.0, 0.0, -3.0));
    let mut scene = TestWorld::new();
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.state = PhysicsState::MISSILE;
        physics.motion_table = None;
        physics.position = Some(at(96.0, 96.0));
        (physics.velocity, physics.omega) = (Some(velocity), Some(omega));
    }));
    assert_eq!((scene.body(REMOTE).velocity, scene.body(REMOTE).omega), (velocity, omega));
    scene.tick();
    let moved = scene.origin(REMOTE) - at(96.0, 96.0).frame.origin;
    assert!((moved - velocity * TICK as f32).length() < 1e-3, "{moved:?}");
    let turned = scene.body(REMOTE).position.frame.heading();
    assert!((turned - (3.0 * TICK as f32).to_degrees()).abs() < 0.05, "{turned} degrees");
}

/// A runner under an order is ordered to turn, without being stopped. That ends the order before it: the remote stops,
/// and the turn is the only node that is left. Nothing else in such an order would cancel the one before (rules J6, J9).
#[test]
fn e2_a_movement_cancels_the_order_before_it() {
    let mut scene = TestWorld::with_remote();
    scene.ticks(60);
    scene.send(&movement_with(REMOTE, go_to(at(96.0, 126.0)), 1, |_| {}));
    scene.ticks(60);
    assert_eq!(forward(&scene, REMOTE), RUN);
    scene.events.clear();
    let flags = MoveFlags::default() - MoveFlags::STOP_COMPLETELY;
    let params = TurnToParams { flags, desired_heading: 90.0, ..TurnToParams::default() };
    scene.send(&movement_with(REMOTE, MovementBody::TurnToHeading { params }, 2, |_| {}));
    let events = scene.order_events(REMOTE);
    assert_eq!(events[0], MoveToEvent::Failed(MotionError::ActionCancelled), "{events:?}");
    assert_eq!(events[1], MoveToEvent::Started(MoveKind::TurnToHeading), "{events:?}");
    assert_eq!(scene.entity(REMOTE).move_to().unwrap().nodes().len(), 1);
    assert_eq!(forward(&scene, REMOTE), READY, "the run of the old order ends");
    let mut ticks = 0;
    while scene.entity(REMOTE).is_moving_to() {
        scene.tick();
        ticks += 1;
        assert!(ticks < 300, "{:?}", scene.entity(REMOTE).explain_move_to());
    }
    assert_eq!(scene.order_events(REMOTE).last(), Some(&MoveToEvent::Arrived));
    assert!((scene.body(REMOTE).position.frame.heading() - 90.0).abs() < 0.01);
}

/// A sword has no motion table and therefore no interpreter (rule D13). Movements do nothing to it: neither a state that
/// sticks nor an order is applied, and it stays at rest. Only their stamps count.
#[test]
fn e2_an_object_without_an_interpreter_ignores_movements() {
    let mut scene = TestWorld::with_remote();
    scene.send(&item(SWORD, |physics| physics.position = Some(at(96.0, 100.0))));
    scene.ticks(3);
    let before = scene.body(SWORD).position;
    let run = MovementBody::Interpreted { state: running(1.0), sticky: Some(REMOTE) };
    for (stamp, movement) in [(1, run), (2, go_to(at(96.0, 126.0)))] {
        scene.send(&movement_with(SWORD, movement, stamp, |_| {}));
        assert_eq!(stamps(&scene, SWORD)[1], stamp, "it is handled");
        let sword = scene.entity(SWORD);
        assert_eq!(sword.interp.interpreted.forward.command, READY, "movement {stamp}");
        assert!(!sword.interp.has_pending(), "movement {stamp}");
        assert_eq!(sword.correction.sticky_target(), None, "movement {stamp}");
        assert!(!sword.is_moving_to(), "movement {stamp}");
        scene.ticks(3);
        assert_eq!(scene.body(SWORD).position, before, "movement {stamp}");
    }
}

/// A state sticks the remote to another; the next movement, of any kind, unsticks it.
#[test]
fn e2_e4_a_state_sticks_and_the_next_movement_unsticks() {
    let stuck = || {
        let mut scene = TestWorld::with_remote();
        scene.send(&create(OTHER, &at(96.0, 101.0), ObjectStamps::default(), None));
        scene.ticks(60);
        scene.send(&stick(REMOTE, OTHER, 1));
        assert_eq!(scene.entity(REMOTE).correction.sticky_target(), Some(OTHER));
        let before = scene.origin(REMOTE).y;
        scene.ticks(2);
        assert!((scene.origin(REMOTE).y - before - 40.0 / 30.0).abs() < 1e-3, "20 m/s towards the other");
        scene
    };
    let mut scene = stuck();
    scene.send(&motion(REMOTE, InterpretedState::default(), 2));
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), None);
    let before = scene.origin(REMOTE);
    scene.ticks(5);
    assert_eq!(scene.origin(REMOTE), before, "nothing pulls it any more");

    let mut scene = stuck();
    scene.send(&movement_with(REMOTE, go_to(at(96.0, 60.0)), 2, |_| {}));
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), None, "an order to a position");

    let mut scene = stuck();
    scene.send(&stick(REMOTE, Guid(0x5000_0099), 2));
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), None, "an unknown object (rule I10)");
}

/// The bit of a standing long jump is assigned after the state is applied. A run that comes with it starts to play; the
/// next run, without it, is applied while the bit is still set: the body stands, as if it charged a jump (rule F7).
#[test]
fn e4_the_long_jump_bit_is_assigned_after_the_state() {
    let mut scene = TestWorld::with_remote();
    scene.ticks(60);
    let run = |stamp: u16, flags: MotionFlags| {
        let body = MovementBody::Interpreted { state: running(1.0), sticky: None };
        movement_with(REMOTE, body, stamp, |data| data.movement.flags = flags)
    };
    scene.send(&run(1, MotionFlags::STANDING_LONG_JUMP));
    assert!(scene.entity(REMOTE).interp.standing_long_jump);
    assert_eq!(substate(&scene, REMOTE), RUN, "applied before the bit");
    scene.send(&run(2, MotionFlags::empty()));
    assert!(!scene.entity(REMOTE).interp.standing_long_jump);
    assert_eq!(substate(&scene, REMOTE), READY, "applied before the bit was cleared");
    assert_eq!(forward(&scene, REMOTE), RUN, "but the state holds the run");
    scene.send(&run(3, MotionFlags::empty()));
    assert_eq!(substate(&scene, REMOTE), RUN);
}

/// A remote more than 96 m from the player is inactive. An order activates it and its time starts then; the next update
/// finds that it is too far away (rules B3, F19).
#[test]
fn f19_an_order_activates_a_far_body() {
    let mut scene = TestWorld::with_remote_and_player_at(300.0);
    scene.ticks(3);
    let is_active = |scene: &TestWorld| scene.body(REMOTE).transient.contains(TransientState::ACTIVE);
    assert!(!is_active(&scene));
    scene.now += 0.01;
    scene.send(&movement_with(REMOTE, go_to(at(96.0, 126.0)), 1, |_| {}));
    assert!(is_active(&scene));
    assert_eq!(scene.body(REMOTE).clock.update_time, scene.now);
    scene.tick();
    assert!(!is_active(&scene));
}

/// A creature without gravity runs and is lifted off the ground. It does not notice (rules C26, F14): its velocity is not
/// replaced by that of its run, and the run plays on, though in the air it moves nothing (rule B5).
#[test]
fn c26_a_body_without_gravity_does_not_notice_leaving_the_ground() {
    let floating = ObjectKind { state: SOLID - PhysicsState::GRAVITY, ..CREATURE };
    let mut scene = TestWorld::with(settings(|settings| settings.flat_remote_jumps = true));
    scene.add(REMOTE, &at(96.0, 96.0), &floating);
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(60);
    scene.send(&vector(REMOTE, Vec3::new(0.0, 0.0, 2.0), 1));
    scene.tick();
    for tick in 0..20 {
        let before = scene.origin(REMOTE);
        scene.tick();
        assert!(!scene.body(REMOTE).is_on_walkable(), "tick {tick}: it rises");
        assert_eq!(scene.body(REMOTE).velocity, Vec3::new(0.0, 0.0, 2.0), "tick {tick}");
        assert_eq!(scene.origin(REMOTE).y, before.y, "tick {tick}: no root motion");
        assert_eq!(substate(&scene, REMOTE), RUN, "tick {tick}");
    }
}
