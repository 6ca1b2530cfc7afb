//! Tests of the local player's rules, one by one. Which test covers which rule:
//!
//! | rule | tests, in this file unless another is named |
//! |---|---|
//! | K1 | `disabled_controls_ignore_keys_and_report_no_position`, `the_server_controls_the_player_at_first`, `lists.rs` |
//! | K2 | `the_dedicated_run_key_sends_nothing`, `hold_keys_are_sent_only_while_moving`, `autorun_toggles_when_its_key_is_pressed`, `a_release_under_server_control_sends_nothing` in `player_story.rs`, and the quirk `a_hold_key_released_under_server_control_stays_held` |
//! | K3, Q9, R8 | `the_newest_key_of_a_list_applies`, `a_mouse_turn_ended_under_server_control_sends_nothing`, `a_refused_crouch_keeps_a_walk_going`, `a_forward_command_ends_autorun`, `a_refused_crouch_ends_autorun`, `keyboard.rs` |
//! | K4 | `only_successful_actions_advance_the_stamp`, `keys_set_no_hold_key_of_an_axis`, `an_emote_stops_a_run`, `a_dead_player_refuses_keys_and_emotes` and `at_autonomy_zero_keys_only_send_requests` in `player_story.rs` |
//! | K5 | `the_run_key_inverts_run_by_default`, `autorun_toggles_when_its_key_is_pressed`, `a_mouse_turn_is_a_motion_sent_twice_a_second` in `player_story.rs` |
//! | K6 | `every_key_event_sends_a_move_to_state` |
//! | K7, Q8 | `no_position_is_reported_in_the_air`, `a_new_cell_is_reported_at_once`, `a_jump_does_not_postpone_the_position_report`, `heartbeat.rs` |
//! | K8 | `losing_control_ends_the_charge_of_a_jump`, `taking_control_ends_the_servers_order`, `taking_control_applies_the_run_key`, `control_is_retaken_only_after_the_servers_motions`, `after_crouching_a_teleport_does_not_end_the_run`, `a_new_body_resumes_the_held_keys` |
//! | K9, C23 | `a_refused_jump_sends_nothing`, `at_autonomy_zero_a_release_ends_the_charge`, `a_standing_long_jump_launches_at_run_speed` in `player_story.rs`, `player_recording.rs` |
//! | K10 | `a_skill_update_changes_the_run_rate` in `player_story.rs`, `skills.rs` |
//! | K11, D6, D9, D10 | `the_players_own_echoes_are_ignored`, `at_autonomy_one_the_player_follows_the_server`, `a_forced_position_keeps_the_heading`, `a_forced_position_in_the_air_is_not_answered` (R7) |
//! | C21, C22 | `a_charge_sends_one_move_to_state`, `a_jump_charges_faster_in_dual_wield` |
//! | C27, F6 | `a_motion_that_never_played_cannot_be_stopped` |
//! | C26, C29, C30 | `in_the_air_only_turns_move_the_body`, `landing_resumes_the_held_keys` |
//! | P1, P4–P7 | `player_story.rs` |

use crate::player_support;
use crate::world_support;

use acmotion::types::{MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    ContactFlags, GameActionBody, MotionFlags, MoveToParams, Movement, MovementBody, MovementData,
    ObjectStamps, Origin, Pad, TurnToParams, UpdateMotion, WireBool,
};
use acmotion::{HoldKey, Identity, MotionError, PlayerWeenie, RequestError};
use player_support::{
    D, RATE, W, action, frames, move_to_state, player, press, release, sent, server_movement, stance, state,
    states, take,
};
use world_support::{
    PLAYER, TestWorld, at, create, encode, position, position_with, running, settings, vector,
};

const X: MotionCommand = MotionCommand::WALK_BACKWARDS;
const READY: MotionCommand = MotionCommand::READY;
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;

fn keys(scene: &mut TestWorld) -> acmotion::components::Keyboard {
    scene.world.player_mut().keyboard().clone()
}

/// The forward command of the interpreted state.
fn forward(scene: &TestWorld) -> MotionCommand {
    states(scene).1.forward.command
}

/// A player off the ground after the highest possible jump.
fn in_the_air() -> TestWorld {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    take(&mut scene);
    scene
}

#[test]
fn the_server_controls_the_player_at_first() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    assert!(keys(&mut scene).controlled_by_server);
    assert_eq!(scene.world.player().autonomy, 2);
    frames(&mut scene, 30);
    assert!(keys(&mut scene).controlled_by_server, "no key is held");
    press(&mut scene, W);
    assert!(!keys(&mut scene).controlled_by_server);
}

/// The dedicated run key neither takes control nor sends; the next message carries the hold key.
#[test]
fn the_dedicated_run_key_sends_nothing() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().set_hold_run(true, now);
    assert!(sent(&mut scene).is_empty() && keys(&mut scene).controlled_by_server);
    press(&mut scene, W);
    let bytes = take(&mut scene);
    assert_eq!(move_to_state(&bytes[0]).raw.current_hold_key, None, "with the key held the player walks");
    scene.world.player_mut().set_hold_run(false, now);
    assert!(sent(&mut scene).is_empty());
    assert_eq!(forward(&scene), RUN, "without it the player runs");
}

#[test]
fn hold_keys_are_sent_only_while_moving() {
    let mut scene = player();
    press(&mut scene, MotionCommand::HOLD_RUN);
    release(&mut scene, MotionCommand::HOLD_RUN);
    assert!(sent(&mut scene).is_empty(), "the player stands still");
    press(&mut scene, W);
    take(&mut scene);
    press(&mut scene, MotionCommand::HOLD_RUN);
    let bytes = take(&mut scene);
    assert_eq!((bytes.len(), move_to_state(&bytes[0]).raw.current_hold_key), (1, None));
    assert_eq!(forward(&scene), W);
    release(&mut scene, MotionCommand::HOLD_RUN);
    assert_eq!((sent(&mut scene).len(), forward(&scene)), (1, RUN));
}

/// A quirk: such a release only looks for the command's list, and there is none.
#[test]
fn a_hold_key_released_under_server_control_stays_held() {
    let mut scene = player();
    press(&mut scene, MotionCommand::HOLD_RUN);
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    release(&mut scene, MotionCommand::HOLD_RUN);
    assert!(keys(&mut scene).hold_run);
    press(&mut scene, MotionCommand::HOLD_RUN);
    release(&mut scene, MotionCommand::HOLD_RUN);
    assert!(!keys(&mut scene).hold_run);
}

#[test]
fn the_run_key_inverts_run_by_default() {
    for (by_default, held, runs) in
        [(false, false, false), (false, true, true), (true, false, true), (true, true, false)]
    {
        let mut scene = player();
        let now = scene.now;
        scene.world.player_mut().set_run_by_default(by_default, now);
        scene.world.player_mut().set_hold_run(held, now);
        press(&mut scene, W);
        let (raw, interpreted) = states(&scene);
        assert_eq!(raw.forward.command, W, "the raw state never runs");
        assert_eq!(raw.current_hold_key, if runs { HoldKey::RUN } else { HoldKey::NONE });
        assert_eq!(
            (interpreted.forward.command, interpreted.forward.speed),
            if runs { (RUN, RATE) } else { (W, 1.0) }
        );
    }
}

#[test]
fn autorun_toggles_when_its_key_is_pressed() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    let bytes = take(&mut scene);
    let raw = move_to_state(&bytes[0]).raw;
    assert_eq!((raw.forward_command, raw.forward_hold_key), (Some(W), Some(HoldKey::RUN)));
    assert!(!keys(&mut scene).controlled_by_server, "switching autorun on takes control (R8)");
    release(&mut scene, MotionCommand::AUTO_RUN);
    assert!(sent(&mut scene).is_empty() && forward(&scene) == RUN, "a release does nothing");
    press(&mut scene, MotionCommand::AUTO_RUN);
    assert_eq!((sent(&mut scene), forward(&scene)), (vec!["MoveToState"], READY));
}

/// A forward or backward key ends autorun without a stop in between; a turn or a release does not.
#[test]
fn a_forward_command_ends_autorun() {
    for (key, ends) in [(W, true), (X, true), (MotionCommand::CROUCH, true), (D, false)] {
        let mut scene = player();
        press(&mut scene, MotionCommand::AUTO_RUN);
        frames(&mut scene, 30);
        take(&mut scene);
        press(&mut scene, key);
        assert_eq!((keys(&mut scene).auto_run, sent(&mut scene).len()), (!ends, 1), "{key}");
    }
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 60);
    let pending = |scene: &TestWorld| scene.world.find(PLAYER).unwrap().entity().animator.pending().len();
    let before = (pending(&scene), forward(&scene));
    press(&mut scene, W);
    assert_eq!((pending(&scene), forward(&scene)), before, "the run is not interrupted");
    release(&mut scene, W);
    assert_eq!(forward(&scene), READY);
}

/// Autorun ends even if the command that ends it is refused.
#[test]
fn a_refused_crouch_ends_autorun() {
    let mut scene = player();
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    frames(&mut scene, 60);
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 10);
    let now = scene.now;
    assert!(scene.world.player_mut().press(MotionCommand::CROUCH, now).is_err());
    assert_eq!(forward(&scene), READY);
}

/// A quirk (K8): after a crouch the transient state is still set, so the end of autorun applies no Ready.
#[test]
fn after_crouching_a_teleport_does_not_end_the_run() {
    for (crouches, then) in [(false, READY), (true, RUN)] {
        let mut scene = player();
        if crouches {
            press(&mut scene, MotionCommand::CROUCH);
        }
        press(&mut scene, MotionCommand::AUTO_RUN);
        scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
        assert_eq!((forward(&scene), keys(&mut scene).auto_run), (then, false));
    }
}

/// During autorun, forward keys only change the list.
#[test]
fn the_newest_key_of_a_list_applies() {
    let mut scene = player();
    press(&mut scene, W);
    press(&mut scene, X);
    let (raw, interpreted) = states(&scene);
    assert_eq!((raw.forward.command, interpreted.forward.command), (X, W));
    assert!((interpreted.forward.speed + 0.65 * RATE).abs() < 1e-6);
    take(&mut scene);
    release(&mut scene, X);
    assert_eq!(
        (sent(&mut scene).len(), states(&scene).0.forward.command),
        (1, W),
        "the older key starts again"
    );
    press(&mut scene, X);
    release(&mut scene, W);
    assert_eq!(states(&scene).0.forward.command, X, "the released key was not the newest");
    release(&mut scene, X);
    assert_eq!(forward(&scene), READY);
    press(&mut scene, W);
    press(&mut scene, MotionCommand::AUTO_RUN);
    release(&mut scene, W);
    assert_eq!(forward(&scene), RUN);
}

/// A quirk: a substate that no list keeps is recorded before the body refuses it, and the record outlives the walk.
#[test]
fn a_refused_crouch_keeps_a_walk_going() {
    let mut scene = player();
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    frames(&mut scene, 60);
    press(&mut scene, W);
    let now = scene.now;
    let refused = scene.world.player_mut().press(MotionCommand::CROUCH, now);
    assert_eq!(refused, Err(RequestError::Motion(MotionError::CannotCrouch)));
    release(&mut scene, W);
    assert!(keys(&mut scene).is_transient && !keys(&mut scene).is_any_held());
    assert_eq!(forward(&scene), RUN);
    press(&mut scene, W);
    release(&mut scene, W);
    assert_eq!(forward(&scene), READY, "the next key clears the record");
}

/// A quirk: a sidestep that a standing long jump suppressed cannot be stopped if the jump is refused.
#[test]
fn a_motion_that_never_played_cannot_be_stopped() {
    let mut scene = player();
    press(&mut scene, D);
    release(&mut scene, D);
    frames(&mut scene, 30);
    press(&mut scene, MotionCommand::JUMP);
    press(&mut scene, MotionCommand::SIDE_STEP_RIGHT);
    let now = scene.now;
    let heavy = PlayerWeenie { load: 2.5, ..PlayerWeenie::default() };
    scene.world.player_mut().set_weenie(heavy, now);
    let refused = scene.world.player_mut().release(MotionCommand::JUMP, now + 0.5);
    assert_eq!(refused, Err(RequestError::Motion(MotionError::LoadedDown)));
    release(&mut scene, MotionCommand::SIDE_STEP_RIGHT);
    assert_eq!(states(&scene).0.sidestep.command, MotionCommand::SIDE_STEP_RIGHT);
    press(&mut scene, MotionCommand::SIDE_STEP_RIGHT);
    release(&mut scene, MotionCommand::SIDE_STEP_RIGHT);
    assert_eq!(states(&scene).0.sidestep.command, MotionCommand::NONE);
}

#[test]
fn only_successful_actions_advance_the_stamp() {
    let mut scene = player();
    let stamp = |scene: &mut TestWorld| {
        let bytes = take(scene);
        let wave = move_to_state(bytes.last().unwrap()).raw.actions.iter().next();
        wave.map(|item| item.stamp.get())
    };
    press(&mut scene, MotionCommand::WAVE);
    assert_eq!(stamp(&mut scene), Some(1));
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    frames(&mut scene, 200);
    let now = scene.now;
    assert!(scene.world.player_mut().press(MotionCommand::WAVE, now).is_err());
    scene.send(&stance(MotionCommand::NON_COMBAT, 2));
    frames(&mut scene, 200);
    take(&mut scene);
    press(&mut scene, MotionCommand::WAVE);
    assert_eq!(stamp(&mut scene), Some(2), "the refused action does not count");
}

/// Only the mouse and autorun set the hold key of an axis.
#[test]
fn keys_set_no_hold_key_of_an_axis() {
    let mut scene = player();
    for key in [W, D, MotionCommand::SIDE_STEP_LEFT] {
        press(&mut scene, key);
    }
    let (raw, _) = states(&scene);
    for axis in [raw.forward, raw.turn, raw.sidestep] {
        assert_eq!((axis.hold_key, axis.speed), (HoldKey::INVALID, 1.0));
    }
    let bytes = take(&mut scene);
    let raw = move_to_state(bytes.last().unwrap()).raw;
    assert_eq!((raw.forward_hold_key, raw.turn_hold_key, raw.sidestep_hold_key), (None, None, None));
}

#[test]
fn every_key_event_sends_a_move_to_state() {
    let mut scene = player();
    for _ in 0..3 {
        press(&mut scene, W);
    }
    assert_eq!(sent(&mut scene), ["MoveToState"; 3]);
    release(&mut scene, W);
    release(&mut scene, W);
    assert_eq!(sent(&mut scene), ["MoveToState"; 2], "also a release without effect");
}

#[test]
fn no_position_is_reported_in_the_air() {
    let mut scene = in_the_air();
    for _ in 0..50 {
        frames(&mut scene, 1);
        let is_standing = scene.world.find(PLAYER).unwrap().body().is_standing();
        assert!(is_standing || sent(&mut scene).is_empty());
    }
}

#[test]
fn a_new_cell_is_reported_at_once() {
    let mut scene = player();
    press(&mut scene, W);
    let mut cell = scene.world.find(PLAYER).unwrap().position().cell;
    let mut crossed = 0;
    for _ in 0..120 {
        take(&mut scene);
        frames(&mut scene, 1);
        let now_in = scene.world.find(PLAYER).unwrap().position().cell;
        if now_in != cell {
            cell = now_in;
            crossed += 1;
            assert_eq!(sent(&mut scene), ["AutonomousPosition"]);
        }
    }
    assert!(crossed > 0);
}

/// K2, K6, K7, K8: the command interpreter can be disabled, which does not keep a `MoveToState` back.
#[test]
fn disabled_controls_ignore_keys_and_report_no_position() {
    let mut scene = player();
    press(&mut scene, W);
    scene.send(&stance(MotionCommand::NON_COMBAT, 1));
    take(&mut scene);
    let now = scene.now;
    let mut player = scene.world.player_mut();
    player.set_enabled(false);
    assert_eq!(player.press(D, now), Err(RequestError::Disabled));
    assert_eq!(player.press(MotionCommand::JUMP, now), Err(RequestError::Disabled));
    player.mouse_turn(0.5, now);
    frames(&mut scene, 90);
    assert!(sent(&mut scene).is_empty(), "no position after the server moved the player");
    assert!(keys(&mut scene).controlled_by_server, "the held key does not take control back");
    scene.world.player_mut().send_movement(now);
    assert_eq!(sent(&mut scene), ["MoveToState"]);
    scene.world.player_mut().set_enabled(true);
    frames(&mut scene, 90);
    assert!(!keys(&mut scene).controlled_by_server);
    assert!(sent(&mut scene).contains(&"AutonomousPosition"));
}

/// Q8: a `Jump` message neither counts as a position report nor restarts the interval.
#[test]
fn a_jump_does_not_postpone_the_position_report() {
    let mut scene = player();
    frames(&mut scene, 60);
    let now = scene.now;
    scene.world.player_mut().begin_jump(now).unwrap();
    frames(&mut scene, 3);
    let now = scene.now;
    scene.world.player_mut().end_jump(now).unwrap();
    assert_eq!(sent(&mut scene), ["CancelAttack", "MoveToState", "Jump"]);
    frames(&mut scene, 120);
    assert!(sent(&mut scene).is_empty(), "the player landed at the position last reported");
}

#[test]
fn losing_control_ends_the_charge_of_a_jump() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 60);
    press(&mut scene, MotionCommand::JUMP);
    let charges = |scene: &mut TestWorld| {
        let now = scene.now;
        let long = scene.world.find(PLAYER).unwrap().entity().interp.standing_long_jump;
        (scene.world.player_mut().jump_power(now).is_some(), long)
    };
    assert_eq!(charges(&mut scene), (true, true));
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    assert_eq!(charges(&mut scene), (false, false));
    let now = scene.now;
    let released = scene.world.player_mut().release(MotionCommand::JUMP, now);
    assert_eq!(released, Err(RequestError::NotCharged));
}

/// The server's order and interpolation end, and the held keys apply.
#[test]
fn taking_control_ends_the_servers_order() {
    let mut scene = player();
    press(&mut scene, W);
    let params = TurnToParams { desired_heading: 180.0, ..TurnToParams::default() };
    scene.send(&server_movement(MovementBody::TurnToHeading { params }, MotionCommand::NON_COMBAT, 1));
    frames(&mut scene, 3);
    assert_eq!(forward(&scene), READY, "the order stops the run");
    take(&mut scene);
    press(&mut scene, D);
    let (raw, interpreted) = states(&scene);
    assert_eq!((raw.forward.command, raw.turn.command), (W, D), "both keys are held");
    assert_eq!(interpreted.forward.command, RUN);
    assert!(!scene.world.find(PLAYER).unwrap().entity().is_moving_to());
    assert_eq!(sent(&mut scene), ["MoveToState"], "one message for the key, none for the change of control");
    scene.world.player_mut().set_autonomy(1);
    scene.send(&position(PLAYER, &at(99.5, 96.5), 1));
    scene.send(&stance(MotionCommand::HAND_COMBAT, 2));
    let is_interpolating = |scene: &TestWorld| {
        let correction = &scene.world.find(PLAYER).unwrap().entity().correction;
        correction.interpolation.nodes().len() > 0
    };
    assert!(is_interpolating(&scene));
    press(&mut scene, W);
    assert!(!is_interpolating(&scene));
}

/// K5: the option may have been set before the player existed; the first key applies it.
#[test]
fn taking_control_applies_the_run_key() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    let now = scene.now;
    scene.world.player_mut().set_run_by_default(true, now);
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    press(&mut scene, W);
    assert_eq!(forward(&scene), RUN);
}

/// A new body starts under the server's control, and the held keys move it as they moved the old one.
#[test]
fn a_new_body_resumes_the_held_keys() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 10);
    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    scene.send(&create(PLAYER, &at(96.5, 96.5), stamps, None));
    assert_eq!(forward(&scene), READY);
    frames(&mut scene, 10);
    assert_eq!(forward(&scene), RUN);
}

#[test]
fn control_is_retaken_only_after_the_servers_motions() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 30);
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    let mut waited = 0;
    while keys(&mut scene).controlled_by_server {
        frames(&mut scene, 1);
        waited += 1;
        let pending = scene.world.find(PLAYER).unwrap().entity().interp.has_pending();
        assert!(pending || !keys(&mut scene).controlled_by_server);
    }
    assert!(waited > 5, "the change of stance takes a while");
    assert_eq!(forward(&scene), RUN);
    let goal = at(96.5, 140.0);
    let origin = Origin { cell: goal.cell, point: goal.frame.origin };
    let body = MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate: RATE };
    scene.send(&server_movement(body, MotionCommand::HAND_COMBAT, 2));
    let mut went = 0;
    while scene.world.find(PLAYER).unwrap().entity().is_moving_to() {
        assert!(keys(&mut scene).controlled_by_server);
        frames(&mut scene, 1);
        went += 1;
    }
    assert!(went > 60, "the held key waits until the player has arrived: {went} frames");
    frames(&mut scene, 60);
    assert_eq!(forward(&scene), RUN);
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::DEAD, 3));
    frames(&mut scene, 200);
    assert!(keys(&mut scene).controlled_by_server, "a dead player does not take control");
}

/// Q9 for the mouse: while the server controls the player, the end of a turn only edits the list.
#[test]
fn a_mouse_turn_ended_under_server_control_sends_nothing() {
    let mut scene = player();
    let now = scene.now;
    let mut mouse = scene.world.player_mut();
    mouse.set_mouse_look(true, now);
    mouse.mouse_turn(0.5, now);
    assert!(mouse.keyboard().is_any_held());
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    take(&mut scene);
    scene.world.player_mut().mouse_turn(0.0, now);
    assert!(sent(&mut scene).is_empty() && !keys(&mut scene).is_any_held());
}

#[test]
fn a_refused_jump_sends_nothing() {
    let mut scene = in_the_air();
    let now = scene.now;
    scene.world.player_mut().begin_jump(now).unwrap();
    assert_eq!(sent(&mut scene), ["CancelAttack", "MoveToState"], "a jump can be charged in the air (F12)");
    let refused = scene.world.player_mut().end_jump(now + 0.3);
    assert_eq!(refused, Err(RequestError::Motion(MotionError::NotGrounded)));
    assert!(sent(&mut scene).is_empty());
}

#[test]
fn a_charge_sends_one_move_to_state() {
    let mut scene = player();
    press(&mut scene, MotionCommand::JUMP);
    press(&mut scene, MotionCommand::JUMP);
    let bytes = take(&mut scene);
    assert_eq!(bytes.len(), 2, "after a `CancelAttack` (recorded)");
    assert!(move_to_state(&bytes[1]).contact.contains(ContactFlags::STANDING_LONG_JUMP));
    let now = scene.now;
    scene.world.player_mut().end_jump(now).unwrap();
    frames(&mut scene, 60);
    take(&mut scene);
    let heavy = PlayerWeenie { load: 2.0, ..PlayerWeenie::default() };
    let now = scene.now;
    scene.world.player_mut().set_weenie(heavy, now);
    let refused = scene.world.player_mut().begin_jump(now);
    assert_eq!(refused, Err(RequestError::Motion(MotionError::LoadedDown)));
    scene.world.player_mut().set_weenie(PlayerWeenie::default(), now);
    press(&mut scene, MotionCommand::CROUCH);
    take(&mut scene);
    let refused = scene.world.player_mut().begin_jump(now);
    assert_eq!(refused, Err(RequestError::Motion(MotionError::CannotJumpHere)));
    assert!(sent(&mut scene).is_empty(), "refused charges send nothing");
}

/// C23: the charge ends although the server decides about the jump.
#[test]
fn at_autonomy_zero_a_release_ends_the_charge() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(0);
    let is_charging =
        |scene: &TestWorld| scene.world.find(PLAYER).unwrap().entity().interp.standing_long_jump;
    press(&mut scene, MotionCommand::JUMP);
    assert!(is_charging(&scene));
    let now = scene.now;
    scene.world.player_mut().release(MotionCommand::JUMP, now + 0.5).unwrap();
    assert!(!is_charging(&scene));
    let bytes = take(&mut scene);
    let GameActionBody::JumpNonAutonomous(jump) = action(bytes.last().unwrap()) else { panic!("no jump") };
    assert_eq!(jump.extent, 0.0, "a quirk: the charge is cleared before the extent is computed");
}

#[test]
fn a_jump_charges_faster_in_dual_wield() {
    for (style, power) in [(MotionCommand::NON_COMBAT, 0.4), (MotionCommand::DUAL_WIELD_COMBAT, 0.5)] {
        let mut scene = player();
        scene.world.act(PLAYER, 10.1, |actor, _| actor.entity.interp.interpreted.style = style);
        let now = scene.now;
        scene.world.player_mut().begin_jump(now).unwrap();
        let level = |after: f64, scene: &mut TestWorld| scene.world.player_mut().jump_power(now + after);
        assert!((level(0.4, &mut scene).unwrap() - power).abs() < 1e-6);
        assert_eq!((level(0.0, &mut scene), level(5.0, &mut scene)), (Some(0.0), Some(1.0)));
    }
}

/// C29: in the air a walk key changes only the state; a turn key turns the body.
#[test]
fn in_the_air_only_turns_move_the_body() {
    let mut scene = in_the_air();
    let heading = |scene: &TestWorld| scene.world.find(PLAYER).unwrap().position().frame.heading();
    let (origin, before) = (scene.origin(PLAYER), heading(&scene));
    press(&mut scene, W);
    press(&mut scene, D);
    frames(&mut scene, 10);
    let offset = scene.origin(PLAYER) - origin;
    assert_eq!((offset.x, offset.y), (0.0, 0.0));
    assert!((heading(&scene) - before).abs() > 10.0);
    assert_eq!((states(&scene).0.forward.command, forward(&scene)), (W, RUN));
    release(&mut scene, W);
    assert_eq!(states(&scene).0.forward.command, READY);
}

/// C30: held keys apply on landing, without a message.
#[test]
fn landing_resumes_the_held_keys() {
    let mut scene = in_the_air();
    press(&mut scene, W);
    take(&mut scene);
    let origin = scene.origin(PLAYER);
    frames(&mut scene, 75);
    assert!((scene.origin(PLAYER) - origin).y > 1.0, "the player runs");
    assert!(sent(&mut scene).iter().all(|name| *name == "AutonomousPosition"));
}

/// K11: the server's echoes of the player's own movement have no effect except on the stamps.
#[test]
fn the_players_own_echoes_are_ignored() {
    let mut scene = player();
    let origin = scene.origin(PLAYER);
    let movement = Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state: running(2.0), sticky: None },
    };
    let data = MovementData {
        movement_stamp: Stamp(1),
        server_control: Stamp(0),
        autonomous: WireBool::from(true),
        pad: Pad::ZERO,
        movement,
    };
    scene.send(&encode(UpdateMotion { guid: PLAYER, instance: Stamp(0), data }));
    scene.send(&vector(PLAYER, Vec3::new(3.0, 0.0, 5.0), 1));
    scene.send(&position(PLAYER, &at(99.5, 96.5), 1));
    frames(&mut scene, 30);
    assert_eq!((scene.origin(PLAYER), forward(&scene)), (origin, READY));
    let own = scene.world.find(PLAYER).unwrap();
    let stamps = own.stamps();
    assert_eq!((stamps.movement, stamps.vector, stamps.position), (Stamp(1), Stamp(1), Stamp(1)));
    assert!(sent(&mut scene).is_empty());
}

/// D6, D10: at level 1 positions and velocities of the server apply, the heading stays the player's own, and no position is
/// reported (K7).
#[test]
fn at_autonomy_one_the_player_follows_the_server() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(1);
    let bytes = take(&mut scene);
    assert!(matches!(action(&bytes[0]), GameActionBody::AutonomyLevel(level) if level.level == 1));
    scene.world.player_mut().set_autonomy(7);
    assert_eq!(scene.world.player().autonomy, 2, "the maximum");
    scene.world.player_mut().set_autonomy(1);
    take(&mut scene);
    let mut there = at(99.5, 96.5);
    there.frame.set_heading(90.0);
    scene.send(&position(PLAYER, &there, 1));
    frames(&mut scene, 60);
    assert!((scene.origin(PLAYER) - there.frame.origin).length() < 0.1, "{:?}", scene.origin(PLAYER));
    assert!(scene.world.find(PLAYER).unwrap().position().frame.heading().abs() < 1e-3);
    scene.send(&vector(PLAYER, Vec3::new(0.0, 0.0, 5.0), 1));
    frames(&mut scene, 2);
    assert!(scene.origin(PLAYER).z > there.frame.origin.z);
    assert!(sent(&mut scene).is_empty());
}

#[test]
fn a_forced_position_keeps_the_heading() {
    let mut scene = player();
    let mut there = at(99.5, 96.5);
    there.frame.set_heading(90.0);
    scene.send(&position_with(PLAYER, &there, 7, |pack| pack.force_position = Stamp(1)));
    let own = scene.world.find(PLAYER).unwrap();
    assert!(own.position().frame.heading().abs() < 1e-3);
    let origin = own.position().frame.origin;
    assert!((origin - there.frame.origin).length() < 1e-3 && own.stamps().position == Stamp(7));
    let bytes = take(&mut scene);
    let GameActionBody::AutonomousPosition(report) = action(&bytes[0]) else {
        panic!("not a position report")
    };
    assert_eq!((report.position.frame.origin, report.stamps.force_position), (origin, Stamp(1)));
}

/// R7: the report goes through the normal sender, which needs ground contact.
#[test]
fn a_forced_position_in_the_air_is_not_answered() {
    let mut scene = player();
    let mut settings = settings(|settings| settings.player = Identity::Known(PLAYER));
    settings.surroundings = Some(std::sync::Arc::new(acmotion::scene::InfinitePlane::level(0.0)));
    scene.world = TestWorld::with(settings).world;
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    frames(&mut scene, 2);
    take(&mut scene);
    scene.send(&position_with(PLAYER, &at(99.5, 96.5), 1, |pack| pack.force_position = Stamp(1)));
    assert!(sent(&mut scene).is_empty(), "the player is high above the ground");
}
