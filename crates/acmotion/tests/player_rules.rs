//! What the rules of the local player say, one by one. Which test is for which rule:
//!
//! | rule | here, unless another file is named |
//! |---|---|
//! | K1 | `disabled_controls_ignore_keys_and_report_no_position`, `he_begins_under_the_servers_control`, `lists.rs` |
//! | K2 | `the_users_run_key_is_silent`, `hold_keys_are_told_on_the_move`, `running_by_itself_is_switched`, `a_release_under_the_servers_control_is_silent` in `player_story.rs`, and that a hold key stays: `a_hold_key_stays_held_under_the_server` |
//! | K3, Q9, R8 | `the_newest_key_counts`, `the_mouse_ends_silently_under_the_server`, `a_refused_crouch_keeps_a_walk_going`, `a_way_forward_ends_running_by_itself`, `a_refused_crouch_ends_running_by_itself`, `keyboard.rs` |
//! | K4 | `actions_are_numbered_when_they_succeed`, `axes_have_no_keys_of_their_own`, `an_emote_stops_a_run`, `the_dead_do_not_walk` and `without_autonomy_keys_are_questions` in `player_story.rs` |
//! | K5 | `running_is_a_key_against_a_default`, `running_by_itself_is_switched`, `the_mouse_turns_by_motions` in `player_story.rs` |
//! | K6 | `every_key_is_told_changed_or_not` |
//! | K7, Q8 | `nothing_is_told_from_the_air`, `a_new_cell_is_told_at_once`, `a_jump_leaves_the_second_alone`, `heartbeat.rs` |
//! | K8 | `losing_control_ends_a_charge`, `taking_control_stops_first`, `taking_control_takes_up_the_run_key`, `control_waits_for_the_servers_motions`, `after_crouching_a_teleport_does_not_end_the_run`, `a_new_life_goes_on_with_what_is_held` |
//! | K9, C23 | `a_refused_jump_is_silent`, `without_autonomy_the_charge_ends_too`, `a_long_jump_from_standing` in `player_story.rs`, `player_recording.rs` |
//! | K10 | `a_skill_of_the_server_makes_him_faster` in `player_story.rs`, `skills.rs` |
//! | K11, D6, D9, D10 | `his_own_echoes_move_nothing`, `with_less_autonomy_he_follows_the_server`, `a_forced_position_keeps_the_heading`, `a_forced_position_in_the_air_is_not_answered` (R7) |
//! | C21, C22 | `a_charge_is_told_once`, `two_weapons_charge_faster` |
//! | C27, F6 | `what_never_played_cannot_be_stopped` |
//! | C26, C29, C30 | `in_the_air_only_turns_move`, `landing_takes_up_what_is_held` |
//! | P1, P4–P7 | `player_story.rs` |

mod player_support;
mod world_support;

use acmotion::interp::{HoldKey, PlayerWeenie};
use acmotion::player::RequestError;
use acmotion::table::MotionError;
use acmotion::types::{MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    Action, ContactFlags, MotionFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps,
    Origin, Pad, TurnToParams, UpdateMotion, WireBool,
};
use acmotion::world::Identity;
use player_support::{
    D, RATE, W, action, frames, imposed, moved, player, press, release, sent, stance, state, states, take,
};
use world_support::{PLAYER, Scene, at, create, of, position, position_with, running, settings, vector};

const X: MotionCommand = MotionCommand::WALK_BACKWARDS;
const STANDS: MotionCommand = MotionCommand::READY;
const RUNS: MotionCommand = MotionCommand::RUN_FORWARD;

fn keys(scene: &mut Scene) -> acmotion::player::Keyboard {
    scene.world.player_mut().keyboard().clone()
}

/// What the body does forward.
fn forward(scene: &Scene) -> MotionCommand {
    states(scene).1.forward.command
}

/// Off the ground, by a jump as high as can be.
fn in_the_air() -> Scene {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().jump(1.0, now).unwrap();
    frames(&mut scene, 3);
    take(&mut scene);
    scene
}

#[test]
fn he_begins_under_the_servers_control() {
    let mut scene = Scene::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    assert!(keys(&mut scene).controlled_by_server);
    assert_eq!(scene.world.player().autonomy, 2);
    frames(&mut scene, 30);
    assert!(keys(&mut scene).controlled_by_server, "nothing is held");
    press(&mut scene, W);
    assert!(!keys(&mut scene).controlled_by_server);
}

/// The run key of its own neither takes control nor sends; the next message carries it.
#[test]
fn the_users_run_key_is_silent() {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().set_hold_run(true, now);
    assert!(sent(&mut scene).is_empty() && keys(&mut scene).controlled_by_server);
    press(&mut scene, W);
    let bytes = take(&mut scene);
    assert_eq!(moved(&bytes[0]).raw.current_hold_key, None, "the key is held: he walks");
    scene.world.player_mut().set_hold_run(false, now);
    assert!(sent(&mut scene).is_empty());
    assert_eq!(forward(&scene), RUNS, "but he runs from now on");
}

#[test]
fn hold_keys_are_told_on_the_move() {
    let mut scene = player();
    press(&mut scene, MotionCommand::HOLD_RUN);
    release(&mut scene, MotionCommand::HOLD_RUN);
    assert!(sent(&mut scene).is_empty(), "standing still");
    press(&mut scene, W);
    take(&mut scene);
    press(&mut scene, MotionCommand::HOLD_RUN);
    let bytes = take(&mut scene);
    assert_eq!((bytes.len(), moved(&bytes[0]).raw.current_hold_key), (1, None));
    assert_eq!(forward(&scene), W);
    release(&mut scene, MotionCommand::HOLD_RUN);
    assert_eq!((sent(&mut scene).len(), forward(&scene)), (1, RUNS));
}

/// A quirk: such a release looks for a list, and there is none.
#[test]
fn a_hold_key_stays_held_under_the_server() {
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
fn running_is_a_key_against_a_default() {
    for (by_default, held, runs) in
        [(false, false, false), (false, true, true), (true, false, true), (true, true, false)]
    {
        let mut scene = player();
        let now = scene.now;
        scene.world.player_mut().set_run_by_default(by_default, now);
        scene.world.player_mut().set_hold_run(held, now);
        press(&mut scene, W);
        let (raw, done) = states(&scene);
        assert_eq!(raw.forward.command, W, "running is never in the raw state");
        assert_eq!(raw.current_hold_key, if runs { HoldKey::RUN } else { HoldKey::NONE });
        assert_eq!((done.forward.command, done.forward.speed), if runs { (RUNS, RATE) } else { (W, 1.0) });
    }
}

#[test]
fn running_by_itself_is_switched() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    let bytes = take(&mut scene);
    let raw = moved(&bytes[0]).raw;
    assert_eq!((raw.forward_command, raw.forward_hold_key), (Some(W), Some(HoldKey::RUN)));
    assert!(!keys(&mut scene).controlled_by_server, "switching on takes control (R8)");
    release(&mut scene, MotionCommand::AUTO_RUN);
    assert!(sent(&mut scene).is_empty() && forward(&scene) == RUNS, "only its going down counts");
    press(&mut scene, MotionCommand::AUTO_RUN);
    assert_eq!((sent(&mut scene), forward(&scene)), (vec!["MoveToState"], STANDS));
}

/// A key forward or back ends it without a stop in between; a turn does not, nor does a release.
#[test]
fn a_way_forward_ends_running_by_itself() {
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
    let pending = |scene: &Scene| scene.world.find(PLAYER).unwrap().entity().animator.pending().len();
    let before = (pending(&scene), forward(&scene));
    press(&mut scene, W);
    assert_eq!((pending(&scene), forward(&scene)), before, "the run goes on as it was");
    release(&mut scene, W);
    assert_eq!(forward(&scene), STANDS);
}

/// It ends also if what was to take its place is refused.
#[test]
fn a_refused_crouch_ends_running_by_itself() {
    let mut scene = player();
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    frames(&mut scene, 60);
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 10);
    let now = scene.now;
    assert!(scene.world.player_mut().press(MotionCommand::CROUCH, now).is_err());
    assert_eq!(forward(&scene), STANDS);
}

/// A quirk (K8): of who had crouched before, nothing says that he should stand when he runs by himself no more.
#[test]
fn after_crouching_a_teleport_does_not_end_the_run() {
    for (crouches, then) in [(false, STANDS), (true, RUNS)] {
        let mut scene = player();
        if crouches {
            press(&mut scene, MotionCommand::CROUCH);
        }
        press(&mut scene, MotionCommand::AUTO_RUN);
        scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
        assert_eq!((forward(&scene), keys(&mut scene).auto_run), (then, false));
    }
}

/// While he runs by himself the keys forward only change the list.
#[test]
fn the_newest_key_counts() {
    let mut scene = player();
    press(&mut scene, W);
    press(&mut scene, X);
    let (raw, done) = states(&scene);
    assert_eq!((raw.forward.command, done.forward.command), (X, W));
    assert!((done.forward.speed + 0.65 * RATE).abs() < 1e-6);
    take(&mut scene);
    release(&mut scene, X);
    assert_eq!((sent(&mut scene).len(), states(&scene).0.forward.command), (1, W), "as if pressed now");
    press(&mut scene, X);
    release(&mut scene, W);
    assert_eq!(states(&scene).0.forward.command, X, "not the newest: nothing to apply");
    release(&mut scene, X);
    assert_eq!(forward(&scene), STANDS);
    press(&mut scene, W);
    press(&mut scene, MotionCommand::AUTO_RUN);
    release(&mut scene, W);
    assert_eq!(forward(&scene), RUNS);
}

/// A quirk: what no list keeps is noted before the body refuses it, and the note outlives the walk.
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
    assert!(keys(&mut scene).is_transient && !keys(&mut scene).is_held());
    assert_eq!(forward(&scene), RUNS);
    press(&mut scene, W);
    release(&mut scene, W);
    assert_eq!(forward(&scene), STANDS, "the next key ends it");
}

/// A quirk: a step that the long jump held back, and whose jump is refused, cannot be stopped.
#[test]
fn what_never_played_cannot_be_stopped() {
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
fn actions_are_numbered_when_they_succeed() {
    let mut scene = player();
    let stamp = |scene: &mut Scene| {
        let bytes = take(scene);
        let wave = moved(bytes.last().unwrap()).raw.actions.iter().next();
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
    assert_eq!(stamp(&mut scene), Some(2), "the refused one does not count");
}

/// Only the mouse and running by itself set a key of an axis.
#[test]
fn axes_have_no_keys_of_their_own() {
    let mut scene = player();
    for key in [W, D, MotionCommand::SIDE_STEP_LEFT] {
        press(&mut scene, key);
    }
    let (raw, _) = states(&scene);
    for axis in [raw.forward, raw.turn, raw.sidestep] {
        assert_eq!((axis.hold_key, axis.speed), (HoldKey::INVALID, 1.0));
    }
    let bytes = take(&mut scene);
    let raw = moved(bytes.last().unwrap()).raw;
    assert_eq!((raw.forward_hold_key, raw.turn_hold_key, raw.sidestep_hold_key), (None, None, None));
}

#[test]
fn every_key_is_told_changed_or_not() {
    let mut scene = player();
    for _ in 0..3 {
        press(&mut scene, W);
    }
    assert_eq!(sent(&mut scene), ["MoveToState"; 3]);
    release(&mut scene, W);
    release(&mut scene, W);
    assert_eq!(sent(&mut scene), ["MoveToState"; 2], "also what there was nothing to end of");
}

#[test]
fn nothing_is_told_from_the_air() {
    let mut scene = in_the_air();
    for _ in 0..50 {
        frames(&mut scene, 1);
        let stands = scene.world.find(PLAYER).unwrap().body().is_standing();
        assert!(stands || sent(&mut scene).is_empty());
    }
}

#[test]
fn a_new_cell_is_told_at_once() {
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

/// Q8: the jump's message neither counts as a report of the place nor begins the second anew.
#[test]
fn a_jump_leaves_the_second_alone() {
    let mut scene = player();
    frames(&mut scene, 60);
    let now = scene.now;
    scene.world.player_mut().begin_jump(now).unwrap();
    frames(&mut scene, 3);
    let now = scene.now;
    scene.world.player_mut().end_jump(now).unwrap();
    assert_eq!(sent(&mut scene), ["MoveToState", "Jump"]);
    frames(&mut scene, 120);
    assert!(sent(&mut scene).is_empty(), "straight up and down: he is where he was told to be");
}

#[test]
fn losing_control_ends_a_charge() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 60);
    press(&mut scene, MotionCommand::JUMP);
    let charges = |scene: &mut Scene| {
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

/// The server's order ends, interpolation too, and what is held is done.
#[test]
fn taking_control_stops_first() {
    let mut scene = player();
    press(&mut scene, W);
    let params = TurnToParams { desired_heading: 180.0, ..TurnToParams::default() };
    scene.send(&imposed(MovementBody::TurnToHeading { params }, MotionCommand::NON_COMBAT, 1));
    frames(&mut scene, 3);
    assert_eq!(forward(&scene), STANDS, "the order stopped him");
    take(&mut scene);
    press(&mut scene, D);
    let (raw, done) = states(&scene);
    assert_eq!((raw.forward.command, raw.turn.command), (W, D), "both are held");
    assert_eq!(done.forward.command, RUNS);
    assert!(!scene.world.find(PLAYER).unwrap().entity().is_moving_to());
    assert_eq!(sent(&mut scene), ["MoveToState"], "one for the key, none for the control");
    scene.world.player_mut().set_autonomy(1);
    scene.send(&position(PLAYER, &at(99.5, 96.5), 1));
    scene.send(&stance(MotionCommand::HAND_COMBAT, 2));
    let catches_up = |scene: &Scene| {
        let correction = &scene.world.find(PLAYER).unwrap().entity().correction;
        correction.interpolation.nodes().len() > 0
    };
    assert!(catches_up(&scene));
    press(&mut scene, W);
    assert!(!catches_up(&scene), "he goes his own way from where he is");
}

/// K5: the default may have been chosen before there was anybody to run; the first key finds it.
#[test]
fn taking_control_takes_up_the_run_key() {
    let mut scene = Scene::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    let now = scene.now;
    scene.world.player_mut().set_run_by_default(true, now);
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    press(&mut scene, W);
    assert_eq!(forward(&scene), RUNS);
}

/// A new body begins under the server, and what is held moves it as it moved the old.
#[test]
fn a_new_life_goes_on_with_what_is_held() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 10);
    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    scene.send(&create(PLAYER, &at(96.5, 96.5), stamps, None));
    assert_eq!(forward(&scene), STANDS);
    frames(&mut scene, 10);
    assert_eq!(forward(&scene), RUNS);
}

#[test]
fn control_waits_for_the_servers_motions() {
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
    assert!(waited > 5, "the stance takes its time");
    assert_eq!(forward(&scene), RUNS);
    let goal = at(96.5, 140.0);
    let origin = Origin { cell: goal.cell, point: goal.frame.origin };
    let body = MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate: RATE };
    scene.send(&imposed(body, MotionCommand::HAND_COMBAT, 2));
    let mut went = 0;
    while scene.world.find(PLAYER).unwrap().entity().is_moving_to() {
        assert!(keys(&mut scene).controlled_by_server);
        frames(&mut scene, 1);
        went += 1;
    }
    assert!(went > 60, "the key, held all the while, waits until he is there: {went}");
    frames(&mut scene, 60);
    assert_eq!(forward(&scene), RUNS);
    scene.send(&state(MotionCommand::NON_COMBAT, MotionCommand::DEAD, 3));
    frames(&mut scene, 200);
    assert!(keys(&mut scene).controlled_by_server, "the dead take nothing back");
}

/// Q9, of the mouse: while the server moves the player, its end is only taken out of the list.
#[test]
fn the_mouse_ends_silently_under_the_server() {
    let mut scene = player();
    let now = scene.now;
    let mut mouse = scene.world.player_mut();
    mouse.set_mouse_look(true, now);
    mouse.mouse_turn(0.5, now);
    assert!(mouse.keyboard().is_held());
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    take(&mut scene);
    scene.world.player_mut().mouse_turn(0.0, now);
    assert!(sent(&mut scene).is_empty() && !keys(&mut scene).is_held());
}

#[test]
fn a_refused_jump_is_silent() {
    let mut scene = in_the_air();
    let now = scene.now;
    scene.world.player_mut().begin_jump(now).unwrap();
    assert_eq!(sent(&mut scene), ["MoveToState"], "to charge needs no ground (F12)");
    let refused = scene.world.player_mut().end_jump(now + 0.3);
    assert_eq!(refused, Err(RequestError::Motion(MotionError::NotGrounded)));
    assert!(sent(&mut scene).is_empty());
}

#[test]
fn a_charge_is_told_once() {
    let mut scene = player();
    press(&mut scene, MotionCommand::JUMP);
    press(&mut scene, MotionCommand::JUMP);
    let bytes = take(&mut scene);
    assert_eq!(bytes.len(), 1);
    assert!(moved(&bytes[0]).contact.contains(ContactFlags::STANDING_LONG_JUMP));
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
    assert!(sent(&mut scene).is_empty(), "refused charges are not told");
}

/// C23: the charge is over, whoever makes the jump.
#[test]
fn without_autonomy_the_charge_ends_too() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(0);
    let prepares = |scene: &Scene| scene.world.find(PLAYER).unwrap().entity().interp.standing_long_jump;
    press(&mut scene, MotionCommand::JUMP);
    assert!(prepares(&scene));
    let now = scene.now;
    scene.world.player_mut().release(MotionCommand::JUMP, now + 0.5).unwrap();
    assert!(!prepares(&scene));
    let bytes = take(&mut scene);
    let Action::JumpNonAutonomous(jump) = action(bytes.last().unwrap()) else { panic!("no jump") };
    assert_eq!(jump.extent, 0.0, "a quirk: the charge is over before it is read");
}

#[test]
fn two_weapons_charge_faster() {
    for (style, power) in [(MotionCommand::NON_COMBAT, 0.4), (MotionCommand::DUAL_WIELD_COMBAT, 0.5)] {
        let mut scene = player();
        scene.world.act(PLAYER, 10.1, |actor, _| actor.entity.interp.interpreted.style = style);
        let now = scene.now;
        scene.world.player_mut().begin_jump(now).unwrap();
        let level = |after: f64, scene: &mut Scene| scene.world.player_mut().jump_power(now + after);
        assert!((level(0.4, &mut scene).unwrap() - power).abs() < 1e-6);
        assert_eq!((level(0.0, &mut scene), level(5.0, &mut scene)), (Some(0.0), Some(1.0)));
    }
}

/// C29: a step pressed in the air changes only the state; a turn turns.
#[test]
fn in_the_air_only_turns_move() {
    let mut scene = in_the_air();
    let heading = |scene: &Scene| scene.world.find(PLAYER).unwrap().position().frame.heading();
    let (place, looked) = (scene.place(PLAYER), heading(&scene));
    press(&mut scene, W);
    press(&mut scene, D);
    frames(&mut scene, 10);
    let moved = scene.place(PLAYER) - place;
    assert_eq!((moved.x, moved.y), (0.0, 0.0));
    assert!((heading(&scene) - looked).abs() > 10.0);
    assert_eq!((states(&scene).0.forward.command, forward(&scene)), (W, RUNS));
    release(&mut scene, W);
    assert_eq!(states(&scene).0.forward.command, STANDS);
}

/// C30: what is held begins on the ground, without a message.
#[test]
fn landing_takes_up_what_is_held() {
    let mut scene = in_the_air();
    press(&mut scene, W);
    take(&mut scene);
    let place = scene.place(PLAYER);
    frames(&mut scene, 75);
    assert!((scene.place(PLAYER) - place).y > 1.0, "he runs");
    assert!(sent(&mut scene).iter().all(|name| *name == "AutonomousPosition"));
}

/// K11: what the server repeats of him moves nothing; the stamps advance.
#[test]
fn his_own_echoes_move_nothing() {
    let mut scene = player();
    let place = scene.place(PLAYER);
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
    scene.send(&of(UpdateMotion { guid: PLAYER, instance: Stamp(0), data }));
    scene.send(&vector(PLAYER, Vec3::new(3.0, 0.0, 5.0), 1));
    scene.send(&position(PLAYER, &at(99.5, 96.5), 1));
    frames(&mut scene, 30);
    assert_eq!((scene.place(PLAYER), forward(&scene)), (place, STANDS));
    let own = scene.world.find(PLAYER).unwrap();
    let stamps = own.stamps();
    assert_eq!((stamps.movement, stamps.vector, stamps.position), (Stamp(1), Stamp(1), Stamp(1)));
    assert!(sent(&mut scene).is_empty());
}

/// D6, D10: at level 1 the server's places and velocities count, the heading stays his own; nothing is told of itself (K7).
#[test]
fn with_less_autonomy_he_follows_the_server() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(1);
    let bytes = take(&mut scene);
    assert!(matches!(action(&bytes[0]), Action::AutonomyLevel(level) if level.level == 1));
    scene.world.player_mut().set_autonomy(7);
    assert_eq!(scene.world.player().autonomy, 2, "there is no more");
    scene.world.player_mut().set_autonomy(1);
    take(&mut scene);
    let mut there = at(99.5, 96.5);
    there.frame.set_heading(90.0);
    scene.send(&position(PLAYER, &there, 1));
    frames(&mut scene, 60);
    assert!((scene.place(PLAYER) - there.frame.origin).length() < 0.1, "{:?}", scene.place(PLAYER));
    assert!(scene.world.find(PLAYER).unwrap().position().frame.heading().abs() < 1e-3);
    scene.send(&vector(PLAYER, Vec3::new(0.0, 0.0, 5.0), 1));
    frames(&mut scene, 2);
    assert!(scene.place(PLAYER).z > there.frame.origin.z);
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
    let place = own.position().frame.origin;
    assert!((place - there.frame.origin).length() < 1e-3 && own.stamps().position == Stamp(7));
    let bytes = take(&mut scene);
    let Action::AutonomousPosition(told) = action(&bytes[0]) else { panic!("not his place") };
    assert_eq!((told.position.frame.origin, told.stamps.force_position), (place, Stamp(1)));
}

/// R7: it goes through the sender that wants ground.
#[test]
fn a_forced_position_in_the_air_is_not_answered() {
    let mut scene = player();
    let mut wall = settings(|settings| settings.player = Identity::Known(PLAYER));
    wall.surroundings = Some(std::sync::Arc::new(acmotion::body::InfinitePlane::level(0.0)));
    scene.world = Scene::with(wall).world;
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    frames(&mut scene, 2);
    take(&mut scene);
    scene.send(&position_with(PLAYER, &at(99.5, 96.5), 1, |pack| pack.force_position = Stamp(1)));
    assert!(sent(&mut scene).is_empty(), "high above the ground");
}
