//! Stories of the local player, from the key to the message (rules P1, P4–P7, `docs/recorded.md`). What each rule says by
//! itself is in `player_rules.rs`, what becomes of requests in `player_requests.rs`.

mod player_support;
mod world_support;

use acmotion::interp::PlayerWeenie;
use acmotion::player::{RequestError, RequestStatus};
use acmotion::types::{MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    Action, CombatMode, ContactFlags, HoldKey, InterpretedState, MoveToParams, MovementBody, ObjectStamps,
    Origin, PositionPack, PrivateUpdateSkill, Skill,
};
use acmotion::world::Identity;
use player_support::{
    D, RATE, W, action, frames, imposed, moved, player, press, release, sent, stance, states, take,
};
use world_support::{PLAYER, Scene, at, create, of, position_with, settings};

#[test]
fn entering_is_told_and_rest_is_not() {
    let mut scene = Scene::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    frames(&mut scene, 1);
    assert_eq!(sent(&mut scene), ["MoveToState", "AutonomousPosition"]);
    frames(&mut scene, 300);
    assert!(sent(&mut scene).is_empty(), "ten seconds at rest");
}

/// The examples of section K.
#[test]
fn a_run_is_told_by_its_keys_and_once_a_second() {
    let mut scene = player();
    press(&mut scene, W);
    let bytes = take(&mut scene);
    let raw = moved(&bytes[0]).raw;
    assert_eq!((raw.current_hold_key, raw.forward_command), (Some(HoldKey::RUN), Some(W)));
    assert_eq!((raw.forward_hold_key, raw.forward_speed, bytes.len()), (None, None, 1));
    frames(&mut scene, 65);
    let on_the_way = sent(&mut scene);
    assert!(on_the_way.len() >= 2 && on_the_way.iter().all(|name| *name == "AutonomousPosition"));
    release(&mut scene, W);
    let bytes = take(&mut scene);
    let raw = moved(&bytes[0]).raw;
    assert_eq!((raw.current_hold_key, raw.forward_command), (Some(HoldKey::RUN), None));
    frames(&mut scene, 300);
    assert_eq!(sent(&mut scene), ["AutonomousPosition"], "where he came to rest");
}

/// P1.
#[test]
fn turning_then_running_then_neither() {
    let mut scene = player();
    press(&mut scene, D);
    let (raw, done) = states(&scene);
    assert_eq!((raw.turn.command, raw.turn.speed, raw.turn.hold_key), (D, 1.0, HoldKey::INVALID));
    assert_eq!((done.turn.command, done.turn.speed), (D, 1.5));
    press(&mut scene, W);
    let (raw, done) = states(&scene);
    assert_eq!((raw.forward.command, done.forward.command), (W, MotionCommand::RUN_FORWARD));
    assert_eq!((done.forward.speed, done.turn.command), (RATE, D));
    frames(&mut scene, 10);
    release(&mut scene, D);
    assert_eq!(states(&scene).1.turn.command, MotionCommand::NONE);
    release(&mut scene, W);
    let (raw, done) = states(&scene);
    assert_eq!((raw.forward.command, done.forward.command), (MotionCommand::READY, MotionCommand::READY));
    let names = sent(&mut scene);
    assert_eq!(names.iter().filter(|name| **name == "MoveToState").count(), 4);
}

/// K10: what the server tells of a skill counts from the next step on.
#[test]
fn a_skill_of_the_server_makes_him_faster() {
    let mut scene = player();
    let value = Skill { init_level: 100, ..Skill::default() };
    scene.send(&of(PrivateUpdateSkill { skill: Skill::RUN, value, ..PrivateUpdateSkill::default() }));
    press(&mut scene, W);
    assert!((states(&scene).1.forward.speed - 1.916_666_6).abs() < 1e-5);
    let now = scene.now;
    let tired = PlayerWeenie { run_skill: 100, stamina: 0, ..PlayerWeenie::default() };
    scene.world.player_mut().set_weenie(tired, now);
    assert_eq!(states(&scene).1.forward.speed, 1.0, "without stamina there is no running (F20)");
}

/// P4.
#[test]
fn an_emote_stops_a_run() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 10);
    take(&mut scene);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Ok(RequestStatus::Now));
    let bytes = take(&mut scene);
    assert_eq!(bytes.len(), 2);
    let (stop, wave) = (moved(&bytes[0]).raw, moved(&bytes[1]).raw);
    assert_eq!((stop.forward_command, stop.actions.iter().count()), (None, 0));
    let item = wave.actions.iter().next().unwrap();
    assert_eq!((item.command, item.stamp.get(), item.autonomous), (MotionCommand::WAVE, 1, true));
    assert!(!scene.world.player_mut().keyboard().is_held());
    frames(&mut scene, 200);
    let (raw, done) = states(&scene);
    assert_eq!((raw.actions().len(), done.actions().len()), (0, 0));
    assert_eq!(scene.world.player_mut().emote(W, now), Err(RequestError::NotAnAction));
}

/// P5.
#[test]
fn a_key_takes_the_player_back_from_an_order() {
    let mut scene = player();
    let goal = at(96.5, 110.0);
    let origin = Origin { cell: goal.cell, point: goal.frame.origin };
    let body = MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate: RATE };
    press(&mut scene, MotionCommand::AUTO_RUN);
    scene.send(&imposed(body, MotionCommand::NON_COMBAT, 1));
    frames(&mut scene, 20);
    let keys = scene.world.player_mut().keyboard().clone();
    assert!(keys.controlled_by_server && !keys.auto_run);
    assert!(scene.world.find(PLAYER).unwrap().entity().is_moving_to());
    press(&mut scene, D);
    assert!(!scene.world.find(PLAYER).unwrap().entity().is_moving_to());
    assert!(!scene.world.player_mut().keyboard().controlled_by_server);
}

/// `docs/recorded.md`, Control: a held key resumes by itself and silently; running by itself never does.
#[test]
fn a_held_key_outlives_a_stance_of_the_server() {
    for (key, resumes) in [(W, true), (MotionCommand::AUTO_RUN, false)] {
        let mut scene = player();
        press(&mut scene, key);
        frames(&mut scene, 10);
        take(&mut scene);
        scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
        frames(&mut scene, 150);
        let runs = states(&scene).1.forward.command == MotionCommand::RUN_FORWARD;
        assert_eq!(runs, resumes, "{key}");
        assert!(!sent(&mut scene).contains(&"MoveToState"), "{key}");
    }
}

/// Q9: a release while the server moves the player only edits the list.
#[test]
fn a_release_under_the_servers_control_is_silent() {
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
fn a_long_jump_from_standing() {
    let mut scene = player();
    press(&mut scene, MotionCommand::TURN_LEFT);
    release(&mut scene, MotionCommand::TURN_LEFT);
    frames(&mut scene, 60);
    take(&mut scene);
    press(&mut scene, MotionCommand::JUMP);
    let bytes = take(&mut scene);
    let both = ContactFlags::CONTACT | ContactFlags::STANDING_LONG_JUMP;
    assert_eq!((bytes.len(), moved(&bytes[0]).contact), (1, both));
    let began = scene.now;
    press(&mut scene, W);
    let before = scene.place(PLAYER);
    frames(&mut scene, 18);
    assert!((scene.place(PLAYER) - before).length() < 1e-4, "he only remembers that he is to run");
    let power = scene.world.player_mut().jump_power(began + 0.6).unwrap();
    assert!((power - 0.6).abs() < 1e-6);
    take(&mut scene);
    scene.world.player_mut().end_jump(began + 0.6).unwrap();
    let bytes = take(&mut scene);
    let Action::Jump(jump) = action(&bytes[0]) else { panic!("no jump") };
    assert!((jump.extent - 0.6).abs() < 1e-6 && bytes.len() == 1);
    assert!((jump.velocity.y - 4.0 * RATE).abs() < 1e-3 && jump.velocity.z > 6.0, "{:?}", jump.velocity);
    let now = scene.now;
    assert_eq!(
        scene.world.player_mut().emote(MotionCommand::WAVE, now),
        Ok(RequestStatus::Parked),
        "in the air"
    );
    release(&mut scene, W);
    take(&mut scene);
    frames(&mut scene, 90);
    let landed = take(&mut scene);
    let waves = |bytes: &Vec<u8>| match action(bytes) {
        Action::MoveToState(message) => message.raw.actions.iter().count() == 1,
        _ => false,
    };
    assert!(landed.iter().any(waves), "on the ground he does what had to wait");
}

/// P7.
#[test]
fn a_teleport_ends_running_by_itself_and_is_answered() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 5);
    take(&mut scene);
    let there = at(12.5, 12.5);
    let teleport = |pack: &mut PositionPack| pack.teleport = Stamp(1);
    scene.send(&position_with(PLAYER, &there, 1, teleport));
    let bytes = take(&mut scene);
    let message = moved(&bytes[0]);
    assert_eq!((bytes.len(), message.stamps.teleport, message.position.cell), (1, Stamp(1), there.cell));
    assert!(!scene.world.player_mut().keyboard().auto_run);
    assert_eq!(scene.world.find(PLAYER).unwrap().body().velocity, Vec3::ZERO);
}

/// D6: the server sets the player right and is answered at once.
#[test]
fn a_forced_position_is_answered() {
    let mut scene = player();
    let force = |pack: &mut PositionPack| pack.force_position = Stamp(1);
    scene.send(&position_with(PLAYER, &at(97.5, 96.5), 1, force));
    assert_eq!(sent(&mut scene), ["AutonomousPosition"]);
}

#[test]
fn turn_keys_step_aside_while_the_key_for_that_is_held() {
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

/// K5: turns by mouse are motions, told twice a second.
#[test]
fn the_mouse_turns_by_motions() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().set_mouse_look(true, now);
    take(&mut scene);
    for _ in 0..30 {
        frames(&mut scene, 1);
        let now = scene.now;
        scene.world.player_mut().mouse_turn(0.5, now);
    }
    let (raw, done) = states(&scene);
    assert_eq!((raw.turn.command, raw.turn.speed, raw.turn.hold_key), (D, 1.0, HoldKey::RUN));
    assert_eq!(done.turn.speed, 1.5);
    let told = sent(&mut scene).iter().filter(|name| **name == "MoveToState").count();
    assert_eq!(told, 2);
    let now = scene.now;
    scene.world.player_mut().mouse_turn(0.0, now);
    assert_eq!(states(&scene).0.turn.command, MotionCommand::NONE);
    assert_eq!(sent(&mut scene), ["MoveToState"]);
}

/// C23, K4: a player whom the server drives only asks.
#[test]
fn without_autonomy_keys_are_questions() {
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
    assert_eq!(names, ["AutonomyLevel", "DoMovementCommand", "StopMovementCommand", "JumpNonAutonomous"]);
    assert_eq!(states(&scene).1.forward.command, MotionCommand::READY);
}

#[test]
fn the_dead_do_not_walk() {
    let mut scene = player();
    let dead = InterpretedState { forward_command: Some(MotionCommand::DEAD), ..InterpretedState::default() };
    let body = MovementBody::Interpreted { state: dead, sticky: None };
    scene.send(&imposed(body, MotionCommand::NON_COMBAT, 1));
    let now = scene.now;
    assert_eq!(scene.world.player_mut().press(W, now), Err(RequestError::Dead));
    assert_eq!(scene.world.player_mut().emote(MotionCommand::WAVE, now), Err(RequestError::Dead));
    assert!(!scene.world.player_mut().keyboard().is_held());
}

#[test]
fn keys_win_over_orders() {
    let mut scene = player();
    let (now, goal) = (scene.now, at(96.5, 100.0));
    press(&mut scene, W);
    assert_eq!(scene.world.player_mut().walk_to(&goal, now), Err(RequestError::KeysHeld));
    release(&mut scene, W);
    frames(&mut scene, 60);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().turn_to(f32::NAN, now), Err(RequestError::Nowhere));
    scene.world.player_mut().turn_to(450.0, now).unwrap();
    frames(&mut scene, 120);
    let heading = scene.world.find(PLAYER).unwrap().position().frame.heading();
    assert!((heading - 90.0).abs() < 0.01, "{heading}");
    let (now, goal) = (scene.now, at(110.5, 110.5));
    scene.world.player_mut().walk_to(&goal, now).unwrap();
    frames(&mut scene, 400);
    assert!((scene.place(PLAYER) - goal.frame.origin).length() < 1.5, "{:?}", scene.place(PLAYER));
    assert_eq!(scene.world.player_mut().set_stance(CombatMode::MELEE), Ok(RequestStatus::Now));
    assert_eq!(sent(&mut scene).last(), Some(&"ChangeCombatMode"));
}
