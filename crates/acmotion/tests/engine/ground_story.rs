//! Falling, sliding, landing and walking on slopes, tick by tick (rules B4, B5, C3–C12, C28, Q10; table O1).

use crate::interp_common;

use acmotion::MotionEvent;
use acmotion::components::PhysicsState;
use acmotion::scene::InfinitePlane;
use acmotion::types::{CellPosition, MotionCommand, Vec3};
use interp_common::{CELL, Ground, STAND, START, Stage, assert_near};

fn slope(degrees: f32) -> InfinitePlane {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let through = CellPosition::at(CELL, Vec3 { z: 0.0, ..START });
    InfinitePlane::through(&through, Vec3::new(0.0, -sin, cos)).unwrap()
}

/// Table O1: from rest in the air, the first tick only gains speed.
#[test]
fn a_dropped_body_starts_to_move_in_the_second_tick() {
    let mut stage = Stage::creature();
    stage.ground = Ground::None;
    stage.put(Vec3 { z: 100.0, ..START });
    for (z, v) in [(0.0, -0.326_67), (-0.016_33, -0.653_33), (-0.043_56, -0.98)] {
        stage.tick();
        assert_near(stage.at().z - 100.0, z, 1e-4);
        assert_near(stage.velocity().z, v, 1e-4);
    }
}

/// Table O1: from 9.5 m/s on level ground.
#[test]
fn a_sliding_body_stops_in_tick_38() {
    let mut stage = Stage::creature();
    let now = stage.now;
    stage.entity.body.set_velocity(Vec3::new(0.0, 9.5, 0.0), now);
    let begun = stage.at().y;
    for (v, distance) in [(8.5972, 0.2866), (7.7802, 0.5459), (7.0408, 0.7806)] {
        stage.tick();
        assert_near(stage.velocity().y, v, 1e-3);
        assert_near(stage.at().y - begun, distance, 1e-3);
    }
    stage.run(34);
    assert!(stage.velocity().y > 0.0, "still moving in tick 37");
    stage.tick();
    assert_eq!(stage.velocity(), Vec3::ZERO);
    assert_near(stage.at().y - begun, 2.9405, 1e-3);
}

/// Table O1, rule C12.
#[test]
fn hard_landings_bounce_off_the_ground_and_soft_ones_do_not() {
    for (speed, height, bounces) in [(-9.2068f32, 1.7, true), (-3.5, 0.1, false)] {
        let mut stage = Stage::creature();
        let now = stage.now;
        stage.ground = Ground::None;
        stage.put(Vec3 { z: height, ..START });
        stage.ground = Ground::Plane(InfinitePlane::level(0.0));
        stage.entity.body.set_velocity(Vec3::new(0.0, 0.0, speed), now);
        let mut before = speed;
        while !stage.entity.body.is_standing() {
            before = stage.velocity().z;
            stage.tick();
            assert!(stage.now < now + 5.0, "not landed after 5 s");
        }
        let at_impact = before - 9.8 / 30.0;
        assert_near(stage.velocity().z, -0.05 * at_impact, 1e-3);
        assert!(stage.saw(MotionEvent::HitGround) && stage.saw(MotionEvent::HitEnvironment));
        stage.tick();
        assert_eq!(!stage.entity.body.has_contact(), bounces, "impact at {at_impact}");
        stage.run(30);
        assert_eq!(stage.velocity(), Vec3::ZERO);
        assert_near(stage.at().z, STAND, 1e-3);
    }
}

/// Rule C28: a body that runs off the ground keeps its speed as velocity and falls.
#[test]
fn running_off_the_ground_starts_a_fall() {
    let mut stage = Stage::player(200, 100);
    stage.hold_run();
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.run(30);
    assert_eq!(stage.velocity(), Vec3::ZERO, "running is not part of the velocity (B6)");
    assert_near(stage.entity.body.cached_velocity.y, 10.0, 2.1);
    stage.events.clear();
    stage.ground = Ground::None;
    stage.tick();
    assert!(stage.saw(MotionEvent::LeaveGround));
    assert_near(stage.velocity().y, 9.5, 1e-3);
    assert_near(stage.velocity().z, 0.0, 1e-3);
    assert_eq!(stage.substate(), MotionCommand::FALLING);
    let (edge, begun) = (stage.at(), stage.now);
    stage.run(30);
    let seconds = (stage.now - begun) as f32;
    assert_near(stage.at().y - edge.y, 9.5 * seconds, 1e-2);
    assert_near(stage.at().z - edge.z, -4.9 * seconds * seconds, 0.2);
    assert_near(stage.velocity().z, -9.8 * seconds, 1e-2);
}

/// Rule B4.4b: without a displacement there is no sweep, so the missing ground is not noticed.
#[test]
fn a_body_at_rest_does_not_fall_when_the_ground_disappears() {
    let mut stage = Stage::creature();
    let begun = stage.at();
    stage.ground = Ground::None;
    stage.run(10);
    assert!(stage.entity.body.is_standing(), "a body that does not move is not swept (B4.4b)");
    assert_eq!(stage.at(), begun);
}

/// A runner that jumps up a slope and lands: how far it comes in two seconds after that, by its heading in degrees off the
/// direction of the steepest ascent.
fn run_after_landing(degrees_off: f32) -> (Stage, f32) {
    let mut stage = Stage::player(200, 100);
    stage.ground = Ground::Plane(slope(20.0));
    stage.put(START);
    stage.entity.body.position.frame.set_heading(degrees_off);
    stage.hold_run();
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.run(15);
    stage.act().release_jump(0.5).unwrap();
    stage.tick();
    assert!(!stage.entity.body.has_contact());
    while !stage.entity.body.is_standing() {
        stage.tick();
    }
    stage.run(30);
    let landed = stage.at();
    stage.run(60);
    let distance = (stage.at() - landed).length();
    (stage, distance)
}

/// `docs/collision.md` 3.4, 3.9: the landing leaves the slope's normal as sliding normal. The crease of both is level, so a
/// displacement straight up the slope has no part along it: the sweep fails, and what failed changes nothing (2.10). A
/// runner that is held this way moves as soon as it turns, because along the crease the sweep succeeds and the sliding
/// normal is forgotten.
#[test]
fn a_runner_that_lands_exactly_uphill_is_held_until_it_turns() {
    // Along the crease it would come 0.1 mm a tick, less than the tolerance of positions.
    for degrees_off in [0.0, 0.02, -0.02] {
        let (mut stage, distance) = run_after_landing(degrees_off);
        assert!(distance < 0.01, "{degrees_off} degrees off: {distance} m");
        assert_eq!(stage.substate(), MotionCommand::RUN_FORWARD, "it runs on the spot");
        let heading = stage.entity.body.position.frame.heading();
        stage.entity.body.position.frame.set_heading(heading + 1.0);
        let held = stage.at();
        stage.run(30);
        assert!((stage.at() - held).length() > 5.0, "turned by a degree: {:?}", stage.at() - held);
    }
    for degrees_off in [0.5, -3.0, 45.0] {
        let (_, distance) = run_after_landing(degrees_off);
        assert!(distance > 10.0, "{degrees_off} degrees off: {distance} m");
    }
}

/// Rule Q10, as recorded: 43 run frames up a rise of 0.0707 cover 5.70437 m; downhill nothing is lost.
#[test]
fn running_uphill_covers_less_distance() {
    let (rise, frames) = (0.0707f32, 43.0);
    for (turned, expected) in [(0.0, 5.704_37), (180.0, frames * 4.0 / 30.0)] {
        let mut stage = Stage::player(200, 100);
        stage.ground = Ground::Plane(slope(rise.atan().to_degrees()));
        stage.put(START);
        stage.entity.body.position.frame.set_heading(turned);
        stage.hold_run();
        stage.press(MotionCommand::WALK_FORWARD).unwrap();
        stage.run(30);
        let (begun, mut crossed) = (stage.at(), 0.0);
        while crossed < frames {
            let frame = stage.entity.animator.sequence().frame().floor();
            stage.tick();
            let now = stage.entity.animator.sequence().frame().floor();
            crossed += (now - frame).rem_euclid(24.0) as f32;
        }
        let distance = (stage.at().y - begun.y).abs();
        assert_near(distance * frames / crossed, expected, 1e-3);
        let height = (stage.at().y - START.y) * rise + STAND;
        assert_near(stage.at().z, height, 2e-3);
        assert!(stage.entity.body.is_standing());
    }
}

/// A body does not stand on ground that is too steep: it falls along it.
#[test]
fn a_body_falls_down_a_slope_too_steep_to_stand_on() {
    let mut stage = Stage::creature();
    stage.ground = Ground::Plane(slope(60.0));
    stage.put(Vec3 { z: 0.5, ..START });
    stage.run(60);
    let body = &stage.entity.body;
    assert!(!body.is_on_walkable());
    assert!(stage.at().z < -1.0 && stage.at().y < START.y, "not down the slope: {:?}", stage.at());
    assert_eq!(stage.substate(), MotionCommand::FALLING);

    let mut stage = Stage::creature();
    stage.ground = Ground::Plane(slope(48.0));
    stage.put(START);
    stage.run(60);
    assert!(stage.entity.body.is_standing(), "48° can be stood on");
}

#[test]
fn a_sledding_body_keeps_going_down_a_slope_it_could_stand_on() {
    let mut stage = Stage::creature();
    stage.ground = Ground::Plane(slope(30.0));
    stage.put(START);
    stage.run(5);
    let now = stage.now;
    stage.entity.body.state.insert(PhysicsState::SLEDDING);
    stage.entity.body.set_velocity(Vec3::new(0.0, -3.0, -1.732), now);
    stage.run(60);
    assert!(stage.at().y < START.y - 5.0, "{:?}", stage.at());
    assert!(stage.velocity().length() > 3.0, "{:?}", stage.velocity());
    let heading = stage.entity.body.position.frame.heading();
    assert_near(heading, 180.0, 1.0);
}

/// Rule B5.2: root motion is multiplied by the scale.
#[test]
fn root_motion_grows_with_the_scale_of_the_body() {
    let distance = |scale: f32| {
        let mut stage = Stage::creature();
        stage.entity.body.scale = scale;
        stage.put(START);
        stage.press(MotionCommand::WALK_FORWARD).unwrap();
        stage.run(60);
        stage.at().y - START.y
    };
    assert_near(distance(2.0), 2.0 * distance(1.0), 1e-3);
}
