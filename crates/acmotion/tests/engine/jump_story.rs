//! Jumps, tick by tick (rules C21–C30; tables O1 and P6; `docs/recorded.md`).

use crate::interp_common;

use acmotion::components::TransientState;
use acmotion::formulas::jump_level;
use acmotion::types::{MotionCommand, Vec3};
use acmotion::{MotionError, MotionEvent, PlayerWeenie};
use interp_common::{STAND, START, Stage, assert_near};

/// Table O1: skill 300, full extent, straight up.
#[test]
fn a_full_jump_of_skill_300_lands_on_tick_56() {
    let mut stage = Stage::player(200, 300);
    let launch = stage.act().release_jump(1.0).unwrap();
    assert_near(launch.z, 9.08653, 1e-4);
    assert!(stage.saw(MotionEvent::LeaveGround));
    assert_eq!(stage.substate(), MotionCommand::FALLING);
    let body = &stage.entity.body;
    assert!(body.has_contact() && !body.is_on_walkable(), "contact is lost in the next sweep (C24)");

    let expected = [
        (1, 0.2974, 8.7599),
        (2, 0.5840, 8.4332),
        (3, 0.8597, 8.1065),
        (28, 4.2123, -0.0601),
        (29, 4.2069, -0.3267),
    ];
    let mut rows = expected.into_iter().peekable();
    let mut landed = None;
    for tick in 1..=60 {
        stage.tick();
        if let Some((_, z, v)) = rows.next_if(|(at, ..)| *at == tick) {
            assert_near(stage.at().z - STAND, z, 1e-3);
            assert_near(stage.velocity().z, v, 1e-3);
        }
        if tick < 56 {
            assert!(!stage.entity.body.has_contact(), "the body has contact in tick {tick}");
            assert!(stage.at().z > STAND);
        }
        if stage.saw(MotionEvent::HitGround) {
            landed = landed.or(Some(tick));
        }
    }
    assert_eq!(rows.next(), None);
    assert_eq!(landed, Some(56));
}

/// At -9.1467 m/s the ground returns a twentieth of the speed, enough for one bounce (C12).
#[test]
fn a_hard_landing_bounces_once() {
    let mut stage = Stage::player(200, 300);
    stage.act().release_jump(1.0).unwrap();
    stage.run(56);
    assert_near(stage.at().z, STAND, 1e-3);
    assert_near(stage.velocity().z, 0.05 * 9.1467, 1e-3);
    assert!(stage.entity.body.is_standing(), "it stands but moves upwards");
    assert_eq!(stage.substate(), MotionCommand::READY, "Ready without a link (C30)");
    stage.tick();
    assert!(!stage.entity.body.has_contact() && stage.at().z > STAND, "it bounces");
    stage.run(10);
    assert!(stage.entity.body.is_standing());
    assert_eq!(stage.velocity(), Vec3::ZERO);
    assert_near(stage.at().z, STAND, 1e-3);
}

/// Table O1: the landing of the lowest jump is too slow for a bounce.
#[test]
fn the_lowest_jump_lands_on_tick_17() {
    let mut stage = Stage::player(200, 300);
    stage.act().release_jump(0.001).unwrap();
    for (z, v) in [(0.0819, 2.2925), (0.1528, 1.9658), (0.2129, 1.6392)] {
        stage.tick();
        assert_near(stage.at().z - STAND, z, 1e-3);
        assert_near(stage.velocity().z, v, 1e-3);
    }
    stage.run(6);
    assert_near(stage.at().z - STAND, 0.3446, 1e-3);
    assert_near(stage.velocity().z, -0.3267, 1e-3);
    stage.run(7);
    assert!(!stage.entity.body.has_contact());
    stage.tick();
    assert!(stage.entity.body.is_standing());
    assert_near(stage.velocity().z, 0.05 * 2.94, 1e-3);
    stage.tick();
    assert_near(stage.velocity().z, 0.0, 1e-6);
    assert!(stage.entity.body.is_standing(), "no bounce");
}

/// `docs/recorded.md`: a standing jump with skill 75, the key held for 0.508 s.
#[test]
fn the_recorded_jump_is_reproduced() {
    let mut stage = Stage::player(110, 75);
    stage.act().charge_jump().unwrap();
    assert!(stage.entity.interp.standing_long_jump);
    let (_, extent) = jump_level(0.508, false);
    assert_near(extent, 0.508_684_64, 1.0 / 30.0);
    let launch = stage.act().release_jump(0.508_684_64).unwrap();
    assert_near(launch.x, 0.0, 1e-6);
    assert_near(launch.y, 0.0, 1e-6);
    assert_near(launch.z, 3.545_636_7, 1e-5);
}

/// O1: a running jump keeps the speed of the run, also at its highest point. C29: in the air only turns are possible.
#[test]
fn a_running_jump_keeps_its_speed() {
    let mut stage = Stage::player(200, 300);
    stage.hold_run();
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.run(30);
    let start = stage.at();
    let launch = stage.act().release_jump(1.0).unwrap();
    assert_near(launch.y, 9.5, 1e-3);
    for tick in 1..=56 {
        stage.tick();
        if tick < 56 {
            assert_near(stage.velocity().y, 9.5, 1e-4);
            assert_near(stage.at().y - start.y, 9.5 / 30.0 * tick as f32, 1e-2);
        }
        if tick == 10 {
            stage.press(MotionCommand::SIDE_STEP_RIGHT).unwrap();
            assert_eq!(stage.press(MotionCommand::WAVE), Err(MotionError::NotGrounded));
            stage.press(MotionCommand::TURN_RIGHT).unwrap();
        }
    }
    assert!(stage.saw(MotionEvent::HitGround));
    assert_near(stage.at().z, STAND, 1e-3);
    let turned = stage.entity.body.position.frame.heading();
    assert!((30.0..330.0).contains(&turned), "the body turns in the air: {turned}");
    assert_near(stage.at().x, START.x, 1e-3);
    assert_eq!(stage.substate(), MotionCommand::RUN_FORWARD, "the run resumes on landing");
}

/// Table P6.
#[test]
fn a_standing_long_jump_launches_at_run_speed() {
    let mut stage = Stage::player(200, 300);
    stage.hold_run();
    stage.act().charge_jump().unwrap();
    assert!(stage.entity.interp.standing_long_jump);
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    assert_eq!(stage.entity.interp.interpreted.forward.command, MotionCommand::RUN_FORWARD);
    assert_eq!(stage.substate(), MotionCommand::READY, "it does not run while the jump is charged");
    let start = stage.at();
    stage.run(18);
    assert_eq!(stage.at(), start);
    let launch = stage.act().release_jump(0.6).unwrap();
    assert_near(launch.y, 4.0 * 2.375, 1e-3);
    let weenie = PlayerWeenie { jump_skill: 300, ..PlayerWeenie::default() };
    let up = acmotion::Weenie::jump_speed(&weenie, 0.6).unwrap();
    assert_near(launch.z, up, 1e-4);
    assert_eq!(stage.substate(), MotionCommand::FALLING);
    assert!(!stage.entity.interp.standing_long_jump);
    stage.run(5);
    stage.release(MotionCommand::WALK_FORWARD).unwrap();
    assert_eq!(stage.substate(), MotionCommand::FALLING, "in the air only the state changes");
    stage.run(120);
    assert_eq!(stage.substate(), MotionCommand::READY);
    assert!(stage.entity.body.is_standing());
}

/// Rule F13.
#[test]
fn a_jump_is_refused_while_crouching_in_the_air_or_loaded_down() {
    let mut stage = Stage::player(200, 300);
    stage.press(MotionCommand::CROUCH).unwrap();
    assert_eq!(stage.act().jump(1.0), Err(MotionError::CannotJumpHere));
    stage.release(MotionCommand::CROUCH).unwrap();
    stage.settle();
    stage.act().jump(1.0).unwrap();
    assert_eq!(stage.act().jump(1.0), Err(MotionError::NotGrounded));

    let loaded = PlayerWeenie { load: 2.0, ..PlayerWeenie::default() };
    let mut stage = Stage::new(std::sync::Arc::new(loaded));
    assert_eq!(stage.act().jump(1.0), Err(MotionError::LoadedDown));
    assert_eq!(Stage::creature().act().jump(1.0), Err(MotionError::LoadedDown));
}

/// C24.
#[test]
fn a_refused_jump_ends_the_charge_of_a_standing_long_jump() {
    let mut stage = Stage::player(200, 300);
    stage.act().charge_jump().unwrap();
    stage.entity.body.transient.remove(TransientState::ON_WALKABLE);
    assert_eq!(stage.act().jump(1.0), Err(MotionError::NotGrounded));
    assert!(!stage.entity.interp.standing_long_jump);
}
