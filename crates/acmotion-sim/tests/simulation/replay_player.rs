//! Replays of the local player: what its own client sent moves it again.

use acmotion::dat::Assets;
use acmotion::types::{ActionStamp, CellId, CellPosition, Era, Frame, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    ActionItem, Actions, AutonomousPosition, C2S, ContactFlags, Direction, EchoedStamps, GameAction,
    GameActionBody, HoldKey, InterpretedState, Jump, MotionFlags, MoveToParams, MoveToState, Movement,
    MovementBody, MovementData, Origin, Pad, PositionPack, RawMotionState, S2C, UpdateMotion, UpdatePosition,
    decode_c2s,
};
use acmotion::{EventKind, Identity, MotionEvent, PlayerWeenie, Settings, StandIn, World};
use acmotion_sim::replay::{Replay, ReplaySettings, Step};

const PLAYER: Guid = Guid(0x5000_0002);
const START: f64 = 10.0;
/// A frame of a replay, in seconds.
const FRAME: f64 = 1.0 / 60.0 + 1e-7;
const RUN_RATE: f32 = 2.375;
const WEENIE: PlayerWeenie =
    PlayerWeenie { run_skill: 200, jump_skill: 300, load: 0.0, stamina: 100, fights_players: false };

fn at(y: f32) -> CellPosition {
    CellPosition::new(CellId(0xA9B4_0012), Frame::from_origin(Vec3::new(60.0, y, 94.0)))
}

fn new() -> Replay {
    Replay::new(Assets::mannequin(), ReplaySettings { player: Some(PLAYER), ..ReplaySettings::default() })
}

fn steps(replay: &mut Replay) -> Vec<Step> {
    std::iter::from_fn(|| replay.step()).collect()
}

fn client_message(action: GameActionBody<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    C2S::from(GameAction { sequence: 1, action }).encode(&mut bytes);
    bytes
}

/// A `MoveToState` with a raw state, at a distance of `y` metres.
fn state_at(y: f32, raw: RawMotionState<'_>, contact: ContactFlags) -> Vec<u8> {
    let (position, stamps) = (at(y), EchoedStamps::default());
    client_message(GameActionBody::MoveToState(MoveToState {
        raw,
        position,
        stamps,
        contact,
        pad: Pad::ZERO,
    }))
}

fn run_key() -> RawMotionState<'static> {
    RawMotionState {
        current_hold_key: Some(HoldKey::RUN),
        forward_command: Some(MotionCommand::WALK_FORWARD),
        ..RawMotionState::default()
    }
}

fn position_at(y: f32) -> Vec<u8> {
    let contact = true.into();
    let message =
        AutonomousPosition { position: at(y), stamps: EchoedStamps::default(), contact, pad: Pad::ZERO };
    client_message(GameActionBody::AutonomousPosition(message))
}

/// A movement of the player that the server sends.
fn movement(body: MovementBody<'_>, stamp: u16, is_echo: bool) -> Vec<u8> {
    let movement = Movement { flags: MotionFlags::empty(), style: MotionCommand::NON_COMBAT, body };
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(if is_echo { 0 } else { stamp }),
        autonomous: is_echo.into(),
        pad: Pad::ZERO,
        movement,
    };
    let mut bytes = Vec::new();
    S2C::from(UpdateMotion { guid: PLAYER, instance: Stamp(0), data }).encode(&mut bytes);
    bytes
}

/// The server's echo of a run, which states the run rate.
fn echo_of_run(stamp: u16) -> Vec<u8> {
    let state = InterpretedState {
        forward_command: Some(MotionCommand::RUN_FORWARD),
        forward_speed: Some(RUN_RATE),
        ..InterpretedState::default()
    };
    movement(MovementBody::Interpreted { state, sticky: None }, stamp, true)
}

fn position(replay: &Replay) -> CellPosition {
    replay.world().find(PLAYER).unwrap().position()
}

/// The horizontal distances, in metres, at the player's own reports; `None` where it was not shown.
fn errors(steps: &[Step]) -> Vec<Option<f32>> {
    let distance = |from: &CellPosition, to: &CellPosition| Vec3 { z: 0.0, ..from.offset_to(to) }.length();
    let error = |step: &Step| match step {
        Step::OwnReport { position, shown, .. } => Some(shown.map(|shown| distance(&shown, position))),
        _ => None,
    };
    steps.iter().filter_map(error).collect()
}

/// A client whose keys are pressed in frames like those of a replay.
struct Client {
    world: World,
    now: f64,
    /// What it sent, with the times of the frames.
    sent: Vec<(f64, Vec<u8>)>,
}

impl Client {
    fn new() -> Self {
        let settings = Settings { player: Identity::Known(PLAYER), ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        world.add_stand_in(PLAYER, &at(5.0), START);
        world.player_mut().set_weenie(WEENIE, START);
        world.player_mut().set_run_by_default(true, START);
        let mut client = Self { world, now: START, sent: Vec::new() };
        client.frame();
        client
    }

    fn frame(&mut self) {
        self.world.tick(self.now);
        self.world.player_mut().use_time(self.now);
        self.take_sent();
    }

    /// Collects what it sent, except for the messages that say nothing about its motion: a jump cancels attacks.
    fn take_sent(&mut self) {
        let is_motion = |bytes: &Vec<u8>| {
            let Ok(C2S::GameAction(message)) = decode_c2s(bytes, Era::default()) else { return false };
            !matches!(message.action, GameActionBody::CancelAttack(_))
        };
        let sent = self.world.drain_outbound().filter(is_motion);
        self.sent.extend(sent.map(|bytes| (self.now, bytes)));
    }

    fn wait(&mut self, seconds: f64) {
        for _ in 0..(seconds / FRAME).round() as u32 {
            self.now += FRAME;
            self.frame();
        }
    }

    /// Presses or releases a key after the frame.
    fn key(&mut self, command: MotionCommand, is_down: bool) {
        self.world.player_mut().handle_key(command, is_down, self.now);
        self.take_sent();
    }

    fn hold(&mut self, command: MotionCommand, seconds: f64) {
        self.key(command, true);
        self.wait(seconds);
        self.key(command, false);
    }
}

/// Every kind of key: the replay of what a client sent repeats its motion to the bit, because the raw state of a message
/// means the same as the keys that led to it (rule F8).
#[test]
fn the_messages_of_a_client_repeat_its_motion() {
    let mut client = Client::new();
    client.wait(0.5);
    for (command, seconds) in [
        (MotionCommand::WALK_FORWARD, 1.3),
        (MotionCommand::TURN_LEFT, 0.7),
        (MotionCommand::WALK_BACKWARDS, 0.8),
        (MotionCommand::SIDE_STEP_RIGHT, 0.6),
        (MotionCommand::TURN_RIGHT, 0.3),
        (MotionCommand::JUMP, 0.4),
    ] {
        client.hold(command, seconds);
        client.wait(2.0);
    }
    // A running jump, with a turn in the middle of the run and a key released in the air.
    client.key(MotionCommand::WALK_FORWARD, true);
    client.wait(0.5);
    client.hold(MotionCommand::TURN_RIGHT, 0.4);
    client.hold(MotionCommand::JUMP, 0.5);
    client.wait(0.3);
    client.key(MotionCommand::WALK_FORWARD, false);
    client.wait(3.0);
    assert!(client.sent.len() > 25, "{}", client.sent.len());

    let mut replay = new();
    let mut all = Vec::new();
    for (index, (time, bytes)) in client.sent.iter().enumerate() {
        replay.receive(*time, Direction::C2S, bytes);
        if index == 0 {
            replay.receive(*time, Direction::S2C, &echo_of_run(1));
        }
        all.extend(steps(&mut replay));
    }
    let errors = errors(&all);
    assert_eq!((errors.len(), errors[0]), (client.sent.len(), None), "the stand-in is not compared");
    for (index, error) in errors.iter().enumerate().skip(1) {
        assert_eq!(*error, Some(0.0), "message {index} at {}", client.sent[index].0);
    }
    let own = client.world.find(PLAYER).unwrap().position();
    assert!(own.distance_to(&at(5.0)) > 3.0, "it has moved");
}

/// Between two positions the body moves by its own client's keys, at the run rate that the server states.
#[test]
fn a_player_runs_between_its_positions() {
    let mut replay = new();
    replay.receive(1.0, Direction::C2S, &position_at(10.0));
    replay.receive(1.5, Direction::S2C, &echo_of_run(1));
    replay.receive(2.0, Direction::C2S, &state_at(10.0, run_key(), ContactFlags::CONTACT));
    replay.receive(3.0, Direction::C2S, &state_at(18.9, RawMotionState::default(), ContactFlags::CONTACT));
    let reported = errors(&steps(&mut replay));
    assert!(replay.world().find(PLAYER).unwrap().stand_in().contains(StandIn::WHOLE));
    // One second: 1.03 m of the link, then whole frames of the run of 0.1333 m at 71 a second.
    assert_eq!(reported[..2], [None, Some(0.0)]);
    let error = reported[2].unwrap();
    assert!(error < 0.3, "{error} m");
    assert_eq!(position(&replay).frame.origin.y, 18.9, "it is placed where its client is");
    replay.finish();
    steps(&mut replay);
    let glide = position(&replay).frame.origin.y - 18.9;
    assert!((glide - 0.788_44).abs() < 1e-3, "the glide of a released run is {glide} m");
}

#[test]
fn an_unknown_player_gets_no_stand_in() {
    let mut replay = Replay::new(Assets::mannequin(), ReplaySettings::default());
    replay.receive(1.0, Direction::C2S, &position_at(10.0));
    assert_eq!(errors(&steps(&mut replay)), []);
    assert_eq!(replay.world().entities().len(), 0);
    assert_eq!(replay.world().player_position(), Some(at(10.0)), "distances are still known");
}

/// The server's motions count as fresh for a stand-in: its client has sent the stamps that it had received.
#[test]
fn an_order_of_the_server_moves_the_player_until_its_keys_do() {
    let order = MovementBody::MoveToPosition {
        origin: Origin { cell: at(40.0).cell, point: at(40.0).frame.origin },
        params: MoveToParams { speed: 1.0, fail_distance: f32::MAX, ..MoveToParams::default() },
        run_rate: RUN_RATE,
    };
    let mut replay = new();
    replay.receive(1.0, Direction::C2S, &position_at(10.0));
    replay.receive(1.5, Direction::S2C, &movement(order, 7, false));
    replay.receive(4.0, Direction::C2S, &position_at(15.0));
    steps(&mut replay);
    assert!(replay.world().find(PLAYER).unwrap().entity().is_moving_to());
    replay.receive(4.1, Direction::C2S, &state_at(15.2, run_key(), ContactFlags::CONTACT));
    let events = steps(&mut replay);
    let is_order_end = |step: &Step| matches!(step, Step::Event(event) if matches!(event.kind, EventKind::Motion(MotionEvent::MoveTo(_))));
    assert!(events.iter().any(is_order_end));
    assert!(!replay.world().find(PLAYER).unwrap().entity().is_moving_to());
}

/// A client repeats an action in each message until it has been played.
#[test]
fn an_action_is_played_once() {
    let wave = MotionCommand(0x1300_0087);
    let item =
        |stamp| ActionItem { command: wave, stamp: ActionStamp::new(stamp), autonomous: true, speed: 1.0 };
    let pending = |replay: &Replay| {
        let interp = &replay.world().find(PLAYER).unwrap().entity().interp;
        interp.pending().filter(|pending| pending.motion == wave).count()
    };
    let mut replay = new();
    replay.receive(1.0, Direction::C2S, &position_at(10.0));
    for (time, stamp, expected) in [(2.0, 5, 1), (2.1, 5, 1), (2.2, 6, 2), (2.3, 5, 2)] {
        let items = [item(stamp)];
        let raw = RawMotionState { actions: Actions::new(&items), ..RawMotionState::default() };
        replay.receive(time, Direction::C2S, &state_at(10.0, raw, ContactFlags::CONTACT));
        steps(&mut replay);
        assert_eq!(pending(&replay), expected, "{time}");
    }
}

/// A standing long jump: the state of the message before holds the body, and the velocity is the client's own.
#[test]
fn a_jump_has_the_velocity_of_its_client() {
    let charge = ContactFlags::CONTACT | ContactFlags::STANDING_LONG_JUMP;
    let velocity = Vec3::new(0.0, 9.5, 6.0);
    let jump =
        Jump { extent: 0.5, velocity, position: Some(at(10.0)), stamps: EchoedStamps::default(), tail: None };
    let mut replay = new();
    replay.receive(1.0, Direction::C2S, &position_at(10.0));
    replay.receive(2.0, Direction::C2S, &state_at(10.0, run_key(), charge));
    replay.receive(2.5, Direction::C2S, &client_message(GameActionBody::Jump(jump)));
    let before = steps(&mut replay);
    assert_eq!(errors(&before), [None, Some(0.0), Some(0.0)], "a charged run does not move");
    assert_eq!(replay.world().find(PLAYER).unwrap().body().velocity, velocity);
    // Keys in the air: the ground stays where the player last stood.
    let high = CellPosition::new(at(14.0).cell, Frame::from_origin(Vec3::new(60.0, 14.0, 95.5)));
    let raw = RawMotionState { current_hold_key: Some(HoldKey::RUN), ..RawMotionState::default() };
    let message = MoveToState {
        raw,
        position: high,
        stamps: EchoedStamps::default(),
        contact: ContactFlags::empty(),
        pad: Pad::ZERO,
    };
    replay.receive(2.9, Direction::C2S, &client_message(GameActionBody::MoveToState(message)));
    let in_air = steps(&mut replay);
    let leaves = |step: &Step| matches!(step, Step::Event(event) if event.kind == EventKind::Motion(MotionEvent::LeaveGround));
    assert!(in_air.iter().any(leaves) || before.iter().any(leaves));
    let own = replay.world().find(PLAYER).unwrap();
    assert!(!own.body().has_contact() && own.position().frame.origin.z == 95.5);
    replay.receive(5.0, Direction::C2S, &position_at(20.0));
    steps(&mut replay);
    let own = replay.world().find(PLAYER).unwrap();
    assert!(own.body().is_standing() && (own.position().frame.origin.z - 94.0).abs() < 1e-4);
}

/// Until a client has received a teleport, it sends positions from before: they do not take the player back.
#[test]
fn what_a_client_sent_before_it_received_a_teleport_is_ignored() {
    let mut replay = new();
    replay.receive(START, Direction::C2S, &position_at(5.0));
    let (position_stamp, teleport) = (Stamp(1), Stamp(1));
    let pack = PositionPack { position_stamp, teleport, ..PositionPack::grounded(at(50.0)) };
    let teleport = S2C::from(UpdatePosition { guid: PLAYER, pack }).to_bytes();
    replay.receive(START + 0.1, Direction::S2C, &teleport);
    replay.receive(START + 0.2, Direction::C2S, &state_at(6.0, run_key(), ContactFlags::CONTACT));
    let steps = steps(&mut replay);
    assert_eq!(errors(&steps), [None], "only the first position is followed");
    assert_eq!(position(&replay).frame.origin.y, 50.0);
}
