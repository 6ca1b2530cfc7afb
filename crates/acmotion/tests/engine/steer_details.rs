//! Orders step by step: what they measure, what they leave behind, when they end (`docs/behaviour.md` J2–J20, Q6).

use crate::steer_support;

use acmotion::components::{
    Gait, MoveKind, MoveToNode, MovementParams, Order, TargetInfo, TargetManager, TargetStatus,
};
use acmotion::explain::{DistanceMeasure, WaitReason};
use acmotion::internals::interp::MoveFlags;
use acmotion::internals::steer::set_target;
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{HoldKey, MotionError, MoveToEvent, OrderLimits, Unreachable};
use steer_support::{RADIUS, Stage, at, same_heading};

const RIGHT: MotionCommand = MotionCommand::TURN_RIGHT;
const LEFT: MotionCommand = MotionCommand::TURN_LEFT;
const FORWARD: MotionCommand = MotionCommand::WALK_FORWARD;
const BACKWARDS: MotionCommand = MotionCommand::WALK_BACKWARDS;
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;
const READY: MotionCommand = MotionCommand::READY;
const NONE: MotionCommand = MotionCommand::NONE;
const WAVE: MotionCommand = MotionCommand(0x1300_0087);
const UNKNOWN: Guid = Guid(0x7000_0001);

fn turn(heading: f32) -> Order {
    Order::TurnToHeading { params: MovementParams { desired_heading: heading, ..MovementParams::default() } }
}

fn go_to(position: CellPosition) -> Order {
    Order::MoveToPosition { position, params: MovementParams::default() }
}

fn chase(object: Guid) -> Order {
    Order::MoveToObject { object, params: MovementParams::default() }
}

fn face(object: Guid) -> Order {
    Order::TurnToObject { object, params: MovementParams::default() }
}

/// The default parameters with other flags.
fn with_flags(inserted: MoveFlags, removed: MoveFlags) -> MovementParams {
    let mut params = MovementParams::default();
    params.flags.insert(inserted);
    params.flags.remove(removed);
    params
}

/// An order to get away from an object, to at least this many metres.
fn flee(object: Guid, min_distance: f32) -> Order {
    let params = with_flags(MoveFlags::MOVE_AWAY, MoveFlags::MOVE_TOWARDS);
    Order::MoveToObject { object, params: MovementParams { min_distance, ..params } }
}

fn play(stage: &mut Stage, body: usize, motion: MotionCommand) {
    stage.act(body, |actor| actor.do_interpreted_motion(motion, &MovementParams::default()).unwrap());
}

fn set_heading(stage: &mut Stage, body: usize, heading: f32) {
    stage.entities[body].body.position.frame.set_heading(heading);
}

fn forward(stage: &Stage, body: usize) -> MotionCommand {
    stage.entities[body].interp.interpreted.forward.command
}

fn waits(stage: &Stage, body: usize) -> Option<WaitReason> {
    stage.entities[body].explain_move_to().unwrap().waits
}

fn target(stage: &Stage, body: usize) -> Option<&TargetInfo> {
    stage.entities[body].targets().and_then(TargetManager::target)
}

fn voyeurs(stage: &Stage, body: usize) -> Vec<Guid> {
    let targets = stage.entities[body].targets();
    targets.map_or(&[][..], TargetManager::voyeurs).iter().map(|voyeur| voyeur.guid).collect()
}

/// Ticks until the body moves by its order and no motion is pending.
fn run_until_it_walks(stage: &mut Stage, body: usize) {
    for _ in 0..240 {
        let order = stage.entities[body].move_to().unwrap();
        let is_moving = order.nodes().next() == Some(MoveToNode::Move) && order.current_command() != NONE;
        if is_moving && !stage.entities[body].interp.has_pending() {
            return;
        }
        stage.tick();
    }
    panic!("it does not walk: {:?}", stage.entities[body].explain_move_to());
}

/// Ticks until an event of the body's order matches.
fn run_until(stage: &mut Stage, body: usize, max_ticks: usize, matches: impl Fn(&MoveToEvent) -> bool) {
    for _ in 0..max_ticks {
        if stage.story(body).iter().any(&matches) {
            return;
        }
        stage.tick();
    }
    panic!("it has not happened: {:?}", stage.story(body));
}

/// A goal 0.9 m away is out of reach of 0.6 m from centre to centre, but not from the hull, whose radius is 0.48 m. The
/// nodes are made by the flags of the order before, which has ended, so by centres: the body turns to the goal. The move
/// that follows is measured by the order's own flags and is not needed (J8, J12).
#[test]
fn j8_a_body_turns_to_a_goal_that_is_near_enough_for_its_hull() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    for round in 0..2 {
        stage.order_events.clear();
        set_heading(&mut stage, body, 0.0);
        stage.order(body, &go_to(at(60.9, 60.0)));
        stage.run_to_end(body, 120);
        let mut story = stage.story(body);
        story.retain(|event| !matches!(event, MoveToEvent::Waits(_)));
        assert_eq!(story[0], MoveToEvent::Started(MoveKind::MoveToPosition));
        assert!(
            matches!(
                story[1..],
                [MoveToEvent::Turns { turn: RIGHT, .. }, MoveToEvent::Faces(_), MoveToEvent::Arrived]
            ),
            "round {round}: {story:?}"
        );
        assert!(same_heading(stage.heading(body), 90.0));
        assert_eq!(stage.position(body).frame.origin.x, 60.0, "it does not move");
    }
}

/// A goal 1.5 m above the body is where the body is, if the order ignores the height: there is nothing to do.
#[test]
fn a_goal_overhead_is_reached_at_once_if_the_height_does_not_count() {
    let mut above = at(60.0, 60.0);
    above.frame.origin.z += 1.5;
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(body, &Order::walk_to(above));
    assert_eq!(stage.story(body), [MoveToEvent::Started(MoveKind::MoveToPosition), MoveToEvent::Arrived]);
    // By the original's measure it is out of reach.
    stage.order(body, &go_to(above));
    assert!(stage.entities[body].is_moving_to());
    // The measure of one order is not that of the next.
    stage.order(body, &Order::walk_to(above));
    assert!(!stage.entities[body].is_moving_to());
}

/// J15, with the examples of the rule: up to 20 degrees off its course a body walks straight on. Beyond, it turns by the
/// shorter way.
#[test]
fn j15_a_walker_steers_if_it_is_more_than_20_degrees_off_its_course() {
    for (heading, steers) in [
        (10.0, NONE),
        (19.0, NONE),
        (22.0, LEFT),
        (178.0, LEFT),
        (182.0, RIGHT),
        (338.0, RIGHT),
        (341.0, NONE),
        (350.0, NONE),
    ] {
        let mut stage = Stage::new();
        let body = stage.creature(at(60.0, 20.0), 0.0);
        stage.order(body, &go_to(at(60.0, 180.0)));
        run_until_it_walks(&mut stage, body);
        set_heading(&mut stage, body, heading);
        stage.order_events.clear();
        stage.tick();
        let order = stage.entities[body].move_to().unwrap();
        assert_eq!(order.aux_command(), steers, "{heading} degrees");
        let expected: &[MoveToEvent] = if steers == NONE { &[] } else { &[MoveToEvent::Veers(Some(steers))] };
        assert_eq!(stage.story(body), expected, "{heading} degrees");
    }
}

/// It is told once that the body steers, and once that it no longer does.
#[test]
fn j15_a_walker_stops_steering_within_20_degrees_of_its_course() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 20.0), 0.0);
    stage.order(body, &go_to(at(60.0, 180.0)));
    run_until_it_walks(&mut stage, body);
    set_heading(&mut stage, body, 300.0);
    stage.order_events.clear();
    stage.run(60);
    assert_eq!(stage.story(body), [MoveToEvent::Veers(Some(RIGHT)), MoveToEvent::Veers(None)]);
    let off = 360.0 - stage.heading(body);
    assert!((15.0..=20.5).contains(&off), "it stops as soon as it is near enough: {off} degrees");
    assert_eq!(stage.entities[body].interp.interpreted.turn.command, NONE);
}

/// J4, J15: the course away from a target is its bearing and half a turn, wrapped: 225 + 180 is 45 degrees.
#[test]
fn j15_the_course_away_from_a_target_is_wrapped() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let threat = stage.creature(at(58.6, 58.6), 0.0);
    stage.order(body, &flee(stage.guid(threat), 6.0));
    stage.run_to_end(body, 600);
    let veered = |event: &MoveToEvent| matches!(event, MoveToEvent::Veers(Some(_)));
    assert!(stage.story(body).iter().any(veered), "{:?}", stage.story(body));
    let away = stage.position(threat).heading_to(&stage.position(body));
    let error = (stage.heading(body) - away).abs() % 360.0;
    assert!(error.min(360.0 - error) < 45.0, "it faces away from the threat: off by {error}");
}

/// The bearing is 10 degrees, so the course away is 190. From 350 that is 200 to the right, or 160 to the left.
#[test]
fn j15_a_body_that_flees_turns_to_the_shorter_side() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 10.0);
    let (sin, cos) = 10.0_f32.to_radians().sin_cos();
    let threat = stage.creature(at(60.0 + 4.0 * sin, 60.0 + 4.0 * cos), 0.0);
    stage.order(body, &flee(stage.guid(threat), 20.0));
    for (heading, steers) in [(350.0, LEFT), (30.0, RIGHT), (200.0, NONE)] {
        run_until_it_walks(&mut stage, body);
        set_heading(&mut stage, body, heading);
        stage.tick();
        assert_eq!(stage.entities[body].move_to().unwrap().aux_command(), steers, "{heading} degrees");
    }
}

/// J3, J15: a body that is to be neither too far nor too near runs past the outer limit and over the inner one, too. It was
/// on its way there, so it has arrived, and does not back off.
#[test]
fn j15_a_body_that_runs_too_near_has_arrived() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 40.0), 0.0);
    let other = stage.creature(at(60.0, 60.0), 0.0);
    stage.entities[body].interp.my_run_rate = 2.5;
    let params = MovementParams {
        distance_to_object: 1.0,
        min_distance: 0.99,
        ..with_flags(MoveFlags::MOVE_AWAY | MoveFlags::CAN_CHARGE, MoveFlags::empty())
    };
    stage.order(body, &Order::MoveToObject { object: stage.guid(other), params });
    stage.run_to_end(body, 300);
    let moves: Vec<_> =
        stage.story(body).into_iter().filter(|event| matches!(event, MoveToEvent::Moves { .. })).collect();
    assert_eq!(moves, [MoveToEvent::Moves { motion: FORWARD, hold_key: HoldKey::RUN, away: false }]);
    let apart = stage.position(body).distance_to(&stage.position(other)) - 2.0 * RADIUS;
    assert!(apart < 0.99, "{apart} m");
}

/// J3: a body that backs off walks backwards until it is far enough, and its explanation says that it does not run.
#[test]
fn j3_a_body_that_is_too_near_walks_backwards() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let other = stage.creature(at(60.0, 61.5), 180.0);
    let params = MovementParams {
        distance_to_object: 6.0,
        min_distance: 4.0,
        ..with_flags(MoveFlags::MOVE_AWAY, MoveFlags::empty())
    };
    stage.order(body, &Order::MoveToObject { object: stage.guid(other), params });
    run_until_it_walks(&mut stage, body);
    let order = stage.entities[body].move_to().unwrap();
    assert_eq!((order.current_command(), order.is_moving_away()), (BACKWARDS, true));
    let explanation = stage.entities[body].explain_move_to().unwrap();
    assert_eq!((explanation.gait, explanation.runs), (Gait::NearWalk, false));
    assert_eq!(explanation.heading_error, 0.0, "it faces what it backs away from");
    // The next order is no longer one that leads away.
    stage.order(body, &turn(90.0));
    assert!(!stage.entities[body].move_to().unwrap().is_moving_away());
}

/// J3: the pace depends on how far it is to where the body stops, not to the target.
#[test]
fn j3_the_threshold_is_measured_from_where_the_body_stops() {
    let params = MovementParams { distance_to_object: 2.0, ..MovementParams::default() };
    assert_eq!(params.gait(16.9), Gait::NearWalk, "14.9 m to go");
    assert_eq!(params.gait(17.1), Gait::FarRun, "15.1 m to go");
    let walker = with_flags(MoveFlags::empty(), MoveFlags::CAN_RUN);
    let runner = with_flags(MoveFlags::empty(), MoveFlags::CAN_WALK);
    let charger = with_flags(MoveFlags::CAN_CHARGE, MoveFlags::CAN_RUN);
    let gaits = [walker, runner, charger].map(|params| params.gait(20.0));
    assert_eq!(gaits, [Gait::OnlyWalk, Gait::OnlyRun, Gait::Charge]);
}

/// J11, J15: when a move has ended, its command and the turn while moving have, too. The turn to the final heading waits
/// until the body stands.
#[test]
fn j15_a_move_that_has_ended_leaves_no_command_behind() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 40.0), 0.0);
    let params = MovementParams {
        desired_heading: 180.0,
        ..with_flags(MoveFlags::USE_FINAL_HEADING, MoveFlags::empty())
    };
    stage.order(body, &Order::MoveToPosition { position: at(60.0, 60.0), params });
    run_until_it_walks(&mut stage, body);
    // In the step in which it arrives it is off its course, and steers.
    while 60.0 - stage.position(body).frame.origin.y > 0.6 + RADIUS + 0.25 {
        stage.tick();
    }
    set_heading(&mut stage, body, 320.0);
    stage.order_events.clear();
    while stage.entities[body].move_to().unwrap().nodes().len() > 1 {
        stage.tick();
    }
    let story = stage.story(body);
    assert_eq!(story[..2], [MoveToEvent::Veers(Some(RIGHT)), MoveToEvent::Veers(None)], "{story:?}");
    assert!(matches!(story[2..], [MoveToEvent::Waits(_)]), "{story:?}");
    let order = stage.entities[body].move_to().unwrap();
    assert_eq!((order.current_command(), order.aux_command()), (NONE, NONE));
    assert_eq!(order.nodes().collect::<Vec<_>>(), [MoveToNode::Turn(180.0)]);
    stage.run_to_end(body, 300);
    assert!(same_heading(stage.heading(body), 180.0));
}

/// J14: a turn to the left that begins in the step of the arrival leaves its negative speed to the stop of the run, which is
/// refused for it. The run goes on until everything is stopped. A turn to the right does no harm.
#[test]
fn j14_a_runner_that_begins_to_steer_left_as_it_arrives_runs_on() {
    for (heading, then) in [(40.0, RUN), (320.0, READY)] {
        let mut stage = Stage::new();
        let body = stage.creature(at(60.0, 30.0), 0.0);
        let params = MovementParams {
            desired_heading: 180.0,
            ..with_flags(MoveFlags::USE_FINAL_HEADING | MoveFlags::CAN_CHARGE, MoveFlags::empty())
        };
        stage.order(body, &Order::MoveToPosition { position: at(60.0, 60.0), params });
        run_until_it_walks(&mut stage, body);
        assert_eq!(forward(&stage, body), RUN);
        // A step of the run leads from here to within the 0.6 m.
        stage.entities[body].body.position.frame.origin.y = 60.0 - 0.6 - RADIUS - 0.08;
        set_heading(&mut stage, body, heading);
        stage.tick();
        assert_eq!(stage.entities[body].move_to().unwrap().nodes().len(), 1, "it has arrived");
        assert_eq!(forward(&stage, body), then, "{heading} degrees");
        stage.run_to_end(body, 300);
        assert_eq!(forward(&stage, body), READY);
    }
}

/// J16: nor does a turn. The next one waits for a wave, and the turn before does not count as its own.
#[test]
fn j16_a_turn_that_has_ended_leaves_no_command_behind() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let params = MovementParams {
        desired_heading: 30.0,
        ..with_flags(MoveFlags::USE_FINAL_HEADING, MoveFlags::empty())
    };
    stage.order(body, &Order::MoveToPosition { position: at(60.9, 60.0), params });
    stage.run(5);
    play(&mut stage, body, WAVE);
    run_until(&mut stage, body, 120, |event| matches!(event, MoveToEvent::Faces(_)));
    let order = stage.entities[body].move_to().unwrap();
    assert_eq!(order.nodes().collect::<Vec<_>>(), [MoveToNode::Turn(30.0)], "the move is not needed");
    assert_eq!(order.current_command(), NONE);
    assert!(matches!(waits(&stage, body), Some(WaitReason::Motion(_))), "{:?}", waits(&stage, body));
    stage.run_to_end(body, 300);
    assert!(same_heading(stage.heading(body), 30.0));
}

/// J13: the wait is over when the turn begins, although the turn itself may be pending.
#[test]
fn j13_a_body_that_turns_no_longer_waits() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    play(&mut stage, body, WAVE);
    stage.order(body, &turn(170.0));
    assert!(matches!(waits(&stage, body), Some(WaitReason::Motion(_))));
    run_until(&mut stage, body, 300, |event| matches!(event, MoveToEvent::Turns { .. }));
    assert_eq!(waits(&stage, body), None);
    // A wave in the middle of the turn is pending, but the turn goes on.
    play(&mut stage, body, WAVE);
    assert!(stage.entities[body].interp.has_pending());
    assert_eq!(waits(&stage, body), None);
}

/// Each order that has to wait says so.
#[test]
fn j13_each_order_reports_its_own_wait() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    play(&mut stage, body, WAVE);
    stage.order(body, &turn(90.0));
    stage.order(body, &turn(120.0));
    let waited = stage.story(body).into_iter().filter(|event| matches!(event, MoveToEvent::Waits(_))).count();
    assert_eq!(waited, 2, "{:?}", stage.story(body));
}

/// J15.3, Q6: the target is told how long the body needs to arrive, when that is more than a second from what it was told
/// before. A body that stands tells nothing.
#[test]
fn j15_3_a_target_predicts_for_as_long_as_its_hunter_needs() {
    let mut stage = Stage::new();
    let hunter = stage.creature(at(60.0, 10.0), 0.0);
    let prey = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(hunter, &chase(stage.guid(prey)));
    let quantum = |stage: &Stage| stage.entities[prey].targets().unwrap().voyeurs()[0].quantum;
    assert_eq!(quantum(&stage), 0.0, "it starts with none");
    let (mut told, mut last, mut nearest) = (Vec::new(), 0.0, f64::MAX);
    for _ in 0..600 {
        stage.tick();
        if !stage.entities[hunter].is_moving_to() {
            break;
        }
        assert_eq!(stage.entities[hunter].targets().unwrap().quantum(), quantum(&stage));
        let speed = stage.entities[hunter].body.cached_velocity.length();
        if speed <= 0.1 || forward(&stage, hunter) != RUN {
            continue;
        }
        let left = stage.position(hunter).distance_to(&stage.position(prey)) - 2.0 * RADIUS;
        let eta = f64::from(left / speed);
        assert!((eta - quantum(&stage)).abs() <= 1.001, "{eta} s to go, {} s told", quantum(&stage));
        if quantum(&stage) != last {
            assert!((quantum(&stage) - eta).abs() < 1e-3, "what it needs now");
            told.push(quantum(&stage));
            last = quantum(&stage);
        }
        nearest = eta;
    }
    assert!(nearest < 0.5, "{nearest} s");
    assert!(told.len() >= 4, "{told:?}");
    assert!(told[1..].windows(2).all(|pair| pair[0] - pair[1] > 1.0), "a second at least: {told:?}");
}

/// Q6: a body that is held up does not move, so that nothing can be said about its arrival.
#[test]
fn q6_a_body_that_stands_does_not_change_the_prediction() {
    let mut stage = Stage::new();
    let hunter = stage.creature(at(60.0, 30.0), 0.0);
    let prey = stage.creature(at(60.0, 70.0), 0.0);
    stage.build_wall(50.0);
    stage.order(hunter, &chase(stage.guid(prey)));
    stage.run(300);
    assert_eq!(stage.entities[hunter].body.cached_velocity, Vec3::ZERO, "the wall stops it");
    let quantum = stage.entities[prey].targets().unwrap().voyeurs()[0].quantum;
    assert!(quantum > 1.0 && quantum.is_finite(), "the last one: {quantum} s");
}

/// J10: an order that watches nothing is not touched by updates of an object that the body watches for another purpose, and
/// leaves that object as it is (J15.3, J20).
#[test]
fn j10_an_order_to_a_position_and_a_target_do_not_concern_each_other() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 40.0), 0.0);
    let other = stage.creature(at(70.0, 40.0), 90.0);
    let (guid, now) = (stage.guid(other), stage.now);
    stage.order(body, &go_to(at(60.0, 60.0)));
    let info = TargetInfo { object: guid, radius: 0.5, quantum: 0.25, ..TargetInfo::default() };
    stage.act(body, |actor| set_target(actor, info, now));
    play(&mut stage, other, FORWARD);
    stage.run(60);
    assert!(
        target(&stage, body).unwrap().target_position.frame.origin.x > 72.0,
        "it is told where the other is"
    );
    stage.act(other, |actor| actor.teleport_hook());
    assert_eq!(target(&stage, body).unwrap().status, TargetStatus::Teleported);
    stage.run_to_end(body, 600);
    let story = stage.story(body);
    assert!(!story.iter().any(|event| matches!(event, MoveToEvent::TargetUpdated(_))), "{story:?}");
    assert_eq!(story.last(), Some(&MoveToEvent::Arrived));
    assert_eq!(target(&stage, body).map(|target| (target.object, target.quantum)), Some((guid, 0.25)));
    assert_eq!(voyeurs(&stage, other), [stage.guid(body)]);
    // Nor is a turn to a heading.
    stage.order(body, &turn(270.0));
    stage.run_to_end(body, 300);
    assert_eq!(voyeurs(&stage, other), [stage.guid(body)]);
}

/// C15, C16: a body that is teleported or leaves the world no longer watches anything, with an order or without.
#[test]
fn c15_a_body_that_is_gone_watches_nothing() {
    for leave in [
        (|stage, body| stage.act(body, |actor| actor.teleport_hook())) as fn(&mut Stage, usize),
        |stage, body| stage.act(body, |actor| actor.exit_world()),
    ] {
        let mut stage = Stage::new();
        let body = stage.creature(at(60.0, 40.0), 0.0);
        let other = stage.creature(at(70.0, 40.0), 90.0);
        let (guid, now) = (stage.guid(other), stage.now);
        let info = TargetInfo { object: guid, radius: 0.5, ..TargetInfo::default() };
        stage.act(body, |actor| set_target(actor, info, now));
        assert_eq!(voyeurs(&stage, other), [stage.guid(body)]);
        leave(&mut stage, body);
        assert!(target(&stage, body).is_none());
        assert!(voyeurs(&stage, other).is_empty());
    }
}

/// I11: updates are passed on only for the purpose 0.
#[test]
fn i11_a_target_of_another_context_does_not_reach_the_order() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 40.0), 0.0);
    let other = stage.creature(at(70.0, 40.0), 90.0);
    let (guid, now) = (stage.guid(other), stage.now);
    stage.order(body, &chase(guid));
    stage.order_events.clear();
    let info = TargetInfo { context: 3, object: guid, radius: 0.5, ..TargetInfo::default() };
    stage.act(body, |actor| set_target(actor, info, now));
    assert_eq!(target(&stage, body).unwrap().status, TargetStatus::Ok, "the other has answered");
    assert!(stage.story(body).is_empty(), "{:?}", stage.story(body));
}

/// I11: an order to nothing fails at once.
#[test]
fn i11_an_order_to_no_object_times_out_at_once() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    for (order, kind) in
        [(chase(Guid::NONE), MoveKind::MoveToObject), (face(Guid::NONE), MoveKind::TurnToObject)]
    {
        stage.order_events.clear();
        stage.order(body, &order);
        let failed = MoveToEvent::Failed(MotionError::NoObject);
        let told = MoveToEvent::TargetUpdated(TargetStatus::TimedOut);
        assert_eq!(stage.story(body), [MoveToEvent::Started(kind), told, failed]);
    }
}

/// J10: updates do not change a turn under way.
#[test]
fn j10_a_turn_to_an_object_ends_where_the_object_was() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 180.0);
    let other = stage.creature(at(80.0, 60.0), 0.0);
    play(&mut stage, other, FORWARD);
    stage.run(15);
    let seen = stage.position(other);
    let bearing = stage.position(body).heading_to(&seen);
    stage.order(body, &face(stage.guid(other)));
    assert_eq!(*stage.entities[body].move_to().unwrap().target_position(), seen);
    stage.run_to_end(body, 300);
    assert!(stage.position(other).distance_to(&seen) > 1.0);
    assert!(same_heading(stage.heading(body), bearing), "{} is not {bearing}", stage.heading(body));
}

/// J9: until the object answers, the goal of a turn has the desired heading. It is lost then (Q6).
#[test]
fn j9_a_turn_to_an_unknown_object_keeps_the_desired_heading() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let params = MovementParams { desired_heading: 75.0, ..MovementParams::default() };
    stage.order(body, &Order::TurnToObject { object: UNKNOWN, params });
    let order = stage.entities[body].move_to().unwrap();
    assert!(same_heading(order.target_position().frame.heading(), 75.0));
    assert_eq!((order.object(), order.is_initialized()), (Some(UNKNOWN), false));
}

/// J2: nothing of an order is left when the next one begins.
#[test]
fn j2_an_order_starts_without_what_the_last_one_left() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let other = stage.creature(at(60.0, 80.0), 0.0);
    stage.order(body, &chase(stage.guid(other)));
    run_until_it_walks(&mut stage, body);
    let order = stage.entities[body].move_to().unwrap();
    assert_eq!((order.object(), order.is_initialized()), (Some(stage.guid(other)), true));
    stage.order(body, &turn(90.0));
    let order = stage.entities[body].move_to().unwrap();
    assert_eq!((order.object(), order.is_initialized()), (None, false));
    assert_eq!((order.aux_command(), order.is_moving_away()), (NONE, false));
    assert_eq!(*order.target_position(), CellPosition::default(), "a turn to a heading has no goal");
    stage.run_to_end(body, 300);

    // The heading of that turn does not count for a turn to an object (J9).
    let bearing = stage.position(body).heading_to(&stage.position(other));
    stage.order(body, &face(stage.guid(other)));
    stage.run_to_end(body, 300);
    assert!(same_heading(stage.heading(body), bearing), "{}", stage.heading(body));
}

/// J2, J17: a body that was held up for a while is not held up in its next order.
#[test]
fn j2_a_new_order_is_not_held_up_by_the_last_one() {
    let mut stage = Stage::new();
    stage.build_wall(65.0);
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(body, &go_to(at(60.0, 80.0)));
    stage.run(240);
    assert_eq!(waits(&stage, body), Some(WaitReason::Progress));
    stage.order(body, &turn(180.0));
    run_until(&mut stage, body, 120, |event| matches!(event, MoveToEvent::Turns { heading: 180.0, .. }));
    assert_eq!(waits(&stage, body), None);
}

/// J7, J15: the fail distance is measured from where the order began.
#[test]
fn j15_an_order_to_an_object_fails_beyond_the_fail_distance() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 40.0), 0.0);
    stage.order(body, &go_to(at(60.0, 50.0)));
    stage.run_to_end(body, 300);
    let other = stage.creature(at(60.0, 90.0), 0.0);
    let start = stage.position(body);
    let params = MovementParams { fail_distance: 5.0, ..MovementParams::default() };
    stage.order(body, &Order::MoveToObject { object: stage.guid(other), params });
    stage.run_to_end(body, 300);
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Failed(MotionError::TooFar)));
    let distance = stage.position(body).distance_to(&start);
    assert!((5.0..6.5).contains(&distance), "{distance}");
    assert_eq!(forward(&stage, body), READY, "it stands");
}

/// J9, J11, J20: a turn that leaves a run alone ends it all the same, when it is over and when it is cancelled.
#[test]
fn j11_the_end_of_an_order_stops_everything() {
    for timeout in [None, Some(0.5)] {
        let mut stage = Stage::new();
        let body = stage.creature(at(60.0, 40.0), 0.0);
        play(&mut stage, body, RUN);
        stage.run(45);
        let params = MovementParams {
            desired_heading: 170.0,
            limits: OrderLimits { timeout, ..OrderLimits::NONE },
            ..with_flags(MoveFlags::empty(), MoveFlags::STOP_COMPLETELY)
        };
        stage.order(body, &Order::TurnToHeading { params });
        stage.run(5);
        assert_eq!(forward(&stage, body), RUN, "the run goes on while it turns");
        stage.run_to_end(body, 300);
        let ended = timeout.map_or(MoveToEvent::Arrived, |_| MoveToEvent::GaveUp(Unreachable::TimedOut));
        assert_eq!(stage.story(body).last(), Some(&ended));
        assert_eq!(forward(&stage, body), READY, "{ended:?}");
    }
}

/// J18: how the distance of an order is measured, and that the explanation says so.
#[test]
fn j18_an_explanation_names_the_measure_of_the_distance() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let raised = |metres: f32| {
        let mut goal = at(60.0, 70.0);
        goal.frame.origin.z += metres;
        goal
    };
    let centres = with_flags(MoveFlags::empty(), MoveFlags::USE_SPHERES);
    for (order, measure, distance) in [
        (go_to(raised(0.0)), DistanceMeasure::Hulls, 10.0 - RADIUS),
        (Order::walk_to(raised(1.5)), DistanceMeasure::Level, 10.0 - RADIUS),
        (Order::walk_to(raised(1.9)), DistanceMeasure::Level, 10.0 - RADIUS),
        (Order::walk_to(raised(-1.9)), DistanceMeasure::Level, 10.0 - RADIUS),
        (Order::MoveToPosition { position: raised(7.5), params: centres }, DistanceMeasure::Centres, 12.5),
        (
            Order::MoveToPosition {
                position: raised(1.9),
                params: MovementParams { ignores_height: true, ..centres },
            },
            DistanceMeasure::Level,
            10.0,
        ),
    ] {
        stage.order(body, &order);
        let explanation = stage.entities[body].explain_move_to().unwrap();
        assert_eq!(explanation.measure, measure, "{order:?}");
        assert!((explanation.distance - distance).abs() < 0.02, "{} is not {distance}", explanation.distance);
    }
    // Two metres up is another storey: the height counts, whatever the order says.
    stage.order(body, &Order::walk_to(raised(-2.1)));
    let explanation = stage.entities[body].explain_move_to().unwrap();
    assert_eq!(explanation.measure, DistanceMeasure::Hulls);
    let plain = explanation.distance;
    assert!(plain > 10.0 - RADIUS, "{plain}");
}

/// The angle to the heading of a turn, negative to the left, and to the course of a body that moves.
#[test]
fn an_explanation_tells_the_angle_that_is_left() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 20.0), 10.0);
    for (heading, error) in [(350.0, -20.0), (100.0, 90.0), (189.0, 179.0), (191.0, -179.0)] {
        stage.order(body, &turn(heading));
        let explanation = stage.entities[body].explain_move_to().unwrap();
        assert_eq!(explanation.node, Some(MoveToNode::Turn(heading)));
        assert!(
            (explanation.heading_error - error).abs() < 0.01,
            "{} is not {error}",
            explanation.heading_error
        );
    }
    stage.order(body, &go_to(at(60.0, 180.0)));
    run_until_it_walks(&mut stage, body);
    set_heading(&mut stage, body, 15.0);
    let explanation = stage.entities[body].explain_move_to().unwrap();
    assert!((explanation.heading_error + 15.0).abs() < 0.1, "{}", explanation.heading_error);
}
