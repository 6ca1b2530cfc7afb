//! Orders to objects, positions and headings in a world, and the clocks of targets (`docs/behaviour.md` J6–J9, J13, J15, Q5,
//! R4).

use crate::world_support;

use acmotion::components::{MovementParams, Order, TargetStatus, TransientState};
use acmotion::types::{Guid, MotionCommand, Vec3};
use acmotion::wire::{Attachment, MoveFlags, MoveToParams, MovementBody, ObjectStamps, Origin, TurnToParams};
use acmotion::{MotionError, MoveToEvent};
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);
const SWORD: Guid = Guid(0x8000_0001);
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;
const READY: MotionCommand = MotionCommand::READY;
/// The distance that a walk covers in one tick, in metres.
const WALK_STEP: f32 = 3.12 / 30.0;

/// The remote at (96, 96), facing north, and another one due north of it.
fn with_other(north: f32) -> TestWorld {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(96.0, 96.0 + north), ObjectStamps::default(), None));
    scene.ticks(60);
    scene.events.clear();
    scene
}

/// The same; the other holds a sword of three times the usual size, of a radius of 1.5 m.
fn with_sword(north: f32) -> TestWorld {
    let mut scene = with_other(north);
    scene.send(&item(SWORD, |physics| {
        physics.parent = Some(Attachment { guid: OTHER, location: 1 });
        physics.scale = Some(3.0);
    }));
    scene.ticks(2);
    scene
}

fn apart(scene: &TestWorld) -> f32 {
    scene.world.find(REMOTE).unwrap().position().distance_to(&scene.world.find(OTHER).unwrap().position())
}

fn radius(scene: &TestWorld, guid: Guid) -> f32 {
    scene.entity(guid).shape.radius
}

/// The object that the remote watches.
fn target(scene: &TestWorld) -> Option<Guid> {
    scene.entity(REMOTE).targets()?.target().map(|target| target.object)
}

/// Ticks until the remote has no order.
fn run_to_end(scene: &mut TestWorld) {
    let mut ticks = 0;
    while scene.entity(REMOTE).is_moving_to() {
        scene.tick();
        ticks += 1;
        assert!(ticks < 900, "{:?}", scene.entity(REMOTE).explain_move_to());
    }
}

fn move_to(target: Guid) -> MovementBody<'static> {
    let origin = Origin { cell: CELL, point: Vec3::ZERO };
    MovementBody::MoveToObject { target, origin, params: MoveToParams::default(), run_rate: 1.0 }
}

fn go_to(x: f32, y: f32, params: MoveToParams) -> MovementBody<'static> {
    let goal = at(x, y);
    let origin = Origin { cell: goal.cell, point: goal.frame.origin };
    MovementBody::MoveToPosition { origin, params, run_rate: 1.0 }
}

fn send_order(scene: &mut TestWorld, body: MovementBody<'_>, stamp: u16) {
    scene.send(&movement_with(REMOTE, body, stamp, |_| {}));
}

/// An order through the interface of the engine ends the order before it and unsticks the body. For an order of the
/// server that has been done already (rule E2).
#[test]
fn j6_an_order_cancels_the_one_before_and_unsticks() {
    let mut scene = with_other(5.0);
    scene.send(&stick(REMOTE, OTHER, 1));
    scene.tick();
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), Some(OTHER));
    let turn = |heading: f32| Order::TurnToHeading {
        params: MovementParams { desired_heading: heading, ..MovementParams::default() },
    };
    scene.world.act(REMOTE, scene.now, |actor, _| actor.order(&turn(90.0)));
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), None);
    assert_eq!(target(&scene), None, "nor does it watch the other");
    let before = scene.origin(REMOTE);
    scene.ticks(5);
    assert_eq!(scene.origin(REMOTE), before, "it turns on the spot");

    assert!(scene.entity(REMOTE).is_moving_to());

    // A turn that does not stop the body first: nothing else would cancel the order before it (rule J9).
    let flags = MoveFlags::default() - MoveFlags::STOP_COMPLETELY;
    let params = MovementParams { flags, desired_heading: 180.0, ..MovementParams::default() };
    scene.events.clear();
    scene.world.act(REMOTE, scene.now, |actor, _| actor.order(&Order::TurnToHeading { params }));
    scene.events.extend(scene.world.drain_events());
    assert_eq!(scene.order_events(REMOTE)[0], MoveToEvent::Failed(MotionError::ActionCancelled));
    assert_eq!(scene.entity(REMOTE).move_to().unwrap().nodes().len(), 1);
}

/// An order activates a body that is inactive because the player is far away, even one that starts without stopping the
/// body. Its time starts with the order (rule F19).
#[test]
fn j6_an_order_activates_a_far_body() {
    let mut scene = TestWorld::with_remote_and_player_at(300.0);
    scene.ticks(3);
    let is_active = |scene: &TestWorld| scene.entity(REMOTE).body.transient.contains(TransientState::ACTIVE);
    assert!(!is_active(&scene));
    let flags = MoveFlags::default() - MoveFlags::STOP_COMPLETELY;
    let params = MovementParams { flags, desired_heading: 90.0, ..MovementParams::default() };
    scene.now += 0.01;
    scene.world.act(REMOTE, scene.now, |actor, _| actor.order(&Order::TurnToHeading { params }));
    assert!(is_active(&scene));
    assert_eq!(scene.entity(REMOTE).body.clock.update_time, scene.now);
}

/// A runner is ordered to one behind it. It is stopped before it turns: the run that was going on is not part of the order.
#[test]
fn j7_an_order_to_an_object_stops_the_body_first() {
    let mut scene = with_other(-20.0);
    let forward = |scene: &TestWorld| scene.entity(REMOTE).interp.interpreted.forward.command;
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(30);
    assert_eq!(forward(&scene), RUN);
    send_order(&mut scene, move_to(OTHER), 2);
    assert_eq!(forward(&scene), READY, "the turn comes first");
    run_to_end(&mut scene);
    assert!(scene.origin(REMOTE).y < 80.0, "then it goes there: {:?}", scene.origin(REMOTE));
}

/// An order to a sword that another body holds leads to the holder, which is watched, but the distance is measured to the
/// sword's own hull.
#[test]
fn j7_an_order_to_a_held_object_watches_the_holder_and_measures_the_object() {
    let mut scene = with_sword(12.0);
    send_order(&mut scene, move_to(SWORD), 1);
    assert_eq!(target(&scene), Some(OTHER));
    assert_eq!(scene.entity(REMOTE).move_to().unwrap().object(), Some(SWORD));
    run_to_end(&mut scene);
    let reach = radius(&scene, REMOTE) + 1.5 + 0.6;
    let apart = apart(&scene);
    assert!(apart <= reach && apart > reach - 2.0 * WALK_STEP, "{apart} m apart, and {reach} m are enough");
}

/// An order to the holder itself is measured to the holder's hull: the size is part of the order.
#[test]
fn j7_an_order_to_an_object_measures_its_size() {
    let mut scene = with_sword(12.0);
    send_order(&mut scene, move_to(OTHER), 1);
    run_to_end(&mut scene);
    let reach = radius(&scene, REMOTE) + radius(&scene, OTHER) + 0.6;
    let apart = apart(&scene);
    assert!(apart <= reach && apart > reach - 2.0 * WALK_STEP, "{apart} m apart, and {reach} m are enough");
}

/// Sticking is different: the size is the holder's, too.
#[test]
fn q5_sticking_to_a_held_object_takes_the_size_of_its_holder() {
    let mut scene = with_sword(6.0);
    scene.send(&stick(REMOTE, SWORD, 1));
    assert_eq!(scene.entity(REMOTE).correction.sticky_target(), Some(OTHER));
    scene.ticks(20);
    let gap = radius(&scene, REMOTE) + radius(&scene, OTHER) + 0.3;
    assert!((apart(&scene) - gap).abs() < 1e-3, "{} m apart, not {gap} m", apart(&scene));
}

/// An order to an object is replaced by one to a position. A position has no radius: the body stops at its own radius
/// and 0.6 m, and not the radius of the object farther away.
#[test]
fn j8_a_position_has_no_radius() {
    let mut scene = with_other(30.0);
    send_order(&mut scene, move_to(OTHER), 1);
    scene.ticks(10);
    send_order(&mut scene, go_to(96.0, 108.0, MoveToParams::default()), 2);
    run_to_end(&mut scene);
    let left = 108.0 - scene.origin(REMOTE).y;
    let reach = radius(&scene, REMOTE) + 0.6;
    assert!(left <= reach && left > reach - 2.0 * WALK_STEP, "{left} m left, and {reach} m are enough");
}

/// The remote runs north and is ordered to turn to one that is in the east of it.
fn turn_while_running(flags: MoveFlags, body: fn(TurnToParams) -> MovementBody<'static>) -> TestWorld {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(180.0, 100.0), ObjectStamps::default(), None));
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(60);
    let params = TurnToParams { flags, desired_heading: 90.0, ..TurnToParams::default() };
    send_order(&mut scene, body(params), 2);
    scene
}

/// Only with the flag does a turn stop the body first. Without it the run goes on and bends.
#[test]
fn j9_a_turn_stops_the_body_only_with_the_flag() {
    let bodies: [fn(TurnToParams) -> MovementBody<'static>; 2] = [
        |params| MovementBody::TurnToObject { target: OTHER, heading: 0.0, params },
        |params| MovementBody::TurnToHeading { params },
    ];
    for body in bodies {
        let scene = turn_while_running(MoveFlags::default(), body);
        assert_eq!(scene.entity(REMOTE).interp.interpreted.forward.command, READY, "stop_completely");
        let flags = MoveFlags::default() - MoveFlags::STOP_COMPLETELY;
        let mut scene = turn_while_running(flags, body);
        assert_eq!(scene.entity(REMOTE).interp.interpreted.forward.command, RUN, "no stop_completely");
        let before = scene.origin(REMOTE);
        scene.tick();
        assert!((scene.origin(REMOTE) - before).length() > 0.1, "it still runs");
    }
}

/// A turn to a held sword watches its holder and ends at the bearing of the holder.
#[test]
fn j9_a_turn_to_a_held_object_watches_its_holder() {
    let mut scene = with_sword(6.0);
    scene.world.act(REMOTE, scene.now, |actor, _| actor.entity.body.position.frame.set_heading(120.0));
    let params = TurnToParams::default();
    send_order(&mut scene, MovementBody::TurnToObject { target: SWORD, heading: 50.0, params }, 1);
    assert_eq!(target(&scene), Some(OTHER));
    run_to_end(&mut scene);
    let heading = scene.world.find(REMOTE).unwrap().position().frame.heading();
    assert!(heading.min(360.0 - heading) < 0.01, "north, where the holder is: {heading} degrees");
}

/// A turn to a heading has no object to stick to: the flag is cleared.
#[test]
fn j9_a_turn_to_a_heading_ignores_the_sticky_flag() {
    let mut scene = with_other(5.0);
    let flags = MoveFlags::default() | MoveFlags::STICKY;
    let params = TurnToParams { flags, desired_heading: 90.0, ..TurnToParams::default() };
    send_order(&mut scene, MovementBody::TurnToHeading { params }, 1);
    let own = *scene.entity(REMOTE).move_to().unwrap().params();
    assert!(!own.flags.contains(MoveFlags::STICKY));
    run_to_end(&mut scene);
    assert_eq!(scene.order_events(REMOTE).last(), Some(&MoveToEvent::Arrived));
}

/// Half a turn goes to the right; a little more goes to the left.
#[test]
fn j13_half_a_turn_goes_to_the_right() {
    for (heading, turn) in [
        (179.5, MotionCommand::TURN_RIGHT),
        (180.0, MotionCommand::TURN_RIGHT),
        (180.5, MotionCommand::TURN_LEFT),
    ] {
        let mut scene = with_other(5.0);
        let params = TurnToParams { desired_heading: heading, ..TurnToParams::default() };
        send_order(&mut scene, MovementBody::TurnToHeading { params }, 1);
        scene.ticks(2);
        let turns =
            scene.order_events(REMOTE).into_iter().find(|event| matches!(event, MoveToEvent::Turns { .. }));
        assert_eq!(turns, Some(MoveToEvent::Turns { turn, heading }), "{heading} degrees");
    }
}

/// A walker is turned off its course and steers back. It waves: as long as that is pending it does not steer, and when
/// the wave is over it steers again.
#[test]
fn j15_1_a_pending_motion_ends_the_turn_while_moving() {
    let mut scene = with_other(5.0);
    send_order(&mut scene, go_to(96.0, 190.0, MoveToParams::default()), 1);
    scene.ticks(60);
    assert!(!scene.entity(REMOTE).interp.has_pending(), "it walks");
    scene.world.act(REMOTE, scene.now, |actor, _| actor.entity.body.position.frame.set_heading(170.0));
    scene.tick();
    let aux = |scene: &TestWorld| scene.entity(REMOTE).move_to().unwrap().aux_command();
    assert_eq!(aux(&scene), MotionCommand::TURN_LEFT, "170 degrees off its course");
    assert_eq!(scene.entity(REMOTE).interp.interpreted.turn.command, MotionCommand::TURN_RIGHT);

    let wave = MotionCommand(0x1300_0087);
    scene.world.act(REMOTE, scene.now, |actor, _| {
        actor.do_interpreted_motion(wave, &MovementParams::default()).unwrap();
    });
    scene.events.clear();
    let mut waved = 0;
    while scene.entity(REMOTE).interp.has_pending() {
        let before = scene.world.find(REMOTE).unwrap().position().frame.heading();
        scene.tick();
        waved += 1;
        assert!(waved < 300, "the wave does not end");
        if !scene.entity(REMOTE).interp.has_pending() {
            break;
        }
        assert_eq!(aux(&scene), MotionCommand::NONE, "tick {waved}: the motion is pending");
        assert_eq!(scene.entity(REMOTE).interp.interpreted.turn.command, MotionCommand::NONE);
        if waved > 1 {
            let turned = scene.world.find(REMOTE).unwrap().position().frame.heading() - before;
            assert!(turned.abs() < 0.01, "tick {waved}: it walks straight on, not {turned} degrees");
        }
    }
    assert!(waved > 10, "a wave takes a while: {waved} ticks");
    assert_eq!(scene.order_events(REMOTE).first(), Some(&MoveToEvent::Veers(None)));
    scene.tick();
    assert_eq!(aux(&scene), MotionCommand::TURN_LEFT, "and it steers again");
}

/// A creature that walks at 0.16 m/s makes too little progress, less than a quarter of a metre a second. Arrival is only
/// looked for in steps that find progress: it walks through its goal and does not notice.
#[test]
fn j15_2_arrival_needs_progress() {
    let mut scene = with_other(60.0);
    let params = MoveToParams { speed: 0.05, ..MoveToParams::default() };
    send_order(&mut scene, go_to(96.0, 98.5, params), 1);
    let own_radius = radius(&scene, REMOTE);
    let (mut inside, mut nearest) = (0, f32::MAX);
    for tick in 0..600 {
        scene.tick();
        assert!(scene.entity(REMOTE).is_moving_to(), "tick {tick}: arrived, {nearest} m from the goal");
        let left = (98.5 - scene.origin(REMOTE).y).abs() - own_radius;
        nearest = nearest.min(left);
        inside += usize::from(left <= 0.6);
    }
    assert!(inside > 100, "it was near enough for {inside} ticks");

    // At full speed it arrives.
    let mut scene = with_other(60.0);
    send_order(&mut scene, go_to(96.0, 98.5, MoveToParams::default()), 1);
    scene.ticks(120);
    assert_eq!(scene.order_events(REMOTE).last(), Some(&MoveToEvent::Arrived));
}

/// A body updates its voyeurs twice a second of its physics clock. A client frame takes 0.55 s, right after
/// it did so: in its steps at 0.2 s and 0.4 s nothing is due; in the last one, at 0.55 s, it is, and what is sent is the
/// position of that step.
#[test]
fn r4_voyeurs_are_updated_by_the_physics_clock() {
    let mut scene = with_other(30.0);
    scene.send(&motion(OTHER, running(1.0), 1));
    scene.ticks(60);
    send_order(&mut scene, move_to(OTHER), 1);
    let updates = |scene: &TestWorld| {
        let update = MoveToEvent::TargetUpdated(TargetStatus::Ok);
        scene.order_events(REMOTE).into_iter().filter(|event| *event == update).count()
    };
    scene.ticks(30);
    let before = updates(&scene);
    while updates(&scene) == before {
        assert!(scene.now < 30.0, "the target sends no update");
        scene.tick();
    }
    let before = updates(&scene);
    scene.now += 0.55;
    scene.world.tick(scene.now);
    scene.events.extend(scene.world.drain_events());
    assert_eq!(updates(&scene), before + 1);
    let seen = *scene.entity(REMOTE).move_to().unwrap().target_position();
    let ran = seen.distance_to(&scene.world.find(OTHER).unwrap().position());
    assert!(ran < 1e-3, "the update is {ran} m behind");
}

/// A target that never answers times out after ten seconds of the client frame's time. A slow frame leaves 0.02 s that
/// are not stepped (rule B3), so that the physics clock has not reached ten seconds yet: that does not matter.
#[test]
fn r4_targets_time_out_by_the_time_of_the_client_frame() {
    let mut scene = with_other(5.0);
    let start = scene.now;
    let order = Order::MoveToObject { object: Guid(0x5000_0077), params: MovementParams::default() };
    scene.world.act(REMOTE, scene.now, |actor, _| actor.order(&order));
    while scene.now < start + 9.3 {
        scene.tick();
    }
    scene.now = start + 9.39;
    scene.world.tick(scene.now);
    assert!(scene.entity(REMOTE).is_moving_to(), "it waits");
    scene.now = start + 10.01;
    scene.world.tick(scene.now);
    let clock = scene.entity(REMOTE).body.clock.update_time;
    assert!((clock - start - 9.99).abs() < 1e-6, "three steps of 0.2 s: {}", clock - start);
    assert!(!scene.entity(REMOTE).is_moving_to(), "timed out");
    scene.events.extend(scene.world.drain_events());
    assert_eq!(scene.order_events(REMOTE).last(), Some(&MoveToEvent::Failed(MotionError::NoObject)));
}
