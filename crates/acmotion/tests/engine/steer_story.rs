//! Bodies that follow orders, tick by tick (`docs/behaviour.md` I10, I11, J).

use crate::steer_support;

use acmotion::components::{MoveKind, MoveToNode, MovementParams, Order, PhysicsState, TargetStatus};
use acmotion::explain::{DistanceMeasure, WaitReason};
use acmotion::internals::interp::MoveFlags;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{HoldKey, MotionError, MoveToEvent, Unreachable};
use steer_support::{RADIUS, Stage, at, same_heading};

const RIGHT: MotionCommand = MotionCommand::TURN_RIGHT;
const LEFT: MotionCommand = MotionCommand::TURN_LEFT;
const FORWARD: MotionCommand = MotionCommand::WALK_FORWARD;

fn turn(heading: f32) -> Order {
    Order::TurnToHeading { params: MovementParams { desired_heading: heading, ..MovementParams::default() } }
}

fn go_to(position: CellPosition) -> Order {
    Order::MoveToPosition { position, params: MovementParams::default() }
}

/// An order to go to an object, with additional flags.
fn chase(object: Guid, flags: MoveFlags) -> Order {
    let mut params = MovementParams::default();
    params.flags.insert(flags);
    Order::MoveToObject { object, params }
}

/// Also through north (rules J13, J16).
#[test]
fn a_turn_takes_the_shorter_direction_and_ends_exactly() {
    for (from, to, direction) in
        [(350.0, 10.0, RIGHT), (10.0, 350.0, LEFT), (100.0, 281.0, LEFT), (100.0, 279.0, RIGHT)]
    {
        let mut stage = Stage::new();
        let body = stage.creature(at(60.0, 60.0), from);
        let origin = stage.position(body).frame.origin;
        stage.order(body, &turn(to));
        assert_eq!(
            stage.story(body),
            [
                MoveToEvent::Started(MoveKind::TurnToHeading),
                MoveToEvent::Turns { turn: direction, heading: to }
            ],
            "no motion is pending, so it turns at once"
        );
        stage.run_to_end(body, 120);
        assert!(same_heading(stage.heading(body), to), "{from} to {to}: {}", stage.heading(body));
        assert_eq!(stage.position(body).frame.origin, origin, "it turns on the spot");
        assert_eq!(stage.story(body)[2..], [MoveToEvent::Faces(to), MoveToEvent::Arrived]);
        let state = &stage.entities[body].interp.interpreted;
        assert_eq!(state.turn.command, MotionCommand::NONE, "the turn has ended");
    }
}

#[test]
fn a_turn_to_the_current_heading_ends_at_once() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 90.0);
    stage.order(body, &turn(90.0));
    assert_eq!(stage.story(body), [MoveToEvent::Started(MoveKind::TurnToHeading), MoveToEvent::Arrived]);
}

/// Rule J13.
#[test]
fn a_turn_waits_for_a_pending_motion() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let wave = MotionCommand(0x1300_0087);
    stage.act(body, |actor| {
        actor.do_interpreted_motion(wave, &MovementParams::default()).unwrap();
    });
    stage.order(body, &turn(90.0));
    assert!(matches!(stage.story(body)[1], MoveToEvent::Waits(_)));
    let explanation = stage.entities[body].explain_move_to().unwrap();
    assert!(matches!(explanation.waits, Some(WaitReason::Motion(_))), "{explanation:?}");
    assert_eq!((explanation.node, explanation.heading_error), (Some(MoveToNode::Turn(90.0)), 90.0));
    stage.run(5);
    assert_eq!(stage.story(body).len(), 2, "waiting is reported once");
    stage.run_to_end(body, 300);
    assert!(same_heading(stage.heading(body), 90.0));
}

/// Distances and bearings work across them (rule A12).
#[test]
fn a_patrol_crosses_landblock_borders() {
    let mut stage = Stage::new();
    let corner = |cell, x, y| CellPosition::at(CellId(cell), Vec3::new(x, y, 0.005));
    let route = [
        corner(0xAAB4_0008, 4.0, 187.0),
        corner(0xAAB5_0001, 4.0, 4.0),
        corner(0xA9B5_0039, 187.0, 4.0),
        corner(0xA9B4_0040, 187.0, 187.0),
    ];
    let body = stage.creature(route[3], 45.0);
    for goal in &route {
        stage.order(body, &go_to(*goal));
        stage.run_to_end(body, 600);
        stage.run(30);
        let own = stage.position(body);
        assert_eq!(own.cell.block(), goal.cell.block(), "it is in the landblock of its goal");
        assert!(own.distance_to(goal) <= 0.6 + RADIUS, "{}", own.distance_to(goal));
    }
    let failed = |event: &MoveToEvent| matches!(event, MoveToEvent::Failed(_));
    assert!(!stage.story(body).iter().any(failed));
}

/// At a position it is the desired heading, at an object the bearing plus the desired heading (rules J8, J10, Q6).
#[test]
fn an_order_ends_at_the_final_heading() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let mut params = MovementParams { desired_heading: 200.0, ..MovementParams::default() };
    params.flags.insert(MoveFlags::USE_FINAL_HEADING);
    stage.order(body, &Order::MoveToPosition { position: at(60.0, 64.0), params });
    stage.run_to_end(body, 300);
    assert!(same_heading(stage.heading(body), 200.0));

    let other = stage.creature(at(68.0, 64.0), 0.0);
    let bearing = stage.position(body).heading_to(&stage.position(other));
    stage.order(body, &Order::MoveToObject { object: stage.guid(other), params });
    stage.run_to_end(body, 300);
    assert!(same_heading(stage.heading(body), bearing + 200.0), "{}", stage.heading(body));

    let bearing = stage.position(body).heading_to(&stage.position(other));
    stage.order(body, &Order::TurnToObject { object: stage.guid(other), params });
    stage.run_to_end(body, 300);
    assert!(same_heading(stage.heading(body), bearing), "a turn to an object ignores the desired heading");
}

/// It first turns *towards* the object, and turns round only while it walks (rule J15, table O8).
#[test]
fn a_body_moves_away_from_an_object() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 90.0);
    let threat = stage.creature(at(60.0, 62.0), 180.0);
    let mut params = MovementParams { min_distance: 6.0, ..MovementParams::default() };
    params.flags.remove(MoveFlags::MOVE_TOWARDS);
    params.flags.insert(MoveFlags::MOVE_AWAY);
    stage.order(body, &Order::MoveToObject { object: stage.guid(threat), params });
    let nodes: Vec<MoveToNode> = stage.entities[body].move_to().unwrap().nodes().collect();
    assert!(
        matches!(nodes[..], [MoveToNode::Turn(heading), MoveToNode::Move] if same_heading(heading, 0.0)),
        "{nodes:?}"
    );
    stage.run_to_end(body, 600);
    let story = stage.story(body);
    assert!(story.contains(&MoveToEvent::Moves { motion: FORWARD, hold_key: HoldKey::NONE, away: true }));
    assert!(story.iter().any(|event| matches!(event, MoveToEvent::Veers(Some(_)))), "{story:?}");
    let apart = stage.position(body).distance_to(&stage.position(threat)) - 2.0 * RADIUS;
    assert!(apart >= 6.0, "{apart}");
    let away = stage.position(threat).heading_to(&stage.position(body));
    let error = (stage.heading(body) - away).abs() % 360.0;
    assert!(error.min(360.0 - error) < 45.0, "it does not face away from the threat: off by {error}");
}

/// Without turning round (rules J3, J4).
#[test]
fn a_body_that_is_too_near_backs_away() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let other = stage.creature(at(60.0, 61.5), 180.0);
    let mut params =
        MovementParams { distance_to_object: 6.0, min_distance: 4.0, ..MovementParams::default() };
    params.flags.insert(MoveFlags::MOVE_AWAY);
    stage.order(body, &Order::MoveToObject { object: stage.guid(other), params });
    stage.run_to_end(body, 600);
    assert!(same_heading(stage.heading(body), 0.0), "{}", stage.heading(body));
    let apart = stage.position(body).distance_to(&stage.position(other)) - 2.0 * RADIUS;
    assert!((4.0..6.0).contains(&apart), "{apart}");
}

/// For at most a second (rules J11, I10).
#[test]
fn a_chase_with_the_sticky_flag_ends_in_sticking() {
    let mut stage = Stage::new();
    let hunter = stage.creature(at(60.0, 40.0), 180.0);
    let prey = stage.creature(at(60.0, 60.0), 0.0);
    stage.entities[hunter].interp.my_run_rate = 2.0;
    stage.act(prey, |actor| actor.do_interpreted_motion(FORWARD, &MovementParams::default()).unwrap());
    stage.order(hunter, &chase(stage.guid(prey), MoveFlags::STICKY | MoveFlags::CAN_CHARGE));
    assert_eq!(stage.entities[hunter].move_to().unwrap().object(), Some(stage.guid(prey)));
    stage.run_to_end(hunter, 900);
    let story = stage.story(hunter);
    let runs = MoveToEvent::Moves { motion: FORWARD, hold_key: HoldKey::RUN, away: false };
    assert!(story.contains(&runs));
    assert!(story.iter().filter(|event| **event == MoveToEvent::TargetUpdated(TargetStatus::Ok)).count() > 2);
    assert!(story.ends_with(&[MoveToEvent::Arrived, MoveToEvent::Sticks(stage.guid(prey))]), "{story:?}");
    assert!(stage.entities[hunter].correction.is_stuck());
    stage.run(15);
    let (own, other) = (stage.position(hunter), stage.position(prey));
    let gap = own.distance_to(&other) - 2.0 * RADIUS;
    assert!((gap - 0.3).abs() < 0.25, "it does not keep the gap: {gap}");
    assert!(same_heading(own.frame.heading(), own.heading_to(&other)) || gap < 0.6);
    stage.run(20);
    assert!(!stage.entities[hunter].correction.is_stuck(), "after a second");
    assert!(stage.entities[prey].targets().unwrap().voyeurs().is_empty(), "it is still being watched");
}

#[test]
fn a_target_that_runs_in_circles_is_reached() {
    let mut stage = Stage::new();
    let hunter = stage.creature(at(60.0, 40.0), 0.0);
    let prey = stage.creature(at(60.0, 60.0), 90.0);
    stage.entities[hunter].interp.my_run_rate = 2.5;
    stage.act(prey, |actor| {
        actor.do_interpreted_motion(FORWARD, &MovementParams::default()).unwrap();
        actor.do_interpreted_motion(RIGHT, &MovementParams::default().at_speed(0.5)).unwrap();
    });
    stage.order(hunter, &chase(stage.guid(prey), MoveFlags::CAN_CHARGE));
    stage.run_to_end(hunter, 1800);
    let story = stage.story(hunter);
    assert!(
        story.iter().any(|event| matches!(event, MoveToEvent::Veers(Some(_)))),
        "it did not turn while running"
    );
    assert_eq!(story.last(), Some(&MoveToEvent::Arrived));
}

/// Rules J6 and J20.
#[test]
fn a_new_order_cancels_the_current_one_once() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(body, &turn(170.0));
    stage.run(10);
    let half_way = stage.heading(body);
    assert!((5.0..165.0).contains(&half_way));
    stage.order(body, &turn(300.0));
    let failures = |stage: &Stage| {
        let failed = |event: &MoveToEvent| *event == MoveToEvent::Failed(MotionError::ActionCancelled);
        stage.story(body).iter().filter(|event| failed(event)).count()
    };
    assert_eq!(failures(&stage), 1);
    stage.run_to_end(body, 240);
    assert!(same_heading(stage.heading(body), 300.0));
    assert_eq!(failures(&stage), 1, "an order that has ended is not cancelled again");
    stage.act(body, |actor| {
        let _ = actor.stop_completely();
    });
    assert_eq!(failures(&stage), 1);
}

/// Rule F6.
#[test]
fn stop_completely_cancels_an_order() {
    let mut stage = Stage::new();
    let (body, other) = (stage.creature(at(60.0, 60.0), 0.0), stage.creature(at(60.0, 90.0), 0.0));
    stage.order(body, &chase(stage.guid(other), MoveFlags::empty()));
    stage.run(30);
    stage.act(body, |actor| {
        let _ = actor.stop_completely();
    });
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Failed(MotionError::ActionCancelled)));
    assert!(stage.entities[other].targets().unwrap().voyeurs().is_empty());
    assert_eq!(stage.entities[body].interp.interpreted.forward.command, MotionCommand::READY);
}

/// It is not cancelled (rules J15, J17).
#[test]
fn an_order_blocked_by_a_wall_waits_for_progress() {
    let mut stage = Stage::new();
    stage.build_wall(65.0);
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(body, &go_to(at(60.0, 80.0)));
    stage.run(600);
    let explanation = stage.entities[body].explain_move_to().unwrap();
    assert_eq!(explanation.node, Some(MoveToNode::Move), "{explanation:?}");
    assert_eq!(explanation.waits, Some(WaitReason::Progress), "{explanation:?}");
    assert!(stage.position(body).frame.origin.y <= 65.0);
    assert!(!stage.story(body).iter().any(|event| matches!(event, MoveToEvent::Failed(_))));
}

/// A blocked body therefore does not wait for progress while its target moves (rule J10).
#[test]
fn each_update_of_the_target_restarts_the_measurement_of_progress() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let other = stage.creature(at(60.0, 80.0), 90.0);
    stage.build_wall(65.0);
    stage.order(body, &chase(stage.guid(other), MoveFlags::empty()));
    stage.run(300);
    let waits = |stage: &Stage| stage.entities[body].explain_move_to().unwrap().waits;
    assert_eq!(waits(&stage), Some(WaitReason::Progress));
    stage.act(other, |actor| actor.do_interpreted_motion(FORWARD, &MovementParams::default()).unwrap());
    let earlier = stage.order_events.len();
    let is_updated = (0..60).any(|_| {
        stage.tick();
        stage.order_events.len() > earlier
    });
    assert!(is_updated, "a moving target sends updates twice a second");
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::TargetUpdated(TargetStatus::Ok)));
    for _ in 0..25 {
        stage.tick();
        assert_eq!(waits(&stage), None);
    }
}

/// Rule J8.
#[test]
fn an_order_to_a_position_ignores_the_sticky_flag() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let mut params = MovementParams::default();
    params.flags.insert(MoveFlags::STICKY);
    stage.order(body, &Order::MoveToPosition { position: at(60.0, 65.0), params });
    stage.run_to_end(body, 300);
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Arrived));
}

/// Rule J15.
#[test]
fn an_order_fails_beyond_the_fail_distance() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let params = MovementParams { fail_distance: 5.0, ..MovementParams::default() };
    stage.order(body, &Order::MoveToPosition { position: at(60.0, 90.0), params });
    stage.run_to_end(body, 300);
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Failed(MotionError::TooFar)));
    let distance = stage.position(body).distance_to(&at(60.0, 60.0));
    assert!((5.0..6.5).contains(&distance), "{distance}");
}

/// In the air it does not continue (rule J19).
#[test]
fn an_order_restarts_its_node_after_a_landing() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.entities[body].body.state.insert(PhysicsState::GRAVITY);
    stage.order(body, &go_to(at(60.0, 75.0)));
    stage.run(90);
    let now = stage.now;
    stage.entities[body].body.set_velocity(Vec3::new(3.0, 0.0, 5.0), now);
    stage.run(5);
    assert!(!stage.entities[body].body.is_standing());
    let explanation = stage.entities[body].explain_move_to().unwrap();
    assert_eq!(explanation.waits, Some(WaitReason::Ground), "{explanation:?}");
    let starts = |stage: &Stage| {
        let is_start = |event: &&MoveToEvent| matches!(event, MoveToEvent::Moves { .. });
        stage.story(body).iter().filter(is_start).count()
    };
    assert_eq!(starts(&stage), 1);
    stage.run_to_end(body, 900);
    assert_eq!(starts(&stage), 2, "it started to move again after the landing");
    assert!(stage.position(body).distance_to(&at(60.0, 75.0)) <= 0.6 + RADIUS + 0.1);
}

/// Rules I11 and J10.
#[test]
fn an_order_fails_when_its_target_leaves_or_is_teleported() {
    let outcome = |change: fn(&mut Stage, usize)| {
        let mut stage = Stage::new();
        let hunter = stage.creature(at(60.0, 60.0), 0.0);
        let prey = stage.creature(at(60.0, 90.0), 0.0);
        stage.order(hunter, &chase(stage.guid(prey), MoveFlags::empty()));
        stage.run(20);
        change(&mut stage, prey);
        stage.run(20);
        assert!(!stage.entities[hunter].is_moving_to());
        assert_eq!(
            stage.entities[hunter].interp.interpreted.forward.command,
            MotionCommand::READY,
            "it stands"
        );
        stage.story(hunter).last().copied()
    };
    let gone = Some(MoveToEvent::Failed(MotionError::ObjectGone));
    assert_eq!(outcome(|stage, prey| stage.remove(prey)), gone, "the target leaves the world");
    let teleported = outcome(|stage, prey| stage.act(prey, |actor| actor.teleport_hook()));
    assert_eq!(teleported, gone, "the target is teleported");
}

/// After ten seconds (rule I11).
#[test]
fn an_order_to_an_unknown_object_times_out() {
    let mut stage = Stage::new();
    let hunter = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(hunter, &chase(Guid(0x7000_0001), MoveFlags::empty()));
    stage.run(270);
    let explanation = stage.entities[hunter].explain_move_to().unwrap();
    assert_eq!((explanation.node, explanation.waits), (None, Some(WaitReason::Target)));
    stage.run(60);
    assert_eq!(stage.story(hunter).last(), Some(&MoveToEvent::Failed(MotionError::NoObject)));
}

/// Rule J7.
#[test]
fn an_order_to_the_body_itself_ends_at_once() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(body, &chase(stage.guid(body), MoveFlags::empty()));
    assert!(!stage.entities[body].is_moving_to());
    let ended = MoveToEvent::GaveUp(Unreachable::Itself);
    assert_eq!(stage.story(body), [MoveToEvent::Started(MoveKind::MoveToObject), ended]);
}

/// `docs/recorded.md`: with the run key the first turn takes 31 animation frames of 0.05 rad for 1.55 rad, and ends exactly
/// at the bearing. Then the player runs, and stops within 0.6 m.
#[test]
fn a_player_approaches_an_object_as_recorded() {
    let mut stage = Stage::new();
    let player = stage.runner(110, at(60.0, 60.0), 170.4009);
    let bearing = 259.3_f32;
    let (sin, cos) = bearing.to_radians().sin_cos();
    let goal = stage.creature(at(60.0 + 30.0 * sin, 60.0 + 30.0 * cos), 0.0);
    let start = stage.now;
    stage.order(player, &chase(stage.guid(goal), MoveFlags::empty()));
    let bearing = stage.position(player).heading_to(&stage.position(goal));
    let mut headings = Vec::new();
    while stage.entities[player].move_to().unwrap().current_command() != FORWARD {
        stage.tick();
        headings.push(stage.heading(player));
        assert!(headings.len() < 60, "{headings:?}");
    }
    let frame = 0.05_f32.to_degrees();
    let frames: Vec<f32> = headings.iter().map(|heading| (heading - 170.4009) / frame).collect();
    let (snapped, turning) = frames.split_last().unwrap();
    for frames in turning {
        assert!((frames - frames.round()).abs() < 0.01, "whole frames only: {frames}");
    }
    assert!(same_heading(*headings.last().unwrap(), bearing), "the exact bearing");
    assert!((31.0..32.0).contains(snapped), "31 frames and a fraction: {snapped}");
    let seconds = stage.now - start;
    assert!((0.6..0.8).contains(&seconds), "{seconds}");

    let explanation = stage.entities[player].explain_move_to().unwrap();
    assert_eq!((explanation.kind, explanation.runs), (MoveKind::MoveToObject, true));
    assert_eq!(explanation.measure, DistanceMeasure::Hulls);
    stage.run_to_end(player, 300);
    let distance = stage.position(player).distance_to(&stage.position(goal)) - 2.0 * RADIUS;
    assert!(distance <= 0.6, "{distance}");
}

/// With turn rate 1.5, 31 animation frames are exactly the recorded 1.55 rad.
#[test]
fn a_turn_with_the_run_key_passes_the_recorded_heading() {
    let mut stage = Stage::new();
    let player = stage.runner(110, at(60.0, 60.0), 170.4009);
    stage.order(player, &turn(300.0));
    let seen = (0..40).any(|_| {
        stage.tick();
        same_heading(stage.heading(player), 259.2093)
    });
    assert!(seen, "170.4009 to 259.2093 degrees, as recorded");
}
