//! Parts of a tick of a remote.

use acmotion_types::MotionCommand;

use super::*;
use crate::comfort::Goal;
use crate::comfort::stage::{OMEGA, READY, RUN, Stage, at, flat, near, usual, vector};

/// The angle of a turn to the left, in radians.
fn angle(yaw: Yaw) -> f32 {
    Yaw::NONE.angle_to(yaw)
}

#[test]
fn a_run_is_resumed_when_the_order_has_been_carried_out() {
    for (resumes, is_ordered, resumed) in [(true, false, true), (true, true, false), (false, false, false)] {
        let mut stage = Stage::playing(READY);
        stage.is_ordered = is_ordered;
        let mut remote = stage.remote();
        (remote.since_motion, remote.drift) = (3.0, at(0.0, 6.0));
        remote.flags.set(RemoteFlags::RESUMES, resumes);
        assert_eq!(remote.drifting() == Flat::ZERO, resumes, "it waits for the order");
        remote.resume(&stage.announced());
        assert_eq!(remote.flags.contains(RemoteFlags::HAS_RESUMED), resumed);
        assert_eq!(remote.flags.contains(RemoteFlags::RESUMES), resumes && !resumed);
        assert_eq!(remote.since_motion, if resumed { 0.0 } else { 3.0 });
    }
}

#[test]
fn the_estimate_turns_as_announced_and_under_an_order_as_the_body() {
    let mut stage = Stage::playing(MotionCommand::TURN_RIGHT);
    let mut remote = stage.remote();
    remote.turn_estimate(&stage.announced());
    near(angle(remote.track_yaw), OMEGA * 0.1);
    stage.body.position.frame.rotation = Yaw::NONE.turned(0.7).rotation();
    for (is_ordered, is_stuck) in [(true, false), (false, true)] {
        (stage.is_ordered, stage.is_stuck) = (is_ordered, is_stuck);
        remote.track_yaw = Yaw::NONE;
        remote.turn_estimate(&stage.announced());
        near(angle(remote.track_yaw), 0.7);
    }
}

/// A body that stands where it was reported is turned as it was reported.
#[test]
fn the_estimate_of_a_body_that_stands_is_turned_as_the_body() {
    for is_idle in [true, false] {
        let mut stage = Stage::playing(READY);
        stage.is_idle = is_idle;
        stage.body.position.frame.rotation = Yaw::NONE.turned(0.7).rotation();
        let mut remote = stage.remote();
        remote.track_yaw = Yaw::NONE;
        remote.turn_estimate(&stage.announced());
        near(angle(remote.track_yaw), if is_idle { 0.7 } else { 0.0 });
    }
}

/// An estimate three metres east of its body that faces in a direction, and a goal at an offset from the body: where it
/// faces after a tenth of a second, in which it can turn by 0.225.
#[test]
fn an_estimate_far_from_its_body_finds_its_own_way_to_the_goal() {
    for (offset, faces, turned) in [
        (at(3.0, 10.0), 0.1, 0.0),
        (at(3.0, 10.0), 1.0, 1.0 - 0.225),
        (at(3.0, 10.0), -1.0, -1.0 + 0.225),
        // It is there already.
        (at(3.3, 0.0), 0.1, 0.1),
    ] {
        let mut stage = Stage::playing(READY);
        (stage.goal, stage.is_ordered) = (Some(Goal { offset, reach: 0.0 }), true);
        let mut remote = stage.remote();
        // The body has gone two metres north since then.
        stage.body.position = stage.beside(0.0, 2.0);
        (remote.track, remote.track_yaw) = (at(3.0, 2.0), Yaw::NONE.turned(faces));
        flat(remote.apart(&stage.announced()), 3.0, 0.0);
        remote.turn_estimate(&stage.announced());
        near(angle(remote.track_yaw), turned);
        // One that sticks, or is near its body, turns as the body does.
        stage.is_stuck = true;
        remote.turn_estimate(&stage.announced());
        near(angle(remote.track_yaw), 0.0);
        stage.is_stuck = false;
        (remote.track, remote.track_yaw) = (at(1.9, 2.0), Yaw::NONE.turned(faces));
        remote.turn_estimate(&stage.announced());
        near(angle(remote.track_yaw), 0.0);
    }
}

#[test]
fn the_way_left_ends_where_the_goal_is_reached() {
    let mut stage = Stage::playing(READY);
    let mut remote = stage.remote();
    assert_eq!(remote.way_left(&stage.announced()), None, "it has no goal");
    stage.goal = Some(Goal { offset: at(0.0, 5.0), reach: 1.5 });
    remote.track = at(0.0, 1.0);
    near(remote.way_left(&stage.announced()).expect("a goal"), 2.5);
}

/// Root motion in the direction of the estimate, as far as it is given credit, drift and slide.
#[test]
fn what_is_known_of_a_motion_adds_up() {
    let mut stage = Stage::playing(RUN);
    stage.body.velocity = Vec3::new(0.0, 1.0, 0.0);
    stage.pace = 0.5;
    let mut remote = stage.remote();
    (remote.credit, remote.drift) = (51, at(0.0, 0.25));
    remote.track_yaw = Yaw::NONE.turned(std::f32::consts::FRAC_PI_2);
    let motion = remote.motion(&stage.announced());
    flat(motion.root, -3.0, 0.0);
    flat(motion.known, -3.0 * 0.2, 0.25 + 1.0);
    near(motion.speed, 3.0);
    assert!(motion.is_on_ground);
    // Whatever reports say of it.
    flat(remote.announced_way, -0.3, 0.1);
    remote.motion(&stage.announced());
    flat(remote.announced_way, -0.6, 0.2);
    // Where it waits after a teleport, or has arrived, it goes nowhere by itself.
    remote.flags |= RemoteFlags::WAITS;
    let motion = remote.motion(&stage.announced());
    flat(motion.root, 0.0, 0.0);
    flat(motion.known, 0.0, 1.25);
    for (reach, y) in [(1.0, 0.0), (0.9, 1.25)] {
        stage.goal = Some(Goal { offset: at(0.0, 1.0), reach });
        flat(remote.motion(&stage.announced()).known, 0.0, y);
    }
}

#[test]
fn in_the_air_nothing_but_the_velocity_counts() {
    let stage = Stage::flying(Vec3::new(3.0, 4.0, 5.0));
    let mut remote = stage.remote();
    remote.drift = at(1.0, 1.0);
    let motion = remote.motion(&stage.announced());
    flat(motion.known, 3.0, 4.0);
    flat(motion.root, 0.0, 0.0);
    near(motion.speed, 5.0);
    assert!(!motion.is_on_ground);
    assert_eq!(remote.announced_way, Flat::ZERO);
}

/// A drift that the next report should have confirmed, after 1.3 intervals and 0.05 s, fades.
#[test]
fn a_drift_fades_that_is_not_confirmed() {
    let stage = Stage::playing(READY);
    for (since_report, drift) in [(1.34, 4.0), (1.36, 2.8)] {
        let mut remote = stage.remote();
        (remote.since_report, remote.drift, remote.interval) = (since_report, at(0.0, 4.0), 1000);
        near(remote.report_interval(), 1.0);
        remote.motion(&stage.announced());
        flat(remote.drift, 0.0, drift);
    }
    // Below 0.05 m/s it stands.
    let mut remote = stage.remote();
    (remote.since_report, remote.drift) = (9.0, at(0.0, 0.07));
    remote.track = at(0.0, 1.0);
    remote.motion(&stage.announced());
    assert_eq!(remote.drift, Flat::ZERO);
    flat(remote.track, 0.0, 1.0);
    // One that waits for an order does not drift yet.
    let mut remote = stage.remote();
    (remote.since_report, remote.drift) = (9.0, at(0.0, 4.0));
    remote.flags |= RemoteFlags::RESUMES;
    remote.motion(&stage.announced());
    flat(remote.drift, 0.0, 4.0);
}

/// The time of a run that was resumed is counted from when it was, and a delay. If it has not been confirmed by then, the
/// remote is where its body is.
#[test]
fn a_run_that_was_not_resumed_after_all_ends_at_the_body() {
    let stage = Stage::playing(READY);
    for (since_motion, drift, is_over) in
        [(1.54, 4.0, false), (1.56, 4.0, false), (1.54, 0.07, false), (1.56, 0.07, true)]
    {
        let mut remote = stage.remote();
        (remote.since_motion, remote.drift, remote.interval) = (since_motion, at(0.0, drift), 1000);
        (remote.since_report, remote.track) = (9.0, at(0.0, 3.0));
        remote.flags |= RemoteFlags::HAS_RESUMED;
        remote.motion(&stage.announced());
        assert_eq!(remote.flags.contains(RemoteFlags::HAS_RESUMED), !is_over, "{since_motion} s");
        flat(remote.track, 0.0, if is_over { 0.0 } else { 3.0 });
    }
}

fn motion(root: Flat, known: Flat) -> Motion {
    Motion { root, speed: root.length(), known, is_on_ground: true }
}

/// A body that stands, and has reached what was reported since it does, is where it was reported.
#[test]
fn the_estimate_of_a_body_that_rests_is_the_body() {
    let mut stage = Stage::playing(READY);
    stage.is_idle = true;
    let rests = |remote: &Remote, stage: &Stage, motion: Motion| {
        let mut remote = *remote;
        remote.advance_estimate(&motion, &stage.announced());
        remote.track == Flat::ZERO
    };
    let still = || motion(Flat::ZERO, at(0.0, 1.0));
    let mut remote = stage.remote();
    (remote.track, remote.since_report, remote.since_motion) = (at(0.0, 2.0), 0.5, 1.0);
    assert!(rests(&remote, &stage, still()));
    assert!(!rests(&remote, &stage, motion(at(0.0, 0.06), Flat::ZERO)), "it goes");
    assert!(!rests(&remote, &stage, Motion { is_on_ground: false, ..still() }), "it falls");
    let mut early = remote;
    early.since_report = 1.5;
    assert!(!rests(&early, &stage, still()), "the report is older than the motion");
    let mut drifts = remote;
    drifts.drift = at(1.0, 0.0);
    assert!(!rests(&drifts, &stage, still()), "it drifts");
    stage.is_idle = false;
    assert!(!rests(&remote, &stage, still()), "the body is on its way");
    stage.is_stuck = true;
    assert!(rests(&remote, &stage, still()), "it sticks");
    // Something has been in the way of the remote for more than three ticks.
    stage.is_stuck = false;
    for (stalls, is_at_body) in [(3, false), (4, true)] {
        let mut blocked = remote;
        blocked.stalls = stalls;
        assert_eq!(rests(&blocked, &stage, motion(at(0.0, 6.0), at(0.0, 6.0))), is_at_body, "{stalls}");
    }
    // Otherwise the estimate goes on.
    let mut goes_on = remote;
    goes_on.advance_estimate(&still(), &stage.announced());
    flat(goes_on.track, 0.0, 2.1);
}

#[test]
fn a_jump_is_looked_ahead() {
    let stage = Stage::flying(Vec3::new(3.0, 0.0, 5.0));
    let look = stage.remote().look_ahead(&stage.announced(), 0.2);
    vector(look.way, 0.6, 0.0, 1.0 - 0.5 * 9.8 * 0.04);
    vector(look.velocity, 3.0, 0.0, 5.0 - 9.8 * 0.2);
    assert_eq!(look.cycle, None);
}

#[test]
fn a_run_is_looked_ahead() {
    let mut stage = Stage::playing(RUN);
    let mut remote = stage.remote();
    let look = remote.look_ahead(&stage.announced(), 0.2);
    vector(look.way, 0.0, 1.2, 0.0);
    vector(look.velocity, 0.0, 6.0, 0.0);
    flat(look.played, 0.0, 6.0);
    assert!(look.cycle.is_some_and(|(_, frame)| (frame - 6.0).abs() < 1e-3));
    // Half of it is confirmed. On top of that it drifts and slides, and a slide does not last.
    (remote.credit, remote.drift) = (51, at(1.0, 0.0));
    (stage.body.velocity, stage.pace) = (Vec3::new(0.0, 1.0, 0.0), 2.0);
    let look = remote.look_ahead(&stage.announced(), 0.2);
    vector(look.way, 0.2, 2.4 * 0.2 + 0.2 * 0.7, 0.0);
    vector(look.velocity, 1.0, 12.0 * 0.2 + 0.6, 0.0);
    flat(look.played, 0.0, 12.0);
    remote.flags |= RemoteFlags::WAITS;
    let look = remote.look_ahead(&stage.announced(), 0.2);
    assert_eq!((look.way, look.velocity, look.cycle), (Vec3::ZERO, Vec3::ZERO, None));
}

/// Half of a turn is shown ahead: at the end of the way its whole, and on average half of that.
#[test]
fn a_turn_is_looked_ahead_by_half() {
    let mut stage = Stage::playing(RUN);
    stage.animator.sequence_mut().set_physics(Vec3::ZERO, Vec3::new(0.0, 0.0, OMEGA));
    let look = stage.remote().look_ahead(&stage.announced(), 0.4);
    let turn = OMEGA * 0.5 * 0.4;
    flat(look.played, -6.0 * libm::sinf(turn), 6.0 * libm::cosf(turn));
    vector(look.way, -2.4 * libm::sinf(0.5 * turn), 2.4 * libm::cosf(0.5 * turn), 0.0);
}

#[test]
fn a_look_ahead_ends_at_the_goal() {
    let mut stage = Stage::playing(RUN);
    let remote = stage.remote();
    // The distance at which it has arrived, the way that is left, and the speed there.
    for (reach, way, speed) in [(0.4, 0.6, 0.0), (2.0, 0.0, 0.0), (-1.0, 1.2, 6.0)] {
        stage.goal = Some(Goal { offset: at(0.0, 1.0), reach });
        let look = remote.look_ahead(&stage.announced(), 0.2);
        vector(look.way, 0.0, way, 0.0);
        vector(look.velocity, 0.0, speed, 0.0);
        flat(look.played, 0.0, 6.0);
    }
}

#[test]
fn the_wanted_lead_is_a_share_of_the_delay() {
    let mut stage = Stage::playing(RUN);
    let mut remote = stage.remote();
    for (delay, lead) in [(0.2, 0.185 * 0.85), (2.0, 0.4), (0.01, 0.0)] {
        stage.delay = delay;
        near(remote.wanted_lead(&stage.announced(), &usual()), lead);
    }
    // Reports of a motion that was not announced are half an interval old.
    remote.interval = 500;
    near(remote.wanted_lead(&stage.announced(), &usual()), 0.25);
    near(remote.wanted_lead(&stage.announced(), &ComfortSettings::behind()), 0.0);
    for flag in [RemoteFlags::RESUMES, RemoteFlags::HAS_RESUMED] {
        let mut resumes = remote;
        resumes.flags = remote.flags | flag;
        near(resumes.wanted_lead(&stage.announced(), &usual()), 0.0);
    }
}

/// An error along the way of a body that goes 6 m/s, by its lead and the one that it should have: the change at once, and
/// the rate and the lead that a tenth of a second later it has.
#[test]
fn an_error_along_the_way_is_taken_over_into_the_lead() {
    for (lead, wanted, along, shift, rate, after) in [
        (0.2, 0.2, 0.3, 0.05, 0.8, 0.23),
        // At most 0.2 s above and below what it should be, and never below 0.
        (0.2, 0.2, 6.0, 0.2, 0.6, 0.36),
        (0.45, 0.5, -6.0, -0.15, 1.5, 0.35),
        (0.15, 0.1, -6.0, -0.15, 1.4, 0.04),
        // If it is farther off already, only back.
        (0.9, 0.2, 6.0, 0.0, 0.6, 0.86),
        (0.1, 0.5, -6.0, 0.0, 1.5, 0.15),
    ] {
        let stage = Stage::playing(RUN);
        let mut remote = stage.remote();
        remote.lead = lead;
        near(remote.shift_lead(along, 6.0, wanted, 0.1, &usual()), shift);
        near(remote.rate, rate);
        near(remote.lead, after);
    }
}

#[test]
fn the_rate_changes_by_at_most_12_a_second() {
    for (wanted, rate) in [(0.0, 0.88), (0.8, 1.12)] {
        let stage = Stage::playing(RUN);
        let mut remote = stage.remote();
        remote.lead = 0.4;
        remote.shift_lead(0.0, 6.0, wanted, 0.01, &usual());
        near(remote.rate, rate);
    }
    let stage = Stage::playing(RUN);
    let mut remote = stage.remote();
    remote.rate = 0.6;
    remote.shift_lead(0.0, 6.0, 0.0, 0.01, &usual());
    assert_eq!(remote.lead, 0.0, "it is never shown behind what is known");
}

#[test]
fn an_error_is_blended_away_by_a_damped_spring() {
    let stage = Stage::playing(READY);
    let blended = |error: Vec3, blend: Vec3, seconds: f32| {
        let mut remote = stage.remote();
        remote.blend = blend;
        remote.blend_away(error, seconds, &usual());
        remote.blend
    };
    // 100 for each metre, and 20 for each metre a second.
    vector(blended(Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 0.5, 0.0), 0.01), -0.1, 0.4, 0.0);
    vector(blended(Vec3::new(10.0, 0.0, 0.0), Vec3::ZERO, 0.01), -2.0, 0.0, 0.0);
    vector(blended(Vec3::new(10.0, 0.0, 0.0), Vec3::ZERO, 0.1), -12.0, 0.0, 0.0);
    // What is too small to see is dropped.
    let (small, slow) = (Vec3::new(0.001, 0.0, 0.0), Vec3::new(0.0, 0.03, 0.0));
    assert_eq!(blended(small, slow, 0.001), Vec3::ZERO);
    assert_ne!(blended(small, slow * 3.0, 0.001), Vec3::ZERO);
    assert_ne!(blended(small * 10.0, slow, 0.001), Vec3::ZERO);
}

/// The step of a remote in a tenth of a second, by the motion that it shows, its blending and its last step.
fn limited_step(own: Flat, blend: Flat, last: Flat, rate: f32, settings: &ComfortSettings) -> Flat {
    let stage = Stage::playing(RUN);
    let mut remote = stage.remote();
    (remote.blend, remote.step, remote.rate) = (blend.at(0.0), last, rate);
    Flat::from(remote.limit(own.at(0.0), &motion(own, own), 0.1, settings))
}

#[test]
fn a_step_is_that_of_the_motion_and_of_the_blending() {
    let run = at(0.0, 6.0);
    flat(limited_step(run, at(1.0, 0.0), at(0.0, 0.9), 1.5, &usual()), 0.1, 0.9);
    // Never against the motion.
    flat(limited_step(run, at(1.0, -12.0), Flat::ZERO, 1.0, &usual()), 0.1, 0.0);
    // A motion that is so slow has no direction.
    flat(limited_step(at(0.0, 0.2), at(0.0, -0.5), Flat::ZERO, 1.0, &usual()), 0.0, -0.03);
}

#[test]
fn a_step_is_not_much_longer_than_the_one_before_or_the_motion() {
    let run = at(0.0, 6.0);
    let gentle = ComfortSettings { acceleration: 1.0, ..usual() };
    flat(limited_step(run, Flat::ZERO, Flat::ZERO, 1.5, &usual()), 0.0, 0.6 + 0.048);
    flat(limited_step(run, Flat::ZERO, at(0.0, 0.7), 1.5, &usual()), 0.0, 0.7 + 0.048);
    flat(limited_step(run, Flat::ZERO, Flat::ZERO, 1.5, &gentle), 0.0, 0.6 + 0.01);
}

#[test]
fn no_step_goes_back_at_once() {
    let still = Flat::ZERO;
    flat(limited_step(still, at(0.0, -0.5), at(0.0, 0.1), 1.0, &usual()), 0.0, 0.0);
    flat(limited_step(still, at(0.0, -0.5), at(0.0, 0.008), 1.0, &usual()), 0.0, -0.05);
    let stage = Stage::playing(READY);
    let mut remote = stage.remote();
    (remote.blend, remote.step) = (Vec3::new(0.0, -0.5, -1.0), at(0.0, 0.1));
    remote.limit(Vec3::ZERO, &motion(still, still), 0.1, &usual());
    assert_eq!((remote.blend.x, remote.blend.y), (0.0, 0.0), "it begins anew");
}

#[test]
fn a_remote_rises_and_falls_with_its_body_and_lands_by_itself() {
    let stage = Stage::playing(READY);
    // Whether the body is on the ground, whether the remote is in the air, and the speed upwards of body and blending; then the
    // step, and the blending.
    for (on_ground, in_air, velocity, blend, step, after) in [
        (false, true, -4.0, 1.0, -0.5, 1.0),
        (false, false, -4.0, 1.0, 0.0, 1.0),
        (false, false, 4.0, 1.0, 0.7, 1.0),
        (true, true, 0.0, 1.0, -0.098, -0.98),
        (true, true, 0.0, -0.98, -0.196, -1.96),
        (true, false, 0.0, -0.98, 0.0, 0.0),
    ] {
        let mut remote = stage.remote();
        (remote.blend, remote.rate) = (Vec3::new(0.0, 0.0, blend), 1.5);
        remote.flags.set(RemoteFlags::IN_AIR, in_air);
        near(remote.fall(velocity, on_ground, 0.1), step);
        near(remote.blend.z, after);
    }
}

/// By the share of the angle that is made up for, and by the turn itself.
#[test]
fn what_is_shown_turns_towards_the_estimate() {
    for (motion, faces, seconds, speed, turned) in [
        (READY, 0.5, 0.01, 0.0, 0.06),
        (READY, 0.5, 0.1, 0.0, 0.5),
        (READY, 3.0, 0.1, 0.0, 1.2),
        (READY, -3.0, 0.1, 0.0, -1.2),
        // The rest of a turn is taken over at once, unless it goes on.
        (READY, 0.0005, 0.01, 0.0, 0.0005),
        (MotionCommand::TURN_RIGHT, 0.0005, 0.01, 0.0, 0.000_06 - 0.015),
        (MotionCommand::TURN_RIGHT, 0.0, 0.01, 0.0, 0.0),
        // Ahead of the estimate while it moves.
        (MotionCommand::TURN_RIGHT, 0.0, 0.01, 1.0, -0.3 * 0.12 - 0.015),
    ] {
        let mut stage = Stage::playing(motion);
        stage.seconds = seconds;
        let track_yaw = Yaw::NONE.turned(faces);
        let mut remote = stage.remote();
        (remote.track_yaw, remote.lead) = (track_yaw, 0.4);
        remote.turn(&stage.announced(), speed);
        assert!((angle(remote.yaw) - turned).abs() < 1e-5, "{faces}: {}", angle(remote.yaw));
    }
}
