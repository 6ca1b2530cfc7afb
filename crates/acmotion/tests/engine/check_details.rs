//! The parts of a checker that can be used alone, and the fields of messages that the story leaves out.

use acmotion::check::{
    CheckSettings, Checker, ClientMotion, ClientMotionKind, Finding, ImpossibleFlag, Method, OwnPlayer,
    interpreted, launch_velocity, learn_run_rate,
};
use acmotion::components::{Action, Axis, RawAxis, RawState};
use acmotion::dat::Assets;
use acmotion::types::{ActionStamp, CellId, CellPosition, Frame, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    ActionItem, AutonomousPosition, ContactFlags, EchoedStamps, GameAction, GameActionBody, HoldKey,
    InterpretedState, Jump, MoveToState, MovementBody, ObjectStamps, Pad, PhysicsState, RawMotionState, S2C,
    UpdateMotion, WireBool, decode_s2c,
};
use acmotion::{Identity, PlayerWeenie, World};

use crate::check_support::Checked;
use crate::player_support::{W, description, frames, press};
use crate::world_support::{
    ERA, GROUND, PLAYER, REMOTE, TICK, TestWorld, at, create, motion, movement_with, position_with, running,
    set_state, settings,
};

/// An action of a client whose player stands at (96.5, 96.5), judged on its own.
fn finding(body: GameActionBody<'_>) -> Finding {
    let mut checked = Checked::new();
    let now = checked.client.now;
    let action = GameAction { sequence: 0x1000, action: body };
    checked.checker.receive_action(&action, now).unwrap().finding
}

fn own_position(position: CellPosition) -> GameActionBody<'static> {
    GameActionBody::AutonomousPosition(AutonomousPosition {
        position,
        stamps: EchoedStamps::default(),
        contact: WireBool::from(true),
        pad: Pad::ZERO,
    })
}

fn jump(position: Option<CellPosition>) -> GameActionBody<'static> {
    let stamps = EchoedStamps::default();
    GameActionBody::Jump(Jump { extent: 0.1, velocity: Vec3::ZERO, position, stamps, tail: None })
}

fn state(raw: RawMotionState<'_>) -> GameActionBody<'_> {
    GameActionBody::MoveToState(MoveToState {
        raw,
        position: at(96.5, 96.5),
        stamps: EchoedStamps::default(),
        contact: ContactFlags::CONTACT,
        pad: Pad::ZERO,
    })
}

const IMPOSSIBLE: Finding = Finding::ImpossibleFlags(ImpossibleFlag::Position);

/// Every message with a position says where the player is.
#[test]
fn positions_and_jumps_have_a_cell_that_contains_them_as_well() {
    assert_eq!(finding(own_position(at(96.5, 96.5))), Finding::Ok);
    assert_eq!(finding(jump(Some(at(96.5, 96.5)))), Finding::Ok);
    assert_eq!(finding(jump(None)), Finding::Ok);
    let mut wrong = at(96.5, 96.5);
    wrong.frame.origin.x = 50.0;
    assert_eq!(finding(own_position(wrong)), IMPOSSIBLE);
    assert_eq!(finding(jump(Some(wrong))), IMPOSSIBLE);
    let mut endless = at(96.5, 96.5);
    endless.frame.origin.z = f32::INFINITY;
    assert_eq!(finding(own_position(endless)), IMPOSSIBLE);
}

/// A rounding error of 0.01 m may put a position beyond any corner of its cell, which reaches from 96 to 120 m (A13).
#[test]
fn a_position_may_be_a_little_beyond_each_border_of_its_cell() {
    for (x, y, is_fine) in [
        (95.995, 95.995, true),
        (95.995, 120.005, true),
        (120.005, 95.995, true),
        (120.005, 120.005, true),
        (95.98, 120.005, false),
        (95.995, 120.02, false),
        (120.02, 95.995, false),
        (120.005, 95.98, false),
    ] {
        let mut position = at(96.5, 96.5);
        position.frame.origin = Vec3::new(x, y, GROUND);
        let found = finding(own_position(position));
        assert_eq!(found != IMPOSSIBLE, is_fine, "{x} {y}: {found:?}");
    }
}

/// The origin of a room says nothing about where its walls are.
#[test]
fn a_position_in_a_room_may_have_any_origin() {
    let room = |cell: u32| CellPosition::at(CellId(cell), Vec3::new(-5.0, 500.0, 3.0));
    assert_ne!(finding(own_position(room(0xA9B4_0100))), IMPOSSIBLE);
    assert_eq!(finding(own_position(room(0xA9B4_0001))), IMPOSSIBLE);
    assert_eq!(finding(own_position(room(0xA9B4_0080))), IMPOSSIBLE, "there is no such cell");
}

/// Rule K6: actions are sent at speed 1, and nothing else is an action.
#[test]
fn what_is_sent_as_an_action_is_one() {
    let finding = |command: MotionCommand, speed: f32| {
        let item = ActionItem { command, stamp: ActionStamp::new(1), autonomous: true, speed };
        let actions = [ActionItem { command: MotionCommand::WAVE, speed: 1.0, ..item }, item];
        finding(state(RawMotionState {
            actions: acmotion::wire::Actions::new(&actions),
            ..RawMotionState::default()
        }))
    };
    let impossible = Finding::ImpossibleFlags(ImpossibleFlag::Action);
    assert_eq!(finding(MotionCommand::NOD, 1.0), Finding::Ok);
    assert_eq!(finding(MotionCommand::NOD, 1.5), impossible);
    assert_eq!(finding(MotionCommand::WALK_FORWARD, 1.0), impossible);
}

/// Rule K6: what is not requested may be sent as no command.
#[test]
fn no_command_is_possible_on_the_axes_that_are_not_forward() {
    let none = Some(MotionCommand::NONE);
    let raw = RawMotionState { sidestep_command: none, turn_command: none, ..RawMotionState::default() };
    assert_eq!(finding(state(raw)), Finding::Ok);
    let slow = RawMotionState {
        forward_speed: Some(0.0),
        sidestep_speed: Some(0.5),
        turn_speed: Some(0.0),
        ..RawMotionState::default()
    };
    assert_eq!(finding(state(slow)), Finding::Ok);
}

/// Actions that do not move the player are none of a checker's business, but use up their number.
#[test]
fn other_actions_are_not_judged() {
    let mut checked = Checked::new();
    let now = checked.client.now;
    let action =
        GameAction { sequence: 0x1000, action: GameActionBody::Unknown { opcode: 0x1F, body: &[7] } };
    assert_eq!(checked.checker.receive_action(&action, now), None);
    let again = checked.checker.receive_action(&action, now).unwrap();
    assert_eq!(again.finding.name(), "stamp_replayed");
    let unreadable = [0xB1, 0xF7, 0, 0, 1];
    assert!(checked.checker.receive(&unreadable, now).is_err());
    assert!(checked.checker.sent(&[1, 2], now).is_err());
}

/// A turn to the right by 90 degrees, so that forward is east.
fn eastwards() -> Frame {
    let mut frame = Frame::from_origin(Vec3::new(10.0, 20.0, 30.0));
    frame.set_heading(90.0);
    frame
}

#[track_caller]
fn assert_close(value: Vec3, expected: Vec3) {
    assert!((value - expected).length() < 1e-4, "{value:?}, expected {expected:?}");
}

/// Rules C6, K9: a jump's velocity is that of the player's axes, up to 50 m/s.
#[test]
fn a_launch_is_turned_with_the_player_and_limited() {
    let launch = |velocity| launch_velocity(velocity, &eastwards());
    assert_close(launch(Vec3::new(0.0, 3.0, 4.0)).unwrap(), Vec3::new(3.0, 0.0, 4.0));
    assert_close(launch(Vec3::new(0.0, 30.0, 40.0)).unwrap(), Vec3::new(30.0, 0.0, 40.0));
    assert_close(launch(Vec3::new(0.0, 60.0, 80.0)).unwrap(), Vec3::new(30.0, 0.0, 40.0));
    assert_eq!(launch(Vec3::new(f32::NAN, 0.0, 1.0)), None);
    assert_eq!(launch(Vec3::new(f32::INFINITY, 0.0, 1.0)), None);
}

/// Rules F2, F8: each axis under its own hold key, the actions, and the server's style.
#[test]
fn a_raw_state_is_interpreted_with_the_style_of_the_server() {
    let weenie = PlayerWeenie { run_skill: 200, ..PlayerWeenie::default() };
    let wave =
        Action { motion: MotionCommand::WAVE, speed: 1.0, stamp: ActionStamp::new(3), autonomous: true };
    let mut raw = run_keys();
    // An axis without a motion keeps no speed.
    raw.sidestep = RawAxis { speed: 0.25, ..RawAxis::new(MotionCommand::NONE) };
    raw.turn = RawAxis { speed: 0.5, hold_key: HoldKey::NONE, ..RawAxis::new(MotionCommand::TURN_LEFT) };
    raw.push_action(wave);
    let state = interpreted(raw, &weenie, MotionCommand::HAND_COMBAT);
    assert_eq!(state.style, MotionCommand::HAND_COMBAT);
    assert_eq!(state.forward, Axis { command: MotionCommand::RUN_FORWARD, speed: 2.375 });
    assert_eq!(state.sidestep, Axis { command: MotionCommand::NONE, speed: 1.0 });
    assert_eq!(state.turn, Axis { command: MotionCommand::TURN_RIGHT, speed: -0.5 });
    assert_eq!(state.actions().collect::<Vec<_>>(), [wave]);
}

/// A world that watches its player, which the server has created at (96.5, 96.5) if `is_created`.
fn watched(is_created: bool) -> TestWorld {
    let mut scene = TestWorld::with(settings(|settings| {
        settings.player = Identity::Known(PLAYER);
        settings.stand_ins_for_unknown = true;
    }));
    if is_created {
        scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
        scene.ticks(2);
    }
    scene
}

fn client_motion(kind: ClientMotionKind, position: Option<CellPosition>) -> ClientMotion {
    ClientMotion { position, has_contact: true, stamps: EchoedStamps::default(), kind }
}

fn run_keys() -> RawState {
    let mut raw = RawState::default();
    raw.forward = RawAxis { hold_key: HoldKey::RUN, ..RawAxis::new(MotionCommand::WALK_FORWARD) };
    raw
}

/// A player that was never created appears where its client says, and is moved from then on.
#[test]
fn a_watched_player_is_moved_by_its_own_messages() {
    for is_created in [false, true] {
        let mut scene = watched(is_created);
        let mut own = OwnPlayer::default();
        let now = scene.now;
        let report = client_motion(ClientMotionKind::Position, Some(at(98.0, 97.0)));
        let (guid, shown) = own.follow(&mut scene.world, &report, now).unwrap();
        assert_eq!(guid, PLAYER);
        assert_eq!(shown.is_some(), is_created, "where it was shown before");
        assert_close(scene.origin(PLAYER), Vec3::new(98.0, 97.0, GROUND));
        let keys = ClientMotionKind::State { raw: run_keys(), is_long_jump: false };
        own.follow(&mut scene.world, &client_motion(keys, Some(at(98.0, 98.0))), now).unwrap();
        scene.ticks(30);
        let moved = scene.origin(PLAYER).y - 98.0;
        assert!((2.0..5.0).contains(&moved), "{moved} m in a second of running");
    }
}

#[test]
fn a_watched_player_whose_client_has_not_received_its_teleport_stays() {
    let mut scene = watched(true);
    scene.send(&position_with(PLAYER, &at(110.0, 110.0), 1, |pack| pack.teleport = Stamp(1)));
    let mut own = OwnPlayer::default();
    let now = scene.now;
    let mut late = client_motion(ClientMotionKind::Position, Some(at(96.5, 97.0)));
    assert_eq!(own.follow(&mut scene.world, &late, now), None);
    assert_close(scene.origin(PLAYER), Vec3::new(110.0, 110.0, GROUND));
    late.stamps.teleport = Stamp(1);
    assert!(own.follow(&mut scene.world, &late, now).is_some());
    assert_close(scene.origin(PLAYER), Vec3::new(96.5, 97.0, GROUND));
}

/// Nothing moves in a world that has not been told who its player is.
#[test]
fn nobody_follows_messages_if_the_player_is_not_known() {
    let mut scene = TestWorld::with_remote();
    let report = client_motion(ClientMotionKind::Position, Some(at(98.0, 97.0)));
    let now = scene.now;
    assert_eq!(OwnPlayer::default().follow(&mut scene.world, &report, now), None);
    assert_eq!(scene.world.entities().len(), 1);
}

/// Rule K6: a client repeats an action until it has been played. It is played once.
#[test]
fn a_watched_player_plays_each_action_once() {
    let mut scene = watched(true);
    let mut own = OwnPlayer::default();
    let act = |scene: &mut TestWorld, own: &mut OwnPlayer, stamp: u16| {
        let mut raw = RawState::default();
        let stamp = ActionStamp::new(stamp);
        raw.push_action(Action { motion: MotionCommand::WAVE, speed: 1.0, stamp, autonomous: true });
        let keys = ClientMotionKind::State { raw, is_long_jump: false };
        let now = scene.now;
        own.follow(&mut scene.world, &client_motion(keys, None), now).unwrap();
        let has_begun = scene.entity(PLAYER).interp.has_pending();
        scene.ticks(300);
        has_begun
    };
    assert!(act(&mut scene, &mut own, 1));
    assert!(!act(&mut scene, &mut own, 1));
    assert!(act(&mut scene, &mut own, 2));
}

/// Rule K9: the velocity is that of the player's axes, at the position of the jump or where it is shown.
#[test]
fn a_watched_player_jumps_where_it_faces() {
    for is_short in [false, true] {
        let mut scene = watched(true);
        let mut own = OwnPlayer::default();
        let now = scene.now;
        let mut east = at(98.0, 97.0);
        east.frame.set_heading(90.0);
        own.follow(&mut scene.world, &client_motion(ClientMotionKind::Position, Some(east)), now).unwrap();
        let leap = ClientMotionKind::Jump { extent: 0.5, velocity: Vec3::new(0.0, 3.0, 4.0) };
        own.follow(&mut scene.world, &client_motion(leap, (!is_short).then_some(east)), now).unwrap();
        let body = &scene.entity(PLAYER).body;
        assert!(!body.is_standing());
        assert_close(body.velocity, Vec3::new(3.0, 0.0, 4.0));
    }
}

fn echo(bytes: &[u8], world: &mut World, now: f64) -> f32 {
    let S2C::UpdateMotion(update) = decode_s2c(bytes, ERA).unwrap() else { panic!("not a motion") };
    learn_run_rate(world, &update, now);
    world.find(PLAYER).unwrap().entity().interp.my_run_rate
}

/// Rule D9: the server echoes the run of a player to its own client, which knows its skills. Who watches does not.
#[test]
fn the_run_rate_of_a_watched_player_is_learnt_from_the_echo_of_its_run() {
    let mut scene = watched(true);
    let now = scene.now;
    let mut learnt = |bytes: &[u8]| echo(bytes, &mut scene.world, now);
    let usual = learnt(&motion(PLAYER, InterpretedState::default(), 1));
    let walk = InterpretedState { forward_command: Some(MotionCommand::WALK_FORWARD), ..running(2.0) };
    let ordered = |state| movement_with(PLAYER, MovementBody::Interpreted { state, sticky: None }, 1, |_| {});
    for (what, bytes) in [
        ("another's", motion(REMOTE, running(2.0), 1)),
        ("the server's", ordered(running(2.0))),
        ("a walk", motion(PLAYER, walk, 1)),
        ("no speed", motion(PLAYER, running(0.0), 1)),
        ("backwards", motion(PLAYER, running(-2.0), 1)),
        ("endless", motion(PLAYER, running(f32::INFINITY), 1)),
    ] {
        assert_eq!(learnt(&bytes), usual, "{what}");
    }
    assert_eq!(learnt(&motion(PLAYER, running(2.0), 1)), 2.0);
    // One that is described knows better.
    let mut described = watched(true);
    described.world.set_player_weenie(std::sync::Arc::new(PlayerWeenie::default()));
    let now = described.now;
    assert_eq!(echo(&motion(PLAYER, running(2.0), 1), &mut described.world, now), usual);
}

/// The player runs at the rate that was learnt at once.
#[test]
fn a_watched_player_that_runs_takes_the_learnt_rate_at_once() {
    let mut scene = watched(true);
    let mut own = OwnPlayer::default();
    let now = scene.now;
    let keys = ClientMotionKind::State { raw: run_keys(), is_long_jump: false };
    own.follow(&mut scene.world, &client_motion(keys, Some(at(96.5, 96.5))), now).unwrap();
    scene.ticks(60);
    let now = scene.now;
    echo(&motion(PLAYER, running(2.0), 1), &mut scene.world, now);
    let before = scene.origin(PLAYER).y;
    scene.ticks(30);
    let speed = f64::from(scene.origin(PLAYER).y - before) / (30.0 * TICK);
    assert!((speed - 8.0).abs() < 0.2, "4 m/s at a rate of 2: {speed}");
}

/// The server's messages count from when they are sent, also after a silence.
#[test]
fn the_grace_of_a_change_begins_when_it_is_sent() {
    let mut checked = Checked::new();
    press(&mut checked.client, W);
    checked.run(40);
    // No report for two seconds: the client lags.
    frames(&mut checked.client, 60);
    let held: Vec<_> = checked.client.world.drain_outbound().collect();
    let sent_at = checked.client.now;
    let state = PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS;
    checked.server_sends(&set_state(PLAYER, state, 1));
    for bytes in held {
        checked.checker.receive(&bytes, sent_at).unwrap();
    }
    let mut methods = Vec::new();
    for _ in 0..210 {
        let now = checked.client.now - sent_at;
        methods.extend(checked.run(1).iter().map(|verdict| (now, verdict.method)));
    }
    let (within, after): (Vec<_>, Vec<_>) = methods.iter().partition(|(now, _)| *now < 3.9);
    assert!(within.len() >= 3 && within.iter().all(|(_, method)| *method != Method::Predicted), "{within:?}");
    assert!(after.iter().any(|(_, method)| *method == Method::Predicted), "{after:?}");
}

/// An order to another player is its own business.
#[test]
fn an_update_for_somebody_else_is_not_an_order() {
    let mut checked = Checked::new();
    let body = MovementBody::Interpreted { state: running(1.0), sticky: None };
    checked
        .checker
        .sent(&create(REMOTE, &at(110.0, 96.5), ObjectStamps::default(), None), checked.client.now)
        .unwrap();
    let order = movement_with(REMOTE, body, 1, |data| data.server_control = Stamp(1));
    checked.checker.sent(&order, checked.client.now).unwrap();
    press(&mut checked.client, W);
    let verdicts = checked.run(70);
    assert!(verdicts.iter().all(|verdict| verdict.method == Method::Predicted), "{verdicts:?}");
    assert!(
        decode_s2c(&order, ERA)
            .is_ok_and(|message| matches!(message, S2C::UpdateMotion(UpdateMotion { .. })))
    );
}

/// A player that has stood for longer than the grace when it runs with other skills than at its last report.
#[test]
fn skills_that_change_while_a_player_stands_count_when_it_moves() {
    let mut checked = Checked::new();
    checked.run(60);
    checked.server_sends(&description(400, 100, 0));
    checked.run(180);
    press(&mut checked.client, W);
    let verdicts = checked.run(90);
    assert!(verdicts.len() >= 3, "{verdicts:?}");
    for verdict in &verdicts {
        assert_eq!((verdict.finding, verdict.method), (Finding::Ok, Method::Predicted), "{verdicts:?}");
    }
}

/// Without a description, a checker knows how fast the player runs from the echo of its run.
#[test]
fn a_checker_learns_the_run_rate_of_a_player_that_was_not_described() {
    let mut checker = Checker::new(Assets::mannequin(), PLAYER, CheckSettings::default());
    checker.sent(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None), 10.0).unwrap();
    checker.sent(&motion(PLAYER, running(2.0), 1), 10.1).unwrap();
    assert_eq!(checker.player().unwrap().entity().interp.my_run_rate, 2.0);
}
