//! Remotes, teleports and spawns, tick by tick (scenarios P2, P7, P8).

mod world_support;

use acmotion::entity::MotionEvent;
use acmotion::types::{Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin, Pad, PhysicsState,
    PlayerCreate, PlayerTeleport, SetState, UpdateMotion, WireBool,
};
use acmotion::world::{EventKind, Identity};
use world_support::*;

fn is_snap(what: &EventKind) -> bool {
    matches!(what, EventKind::Motion(MotionEvent::Snapped { .. }))
}

fn is_teleport(what: &EventKind) -> bool {
    matches!(what, EventKind::Motion(MotionEvent::Teleported { .. }))
}

/// A remote starts to run: its animation moves it. A report ahead of it is caught up with at up to 19 m/s, instead of by
/// the animation; then the animation goes on.
#[test]
fn p2_a_remote_runs() {
    let mut scene = Scene::with_remote();
    scene.world.explain(REMOTE, true);
    scene.send(&motion(REMOTE, running(2.375), 1));
    let entity = scene.world.find(REMOTE).unwrap().entity();
    assert_eq!(entity.interp.my_run_rate, 2.375);
    assert_eq!(entity.animator.state().substate(), MotionCommand::RUN_FORWARD);
    let start = scene.place(REMOTE).y;
    scene.ticks(60);
    let run = scene.place(REMOTE).y - start;
    assert!((15.0..21.0).contains(&run), "ran {run} m in two seconds");

    let here = scene.place(REMOTE).y;
    scene.send(&position(REMOTE, &at(96.0, here + 3.0), 1));
    scene.tick();
    let step = scene.place(REMOTE).y - here;
    assert!((step - 19.0 / 30.0).abs() < 1e-3, "{step} m toward the node");
    let why = scene.world.explanation(REMOTE).unwrap();
    assert_eq!(why.decisions().len(), 3);
    assert!(why.root_motion.origin.y < why.offset.origin.y);
    scene.ticks(4);
    assert!((scene.place(REMOTE).y - (here + 3.0)).abs() < 0.01, "caught up");
    scene.ticks(31);
    let on = scene.place(REMOTE).y - here - 3.0;
    assert!((8.0..11.0).contains(&on), "{on} m by its animation again");
    assert_eq!(scene.happened(is_snap), 0);
}

/// 110 m are too far to walk: one snap, and the body is there.
#[test]
fn p2_a_far_report_is_one_snap() {
    let mut scene = Scene::with_remote();
    scene.send(&position(REMOTE, &at(96.0, 96.0 + 110.0), 1));
    scene.ticks(10);
    assert_eq!((scene.happened(is_snap), scene.happened(is_teleport)), (1, 0));
    let place = scene.world.find(REMOTE).unwrap().position();
    assert!(place.distance_to(&at(96.0, 206.0)) < 0.01);
    assert_eq!(place.cell.block(), 0xA9B5, "in the next landblock");
}

/// The player is announced a teleport, waits in portal space, and is there when the position comes.
#[test]
fn p7_the_player_is_teleported() {
    let mut scene = Scene::with(settings(|settings| settings.player = Identity::Awaited));
    scene.send(&create(PLAYER, &at(20.0, 20.0), ObjectStamps::default(), None));
    assert!(scene.world.find(PLAYER).is_none(), "held until it is known who the player is");
    scene.send(&of(PlayerCreate { guid: PLAYER }));
    scene.ticks(2);
    assert!(!scene.world.player().is_teleporting());

    scene.send(&position(PLAYER, &at(23.0, 20.0), 1));
    scene.ticks(3);
    assert_eq!(scene.place(PLAYER).x, 20.0, "an ordinary position only ties the leash");
    let constraint = scene.world.find(PLAYER).unwrap().entity().correction.constraint;
    assert!(constraint.is_active() && (constraint.pos_offset() - 3.0).abs() < 1e-3);

    scene.send(&of(PlayerTeleport { teleport: Stamp(1), pad: Pad::ZERO }));
    assert!(scene.world.player().is_waiting_for_teleport() && scene.world.player().is_teleporting());
    let hidden = PhysicsState::GRAVITY | PhysicsState::HIDDEN;
    scene.send(&of(SetState { guid: PLAYER, state: hidden, instance: Stamp(0), state_stamp: Stamp(1) }));
    scene.tick();
    assert!(scene.world.player().is_waiting_for_teleport(), "hidden is not arrived");

    scene.send(&position_with(PLAYER, &at(150.0, 20.0), 2, |pack| pack.teleport = Stamp(1)));
    assert_eq!(scene.place(PLAYER).x, 150.0);
    assert_eq!(scene.happened(is_teleport), 1);
    assert!(!scene.world.player().is_waiting_for_teleport());
    let entity = scene.world.find(PLAYER).unwrap().entity();
    assert_eq!(entity.body.velocity.length(), 0.0);
    assert!(entity.correction.constraint.is_active(), "the leash is tied at the new place");
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

/// A remote that teleports is there at once, also if it was walking.
#[test]
fn p7_a_remote_teleports() {
    let mut scene = Scene::with_remote();
    scene.send(&position(REMOTE, &at(99.0, 96.0), 1));
    scene.tick();
    scene.send(&position_with(REMOTE, &at(20.0, 20.0), 2, |pack| pack.teleport = Stamp(1)));
    assert_eq!(scene.place(REMOTE).x, 20.0);
    scene.ticks(5);
    assert_eq!(scene.place(REMOTE).x, 20.0, "what it was catching up with is forgotten");
    assert_eq!((scene.happened(is_snap), scene.happened(is_teleport)), (0, 1));
}

/// A creature that is created running appears in its run, without a link, and nothing waits.
#[test]
fn p8_created_running() {
    let mut scene = Scene::new();
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), Some(running(1.5))));
    let resident = scene.world.find(REMOTE).unwrap();
    let entity = resident.entity();
    assert!(entity.body.is_standing());
    assert_eq!(entity.animator.state().substate(), MotionCommand::RUN_FORWARD);
    assert_eq!(entity.animator.sequence().first_cyclic_index(), Some(0), "no link before the run");
    assert_eq!(scene.happened(|what| *what == EventKind::Created), 1);
    scene.ticks(30);
    let run = scene.place(REMOTE).y - 96.0;
    assert!((4.5..7.5).contains(&run), "ran {run} m in a second");
}

/// The size of the body, its friction and elasticity come with the description.
#[test]
fn p8_described() {
    let mut scene = Scene::new();
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.scale = Some(2.0);
        physics.friction = Some(0.5);
        physics.elasticity = Some(7.0);
    }));
    let body = scene.world.find(REMOTE).unwrap().body();
    assert_eq!((body.scale, body.friction(), body.elasticity()), (2.0, 0.5, 0.1));
}

/// What arrives before its object waits, and is done in order when the object is created (rule D3).
#[test]
fn d3_messages_wait_for_their_object() {
    let mut scene = Scene::new();
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

/// A creature that is told to go to another goes there, stops short of it and faces it; while it steers itself, reports do
/// not turn it (rules D7, J).
#[test]
fn orders_among_entities() {
    const TARGET: Guid = Guid(0x5000_0002);
    let mut scene = Scene::with_remote();
    scene.send(&create(TARGET, &at(116.0, 96.0), ObjectStamps::default(), None));
    scene.send(&of(UpdateMotion {
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
    assert!(scene.place(REMOTE).x > 98.0, "on its way");
    scene.ticks(300);
    let (here, there) = (scene.place(REMOTE), scene.place(TARGET));
    let apart = (there - here).length();
    assert!((0.6..2.6).contains(&apart), "{apart} m apart");
    let heading = scene.world.find(REMOTE).unwrap().position().frame.heading();
    assert!((heading - 90.0).abs() < 5.0, "{heading} degrees");
    assert!(!scene.world.find(REMOTE).unwrap().entity().is_moving_to());
}

/// A running remote is thrown upward by the server: it flies as far up as it was thrown (rule N1), or, to the letter of
/// the original, its own run takes the upward speed away when it leaves the ground.
#[test]
fn n1_a_running_jump_of_a_remote() {
    let highest = |flat: bool| {
        let mut scene = Scene::with(settings(|settings| settings.flat_remote_jumps = flat));
        scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
        scene.ticks(2);
        scene.send(&motion(REMOTE, running(2.375), 1));
        scene.ticks(10);
        scene.send(&vector(REMOTE, Vec3::new(0.0, 9.0, 4.9), 1));
        let mut highest = f32::MIN;
        for _ in 0..60 {
            scene.tick();
            highest = highest.max(scene.place(REMOTE).z - GROUND);
        }
        assert!(scene.world.find(REMOTE).unwrap().body().is_standing(), "down again");
        highest
    };
    let flight = highest(false);
    // Gravity waits for the tick after the one that leaves the ground: a thirtieth of 4.9 m more.
    assert!(
        (flight - 1.225 - 4.9 / 30.0).abs() < 0.01,
        "4.9 m/s carry 1.225 m up and a tick's way, not {flight}"
    );
    let hop = highest(true);
    assert!(hop < 0.2, "flattened after one tick, but {hop} m up");
}
