//! Keys and stances, step by step (rules F; tables P1, P3, P4).

mod interp_common;

use acmotion::MotionError;
use acmotion::body::BodyFlags;
use acmotion::entity::MotionEvent;
use acmotion::interp::{InterpretedState, MovementParams, MovementRequest};
use acmotion::types::MotionCommand;
use interp_common::{Stage, assert_near};

fn modifiers(stage: &Stage) -> Vec<(MotionCommand, f32)> {
    stage.entity.animator.state().modifiers().map(|own| (own.motion, own.speed)).collect()
}

/// Table P1: turn right, then forward as well, then only forward, then nothing; run rate 2.
#[test]
fn turn_then_run_then_let_go() {
    let mut stage = Stage::player(0, 0);
    stage.entity.set_weenie(None);
    // Without a weenie the rate is 1 (F3).
    stage.hold_run();

    stage.press(MotionCommand::TURN_RIGHT).unwrap();
    assert_eq!(stage.substate(), MotionCommand::TURN_RIGHT);
    let interp = &stage.entity.interp;
    assert_eq!(
        (interp.interpreted.turn.command, interp.interpreted.turn.speed),
        (MotionCommand::TURN_RIGHT, 1.5)
    );
    assert_eq!((interp.raw.turn.command, interp.raw.turn.speed), (MotionCommand::TURN_RIGHT, 1.0));
    stage.settle();
    let heading = stage.entity.body.position.frame.heading();
    stage.tick();
    assert!(stage.entity.body.position.frame.heading() != heading, "it turns on the spot");

    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    assert_eq!(stage.substate(), MotionCommand::RUN_FORWARD);
    assert_eq!(modifiers(&stage), [(MotionCommand::TURN_RIGHT, 1.5)]);
    assert_near(stage.entity.animator.sequence().omega().z, -1.5 * 1.5, 1e-5);
    assert_eq!(stage.entity.interp.raw.forward.command, MotionCommand::WALK_FORWARD);

    stage.release(MotionCommand::TURN_RIGHT).unwrap();
    assert_eq!(modifiers(&stage), []);
    assert_near(stage.entity.animator.sequence().omega().z, 0.0, 1e-6);
    assert_eq!(stage.substate(), MotionCommand::RUN_FORWARD);

    stage.release(MotionCommand::WALK_FORWARD).unwrap();
    assert_eq!(stage.substate(), MotionCommand::READY);
    assert_eq!(stage.entity.interp.raw.forward.command, MotionCommand::READY);
}

/// Table P3: Ready is swallowed while the body turns on the spot; the turn's own axis then ends it or changes its speed.
#[test]
fn ready_again_while_turning() {
    let mut stage = Stage::creature();
    stage.press(MotionCommand::TURN_RIGHT).unwrap();
    stage.settle();
    assert_eq!(stage.substate(), MotionCommand::TURN_RIGHT);
    let mut state = InterpretedState::default();
    state.turn.command = MotionCommand::TURN_RIGHT;
    state.turn.speed = 1.5;
    stage.act().move_to_interpreted_state(&state);
    assert_eq!(stage.substate(), MotionCommand::TURN_RIGHT);
    assert_eq!(stage.entity.animator.state().substate_speed(), 1.5);
    stage.act().move_to_interpreted_state(&InterpretedState::default());
    assert_eq!(stage.substate(), MotionCommand::READY);
}

/// Table P4: an emote while running stops the run, plays, and is over when its animation is.
#[test]
fn an_emote_while_running() {
    let mut stage = Stage::player(200, 0);
    stage.hold_run();
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.run(30);
    stage.events.clear();
    stage.act().perform(&MovementRequest::StopCompletely).unwrap();
    assert_eq!(stage.entity.interp.raw.forward.command, MotionCommand::READY);
    stage.press(MotionCommand::WAVE).unwrap();
    assert_eq!(stage.entity.animator.state().actions().len(), 1);
    assert_eq!(stage.entity.interp.interpreted.actions().len(), 1);
    assert_eq!(stage.entity.interp.raw.actions().len(), 1);
    let done = MotionEvent::MotionDone { motion: MotionCommand::WAVE, success: true };
    let mut ticks = 0;
    while !stage.saw(done) {
        assert!(stage.entity.interp.has_pending());
        stage.tick();
        ticks += 1;
        assert!(ticks < 300, "it ends");
    }
    assert!(ticks > 24, "not before the glide and the wave have been played");
    assert_eq!(stage.entity.animator.state().actions().len(), 0);
    assert_eq!(stage.entity.interp.interpreted.actions().len(), 0);
    assert_eq!(stage.entity.interp.raw.actions().len(), 0);
    stage.tick();
    assert!(!stage.entity.interp.has_pending());
}

/// Rule F4: six actions wait, the seventh is refused.
#[test]
fn seven_actions() {
    let mut stage = Stage::player(200, 0);
    for _ in 0..6 {
        stage.press(MotionCommand::WAVE).unwrap();
    }
    assert_eq!(stage.press(MotionCommand::WAVE), Err(MotionError::TooManyActions));
    stage.run(600);
    stage.press(MotionCommand::WAVE).unwrap();
}

/// Rule F4: what a body in a combat stance will not do.
#[test]
fn crouching_in_combat() {
    let mut stage = Stage::player(200, 0);
    stage.press(MotionCommand::HAND_COMBAT).unwrap();
    assert_eq!(stage.press(MotionCommand::CROUCH), Err(MotionError::CannotCrouch));
    assert_eq!(stage.press(MotionCommand::SITTING), Err(MotionError::CannotSit));
    assert_eq!(stage.press(MotionCommand::SLEEPING), Err(MotionError::CannotSleep));
    assert_eq!(stage.press(MotionCommand::WAVE), Err(MotionError::CannotEmoteInCombat));
    stage.press(MotionCommand::NON_COMBAT).unwrap();
    stage.settle();
    stage.press(MotionCommand::CROUCH).unwrap();
    assert_eq!(stage.substate(), MotionCommand::CROUCH);
}

/// Section 0 of table O7: a change of the run key while walking is a run, without a key pressed anew.
#[test]
fn the_run_key_while_walking() {
    let mut stage = Stage::player(200, 0);
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    assert_eq!(stage.substate(), MotionCommand::WALK_FORWARD);
    stage.hold_run();
    assert_eq!(stage.substate(), MotionCommand::RUN_FORWARD);
    assert_eq!(stage.entity.animator.state().substate_speed(), 2.375);
    stage.act().set_hold_run(false, true);
    assert_eq!(stage.substate(), MotionCommand::WALK_FORWARD);
}

/// Rule F20: without stamina the run is one of skill 0.
#[test]
fn exhaustion_slows_the_run() {
    use std::sync::Arc;

    use acmotion::interp::PlayerWeenie;
    let mut stage = Stage::player(200, 0);
    stage.hold_run();
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.entity.set_weenie(Some(Arc::new(PlayerWeenie {
        run_skill: 200,
        stamina: 0,
        ..PlayerWeenie::default()
    })));
    stage.act().report_exhaustion();
    assert_eq!(stage.entity.animator.state().substate_speed(), 1.0);
}

/// A body without a motion table refuses with 7, one without parts with 0x47 (F5.4).
#[test]
fn bodies_that_cannot_be_animated() {
    let mut stage = Stage::creature();
    stage.entity.has_parts = false;
    assert_eq!(stage.press(MotionCommand::WALK_FORWARD), Err(MotionError::Failed));
    let mut bare = acmotion::entity::Entity::new(acmotion::types::Guid(7), None);
    bare.body.state.remove(acmotion::body::PhysicsState::GRAVITY);
    bare.body.flags.insert(BodyFlags::MANAGED | BodyFlags::IN_CELL);
    let mut act = bare.act(&stage.library, 0.0, &mut stage.events);
    let outcome = act.do_motion(MotionCommand::WALK_FORWARD, &MovementParams::default());
    assert_eq!(outcome, Err(MotionError::NoMotionTable));
    act.stop_completely().unwrap();
}
