//! Motions, hold keys and styles through the interpreter (rules F; tables P1, P3, P4).

use crate::interp_common;

use acmotion::components::{InterpretedState, MovementParams, MovementRequest};
use acmotion::internals::body::BodyFlags;
use acmotion::types::MotionCommand;
use acmotion::{MotionError, MotionEvent};
use interp_common::{Stage, assert_near};

fn modifiers(stage: &Stage) -> Vec<(MotionCommand, f32)> {
    stage.entity.animator.state().modifiers().map(|modifier| (modifier.motion, modifier.speed)).collect()
}

/// Table P1: turn right, then run as well, then only run, then stop.
#[test]
fn turn_and_run_start_and_stop_independently() {
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
    assert!(stage.entity.body.position.frame.heading() != heading, "the body turns in place");

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

/// Table P3: Ready has no effect while the body turns in place; the turn axis changes the speed of the turn or ends it.
#[test]
fn ready_does_not_end_a_turn_in_place() {
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

/// Table P4: an emote stops the run and is done when its animation has played.
#[test]
fn an_emote_while_running_plays_after_the_stop() {
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
        assert!(ticks < 300, "the emote ends");
    }
    assert!(ticks > 24, "the link and the wave have been played");
    assert_eq!(stage.entity.animator.state().actions().len(), 0);
    assert_eq!(stage.entity.interp.interpreted.actions().len(), 0);
    assert_eq!(stage.entity.interp.raw.actions().len(), 0);
    stage.tick();
    assert!(!stage.entity.interp.has_pending());
}

/// Rule F4.
#[test]
fn a_seventh_pending_action_is_refused() {
    let mut stage = Stage::player(200, 0);
    for _ in 0..6 {
        stage.press(MotionCommand::WAVE).unwrap();
    }
    assert_eq!(stage.press(MotionCommand::WAVE), Err(MotionError::TooManyActions));
    stage.run(600);
    stage.press(MotionCommand::WAVE).unwrap();
}

/// Every pending motion is completed when a body is deleted or hidden. The server can queue any number of them.
#[test]
fn a_flood_of_actions_is_completed_when_the_body_leaves() {
    let mut stage = Stage::creature();
    for _ in 0..50_000 {
        stage.act().do_interpreted_motion(MotionCommand::WAVE, &MovementParams::default()).unwrap();
    }
    stage.act().exit_world();
    assert!(!stage.entity.interp.has_pending() && stage.entity.interp.interpreted.actions().len() == 0);
}

/// Rule F4.
#[test]
fn crouching_sitting_sleeping_and_emotes_are_refused_in_combat() {
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

/// Section 0 of table O7: the run key turns a walk into a run without another key press.
#[test]
fn the_run_key_turns_a_walk_into_a_run() {
    let mut stage = Stage::player(200, 0);
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    assert_eq!(stage.substate(), MotionCommand::WALK_FORWARD);
    stage.hold_run();
    assert_eq!(stage.substate(), MotionCommand::RUN_FORWARD);
    assert_eq!(stage.entity.animator.state().substate_speed(), 2.375);
    stage.act().set_hold_run(false, true);
    assert_eq!(stage.substate(), MotionCommand::WALK_FORWARD);
}

/// Rule F20: without stamina the run rate is that of skill 0.
#[test]
fn exhaustion_slows_the_run() {
    use std::sync::Arc;

    use acmotion::PlayerWeenie;
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

/// F5.4: code 7 without a motion table, 0x47 without parts.
#[test]
fn bodies_without_parts_or_table_refuse_motions() {
    let mut stage = Stage::creature();
    stage.entity.has_parts = false;
    assert_eq!(stage.press(MotionCommand::WALK_FORWARD), Err(MotionError::Failed));
    let mut bare = acmotion::components::Entity::new(acmotion::types::Guid(7), None);
    bare.body.state.remove(acmotion::components::PhysicsState::GRAVITY);
    bare.body.flags.insert(BodyFlags::MANAGED | BodyFlags::IN_CELL);
    let mut act = bare.act(&stage.library, 0.0, &mut stage.events);
    let result = act.do_motion(MotionCommand::WALK_FORWARD, &MovementParams::default());
    assert_eq!(result, Err(MotionError::NoMotionTable));
    act.stop_completely().unwrap();
}
