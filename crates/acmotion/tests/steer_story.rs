//! Bodies that are told where to go, tick by tick (`docs/behaviour.md` I10, I11, J).

mod steer_support;

use acmotion::MotionError;
use acmotion::body::PhysicsState;
use acmotion::interp::{HoldKey, MoveFlags, MovementParams};
use acmotion::steer::{DistanceMeasure, MoveKind, MoveToEvent, MoveToNode, Order, TargetStatus, WaitReason};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use steer_support::{RADIUS, Stage, at, same_heading};

const RIGHT: MotionCommand = MotionCommand::TURN_RIGHT;
const LEFT: MotionCommand = MotionCommand::TURN_LEFT;
const FORWARD: MotionCommand = MotionCommand::WALK_FORWARD;

fn turn(heading: f32) -> Order {
    Order::TurnToHeading { params: MovementParams { desired_heading: heading, ..MovementParams::default() } }
}

fn go_to(place: CellPosition) -> Order {
    Order::MoveToPosition { place, params: MovementParams::default() }
}

/// Go to an object, with more allowed than by default.
fn chase(object: Guid, flags: MoveFlags) -> Order {
    let mut params = MovementParams::default();
    params.flags.insert(flags);
    Order::MoveToObject { object, params }
}

/// Through north the shorter way is taken, and the end is exact (rules J13, J16).
#[test]
fn turning_on_the_spot_through_north() {
    for (from, to, way) in
        [(350.0, 10.0, RIGHT), (10.0, 350.0, LEFT), (100.0, 281.0, LEFT), (100.0, 279.0, RIGHT)]
    {
        let mut stage = Stage::new();
        let body = stage.creature(at(60.0, 60.0), from);
        let place = stage.position(body).frame.origin;
        stage.order(body, &turn(to));
        assert_eq!(
            stage.story(body),
            [MoveToEvent::Started(MoveKind::TurnToHeading), MoveToEvent::Turns { turn: way, heading: to }],
            "nothing is waited for, so it turns at once"
        );
        stage.run_to_end(body, 120);
        assert!(same_heading(stage.heading(body), to), "{from} to {to}: {}", stage.heading(body));
        assert_eq!(stage.position(body).frame.origin, place, "it stayed where it was");
        assert_eq!(stage.story(body)[2..], [MoveToEvent::Faces(to), MoveToEvent::Arrived]);
        let state = &stage.entities[body].interp.interpreted;
        assert_eq!(state.turn.command, MotionCommand::NONE, "and it turns no more");
    }
}

/// A heading it has already needs no turn.
#[test]
fn a_turn_to_where_it_looks_is_over_at_once() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 90.0);
    stage.order(body, &turn(90.0));
    assert_eq!(stage.story(body), [MoveToEvent::Started(MoveKind::TurnToHeading), MoveToEvent::Arrived]);
}

/// While a motion plays, a turn waits for it (rule J13).
#[test]
fn a_turn_waits_for_what_plays() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let wave = MotionCommand(0x1300_0087);
    stage.act(body, |actor| {
        actor.do_interpreted_motion(wave, &MovementParams::default()).unwrap();
    });
    stage.order(body, &turn(90.0));
    assert!(matches!(stage.story(body)[1], MoveToEvent::Waits(_)));
    let why = stage.entities[body].explain_move_to().unwrap();
    assert!(matches!(why.waits, Some(WaitReason::Motion(_))), "{why:?}");
    assert_eq!((why.node, why.heading_error), (Some(MoveToNode::Turn(90.0)), 90.0));
    stage.run(5);
    assert_eq!(stage.story(body).len(), 2, "that is said once");
    stage.run_to_end(body, 300);
    assert!(same_heading(stage.heading(body), 90.0));
}

/// An NPC's round leads through four landblocks: distances and bearings do not care (rule A12).
#[test]
fn a_patrol_across_landblock_borders() {
    let mut stage = Stage::new();
    let corner = |cell, x, y| CellPosition::at(CellId(cell), Vec3::new(x, y, 0.005));
    let round = [
        corner(0xAAB4_0008, 4.0, 187.0),
        corner(0xAAB5_0001, 4.0, 4.0),
        corner(0xA9B5_0039, 187.0, 4.0),
        corner(0xA9B4_0040, 187.0, 187.0),
    ];
    let body = stage.creature(round[3], 45.0);
    for place in &round {
        stage.order(body, &go_to(*place));
        stage.run_to_end(body, 600);
        stage.run(30);
        let own = stage.position(body);
        assert_eq!(own.cell.block(), place.cell.block(), "it is in that landblock by now");
        assert!(own.distance_to(place) <= 0.6 + RADIUS, "{}", own.distance_to(place));
    }
    let failed = |event: &MoveToEvent| matches!(event, MoveToEvent::Failed(_));
    assert!(!stage.story(body).iter().any(failed));
}

/// At the end it looks where it shall: to a place as said, to an object seen from its bearing (rules J8, J10, Q6).
#[test]
fn final_headings() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let mut params = MovementParams { desired_heading: 200.0, ..MovementParams::default() };
    params.flags.insert(MoveFlags::USE_FINAL_HEADING);
    stage.order(body, &Order::MoveToPosition { place: at(60.0, 64.0), params });
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
    assert!(same_heading(stage.heading(body), bearing), "what is desired does not count here");
}

/// It first turns *to* what it shall get away from, and only turns round while it walks (rules J15, O8).
#[test]
fn moving_away() {
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
    let off = (stage.heading(body) - away).abs() % 360.0;
    assert!(off.min(360.0 - off) < 45.0, "it looks away from the threat: off by {off}");
}

/// Too near, it backs off without turning round (rules J3, J4).
#[test]
fn backing_off() {
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

/// A creature runs down one that walks away from it, and then sticks to it for a second at most (rules J11, I10).
#[test]
fn chasing_one_that_flees_and_sticking_to_it() {
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
    assert!(story.iter().filter(|event| **event == MoveToEvent::TargetTold(TargetStatus::Ok)).count() > 2);
    assert!(story.ends_with(&[MoveToEvent::Arrived, MoveToEvent::Sticks(stage.guid(prey))]), "{story:?}");
    assert!(stage.entities[hunter].correction.is_stuck());
    stage.run(15);
    let (own, other) = (stage.position(hunter), stage.position(prey));
    let gap = own.distance_to(&other) - 2.0 * RADIUS;
    assert!((gap - 0.3).abs() < 0.25, "it keeps at its heels: {gap}");
    assert!(same_heading(own.frame.heading(), own.heading_to(&other)) || gap < 0.6);
    stage.run(20);
    assert!(!stage.entities[hunter].correction.is_stuck(), "a second is over");
    assert!(stage.entities[prey].targets().unwrap().voyeurs().is_empty(), "and nobody is watched any more");
}

/// One that runs in circles is followed and reached all the same.
#[test]
fn chasing_one_that_circles() {
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
    assert!(story.iter().any(|event| matches!(event, MoveToEvent::Veers(Some(_)))), "it turned while it ran");
    assert_eq!(story.last(), Some(&MoveToEvent::Arrived));
}

/// A new order ends the old one, once, and begins by itself (`docs/figures.md` 4).
#[test]
fn an_order_replaced_in_the_middle_of_a_turn() {
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
    assert_eq!(failures(&stage), 1, "an order that has ended does not end again");
    stage.act(body, |actor| {
        let _ = actor.stop_completely();
    });
    assert_eq!(failures(&stage), 1);
}

/// Standing still ends an order (rule F6).
#[test]
fn standing_still_ends_an_order() {
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

/// A wall in the way: it runs on the spot and never gives up, but knows that it does not get on (rules J15, J17).
#[test]
fn blocked_by_a_wall() {
    let mut stage = Stage::new();
    stage.build_wall(65.0);
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(body, &go_to(at(60.0, 80.0)));
    stage.run(600);
    let why = stage.entities[body].explain_move_to().unwrap();
    assert_eq!((why.node, why.waits), (Some(MoveToNode::Move), Some(WaitReason::Progress)), "{why:?}");
    assert!(stage.position(body).frame.origin.y <= 65.0);
    assert!(!stage.story(body).iter().any(|event| matches!(event, MoveToEvent::Failed(_))));
}

/// To one that moves a body never seems to get nowhere: with each word of it the way begins anew (rule J10).
#[test]
fn blocked_on_the_way_to_one_that_moves() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let other = stage.creature(at(60.0, 80.0), 90.0);
    stage.build_wall(65.0);
    stage.order(body, &chase(stage.guid(other), MoveFlags::empty()));
    stage.run(300);
    let waits = |stage: &Stage| stage.entities[body].explain_move_to().unwrap().waits;
    assert_eq!(waits(&stage), Some(WaitReason::Progress));
    stage.act(other, |actor| actor.do_interpreted_motion(FORWARD, &MovementParams::default()).unwrap());
    let told = stage.told.len();
    let is_told = (0..60).any(|_| {
        stage.tick();
        stage.told.len() > told
    });
    assert!(is_told, "one that moves is heard of twice a second");
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::TargetTold(TargetStatus::Ok)));
    for _ in 0..25 {
        stage.tick();
        assert_eq!(waits(&stage), None);
    }
}

/// At a place there is nothing to stick to (rule J8).
#[test]
fn no_sticking_to_a_place() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let mut params = MovementParams::default();
    params.flags.insert(MoveFlags::STICKY);
    stage.order(body, &Order::MoveToPosition { place: at(60.0, 65.0), params });
    stage.run_to_end(body, 300);
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Arrived));
}

/// Farther from where it began than it may go, it gives up (rule J15).
#[test]
fn the_fail_distance() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    let params = MovementParams { fail_distance: 5.0, ..MovementParams::default() };
    stage.order(body, &Order::MoveToPosition { place: at(60.0, 90.0), params });
    stage.run_to_end(body, 300);
    assert_eq!(stage.story(body).last(), Some(&MoveToEvent::Failed(MotionError::TooFar)));
    let way = stage.position(body).distance_to(&at(60.0, 60.0));
    assert!((5.0..6.5).contains(&way), "{way}");
}

/// In the air nothing goes on; after the landing the node is begun anew (rule J19).
#[test]
fn knocked_into_the_air_half_way() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.entities[body].body.state.insert(PhysicsState::GRAVITY);
    stage.order(body, &go_to(at(60.0, 75.0)));
    stage.run(90);
    let now = stage.now;
    stage.entities[body].body.set_velocity(Vec3::new(3.0, 0.0, 5.0), now);
    stage.run(5);
    assert!(!stage.entities[body].body.is_standing());
    let why = stage.entities[body].explain_move_to().unwrap();
    assert_eq!(why.waits, Some(WaitReason::Ground), "{why:?}");
    let begun = |stage: &Stage| {
        let begins = |event: &&MoveToEvent| matches!(event, MoveToEvent::Moves { .. });
        stage.story(body).iter().filter(begins).count()
    };
    assert_eq!(begun(&stage), 1);
    stage.run_to_end(body, 900);
    assert_eq!(begun(&stage), 2, "it began to move again after the landing");
    assert!(stage.position(body).distance_to(&at(60.0, 75.0)) <= 0.6 + RADIUS + 0.1);
}

/// Targets that go away, and what that is called (rules I11, J10).
#[test]
fn targets_that_do_not_stay() {
    let lost = |what: fn(&mut Stage, usize)| {
        let mut stage = Stage::new();
        let hunter = stage.creature(at(60.0, 60.0), 0.0);
        let prey = stage.creature(at(60.0, 90.0), 0.0);
        stage.order(hunter, &chase(stage.guid(prey), MoveFlags::empty()));
        stage.run(20);
        what(&mut stage, prey);
        stage.run(20);
        assert!(!stage.entities[hunter].is_moving_to());
        assert_eq!(
            stage.entities[hunter].interp.interpreted.forward.command,
            MotionCommand::READY,
            "and it stands"
        );
        stage.story(hunter).last().copied()
    };
    let gone = Some(MoveToEvent::Failed(MotionError::ObjectGone));
    assert_eq!(lost(|stage, prey| stage.remove(prey)), gone, "it leaves the world");
    assert_eq!(lost(|stage, prey| stage.act(prey, |actor| actor.teleport_hook())), gone, "it is teleported");
}

/// One that never appears is waited for ten seconds (rule I11).
#[test]
fn a_target_that_never_appears() {
    let mut stage = Stage::new();
    let hunter = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(hunter, &chase(Guid(0x7000_0001), MoveFlags::empty()));
    stage.run(270);
    let why = stage.entities[hunter].explain_move_to().unwrap();
    assert_eq!((why.node, why.waits), (None, Some(WaitReason::Target)));
    stage.run(60);
    assert_eq!(stage.story(hunter).last(), Some(&MoveToEvent::Failed(MotionError::NoObject)));
}

/// To itself a body need not go (rule J7).
#[test]
fn its_own_target() {
    let mut stage = Stage::new();
    let body = stage.creature(at(60.0, 60.0), 0.0);
    stage.order(body, &chase(stage.guid(body), MoveFlags::empty()));
    assert!(!stage.entities[body].is_moving_to());
    assert!(stage.story(body).is_empty());
}

/// `docs/recorded.md`: under the run key the first turn goes by 0.05 rad a frame, 31 of them for 1.55 rad, and ends exactly
/// at the bearing; then the player runs and stops within 0.6 m.
#[test]
fn the_recorded_approach() {
    let mut stage = Stage::new();
    let player = stage.runner(110, at(60.0, 60.0), 170.4009);
    let bearing = 259.3_f32;
    let (sin, cos) = bearing.to_radians().sin_cos();
    let goal = stage.creature(at(60.0 + 30.0 * sin, 60.0 + 30.0 * cos), 0.0);
    let begun = stage.now;
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
    assert!((31.0..32.0).contains(snapped), "31 frames and a little: {snapped}");
    let seconds = stage.now - begun;
    assert!((0.6..0.8).contains(&seconds), "{seconds}");

    let why = stage.entities[player].explain_move_to().unwrap();
    assert_eq!((why.kind, why.measure, why.runs), (MoveKind::MoveToObject, DistanceMeasure::Hulls, true));
    stage.run_to_end(player, 300);
    let distance = stage.position(player).distance_to(&stage.position(goal)) - 2.0 * RADIUS;
    assert!(distance <= 0.6, "{distance}");
}

/// With a turn rate of one and a half 31 frames are exactly the recorded 1.55 rad.
#[test]
fn thirty_one_frames_of_a_turn() {
    let mut stage = Stage::new();
    let player = stage.runner(110, at(60.0, 60.0), 170.4009);
    stage.order(player, &turn(300.0));
    let seen = (0..40).any(|_| {
        stage.tick();
        same_heading(stage.heading(player), 259.2093)
    });
    assert!(seen, "170.4009 to 259.2093 degrees, as recorded");
}
