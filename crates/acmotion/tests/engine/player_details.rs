//! Keys, the mouse and control of the local player in unusual situations (`docs/behaviour.md` K1–K8, F18, P7, R8).

use crate::player_support;
use crate::world_support;

use acmotion::components::{KeyEffect, Keyboard, ListKind};
use acmotion::types::{MotionCommand, Stamp};
use acmotion::wire::{
    GameActionBody, HoldKey, InterpretedState, MoveToParams, MovementBody, ObjectStamps, Origin,
};
use acmotion::{EventKind, Identity, MessageBatch, MotionEvent, PlayerWeenie, RequestError};
use player_support::*;
use world_support::*;

const READY: MotionCommand = MotionCommand::READY;
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;
const NONE: MotionCommand = MotionCommand::NONE;
const LEFT: MotionCommand = MotionCommand::TURN_LEFT;
const SIDE_LEFT: MotionCommand = MotionCommand::SIDE_STEP_LEFT;
const SIDE_RIGHT: MotionCommand = MotionCommand::SIDE_STEP_RIGHT;

fn keys(scene: &mut TestWorld) -> Keyboard {
    scene.world.player_mut().keyboard().clone()
}

/// The forward, sidestep and turn commands of the raw state.
fn raw(scene: &TestWorld) -> (MotionCommand, MotionCommand, MotionCommand) {
    let (raw, _) = states(scene);
    (raw.forward.command, raw.sidestep.command, raw.turn.command)
}

fn mouse_look(scene: &mut TestWorld, is_on: bool) {
    let now = scene.now;
    scene.world.player_mut().set_mouse_look(is_on, now);
}

fn mouse_turn(scene: &mut TestWorld, movement: f32) {
    let now = scene.now;
    scene.world.player_mut().mouse_turn(movement, now);
}

/// A player that walks by default, and in control of itself.
fn walker() -> TestWorld {
    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().set_run_by_default(false, now);
    press(&mut scene, D);
    release(&mut scene, D);
    frames(&mut scene, 60);
    take(&mut scene);
    scene
}

/// A server's order to go to a position.
fn go_to(x: f32, y: f32, stamp: u16) -> Vec<u8> {
    let goal = at(x, y);
    let origin = Origin { cell: goal.cell, point: goal.frame.origin };
    let body = MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate: RATE };
    server_movement(body, MotionCommand::NON_COMBAT, stamp)
}

/// How many motions the player's body has started, but not finished.
fn pending(scene: &TestWorld) -> usize {
    scene.entity(PLAYER).animator.pending().len()
}

/// K4: a turn of the mouse has the run key for its own axis and does not press the player's run key.
#[test]
fn k4_a_mouse_turn_leaves_the_run_key_alone() {
    let mut scene = walker();
    mouse_look(&mut scene, true);
    mouse_turn(&mut scene, 0.5);
    let (state, _) = states(&scene);
    assert_eq!((state.turn.command, state.turn.hold_key), (D, HoldKey::RUN));
    assert_eq!(state.current_hold_key, HoldKey::NONE, "the player still walks");
    mouse_turn(&mut scene, 0.0);
    let (state, _) = states(&scene);
    assert_eq!((state.turn.command, state.current_hold_key), (NONE, HoldKey::NONE));
}

/// K5: autorun has the run key for its own axis too, so that a walker turns and sidesteps at a walk all the same.
#[test]
fn k5_autorun_leaves_the_run_key_alone() {
    let mut scene = walker();
    press(&mut scene, MotionCommand::AUTO_RUN);
    let (state, interpreted) = states(&scene);
    assert_eq!((state.forward.command, state.forward.hold_key), (W, HoldKey::RUN));
    assert_eq!((state.current_hold_key, interpreted.forward.command), (HoldKey::NONE, RUN));
    press(&mut scene, MotionCommand::AUTO_RUN);
    let (state, _) = states(&scene);
    assert_eq!((state.forward.command, state.current_hold_key), (READY, HoldKey::NONE));
}

/// K5: autorun that is switched off gives way to a forward key that is still held.
#[test]
fn k5_a_held_key_goes_on_when_autorun_is_switched_off() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    press(&mut scene, MotionCommand::WALK_BACKWARDS);
    assert!(!keys(&mut scene).auto_run, "a forward command ends autorun (K3)");
    press(&mut scene, MotionCommand::AUTO_RUN);
    assert_eq!(raw(&scene).0, W);
    press(&mut scene, MotionCommand::AUTO_RUN);
    assert_eq!(raw(&scene).0, MotionCommand::WALK_BACKWARDS);
    assert!(keys(&mut scene).is_any_held());
}

/// K3: a crouch ends autorun and is the last substate from then on, so that the release of a key stops nothing.
#[test]
fn k3_a_crouch_that_ends_autorun_is_remembered() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 10);
    press(&mut scene, MotionCommand::CROUCH);
    let keyboard = keys(&mut scene);
    assert!(keyboard.is_transient && !keyboard.auto_run);
    frames(&mut scene, 60);
    assert_eq!(states(&scene).1.forward.command, MotionCommand::CROUCH);
}

/// K4: an action stops every other motion, autorun included.
#[test]
fn k4_an_emote_ends_autorun() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 10);
    press(&mut scene, MotionCommand::WAVE);
    assert!(!keys(&mut scene).auto_run && !keys(&mut scene).is_any_held());
    frames(&mut scene, 200);
    assert_eq!(raw(&scene), (READY, NONE, NONE));
}

/// K4: the dead player's keys are cleared in all three lists.
#[test]
fn k4_death_clears_turns_and_sidesteps_as_well() {
    let mut scene = player();
    for key in [W, D, SIDE_LEFT] {
        press(&mut scene, key);
    }
    let now = scene.now;
    scene
        .world
        .act(PLAYER, now, |actor, _| actor.entity.interp.interpreted.forward.command = MotionCommand::DEAD);
    assert_eq!(scene.world.player_mut().release(W, now), Err(RequestError::Dead));
    let keyboard = keys(&mut scene);
    for kind in [ListKind::Substate, ListKind::Turn, ListKind::Sidestep] {
        assert!(keyboard.list(kind).is_empty(), "{kind:?}");
    }
}

/// K2, K4: a turn that is under way becomes a sidestep while the key for it is held, and a turn again afterwards.
#[test]
fn k2_a_turn_under_way_becomes_a_sidestep() {
    let mut scene = player();
    press(&mut scene, D);
    frames(&mut scene, 30);
    take(&mut scene);
    press(&mut scene, MotionCommand::HOLD_SIDESTEP);
    assert_eq!(raw(&scene), (READY, SIDE_RIGHT, NONE), "the turn has stopped");
    assert_eq!(sent(&mut scene), ["MoveToState"], "the player moves, so the key is sent");
    release(&mut scene, MotionCommand::HOLD_SIDESTEP);
    assert_eq!(raw(&scene), (READY, NONE, D));
}

/// K8: a sidestep key that is held in its own right goes on without a stop while turn keys become sidesteps and turns again.
#[test]
fn k8_a_held_sidestep_is_not_interrupted() {
    let mut scene = player();
    press(&mut scene, SIDE_LEFT);
    frames(&mut scene, 60);
    let before = (pending(&scene), scene.entity(PLAYER).interp.interpreted.sidestep);
    press(&mut scene, MotionCommand::HOLD_SIDESTEP);
    release(&mut scene, MotionCommand::HOLD_SIDESTEP);
    assert_eq!(raw(&scene), (READY, SIDE_LEFT, NONE));
    assert_eq!((pending(&scene), scene.entity(PLAYER).interp.interpreted.sidestep), before);
}

/// K4: while the mouse turns the player, turn keys sidestep, those that are held already included.
#[test]
fn k4_mouse_look_turns_held_turn_keys_into_sidesteps() {
    let mut scene = player();
    press(&mut scene, LEFT);
    take(&mut scene);
    mouse_look(&mut scene, true);
    assert_eq!(raw(&scene), (READY, SIDE_LEFT, NONE));
    assert_eq!(sent(&mut scene), ["MoveToState"]);
    mouse_look(&mut scene, true);
    assert!(sent(&mut scene).is_empty(), "it is on already");
    mouse_look(&mut scene, false);
    assert_eq!(raw(&scene), (READY, NONE, LEFT));
    assert_eq!(sent(&mut scene), ["MoveToState"]);
}

/// K4: without mouse look a movement of the mouse turns nobody, and switching it off ends the turn.
#[test]
fn k4_the_mouse_turns_the_player_only_with_mouse_look() {
    let mut scene = walker();
    mouse_turn(&mut scene, 0.5);
    assert!(sent(&mut scene).is_empty() && raw(&scene) == (READY, NONE, NONE));
    mouse_look(&mut scene, true);
    take(&mut scene);
    mouse_turn(&mut scene, 0.0);
    assert!(sent(&mut scene).is_empty(), "there is no turn to end");
    mouse_turn(&mut scene, -0.5);
    assert_eq!(raw(&scene).2, LEFT);
    mouse_look(&mut scene, false);
    assert_eq!(raw(&scene).2, NONE, "the turn ends with mouse look");
    assert!(!keys(&mut scene).is_any_held());
}

/// K1, K2: disabled controls do not take the mouse either.
#[test]
fn k1_disabled_controls_ignore_the_mouse() {
    let mut scene = walker();
    scene.world.player_mut().set_enabled(false);
    mouse_look(&mut scene, true);
    assert!(!keys(&mut scene).mouse_look);
    scene.world.player_mut().set_enabled(true);
    mouse_look(&mut scene, true);
    take(&mut scene);
    scene.world.player_mut().set_enabled(false);
    mouse_turn(&mut scene, 0.5);
    assert!(raw(&scene).2 == NONE && sent(&mut scene).is_empty());
}

/// Q9: under the server's control mouse look is only remembered.
#[test]
fn q9_mouse_look_under_server_control_sends_nothing() {
    let mut scene = player();
    press(&mut scene, D);
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    take(&mut scene);
    mouse_look(&mut scene, true);
    assert!(keys(&mut scene).mouse_look && keys(&mut scene).controlled_by_server);
    assert!(sent(&mut scene).is_empty());
    frames(&mut scene, 60);
    assert_eq!(raw(&scene), (READY, SIDE_RIGHT, NONE), "the held key comes back as a sidestep");
}

/// K3, Q9: when a key is released, a turn of the mouse that is older starts again: a turn, not a sidestep.
#[test]
fn k3_a_released_key_gives_the_turn_back_to_the_mouse() {
    let mut scene = walker();
    mouse_look(&mut scene, true);
    mouse_turn(&mut scene, 0.5);
    press(&mut scene, LEFT);
    assert_eq!(raw(&scene), (READY, SIDE_LEFT, D), "the key sidesteps, the mouse turns");
    let now = scene.now;
    let response = scene.world.player_mut().handle_key(LEFT, false, now);
    let KeyEffect::Start(held) = response.effect else { panic!("{response:?}") };
    assert_eq!((held.command, held.by_mouse), (D, true));
    assert_eq!(raw(&scene).2, D);
}

/// K6: losing the focus releases the key that makes turns sidestep, too.
#[test]
fn k6_losing_the_focus_releases_the_sidestep_key() {
    let mut scene = player();
    press(&mut scene, MotionCommand::HOLD_SIDESTEP);
    press(&mut scene, SIDE_LEFT);
    let now = scene.now;
    scene.world.player_mut().lose_focus(now);
    let keyboard = keys(&mut scene);
    assert!(!keyboard.hold_sidestep && !keyboard.is_any_held());
    assert_eq!(raw(&scene), (READY, NONE, NONE));
}

/// K8: at autonomy level 0 the client applies and sends no movement, and losing the focus sends none either.
#[test]
fn k8_losing_the_focus_at_autonomy_zero_sends_nothing() {
    let mut scene = walker();
    scene.world.player_mut().set_autonomy(0);
    press(&mut scene, W);
    take(&mut scene);
    let now = scene.now;
    scene.world.player_mut().lose_focus(now);
    assert!(sent(&mut scene).is_empty() && !keys(&mut scene).is_any_held());
}

/// P7 at autonomy level 0: autorun ends with the teleport, but nothing is asked of the server, which controls the player.
#[test]
fn p7_at_autonomy_zero_a_teleport_ends_autorun_silently() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(0);
    assert!(keys(&mut scene).controlled_by_server);
    press(&mut scene, MotionCommand::AUTO_RUN);
    assert!(keys(&mut scene).controlled_by_server && keys(&mut scene).auto_run);
    take(&mut scene);
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 1, |pack| pack.teleport = Stamp(1)));
    assert!(!keys(&mut scene).auto_run);
    assert!(sent(&mut scene).is_empty());
}

/// K4: at autonomy level 0 the requests to the server say which key is meant: keys have no hold key of their own, autorun
/// has that of the run key.
#[test]
fn k4_at_autonomy_zero_the_hold_key_is_sent() {
    let mut scene = player();
    scene.world.player_mut().set_autonomy(0);
    take(&mut scene);
    press(&mut scene, D);
    press(&mut scene, MotionCommand::AUTO_RUN);
    press(&mut scene, MotionCommand::AUTO_RUN);
    let messages = take(&mut scene);
    let asked: Vec<_> = messages
        .iter()
        .map(|bytes| match action(bytes) {
            GameActionBody::DoMovementCommand(start) => (start.motion, start.speed, start.hold_key),
            GameActionBody::StopMovementCommand(stop) => (stop.motion, 0.0, stop.hold_key),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [(D, 1.0, HoldKey::INVALID), (W, 1.0, HoldKey::RUN), (W, 0.0, HoldKey::RUN)];
    assert_eq!(asked, expected);
}

/// R8: autorun cancels an attack although its command is one of the user interface; others of these do not.
#[test]
fn r8_autorun_cancels_an_attack_and_other_interface_commands_do_not() {
    let mut scene = player();
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    frames(&mut scene, 60);
    let now = scene.now;
    scene.world.player_mut().attack(REMOTE, acmotion::wire::AttackHeight::LOW, 0.5, now).unwrap();
    take(&mut scene);
    let response = scene.world.player_mut().handle_key(MotionCommand(0x0C00_00C1), true, now);
    assert_eq!((response.effect, sent(&mut scene)), (KeyEffect::Ignored, vec![]));
    press(&mut scene, MotionCommand::AUTO_RUN);
    assert_eq!(sent(&mut scene), ["CancelAttack", "MoveToState"]);
}

/// K8: the original does not say that a held key goes on after the server's movement. A client may choose to say it, once.
#[test]
fn k8_a_resumed_key_is_announced_if_the_caller_wants_it() {
    for announces in [false, true] {
        let mut scene = player();
        scene.world.player_mut().set_announces_resumed_keys(announces);
        press(&mut scene, W);
        frames(&mut scene, 10);
        take(&mut scene);
        scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
        frames(&mut scene, 200);
        assert!(!keys(&mut scene).controlled_by_server);
        let announced = sent(&mut scene).iter().filter(|name| **name == "MoveToState").count();
        assert_eq!(announced, usize::from(announces));
    }
}

/// K1: a player that is only watched sends nothing, whatever the server does to it.
#[test]
fn k1_a_watched_player_sends_nothing() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    let frame = |scene: &mut TestWorld| {
        scene.now += TICK;
        scene.world.advance(scene.now);
    };
    frame(&mut scene);
    scene.send(&position_with(PLAYER, &at(97.5, 96.5), 1, |pack| pack.force_position = Stamp(1)));
    scene.send(&position_with(PLAYER, &at(50.5, 50.5), 2, |pack| {
        (pack.teleport, pack.force_position) = (Stamp(1), Stamp(1));
    }));
    frame(&mut scene);
    assert!(sent(&mut scene).is_empty());
    scene.world.player_mut();
    frame(&mut scene);
    assert_eq!(sent(&mut scene), ["MoveToState", "AutonomousPosition"], "from now on it is played");
}

/// K2: without a body no key counts, and none is kept for a body that comes later.
#[test]
fn k2_keys_without_a_body_are_ignored() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    let now = scene.now;
    let response = scene.world.player_mut().handle_key(W, true, now);
    assert_eq!((response.effect, response.result), (KeyEffect::Ignored, Err(RequestError::NoPlayer)));
    assert_eq!(scene.world.player_mut().begin_jump(now), Err(RequestError::NoPlayer));
    assert_eq!(scene.world.player_mut().jump_power(now), None);
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    assert!(!keys(&mut scene).is_any_held());
}

/// D12, K1: what is asked of a new body before its first client frame counts.
#[test]
fn d12_a_key_before_the_first_frame_of_a_body_counts() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    let now = scene.now;
    let weenie = PlayerWeenie { jump_skill: 300, ..PlayerWeenie::default() };
    scene.world.player_mut().set_weenie(weenie, now);
    press(&mut scene, D);
    press(&mut scene, MotionCommand::JUMP);
    frames(&mut scene, 3);
    let now = scene.now;
    assert!(scene.world.player_mut().jump_power(now).is_some_and(|power| power > 0.09));
    assert!(!keys(&mut scene).controlled_by_server);
}

/// D12: a new body has charged no jump, and its own movement is not that of the old one's walk.
#[test]
fn d12_a_new_body_starts_without_a_charge_and_without_a_walk() {
    let renewed = |scene: &mut TestWorld| {
        take(scene);
        let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
        scene.send(&create(PLAYER, &at(96.5, 96.5), stamps, None));
        frames(scene, 30);
    };
    let mut scene = player();
    press(&mut scene, MotionCommand::JUMP);
    frames(&mut scene, 10);
    let now = scene.now;
    assert!(scene.world.player_mut().jump_power(now).is_some());
    renewed(&mut scene);
    let now = scene.now;
    assert_eq!(scene.world.player_mut().jump_power(now), None);
    assert_eq!(scene.world.player_mut().end_jump(now), Err(RequestError::NotCharged));

    let mut scene = player();
    let now = scene.now;
    scene.world.player_mut().walk_to(at(96.5, 150.0), now).unwrap();
    frames(&mut scene, 20);
    renewed(&mut scene);
    assert!(!sent(&mut scene).contains(&"MoveToState"), "the end of the walk is not sent for the new body");
}

/// F8: a key makes the movement the player's own, so that what is applied next is its raw state. After the server's run it
/// is the server's again.
#[test]
fn f8_a_key_makes_the_movement_autonomous() {
    use acmotion::internals::body::BodyFlags;

    let is_own = |scene: &TestWorld| scene.entity(PLAYER).body.flags.contains(BodyFlags::AUTONOMOUS);
    let mut scene = player();
    assert!(!is_own(&scene));
    press(&mut scene, W);
    assert!(is_own(&scene));
    let body = MovementBody::Interpreted { state: running(1.0), sticky: None };
    scene.send(&server_movement(body, MotionCommand::NON_COMBAT, 1));
    assert!(!is_own(&scene));
}

/// K8: the player has control already, so a further key takes none: the motions under way are not stopped first.
#[test]
fn k8_control_is_not_taken_twice() {
    let mut scene = player();
    press(&mut scene, W);
    frames(&mut scene, 60);
    scene.events.clear();
    let now = scene.now;
    scene.world.player_mut().take_control(now);
    assert_eq!((raw(&scene).0, states(&scene).1.forward.command), (W, RUN));
    frames(&mut scene, 2);
    let done = |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::MotionDone { .. }));
    assert_eq!(scene.count_events(done), 0, "no motion has ended and begun again");
}

/// P5: an order of the server ends when a key takes control, also one of the mouse.
#[test]
fn p5_the_mouse_ends_an_order_of_the_server() {
    let mut scene = player();
    mouse_look(&mut scene, true);
    scene.send(&go_to(96.5, 140.0, 1));
    frames(&mut scene, 20);
    assert!(scene.entity(PLAYER).is_moving_to());
    mouse_turn(&mut scene, 0.5);
    assert!(!scene.entity(PLAYER).is_moving_to());
    assert!(!keys(&mut scene).controlled_by_server);
}

/// R8: a style or an action is no forward command. Its key does not end autorun by itself.
#[test]
fn r8_a_stance_key_does_not_end_autorun() {
    let mut scene = player();
    press(&mut scene, MotionCommand::AUTO_RUN);
    frames(&mut scene, 30);
    let now = scene.now;
    // Whether the body takes the stance from a key does not matter here.
    let _ = scene.world.player_mut().press(MotionCommand::HAND_COMBAT, now);
    assert!(keys(&mut scene).auto_run);
}

/// The messages are exchanged for the contents of a batch, which are dropped.
#[test]
fn a_batch_takes_the_messages_and_loses_its_own() {
    let mut scene = player();
    let mut batch = MessageBatch::new();
    press(&mut scene, W);
    press(&mut scene, D);
    scene.world.swap_outbound(&mut batch);
    assert_eq!(batch.len(), 2);
    assert!(batch.iter().all(|bytes| matches!(action(bytes), GameActionBody::MoveToState(_))));
    release(&mut scene, W);
    scene.world.swap_outbound(&mut batch);
    assert_eq!(batch.len(), 1, "the two messages before are gone, here and in the world");
    assert!(sent(&mut scene).is_empty());
}

/// K7: the first report follows the first client frame, at a position in a cell.
#[test]
fn k7_a_player_in_no_cell_does_not_enter() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    let set_in_cell = |scene: &mut TestWorld, is_in: bool| {
        let now = scene.now;
        scene.world.act(PLAYER, now, |actor, _| {
            actor.entity.body.flags.set(acmotion::internals::body::BodyFlags::IN_CELL, is_in);
        });
    };
    set_in_cell(&mut scene, false);
    let now = scene.now;
    scene.world.player_mut().use_time(now);
    assert!(!sent(&mut scene).contains(&"MoveToState"));
    set_in_cell(&mut scene, true);
    scene.world.player_mut().use_time(now);
    assert_eq!(sent(&mut scene)[0], "MoveToState");
    scene.world.player_mut().use_time(now);
    assert!(sent(&mut scene).is_empty(), "once");
}

/// C21, K4: a death that the server sends leaves no key held, and the next key is refused.
#[test]
fn k4_an_emote_of_a_dead_player_leaves_no_stamp() {
    let mut scene = player();
    let dead = InterpretedState { forward_command: Some(MotionCommand::DEAD), ..InterpretedState::default() };
    let body = MovementBody::Interpreted { state: dead, sticky: None };
    scene.send(&server_movement(body, MotionCommand::NON_COMBAT, 1));
    let now = scene.now;
    assert_eq!(scene.world.player_mut().press(MotionCommand::WAVE, now), Err(RequestError::Dead));
    scene.send(&state(MotionCommand::NON_COMBAT, READY, 2));
    frames(&mut scene, 60);
    take(&mut scene);
    press(&mut scene, MotionCommand::WAVE);
    let messages = take(&mut scene);
    let wave = move_to_state(messages.last().unwrap()).raw.actions.iter().next().unwrap();
    assert_eq!(wave.stamp.get(), 1, "the first action that was played");
}
