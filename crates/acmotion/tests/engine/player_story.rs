//! Scenarios of the local player, from the key to the message (rules P1, P4–P7, `docs/recorded.md`). Tests of single rules
//! are in `player_rules.rs`, tests of requests in `player_requests.rs`.

use crate::player_support;
use crate::world_support;

use acmotion::types::{MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    CombatMode, ContactFlags, GameActionBody, HoldKey, InterpretedState, MoveToParams, MovementBody,
    ObjectStamps, Origin, PositionPack, PrivateUpdateSkill, Skill,
};
use acmotion::{Identity, PlayerWeenie, RequestError};
use player_support::{
    D, RATE, W, action, description, frames, move_to_state, player, press, release, sent, server_movement,
    stance, states, take,
};
use world_support::{PLAYER, TestWorld, at, create, encode, position_with, settings};

#[test]
fn entering_the_world_is_reported_and_rest_is_not() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    frames(&mut scene, 1);
    assert_eq!(sent(&mut scene), ["MoveToState", "AutonomousPosition"]);
    frames(&mut scene, 300);
    assert!(sent(&mut scene).is_empty(), "at rest for 10 s");
}

/// The examples of section K.
#[test]
fn a_run_is_reported_by_key_and_once_a_second() {
    let mut scene = player();
    press(&mut scene, W);
    let bytes = take(&mut scene);
    let raw = move_to_state(&bytes[0]).raw;
    assert_eq!((raw.current_hold_key, raw.forward_command), (Some(HoldKey::RUN), Some(W)));
    assert_eq!((raw.forward_hold_key, raw.forward_speed, bytes.len()), (None, None, 1));
    frames(&mut scene, 65);
    let reports = sent(&mut scene);
    assert!(reports.len() >= 2 && reports.iter().all(|name| *name == "AutonomousPosition"));
    release(&mut scene, W);
    let bytes = take(&mut scene);
    let raw = move_to_state(&bytes[0]).raw;
    assert_eq!((raw.current_hold_key, raw.forward_command), (Some(HoldKey::RUN), None));
    frames(&mut scene, 300);
    assert_eq!(sent(&mut scene), ["AutonomousPosition"], "the position at rest");
}

/// P1.
#[test]
fn turn_and_run_start_and_stop_independently() {
    let mut scene = player();
    press(&mut scene, D);
    let (raw, interpreted) = states(&scene);
    assert_eq!((raw.turn.command, raw.turn.speed, raw.turn.hold_key), (D, 1.0, HoldKey::INVALID));
    assert_eq!((interpreted.turn.command, interpreted.turn.speed), (D, 1.5));
    press(&mut scene, W);
    let (raw, interpreted) = states(&scene);
    assert_eq!((raw.forward.command, interpreted.forward.command), (W, MotionCommand::RUN_FORWARD));
    assert_eq!((interpreted.forward.speed, interpreted.turn.command), (RATE, D));
    frames(&mut scene, 10);
    release(&mut scene, D);
    assert_eq!(states(&scene).1.turn.command, MotionCommand::NONE);
    release(&mut scene, W);
    let (raw, interpreted) = states(&scene);
    assert_eq!(
        (raw.forward.command, interpreted.forward.command),
        (MotionCommand::READY, MotionCommand::READY)
    );
    let names = sent(&mut scene);
    assert_eq!(names.iter().filter(|name| **name == "MoveToState").count(), 4);
}

/// K10: a skill that the server sends counts from the next motion on.
#[test]
fn a_skill_update_changes_the_run_rate() {
    let mut scene = player();
    scene.send(&description(105, 10, 0));
    let value = Skill { init_level: 0, ..Skill::default() };
    scene.send(&encode(PrivateUpdateSkill { skill: Skill::RUN, value, ..PrivateUpdateSkill::default() }));
    press(&mut scene, W);
    assert!((states(&scene).1.forward.speed - 1.916_666_6).abs() < 1e-5);
    let now = scene.now;
    let exhausted = PlayerWeenie { run_skill: 100, stamina: 0, ..PlayerWeenie::default() };
    scene.world.player_mut().set_weenie(exhausted, now);
    assert_eq!(states(&scene).1.forward.speed, 1.0, "without stamina the skill does not count (F20)");
}

/// P4.
#[test]
fn an_emote_stops_a_run() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 10);
    take(&mut scene);
    let now = scene.now;
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    let bytes = take(&mut scene);
    assert_eq!(bytes.len(), 2);
    let (stop, wave) = (move_to_state(&bytes[0]).raw, move_to_state(&bytes[1]).raw);
    assert_eq!((stop.forward_command, stop.actions.iter().count()), (None, 0));
    let item = wave.actions.iter().next().unwrap();
    assert_eq!((item.command, item.stamp.get(), item.autonomous), (MotionCommand::WAVE, 1, true));
    assert!(!scene.world.player_mut().keyboard().is_any_held());
    frames(&mut scene, 200);
    let (raw, interpreted) = states(&scene);
    assert_eq!((raw.actions().len(), interpreted.actions().len()), (0, 0));
    assert_eq!(scene.world.player_mut().emote(W, now), Err(RequestError::NotAnAction));
}

/// P5.
#[test]
fn a_key_ends_an_order_of_the_server() {
    let mut scene = player();
    let goal = at(96.5, 110.0);
    let origin = Origin { cell: goal.cell, point: goal.frame.origin };
    let body = MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate: RATE };
    press(&mut scene, MotionCommand::AUTO_RUN);
    scene.send(&server_movement(body, MotionCommand::NON_COMBAT, 1));
    frames(&mut scene, 20);
    let keys = scene.world.player_mut().keyboard().clone();
    assert!(keys.controlled_by_server && !keys.auto_run);
    assert!(scene.world.find(PLAYER).unwrap().entity().is_moving_to());
    press(&mut scene, D);
    assert!(!scene.world.find(PLAYER).unwrap().entity().is_moving_to());
    assert!(!scene.world.player_mut().keyboard().controlled_by_server);
}

/// `docs/recorded.md`, Control: a held key resumes without a message; autorun does not resume.
#[test]
fn a_held_key_resumes_after_the_server_changes_the_stance() {
    for (key, resumes) in [(W, true), (MotionCommand::AUTO_RUN, false)] {
        let mut scene = player();
        press(&mut scene, key);
        frames(&mut scene, 10);
        take(&mut scene);
        scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
        frames(&mut scene, 150);
        let is_running = states(&scene).1.forward.command == MotionCommand::RUN_FORWARD;
        assert_eq!(is_running, resumes, "{key}");
        assert!(!sent(&mut scene).contains(&"MoveToState"), "{key}");
    }
}

/// Q9: a release while the server controls the player only edits the list.
#[test]
fn a_release_under_server_control_sends_nothing() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 5);
    take(&mut scene);
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    release(&mut scene, W);
    assert!(sent(&mut scene).is_empty());
    frames(&mut scene, 150);
    assert_eq!(states(&scene).1.forward.command, MotionCommand::READY);
}

/// P6.
#[test]
fn a_standing_long_jump_launches_at_run_speed() {
    let mut scene = player();
    press(&mut scene, MotionCommand::TURN_LEFT);
    release(&mut scene, MotionCommand::TURN_LEFT);
    frames(&mut scene, 60);
    take(&mut scene);
    press(&mut scene, MotionCommand::JUMP);
    let bytes = take(&mut scene);
    let both = ContactFlags::CONTACT | ContactFlags::STANDING_LONG_JUMP;
    assert_eq!((bytes.len(), move_to_state(&bytes[1]).contact), (2, both), "after a `CancelAttack`");
    let start = scene.now;
    press(&mut scene, W);
    let before = scene.origin(PLAYER);
    frames(&mut scene, 18);
    assert!(
        (scene.origin(PLAYER) - before).length() < 1e-4,
        "only the state changes while the jump is charged"
    );
    let power = scene.world.player_mut().jump_power(start + 0.6).unwrap();
    assert!((power - 0.6).abs() < 1e-6);
    take(&mut scene);
    scene.world.player_mut().end_jump(start + 0.6).unwrap();
    let bytes = take(&mut scene);
    let GameActionBody::Jump(jump) = action(&bytes[0]) else { panic!("no jump") };
    assert!((jump.extent - 0.6).abs() < 1e-6 && bytes.len() == 1);
    assert!((jump.velocity.y - 4.0 * RATE).abs() < 1e-3 && jump.velocity.z > 6.0, "{:?}", jump.velocity);
    let now = scene.now;
    scene.world.player_mut().emote(MotionCommand::WAVE, now).unwrap();
    assert!(take(&mut scene).is_empty(), "the player is in the air");
    release(&mut scene, W);
    take(&mut scene);
    frames(&mut scene, 90);
    let messages = take(&mut scene);
    let is_wave = |bytes: &Vec<u8>| match action(bytes) {
        GameActionBody::MoveToState(message) => message.raw.actions.iter().count() == 1,
        _ => false,
    };
    assert!(messages.iter().any(is_wave), "the queued emote starts after landing");
}

/// P7.
#[test]
fn a_teleport_ends_autorun_and_sends_a_move_to_state() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 5);
    take(&mut scene);
    let there = at(12.5, 12.5);
    let teleport = |pack: &mut PositionPack| pack.teleport = Stamp(1);
    scene.send(&position_with(PLAYER, &there, 1, teleport));
    let bytes = take(&mut scene);
    let message = move_to_state(&bytes[0]);
    assert_eq!((bytes.len(), message.stamps.teleport, message.position.cell), (1, Stamp(1), there.cell));
    assert!(!scene.world.player_mut().keyboard().auto_run);
    assert_eq!(scene.world.find(PLAYER).unwrap().body().velocity, Vec3::ZERO);
}

/// D6: the server corrects the player's position.
#[test]
fn a_forced_position_is_answered_at_once() {
    let mut scene = player();
    let force = |pack: &mut PositionPack| pack.force_position = Stamp(1);
    scene.send(&position_with(PLAYER, &at(97.5, 96.5), 1, force));
    assert_eq!(sent(&mut scene), ["AutonomousPosition"]);
}

#[test]
fn turn_keys_sidestep_while_hold_sidestep_is_held() {
    let mut scene = player();
    press(&mut scene, MotionCommand::HOLD_SIDESTEP);
    press(&mut scene, D);
    let (raw, _) = states(&scene);
    assert_eq!(
        (raw.sidestep.command, raw.turn.command),
        (MotionCommand::SIDE_STEP_RIGHT, MotionCommand::NONE)
    );
    release(&mut scene, MotionCommand::HOLD_SIDESTEP);
    let (raw, _) = states(&scene);
    assert_eq!((raw.sidestep.command, raw.turn.command), (MotionCommand::NONE, D));
    release(&mut scene, D);
    assert_eq!(states(&scene).0.turn.command, MotionCommand::NONE);
}

/// K5.
#[test]
fn a_mouse_turn_is_a_motion_sent_twice_a_second() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().set_mouse_look(true, now);
    take(&mut scene);
    for _ in 0..30 {
        frames(&mut scene, 1);
        let now = scene.now;
        scene.world.player_mut().mouse_turn(0.5, now);
    }
    let (raw, interpreted) = states(&scene);
    assert_eq!((raw.turn.command, raw.turn.speed, raw.turn.hold_key), (D, 1.0, HoldKey::RUN));
    assert_eq!(interpreted.turn.speed, 1.5);
    let count = sent(&mut scene).iter().filter(|name| **name == "MoveToState").count();
    assert_eq!(count, 2);
    let now = scene.now;
    scene.world.player_mut().mouse_turn(0.0, now);
    assert_eq!(states(&scene).0.turn.command, MotionCommand::NONE);
    assert_eq!(sent(&mut scene), ["MoveToState"]);
}

/// C23, K4.
#[test]
fn at_autonomy_zero_keys_only_send_requests() {
    let mut scene = player();
    press(&mut scene, D);
    release(&mut scene, D);
    take(&mut scene);
    scene.world.player_mut().set_autonomy(0);
    press(&mut scene, W);
    release(&mut scene, W);
    press(&mut scene, MotionCommand::JUMP);
    release(&mut scene, MotionCommand::JUMP);
    let names = sent(&mut scene);
    let expected =
        ["AutonomyLevel", "DoMovementCommand", "StopMovementCommand", "CancelAttack", "JumpNonAutonomous"];
    assert_eq!(names, expected);
    assert_eq!(states(&scene).1.forward.command, MotionCommand::READY);
}

#[test]
fn a_dead_player_refuses_keys_and_emotes() {
    let mut scene = player();
    let dead = InterpretedState { forward_command: Some(MotionCommand::DEAD), ..InterpretedState::default() };
    let body = MovementBody::Interpreted { state: dead, sticky: None };
    scene.send(&server_movement(body, MotionCommand::NON_COMBAT, 1));
    let now = scene.now;
    assert_eq!(scene.world.player_mut().press(W, now), Err(RequestError::Dead));
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Err(RequestError::Dead));
    assert!(!scene.world.player_mut().keyboard().is_any_held());
}

#[test]
fn keys_take_precedence_over_requests() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(96.5, 100.0));
    press(&mut scene, W);
    assert_eq!(scene.world.player_mut().walk_to(goal, now), Err(RequestError::KeysHeld));
    release(&mut scene, W);
    frames(&mut scene, 60);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().turn_to(f32::NAN, now), Err(RequestError::InvalidTarget));
    scene.world.player_mut().turn_to(450.0, now).unwrap();
    frames(&mut scene, 120);
    let heading = scene.world.find(PLAYER).unwrap().position().frame.heading();
    assert!((heading - 90.0).abs() < 0.01, "{heading}");
    let (now, goal) = (scene.now, at(110.5, 110.5));
    scene.world.player_mut().walk_to(goal, now).unwrap();
    frames(&mut scene, 400);
    assert!((scene.origin(PLAYER) - goal.frame.origin).length() < 1.5, "{:?}", scene.origin(PLAYER));
    scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
    assert_eq!(sent(&mut scene).last(), Some(&"ChangeCombatMode"));
}

/// K5, K6: all keys count as released, in one `MoveToState`. Autorun goes on.
#[test]
fn losing_the_focus_releases_all_keys() {
    let mut scene = player();
    press(&mut scene, W);
    press(&mut scene, D);
    frames(&mut scene, 5);
    take(&mut scene);
    let now = scene.now;
    scene.world.player_mut().begin_jump(now).unwrap();
    take(&mut scene);
    scene.world.player_mut().set_hold_run(true, now);
    scene.world.player_mut().lose_focus(now);
    let messages = take(&mut scene);
    assert_eq!(messages.len(), 1);
    let message = move_to_state(&messages[0]);
    assert_eq!((message.raw.forward_command, message.raw.turn_command), (None, None));
    assert_eq!(message.raw.current_hold_key, Some(HoldKey::RUN), "the run key is released: run by default");
    let keyboard = scene.world.player_mut().keyboard().clone();
    assert!(!keyboard.is_any_held() && !keyboard.hold_run);
    assert_eq!(scene.world.player_mut().jump_power(now + 0.5), None);
    // Under the server's control nothing is sent; autorun is no key.
    press(&mut scene, MotionCommand::AUTO_RUN);
    take(&mut scene);
    scene.world.player_mut().lose_focus(now);
    let message = take(&mut scene);
    assert_eq!(move_to_state(&message[0]).raw.forward_command, Some(W));
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    scene.world.player_mut().lose_focus(now);
    assert!(take(&mut scene).is_empty());
}

/// K4: the dead test precedes releases too, and clears what is held.
#[test]
fn a_release_of_a_dead_player_clears_all_keys() {
    let mut scene = player();
    press(&mut scene, W);
    press(&mut scene, D);
    let now = scene.now;
    // Death that this client finds out by itself, so that the player keeps control.
    scene
        .world
        .act(PLAYER, now, |actor, _| actor.entity.interp.interpreted.forward.command = MotionCommand::DEAD);
    take(&mut scene);
    assert_eq!(scene.world.player_mut().release(D, now), Err(RequestError::Dead));
    assert!(!scene.world.player_mut().keyboard().is_any_held(), "W is not held any more either");
    assert_eq!(sent(&mut scene), ["MoveToState"]);
}
