//! Remotes, teleports and spawns, tick by tick (scenarios P2, P7, P8).

use crate::world_support;

use acmotion::types::{Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin, Pad, PhysicsState,
    PlayerCreate, PlayerTeleport, SetState, UpdateMotion, WireBool,
};
use acmotion::{EventKind, Identity, MotionEvent};
use world_support::*;

fn is_snap(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Motion(MotionEvent::Snapped { .. }))
}

fn is_teleport(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Motion(MotionEvent::Teleported { .. }))
}

/// A remote starts to run, moved by its animation. A report ahead of it is reached by interpolation at up to 19 m/s,
/// which replaces the root motion; then the animation moves it again.
#[test]
fn p2_a_running_remote_interpolates_to_a_report() {
    let mut scene = TestWorld::with_remote();
    scene.world.explain(REMOTE, true);
    scene.send(&motion(REMOTE, running(2.375), 1));
    let entity = scene.world.find(REMOTE).unwrap().entity();
    assert_eq!(entity.interp.my_run_rate, 2.375);
    assert_eq!(entity.animator.state().substate(), MotionCommand::RUN_FORWARD);
    let start = scene.origin(REMOTE).y;
    scene.ticks(60);
    let run = scene.origin(REMOTE).y - start;
    assert!((15.0..21.0).contains(&run), "ran {run} m in two seconds");

    let here = scene.origin(REMOTE).y;
    scene.send(&position(REMOTE, &at(96.0, here + 3.0), 1));
    scene.tick();
    let step = scene.origin(REMOTE).y - here;
    assert!((step - 19.0 / 30.0).abs() < 1e-3, "{step} m towards the node");
    let explanation = scene.world.explanation(REMOTE).unwrap();
    assert_eq!(explanation.decisions().len(), 3);
    assert!(explanation.root_motion.origin.y < explanation.offset.origin.y);
    scene.ticks(4);
    assert!((scene.origin(REMOTE).y - (here + 3.0)).abs() < 0.01, "it reached the node");
    scene.ticks(31);
    let ahead = scene.origin(REMOTE).y - here - 3.0;
    assert!((8.0..11.0).contains(&ahead), "{ahead} m by its animation again");
    assert_eq!(scene.count_events(is_snap), 0);
}

/// 110 m are beyond the blip distance.
#[test]
fn p2_a_far_report_causes_one_snap() {
    let mut scene = TestWorld::with_remote();
    scene.send(&position(REMOTE, &at(96.0, 96.0 + 110.0), 1));
    scene.ticks(10);
    assert_eq!((scene.count_events(is_snap), scene.count_events(is_teleport)), (1, 0));
    let position = scene.world.find(REMOTE).unwrap().position();
    assert!(position.distance_to(&at(96.0, 206.0)) < 0.01);
    assert_eq!(position.cell.block(), 0xA9B5, "in the next landblock");
}

/// A teleport is announced, the player waits in portal space, and arrives when the position is received.
#[test]
fn p7_the_player_waits_in_portal_space_and_is_teleported() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Awaited));
    scene.send(&create(PLAYER, &at(20.0, 20.0), ObjectStamps::default(), None));
    assert!(scene.world.find(PLAYER).is_none(), "held until the player is known");
    scene.send(&encode(PlayerCreate { guid: PLAYER }));
    scene.ticks(2);
    assert!(!scene.world.player().is_teleporting());

    scene.send(&position(PLAYER, &at(23.0, 20.0), 1));
    scene.ticks(3);
    assert_eq!(scene.origin(PLAYER).x, 20.0, "an ordinary position only constrains the player");
    let constraint = scene.world.find(PLAYER).unwrap().entity().correction.constraint;
    assert!(constraint.is_active() && (constraint.pos_offset() - 3.0).abs() < 1e-3);

    scene.send(&encode(PlayerTeleport { teleport: Stamp(1), pad: Pad::ZERO }));
    assert!(scene.world.player().is_waiting_for_teleport() && scene.world.player().is_teleporting());
    let hidden = PhysicsState::GRAVITY | PhysicsState::HIDDEN;
    scene.send(&encode(SetState { guid: PLAYER, state: hidden, instance: Stamp(0), state_stamp: Stamp(1) }));
    scene.tick();
    assert!(scene.world.player().is_waiting_for_teleport(), "a hidden player has not arrived");

    scene.send(&position_with(PLAYER, &at(150.0, 20.0), 2, |pack| pack.teleport = Stamp(1)));
    assert_eq!(scene.origin(PLAYER).x, 150.0);
    assert_eq!(scene.count_events(is_teleport), 1);
    assert!(!scene.world.player().is_waiting_for_teleport());
    let entity = scene.world.find(PLAYER).unwrap().entity();
    assert_eq!(entity.body.velocity.length(), 0.0);
    assert!(entity.correction.constraint.is_active(), "constrained to the new position");
    assert!(entity.correction.constraint.pos_offset() < 1e-3);
    scene.tick();
    assert!(scene.world.player().has_been_teleported() && !scene.world.player().is_teleporting());
    let portal: Vec<_> = scene
        .events
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::PortalSpace(inside) => Some(inside),
            _ => None,
        })
        .collect();
    assert_eq!(portal, [true, false]);
}

/// Its interpolation ends.
#[test]
fn p7_a_teleported_remote_arrives_at_once() {
    let mut scene = TestWorld::with_remote();
    scene.send(&position(REMOTE, &at(99.0, 96.0), 1));
    scene.tick();
    scene.send(&position_with(REMOTE, &at(20.0, 20.0), 2, |pack| pack.teleport = Stamp(1)));
    assert_eq!(scene.origin(REMOTE).x, 20.0);
    scene.ticks(5);
    assert_eq!(scene.origin(REMOTE).x, 20.0, "the nodes are dropped");
    assert_eq!((scene.count_events(is_snap), scene.count_events(is_teleport)), (0, 1));
}

/// No link animation is played, and no motion is pending.
#[test]
fn p8_a_creature_created_running_appears_in_its_run_cycle() {
    let mut scene = TestWorld::new();
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), Some(running(1.5))));
    let resident = scene.world.find(REMOTE).unwrap();
    let entity = resident.entity();
    assert!(entity.body.is_standing());
    assert_eq!(entity.animator.state().substate(), MotionCommand::RUN_FORWARD);
    assert_eq!(entity.animator.sequence().first_cyclic_index(), Some(0), "no link before the run");
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Created), 1);
    scene.ticks(30);
    let run = scene.origin(REMOTE).y - 96.0;
    assert!((4.5..7.5).contains(&run), "ran {run} m in a second");
}

/// Elasticity is clamped to 0.1.
#[test]
fn p8_a_description_sets_scale_friction_and_elasticity() {
    let mut scene = TestWorld::new();
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.scale = Some(2.0);
        physics.friction = Some(0.5);
        physics.elasticity = Some(7.0);
    }));
    let body = scene.world.find(REMOTE).unwrap().body();
    assert_eq!((body.scale, body.friction(), body.elasticity()), (2.0, 0.5, 0.1));
}

/// They are handled in the order of arrival when the object is created (rule D3).
#[test]
fn d3_messages_wait_for_their_object() {
    let mut scene = TestWorld::new();
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.send(&motion(REMOTE, running(2.0), 2));
    scene.send(&position(REMOTE, &at(96.0, 98.0), 1));
    assert_eq!((scene.world.waiting_messages(), scene.world.entities().len()), (3, 0));
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    assert_eq!(scene.world.waiting_messages(), 0);
    let entity = scene.world.find(REMOTE).unwrap().entity();
    assert_eq!(entity.interp.my_run_rate, 2.0);
    assert_eq!(entity.correction.interpolation.nodes().len(), 1);
}

/// It stops short of the other and faces it (rules D7, J).
#[test]
fn a_creature_ordered_to_another_goes_there() {
    const TARGET: Guid = Guid(0x5000_0002);
    let mut scene = TestWorld::with_remote();
    scene.send(&create(TARGET, &at(116.0, 96.0), ObjectStamps::default(), None));
    scene.send(&encode(UpdateMotion {
        guid: REMOTE,
        instance: Stamp(0),
        data: MovementData {
            movement_stamp: Stamp(1),
            server_control: Stamp(1),
            autonomous: WireBool::from(false),
            pad: Pad::ZERO,
            movement: Movement {
                flags: MotionFlags::empty(),
                style: MotionCommand::NON_COMBAT,
                body: MovementBody::MoveToObject {
                    target: TARGET,
                    origin: Origin { cell: CELL, point: at(116.0, 96.0).frame.origin },
                    params: MoveToParams::default(),
                    run_rate: 1.5,
                },
            },
        },
    }));
    assert!(scene.world.find(REMOTE).unwrap().entity().is_moving_to());
    scene.ticks(60);
    assert!(scene.origin(REMOTE).x > 98.0, "it is moving");
    scene.ticks(300);
    let (here, there) = (scene.origin(REMOTE), scene.origin(TARGET));
    let apart = (there - here).length();
    assert!((0.6..2.6).contains(&apart), "{apart} m apart");
    let heading = scene.world.find(REMOTE).unwrap().position().frame.heading();
    assert!((heading - 90.0).abs() < 5.0, "{heading} degrees");
    assert!(!scene.world.find(REMOTE).unwrap().entity().is_moving_to());
}

/// A `VectorUpdate` makes a running remote jump. It keeps the vertical speed (rule N1); or, as the original literally
/// does, its run state removes that speed when it leaves the ground.
#[test]
fn n1_a_remote_keeps_the_height_of_a_running_jump_unless_jumps_are_flat() {
    let highest = |flat: bool| {
        let mut scene = TestWorld::with(settings(|settings| settings.flat_remote_jumps = flat));
        scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
        scene.ticks(2);
        scene.send(&motion(REMOTE, running(2.375), 1));
        scene.ticks(10);
        scene.send(&vector(REMOTE, Vec3::new(0.0, 9.0, 4.9), 1));
        let mut highest = f32::MIN;
        for _ in 0..60 {
            scene.tick();
            highest = highest.max(scene.origin(REMOTE).z - GROUND);
        }
        assert!(scene.world.find(REMOTE).unwrap().body().is_standing(), "it has landed");
        highest
    };
    let flight = highest(false);
    // Gravity starts in the tick after the one that leaves the ground: a thirtieth of 4.9 m more.
    assert!((flight - 1.225 - 4.9 / 30.0).abs() < 0.01, "4.9 m/s rise 1.225 m plus one tick, not {flight}");
    let hop = highest(true);
    assert!(hop < 0.2, "flattened after one tick, not {hop} m high");
}
