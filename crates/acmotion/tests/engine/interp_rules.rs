//! What the interpreter does with single requests and states (rules C26, C30, E8, F5–F8, F11, F13, F15, F16, F18, K10).

use crate::interp_common;

use std::sync::Arc;

use acmotion::components::{InterpretedState, MovementParams, Order, RawState, TransientState};
use acmotion::explain::ConstraintRange;
use acmotion::formulas::{carrying_capacity, jump_stamina_cost};
use acmotion::internals::body::{BodyFlags, set_on_walkable};
use acmotion::internals::correction::stick_to;
use acmotion::internals::interp::{Action, heading_diff, motion_allows_jump};
use acmotion::types::{ActionStamp, CellPosition, Era, Guid, MotionCommand, Vec3};
use acmotion::wire::{MoveFlags, PhysicsState};
use acmotion::{HoldKey, MotionError, PlayerWeenie, RemoteWeenie, UndescribedPlayer, Weenie};
use interp_common::{CELL, START, Stage, assert_near};

const WAVE: MotionCommand = MotionCommand::WAVE;

fn at_speed(speed: f32) -> MovementParams {
    MovementParams { speed, ..MovementParams::default() }
}

fn pending(stage: &Stage) -> Vec<MotionCommand> {
    stage.entity.interp.pending().map(|command| command.motion).collect()
}

fn links(stage: &Stage) -> usize {
    stage.entity.animator.sequence().first_cyclic_index().unwrap_or(0)
}

/// Every axis of both states is set by its motions and cleared by their removal. A substate that is not the current one, or
/// another style, changes nothing.
#[test]
fn f6_motions_are_applied_to_their_axis_and_removed_from_it() {
    let (mut raw, mut interpreted) = (RawState::default(), InterpretedState::default());
    let params = at_speed(2.0);
    for motion in [
        MotionCommand::HAND_COMBAT,
        MotionCommand::WALK_FORWARD,
        MotionCommand::SIDE_STEP_RIGHT,
        MotionCommand::TURN_RIGHT,
    ] {
        raw.apply(motion, &params);
        interpreted.apply(motion, &params);
    }
    assert_eq!((raw.style, interpreted.style), (MotionCommand::HAND_COMBAT, MotionCommand::HAND_COMBAT));
    assert_eq!((raw.sidestep.command, raw.sidestep.speed), (MotionCommand::SIDE_STEP_RIGHT, 2.0));
    assert_eq!(
        (interpreted.sidestep.command, interpreted.sidestep.speed),
        (MotionCommand::SIDE_STEP_RIGHT, 2.0)
    );
    let before = (raw.clone(), interpreted.clone());
    for other in [MotionCommand::RUN_FORWARD, MotionCommand::NON_COMBAT, MotionCommand::MAGIC] {
        raw.remove(other);
        interpreted.remove(other);
        assert_eq!((&raw, &interpreted), (&before.0, &before.1), "{other}");
    }
    for motion in [
        MotionCommand::SIDE_STEP_RIGHT,
        MotionCommand::TURN_RIGHT,
        MotionCommand::WALK_FORWARD,
        MotionCommand::HAND_COMBAT,
    ] {
        raw.remove(motion);
        interpreted.remove(motion);
    }
    let (none, ready) = (MotionCommand::NONE, MotionCommand::READY);
    assert_eq!((raw.sidestep.command, raw.turn.command), (none, none));
    assert_eq!((raw.forward.command, raw.forward.speed), (ready, 1.0));
    assert_eq!((interpreted.sidestep.command, interpreted.turn.command), (none, none));
    assert_eq!((interpreted.forward.command, interpreted.forward.speed), (ready, 1.0));
    assert_eq!((raw.style, interpreted.style), (MotionCommand::NON_COMBAT, MotionCommand::NON_COMBAT));
}

/// `StopCompletely` leaves Ready at speed 1 and no sidestep or turn in both states. Styles, the speeds of sidestep and turn, and
/// actions stay.
#[test]
fn f6_stop_completely_leaves_style_and_other_speeds() {
    let mut stage = Stage::creature();
    let interp = &mut stage.entity.interp;
    for motion in [
        MotionCommand::HAND_COMBAT,
        MotionCommand::WALK_FORWARD,
        MotionCommand::SIDE_STEP_RIGHT,
        MotionCommand::TURN_RIGHT,
    ] {
        interp.raw.apply(motion, &at_speed(2.0));
        interp.interpreted.apply(motion, &at_speed(2.0));
    }
    let (raw, interpreted) = (interp.raw.clone(), interp.interpreted.clone());
    stage.act().stop_completely().unwrap();
    let interp = &stage.entity.interp;
    assert_eq!((interp.raw.forward.command, interp.raw.forward.speed), (MotionCommand::READY, 1.0));
    assert_eq!(
        (interp.interpreted.forward.command, interp.interpreted.forward.speed),
        (MotionCommand::READY, 1.0)
    );
    for (sidestep, turn) in [
        (interp.raw.sidestep.command, interp.raw.turn.command),
        (interp.interpreted.sidestep.command, interp.interpreted.turn.command),
    ] {
        assert_eq!((sidestep, turn), (MotionCommand::NONE, MotionCommand::NONE));
    }
    assert_eq!((interp.raw.style, interp.interpreted.style), (raw.style, interpreted.style));
    assert_eq!((interp.raw.sidestep.speed, interp.raw.turn.speed), (raw.sidestep.speed, raw.turn.speed));
    assert_eq!(
        (interp.interpreted.sidestep.speed, interp.interpreted.turn.speed),
        (interpreted.sidestep.speed, interpreted.turn.speed)
    );
}

/// A state of the server replaces style, commands and speeds of all axes.
#[test]
fn e8_a_state_replaces_every_axis() {
    let mut stage = Stage::creature();
    let mut state = InterpretedState::default();
    state.apply(MotionCommand::HAND_COMBAT, &MovementParams::default());
    state.apply(MotionCommand::WALK_FORWARD, &at_speed(1.5));
    state.apply(MotionCommand::SIDE_STEP_RIGHT, &at_speed(1.25));
    state.apply(MotionCommand::TURN_RIGHT, &at_speed(0.5));
    stage.act().move_to_interpreted_state(&state);
    assert_eq!(stage.entity.interp.interpreted, state);
    assert_eq!(stage.entity.interp.raw.style, MotionCommand::HAND_COMBAT, "E8.1");
    assert!(sidesteps(&stage));
    stage.act().move_to_interpreted_state(&InterpretedState::default());
    assert_eq!(stage.entity.interp.interpreted, InterpretedState::default());
    assert!(!sidesteps(&stage));
}

/// Whether the table plays a sidestep, as its cycle or on top of it.
fn sidesteps(stage: &Stage) -> bool {
    let state = stage.entity.animator.state();
    let is_sidestep = |motion: MotionCommand| motion == MotionCommand::SIDE_STEP_RIGHT;
    is_sidestep(state.substate()) || state.modifiers().any(|modifier| is_sidestep(modifier.motion))
}

fn actions_of(stage: &mut Stage, stamp: u16, autonomous: bool) -> usize {
    let mut state = InterpretedState::default();
    state.push_action(Action { motion: WAVE, speed: 1.5, stamp: ActionStamp::new(stamp), autonomous });
    stage.act().move_to_interpreted_state(&state);
    stage.entity.interp.interpreted.actions().len()
}

/// Actions are played if they are newer than the last one, and are not the echo of the local player's own. An action that
/// is skipped does not advance the stamp, and with no weenie at all autonomous ones are skipped.
#[test]
fn e8_actions_are_played_once_and_own_ones_are_not_repeated() {
    let mut remote = Stage::creature();
    assert_eq!(actions_of(&mut remote, 1, true), 1);
    assert_eq!(remote.entity.interp.server_action_stamp, ActionStamp::new(1));
    let action = remote.entity.interp.interpreted.actions().next().unwrap();
    assert_eq!((action.motion, action.speed, action.autonomous), (WAVE, 1.5, true));
    assert_eq!(actions_of(&mut remote, 1, true), 1, "the same stamp");
    assert_eq!(actions_of(&mut remote, 0, true), 1, "older");
    assert_eq!(actions_of(&mut remote, 2, false), 2);
    assert!(!remote.entity.interp.interpreted.actions().last().unwrap().autonomous);

    for weenie in [Some(Arc::new(PlayerWeenie::default()) as Arc<dyn Weenie>), None] {
        let mut own = Stage::player(0, 0);
        own.entity.set_weenie(weenie);
        own.entity.body.flags.remove(BodyFlags::AUTONOMOUS);
        assert_eq!(actions_of(&mut own, 5, true), 0, "its own echo");
        assert_eq!(own.entity.interp.server_action_stamp, ActionStamp::new(0));
        assert_eq!(actions_of(&mut own, 5, false), 1, "the server's");
    }
}

/// A body that moved by itself, or whose weenie is missing, applies its raw state, and everything else the interpreted one.
#[test]
fn f8_who_moves_by_itself_applies_its_raw_state() {
    let own: fn() -> Arc<dyn Weenie> =
        || Arc::new(PlayerWeenie { run_skill: 200, ..PlayerWeenie::default() });
    let other: fn() -> Arc<dyn Weenie> = || Arc::new(RemoteWeenie::Creature);
    for (weenie, autonomous, applies_raw) in [
        (Some(own()), true, true),
        (None, true, true),
        (Some(own()), false, false),
        (Some(other()), true, false),
    ] {
        let mut stage = Stage::creature();
        stage.entity.set_weenie(weenie.clone());
        stage.entity.body.flags.set(BodyFlags::AUTONOMOUS, autonomous);
        stage.entity.interp.raw.forward.command = MotionCommand::WALK_FORWARD;
        stage.act().apply_current_movement(false, false);
        let expected = if applies_raw { MotionCommand::WALK_FORWARD } else { MotionCommand::READY };
        assert_eq!(stage.substate(), expected, "{weenie:?}, {autonomous}");
    }
}

/// Only a key that differs is set, and then the movement is applied again: None only after Run, Run unless it is held. Invalid
/// changes nothing.
#[test]
fn f18_a_hold_key_is_set_if_it_changes_something() {
    let mut stage = Stage::player(200, 0);
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    let key = |stage: &Stage| (stage.entity.interp.raw.current_hold_key, stage.substate());
    let (walk, run) = (MotionCommand::WALK_FORWARD, MotionCommand::RUN_FORWARD);
    for (set, expected) in [
        (HoldKey::NONE, (HoldKey::NONE, walk)),
        (HoldKey::INVALID, (HoldKey::NONE, walk)),
        (HoldKey::RUN, (HoldKey::RUN, run)),
        (HoldKey::INVALID, (HoldKey::RUN, run)),
        (HoldKey::RUN, (HoldKey::RUN, run)),
        (HoldKey::NONE, (HoldKey::NONE, walk)),
    ] {
        stage.act().set_hold_key(set, false);
        assert_eq!(key(&stage), expected, "{set:?}");
    }
    let params = MovementParams { hold_key: HoldKey::RUN, ..MovementParams::default() };
    stage.act().do_motion(MotionCommand::TURN_RIGHT, &params).unwrap();
    assert_eq!(key(&stage).0, HoldKey::RUN, "F4: a motion sets its key");
}

/// Whatever cancels orders cancels them, and stops and motions without the bit do not.
#[test]
fn f4_and_f6_cancel_orders_if_they_are_told_to() {
    let goal = CellPosition::at(CELL, START + Vec3::new(0.0, 8.0, 0.0));
    for cancels in [true, false] {
        let mut params = MovementParams::default();
        params.flags.set(MoveFlags::CANCEL_MOVE_TO, cancels);
        for stops in [true, false] {
            let mut stage = Stage::creature();
            stage.act().order(&Order::walk_to(goal));
            assert!(stage.entity.is_moving_to());
            let mut actor = stage.act();
            let result = if stops {
                actor.stop_motion(MotionCommand::WALK_FORWARD, &params)
            } else {
                actor.do_motion(MotionCommand::TURN_RIGHT, &params)
            };
            let _ = result;
            assert_eq!(stage.entity.is_moving_to(), !cancels, "stops: {stops}");
        }
    }
    let mut stage = Stage::creature();
    stage.act().order(&Order::walk_to(goal));
    stage.act().move_to_interpreted_state(&InterpretedState::default());
    assert!(!stage.entity.is_moving_to(), "E8.2");
    stage.act().order(&Order::walk_to(goal));
    let _ = stage.act().stop_completely();
    assert!(!stage.entity.is_moving_to(), "F6");
}

/// A stop that the table refuses leaves the state alone; one that it accepts is queued as Ready. Without the bit the state
/// stays.
#[test]
fn f6_only_an_accepted_stop_changes_the_state() {
    let mut stage = Stage::creature();
    let params = MovementParams::default();
    stage.entity.interp.interpreted.sidestep.command = MotionCommand::SIDE_STEP_RIGHT;
    let refused = stage.act().stop_interpreted_motion(MotionCommand::SIDE_STEP_RIGHT, &params);
    assert_eq!(refused, Err(MotionError::NoMotionData), "it does not sidestep");
    assert_eq!(stage.entity.interp.interpreted.sidestep.command, MotionCommand::SIDE_STEP_RIGHT);
    assert_eq!(pending(&stage), []);

    stage.act().do_interpreted_motion(MotionCommand::WALK_FORWARD, &params).unwrap();
    stage.settle();
    let mut silent = params;
    silent.flags.remove(MoveFlags::MODIFY_INTERPRETED_STATE);
    stage.act().stop_interpreted_motion(MotionCommand::WALK_FORWARD, &silent).unwrap();
    assert_eq!(stage.entity.interp.interpreted.forward.command, MotionCommand::WALK_FORWARD);
    assert_eq!(pending(&stage), [MotionCommand::READY]);
}

/// A body in no cell has no use for link animations: each request ends by dropping them, and whatever was pending is done.
#[test]
fn f5_links_are_dropped_in_no_cell() {
    type Request = fn(&mut Stage);
    let requests: [(&str, Request); 4] = [
        ("start", |stage| {
            let _ =
                stage.act().do_interpreted_motion(MotionCommand::WALK_FORWARD, &MovementParams::default());
        }),
        ("stop", |stage| {
            let _ =
                stage.act().stop_interpreted_motion(MotionCommand::WALK_FORWARD, &MovementParams::default());
        }),
        ("stop completely", |stage| {
            let _ = stage.act().stop_completely();
        }),
        ("no turn", |stage| stage.act().apply_interpreted_movement(false, false)),
    ];
    for (name, request) in requests {
        for in_cell in [true, false] {
            let mut stage = Stage::creature();
            stage
                .act()
                .do_interpreted_motion(MotionCommand::WALK_FORWARD, &MovementParams::default())
                .unwrap();
            let _ = stage.act().do_interpreted_motion(WAVE, &MovementParams::default());
            assert!(links(&stage) > 0 && stage.entity.interp.has_pending());
            stage.entity.body.flags.set(BodyFlags::IN_CELL, in_cell);
            request(&mut stage);
            assert_eq!(links(&stage) == 0, !in_cell, "{name}");
            assert_eq!(stage.entity.interp.has_pending(), in_cell, "{name}");
        }
    }
}

/// A motion that is not an action can be jumped out of only if the forward motion allows it as well, and a jump during
/// the link is forbidden if the request says so.
#[test]
fn f5_a_pending_motion_knows_whether_it_allows_a_jump() {
    let jump_error = |stage: &Stage| stage.entity.interp.pending().last().unwrap().jump_error;
    let params = MovementParams::default();
    let mut stage = Stage::creature();
    stage.act().do_interpreted_motion(MotionCommand::WALK_FORWARD, &params).unwrap();
    assert_eq!(jump_error(&stage), None);
    let mut linked = params;
    linked.flags.insert(MoveFlags::DISABLE_JUMP_DURING_LINK);
    stage.act().do_interpreted_motion(MotionCommand::RUN_FORWARD, &linked).unwrap();
    assert_eq!(jump_error(&stage), Some(MotionError::CannotJumpHere));

    let mut stage = Stage::creature();
    stage.entity.interp.interpreted.forward.command = MotionCommand::CROUCH;
    stage.act().do_interpreted_motion(MotionCommand::TURN_RIGHT, &params).unwrap();
    assert_eq!(jump_error(&stage), Some(MotionError::CannotJumpHere), "it crouches");
    stage.act().do_interpreted_motion(WAVE, &params).unwrap();
    assert_eq!(jump_error(&stage), None, "an action counts alone");

    let mut stage = Stage::creature();
    stage.entity.interp.interpreted.forward.command = MotionCommand::CROUCH;
    stage.act().move_to_interpreted_state(&InterpretedState::new(
        MotionCommand::NON_COMBAT,
        InterpretedState::default().forward,
    ));
    let errors: Vec<_> = stage.entity.interp.pending().map(|command| command.jump_error).collect();
    assert!(errors.contains(&Some(MotionError::CannotJumpHere)), "E8.3: the old motion decides: {errors:?}");
}

/// The motions that forbid a jump, from the first to the last of each range, and their neighbours.
#[test]
fn f11_motions_that_forbid_a_jump() {
    let forbids = |motion: u32, era| motion_allows_jump(MotionCommand(motion), era).is_err();
    for (first, last) in [
        (0x4000_0008, 0x4000_0008),
        (0x4000_0016, 0x4000_0018),
        (0x4000_001E, 0x4000_0039),
        (0x4100_0012, 0x4100_0014),
        (0x1000_006F, 0x1000_0078),
    ] {
        for era in [Era::EndOfRetail, Era::September2013] {
            assert!(forbids(first, era) && forbids(last, era), "{first:#x}");
            assert!(!forbids(first - 1, era) && !forbids(last + 1, era), "{first:#x}");
        }
    }
    for (era, first, last) in
        [(Era::EndOfRetail, 0x1000_012B, 0x1000_0134), (Era::September2013, 0x1000_0128, 0x1000_0131)]
    {
        assert!(forbids(first, era) && forbids(last, era), "purple: {era:?}");
        assert!(!forbids(first - 1, era) && !forbids(last + 1, era), "purple: {era:?}");
    }
    assert!(!forbids(MotionCommand::FALLING.0, Era::EndOfRetail));
    assert!(!forbids(MotionCommand::DEAD.0, Era::EndOfRetail));
}

/// Landing and leaving the ground drop the links, end the charge of a long jump and apply the movement again. Objects that
/// are no creatures, or have no gravity, do not care.
#[test]
fn c26_and_c30_the_ground_matters_to_creatures_with_gravity() {
    let falls = |weenie: RemoteWeenie, gravity: bool| {
        let mut stage = Stage::new(Arc::new(weenie));
        stage.entity.body.state.set(PhysicsState::GRAVITY, gravity);
        let _ = stage.act().do_interpreted_motion(WAVE, &MovementParams::default());
        stage.entity.interp.standing_long_jump = true;
        stage.entity.interp.jump_extent = 0.5;
        set_on_walkable(&mut stage.act(), false);
        stage
    };
    let clips = |stage: &Stage| -> Vec<_> {
        let nodes = stage.entity.animator.sequence().nodes(&stage.library);
        nodes.map(|node| node.clip).collect()
    };
    let mut waves = Stage::creature();
    let _ = waves.act().do_interpreted_motion(WAVE, &MovementParams::default());
    let wave = clips(&waves)[..links(&waves)].to_vec();
    assert!(!wave.is_empty());
    let mut creature = falls(RemoteWeenie::Creature, true);
    let playing = clips(&creature);
    assert!(wave.iter().all(|clip| !playing.contains(clip)), "the links are dropped");
    assert_eq!(creature.substate(), MotionCommand::FALLING);
    assert_eq!((creature.entity.interp.standing_long_jump, creature.entity.interp.jump_extent), (false, 0.0));
    set_on_walkable(&mut creature.act(), true);
    assert_eq!(creature.substate(), MotionCommand::READY, "C30");

    for (weenie, gravity) in [(RemoteWeenie::Object, true), (RemoteWeenie::Creature, false)] {
        let object = falls(weenie, gravity);
        assert!(links(&object) > 0 && object.entity.interp.standing_long_jump, "{weenie:?}, {gravity}");
    }
}

/// A body leaves the ground with the velocity of its state unless that is too small in every direction: then it keeps its own.
#[test]
fn c26_a_body_that_stands_keeps_the_velocity_it_is_thrown_with() {
    let thrown = Vec3::new(1.0, 2.0, 0.0);
    let mut stage = Stage::creature();
    stage.entity.body.velocity = thrown;
    set_on_walkable(&mut stage.act(), false);
    assert_eq!(stage.velocity(), thrown);
    for motion in [MotionCommand::WALK_FORWARD, MotionCommand::SIDE_STEP_RIGHT] {
        let mut stage = Stage::creature();
        stage.act().do_interpreted_motion(motion, &MovementParams::default()).unwrap();
        stage.entity.body.velocity = thrown;
        set_on_walkable(&mut stage.act(), false);
        let velocity = stage.velocity();
        assert_ne!(velocity, thrown, "{motion}");
        let expected = if motion == MotionCommand::WALK_FORWARD { 3.12 } else { 1.25 };
        assert_near(velocity.length(), expected, 1e-4);
    }
    let mut stage = Stage::creature();
    stage.act().do_interpreted_motion(MotionCommand::WALK_FORWARD, &at_speed(0.5)).unwrap();
    set_on_walkable(&mut stage.act(), false);
    assert_near(stage.velocity().length(), 1.56, 1e-4);
}

/// The default state is entered from any other: both states are reset, Ready is queued, and leaving the ground completes it at
/// once for a creature.
#[test]
fn f16_the_default_state_forgets_what_was_asked() {
    let mut stage = Stage::creature();
    stage.press(MotionCommand::HAND_COMBAT).unwrap();
    stage.press(MotionCommand::WALK_FORWARD).unwrap();
    stage.entity.body.flags.remove(BodyFlags::MANAGED);
    stage.entity.interp.standing_long_jump = true;
    stage.act().enter_default_state();
    let interp = &stage.entity.interp;
    assert_eq!((&interp.raw, &interp.interpreted), (&RawState::default(), &InterpretedState::default()));
    assert!(stage.entity.body.flags.contains(BodyFlags::MANAGED), "it has a movement manager");
    assert_eq!(stage.entity.animator.state().style(), MotionCommand::NON_COMBAT);
    assert!(!stage.entity.interp.standing_long_jump, "LeaveGround");
    assert_eq!(links(&stage), 0);
    assert!(stage.entity.interp.has_pending(), "what it applied again is pending");
}

/// The angle from one heading to another depends on the direction of the turn.
#[test]
fn j5_the_difference_of_headings_is_measured_along_the_turn() {
    for (turn, expected) in
        [(MotionCommand::TURN_RIGHT, [20.0, 340.0]), (MotionCommand::TURN_LEFT, [340.0, 20.0])]
    {
        assert_eq!([heading_diff(10.0, 350.0, turn), heading_diff(350.0, 10.0, turn)], expected, "{turn}");
        assert_eq!(heading_diff(10.0, 10.000_1, turn), 0.0);
    }
}

/// Strength carries 150 a point, and each augmentation 30 more up to five; a negative count adds nothing. A player that fights
/// players pays for a jump by its extent alone.
#[test]
fn k10_and_f13_capacity_and_the_cost_of_a_jump() {
    assert_eq!(
        [0, 1, 5, 6, -3].map(|augmentations| carrying_capacity(100, augmentations)),
        [15_000, 18_000, 30_000, 30_000, 15_000]
    );
    assert_eq!([0.0, 0.5, 1.0].map(|extent| jump_stamina_cost(1.5, extent, true)), [100, 150, 200]);
    assert_eq!(
        [(0.5, 1.0), (1.0, 1.0), (0.2, 0.5)].map(|(load, extent)| jump_stamina_cost(load, extent, false)),
        [10, 14, 5]
    );
    let player = PlayerWeenie { fights_players: true, ..PlayerWeenie::default() };
    assert_eq!(player.jump_stamina_cost(1.0), Some(200));
}

/// What is known of objects other than a described player: nothing but whether they are creatures.
#[test]
fn f3_f12_f13_only_the_local_player_answers_questions() {
    for (weenie, is_creature, is_player, can_jump) in [
        (&RemoteWeenie::Creature as &dyn Weenie, true, false, false),
        (&RemoteWeenie::Object, false, false, false),
        (&UndescribedPlayer, true, true, true),
    ] {
        assert_eq!((weenie.is_creature(), weenie.is_local_player()), (is_creature, is_player), "{weenie:?}");
        assert_eq!(weenie.can_jump(1.0), can_jump, "{weenie:?}");
        assert_eq!((weenie.run_rate(), weenie.jump_speed(1.0)), (None, None), "{weenie:?}");
        assert_eq!(weenie.jump_stamina_cost(1.0), None, "{weenie:?}");
    }
    let player = PlayerWeenie::default();
    assert!(player.is_creature() && player.is_local_player() && player.can_jump(1.0));
    assert_eq!(player.jump_stamina_cost(0.0), Some(2));
    assert!(!PlayerWeenie { load: 2.0, ..player }.can_jump(1.0), "F12");
}

/// What a client sent of its player is applied to it as if its keys had been pressed: the movement, new actions once, and
/// jumps with the velocity that was sent (K6, K9).
#[test]
fn k6_and_k9_what_a_client_sent_is_applied() {
    let mut stage = Stage::player(200, 300);
    stage.entity.body.flags.remove(BodyFlags::AUTONOMOUS);
    stage.entity.body.transient.remove(TransientState::ACTIVE);
    let goal = CellPosition::at(CELL, START + Vec3::new(0.0, 8.0, 0.0));
    stage.act().order(&Order::walk_to(goal));
    stage.entity.body.transient.remove(TransientState::ACTIVE);
    let mut sent = RawState::default();
    sent.current_hold_key = HoldKey::RUN;
    sent.apply(MotionCommand::WALK_FORWARD, &MovementParams::default());
    assert_eq!(stage.act().apply_client_state(&sent, false, None), None, "no action");
    assert!(!stage.entity.is_moving_to(), "the client moves");
    assert!(stage.entity.body.flags.contains(BodyFlags::AUTONOMOUS));
    assert!(stage.entity.body.transient.contains(TransientState::ACTIVE));
    assert_eq!(stage.entity.interp.interpreted.forward.command, MotionCommand::RUN_FORWARD);
    assert_eq!(stage.entity.interp.raw.current_hold_key, HoldKey::RUN);

    let mut stage = Stage::player(200, 300);
    let mut sent = RawState::default();
    for stamp in [3, 4] {
        let action = Action { motion: WAVE, speed: 1.25, stamp: ActionStamp::new(stamp), autonomous: true };
        sent.push_action(action);
    }
    let newest = stage.act().apply_client_state(&sent, false, Some(ActionStamp::new(3)));
    assert_eq!(newest, Some(ActionStamp::new(4)));
    let played: Vec<_> =
        stage.entity.interp.raw.actions().map(|it| (it.stamp, it.speed, it.autonomous)).collect();
    assert_eq!(played, [(ActionStamp::new(4), 1.25, true)], "the first is an old one");

    let mut stage = Stage::player(200, 300);
    stage.entity.body.transient.remove(TransientState::ACTIVE);
    sent.apply(MotionCommand::HAND_COMBAT, &MovementParams::default());
    sent.apply(MotionCommand::SIDE_STEP_LEFT, &MovementParams::default());
    stage.act().apply_client_state(&sent, false, Some(ActionStamp::new(4)));
    assert!(stage.entity.body.transient.contains(TransientState::ACTIVE));
    let raw = &stage.entity.interp.raw;
    assert_eq!((raw.style, raw.sidestep), (sent.style, sent.sidestep));

    let mut stage = Stage::player(200, 300);
    stage.act().apply_client_state(&RawState::default(), true, None);
    assert!(stage.entity.interp.standing_long_jump);
    stage.act().order(&Order::walk_to(goal));
    stage.entity.body.flags.remove(BodyFlags::AUTONOMOUS);
    let velocity = Vec3::new(0.5, 3.0, 6.0);
    stage.act().apply_client_jump(velocity);
    assert_eq!(stage.velocity(), velocity, "not that of its state");
    assert!(!stage.entity.interp.standing_long_jump && !stage.entity.is_moving_to());
    assert!(!stage.entity.body.is_on_walkable(), "it has left the ground");
    assert!(stage.entity.body.flags.contains(BodyFlags::AUTONOMOUS | BodyFlags::THROWN));
}

/// The charge of a long jump ends with the jump, whether the body cares for the ground or not (C23, K9).
#[test]
fn c23_a_jump_ends_its_charge() {
    for sent in [true, false] {
        let mut stage = Stage::player(200, 300);
        stage.entity.body.state.remove(PhysicsState::GRAVITY);
        stage.act().charge_jump().unwrap();
        assert!(stage.entity.interp.standing_long_jump);
        if sent {
            stage.act().apply_client_jump(Vec3::new(0.0, 0.0, 6.0));
        } else {
            stage.act().release_jump(0.5).unwrap();
        }
        assert!(!stage.entity.interp.standing_long_jump, "sent: {sent}");
    }
}

/// A body whose path since the last report is longer than nine tenths of its leash may not jump (I9, F13).
#[test]
fn i9_a_body_at_the_end_of_its_leash_may_not_jump() {
    for (metres, expected) in [(44.0, Ok(())), (46.0, Err(MotionError::Failed))] {
        let mut stage = Stage::player(200, 300);
        let own = stage.entity.body.position;
        let reported = CellPosition::at(CELL, START + Vec3::new(metres, 0.0, 0.0));
        stage.entity.correction.constraint.constrain_to(&reported, &own, ConstraintRange::of(CELL));
        assert_eq!(stage.act().jump(0.5), expected, "{metres} m");
    }
}

/// The end of an action ends sticking, that of any other motion does not (F15).
#[test]
fn f15_the_end_of_an_action_ends_sticking() {
    for (motion, sticks) in [(WAVE, false), (MotionCommand::WALK_FORWARD, true)] {
        let mut stage = Stage::creature();
        let now = stage.now;
        stick_to(&mut stage.act(), Guid(7), 0.5, now);
        stage.act().do_interpreted_motion(motion, &MovementParams::default()).unwrap();
        assert_eq!(pending(&stage), [motion]);
        stage.act().command_done();
        assert_eq!(pending(&stage), []);
        assert_eq!(stage.entity.correction.is_stuck(), sticks, "{motion}");
    }
}

/// Landing drops the links that are left from the air (C30), and so does death (F5).
#[test]
fn c30_and_f5_landing_and_death_drop_links() {
    let clips = |stage: &Stage| -> Vec<_> {
        let nodes = stage.entity.animator.sequence().nodes(&stage.library);
        nodes.map(|node| node.clip).collect()
    };
    let mut stage = Stage::creature();
    set_on_walkable(&mut stage.act(), false);
    stage.run(30);
    let falling = *clips(&stage).last().unwrap();
    let span = stage.library.span(falling, 0, -1);
    stage.entity.animator.sequence_mut().append(&stage.library, span, 30.0);
    assert!(links(&stage) > 0);
    set_on_walkable(&mut stage.act(), false);
    set_on_walkable(&mut stage.act(), true);
    assert!(!clips(&stage).contains(&falling), "{:?}", stage.substate());

    let mut stage = Stage::creature();
    stage.act().do_interpreted_motion(WAVE, &MovementParams::default()).unwrap();
    let wave = clips(&stage)[0];
    stage.act().do_interpreted_motion(MotionCommand::DEAD, &MovementParams::default()).unwrap();
    assert!(!clips(&stage).contains(&wave), "what it did ends at once");
}

/// Interpolation goes twice as fast as the motions of a body, and for one that runs by the speed of its run (F10).
#[test]
fn f10_the_speed_of_a_run_is_divided_by_its_factor() {
    let mut interp = Stage::creature().entity.interp;
    interp.my_run_rate = 2.0;
    assert_eq!(interp.adjusted_max_speed(None), 4.0, "no weenie");
    assert_eq!(interp.adjusted_max_speed(Some(&RemoteWeenie::Creature)), 8.0);
    interp.interpreted.apply(MotionCommand::RUN_FORWARD, &at_speed(3.0));
    assert_eq!(interp.adjusted_max_speed(Some(&RemoteWeenie::Creature)), 12.0);
    interp.current_speed_factor = 2.0;
    assert_eq!(interp.adjusted_max_speed(Some(&RemoteWeenie::Creature)), 6.0);
}

/// Actions are written into the list of the caller, and nothing else stays in it.
#[test]
fn the_wire_form_of_a_state_has_its_own_actions_alone() {
    let (mut raw, mut interpreted) = (RawState::default(), InterpretedState::default());
    raw.apply(WAVE, &MovementParams::default());
    interpreted.apply(WAVE, &MovementParams::default());
    let mut items = Vec::new();
    for _ in 0..2 {
        assert_eq!(raw.to_wire(&mut items).actions.iter().count(), 1);
        assert_eq!(interpreted.to_wire(&mut items).actions.iter().count(), 1);
    }
}
