//! The original client's own messages, sent again from its input script (`docs/recorded.md`), when `ACMOTION_CAPTURES`
//! names the folder that holds the recordings.

mod world_support;

use std::fs;
use std::path::PathBuf;

use acmotion::World;
use acmotion::dat::Assets;
use acmotion::interp::PlayerWeenie;
use acmotion::types::{CellPosition, Era, Guid, MotionCommand, Quat, Stamp};
use acmotion::wire::{Action, C2S, ObjectStamps, S2C, decode_c2s, decode_s2c};
use acmotion::world::{Identity, Settings};
use serde_json::Value;
use world_support::create;

const PLAYER: Guid = Guid(0x5000_0002);
/// A frame of the client, a little more than a thirtieth of a second, so that every frame is a tick.
const FRAME: f64 = 1.0 / 30.0 + 1e-9;
/// When the ground was there: until then the client waits for it (rule B1). Frames are counted from here; the recorded
/// counts of crossed frames leave a window of some milliseconds for it.
const GROUND_COMES: f64 = 57.914;
const END: f64 = 138.7;
/// Their causes are not in the recording.
const WITHOUT_CAUSE: [f64; 2] = [101.847, 138.740];
/// A crossed frame of the run, in metres, and of the turn as a change of a quaternion's component.
const RUN_FRAME: f32 = 4.0 / 30.0 + 1e-3;
const TURN_FRAME: f32 = 0.05 / 2.0 + 1e-3;

/// The inputs: when, which key, down or up.
const SCRIPT: [(f64, MotionCommand, bool); 10] = [
    (94.304, MotionCommand::WALK_FORWARD, true),
    (95.009, MotionCommand::WALK_FORWARD, false),
    (96.197, MotionCommand::WALK_FORWARD, true),
    (96.907, MotionCommand::WALK_FORWARD, false),
    (98.086, MotionCommand::TURN_LEFT, true),
    (98.795, MotionCommand::TURN_LEFT, false),
    (99.957, MotionCommand::TURN_RIGHT, true),
    (100.669, MotionCommand::TURN_RIGHT, false),
    (103.734, MotionCommand::JUMP, true),
    (104.242, MotionCommand::JUMP, false),
];

struct Message {
    time: f64,
    bytes: Vec<u8>,
}

/// The client's messages of the recording, and the server's, or `None` with a word why not.
fn recording() -> Option<(Vec<Message>, Vec<Message>)> {
    let Some(folder) = std::env::var_os("ACMOTION_CAPTURES").map(PathBuf::from) else {
        println!("skipped: ACMOTION_CAPTURES is not set");
        return None;
    };
    let text = fs::read_to_string(folder.join("retail_player.jsonl")).unwrap();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    let (mut client, mut server) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let bytes = line["hex"].as_str().unwrap().as_bytes().chunks(2).map(byte).collect();
        let message = Message { time: line["t"].as_f64().unwrap(), bytes };
        if line["dir"] == "s2c" { server.push(message) } else { client.push(message) }
    }
    Some((client, server))
}

fn action(bytes: &[u8]) -> Action<'_> {
    match decode_c2s(bytes, Era::September2013).unwrap() {
        C2S::GameAction(action) => action.action,
        other => panic!("not an action: {other:?}"),
    }
}

/// The client, and what it sent.
struct Client {
    world: World,
    sent: Vec<Message>,
}

impl Client {
    /// In the world, but the ground under him is still to come: he has no contact.
    fn waiting_for_ground(place: &CellPosition, now: f64) -> Self {
        let settings =
            Settings { player: Identity::Known(PLAYER), era: Era::September2013, ..Settings::default() };
        let mut world = World::with(Assets::mannequin(), settings);
        let stamps = ObjectStamps { instance: Stamp(90), ..ObjectStamps::default() };
        world.receive(&create(PLAYER, place, stamps, None), now).unwrap();
        world.act(PLAYER, now, |actor, _| {
            use acmotion::body::TransientState;
            actor.entity.body.transient.remove(TransientState::CONTACT | TransientState::ON_WALKABLE);
        });
        let mut client = Self { world, sent: Vec::new() };
        let weenie = PlayerWeenie { run_skill: 110, jump_skill: 75, ..PlayerWeenie::default() };
        client.world.player_mut().set_numbers(weenie, now);
        client
    }

    fn take(&mut self, time: f64) {
        self.sent.extend(self.world.drain_outbound().map(|bytes| Message { time, bytes }));
    }

    fn frame(&mut self, now: f64) {
        self.world.tick(now);
        self.world.player_mut().use_time(now);
        self.take(now);
    }

    fn key(&mut self, command: MotionCommand, down: bool, now: f64) {
        let mut player = self.world.player_mut();
        if down { player.press(command, now) } else { player.release(command, now) }.unwrap();
        self.take(now);
    }

    /// The player's own places were left out of the recording but for one, which would hold him back alone.
    fn receive(&mut self, message: &Message) {
        let read = decode_s2c(&message.bytes, Era::September2013).unwrap();
        if !matches!(&read, S2C::UpdatePosition(update) if update.guid == PLAYER) {
            self.world.receive(&message.bytes, message.time).unwrap();
            self.take(message.time);
        }
    }
}

fn assert_place(place: &CellPosition, expected: &CellPosition, which: &str) {
    assert_eq!(place.cell, expected.cell, "{which}");
    let off = (place.frame.origin - expected.frame.origin).length();
    assert!(off <= RUN_FRAME, "{which}: {off} m off");
    let parts = |q: Quat| [q.w, q.x, q.y, q.z];
    for (a, b) in parts(place.frame.rotation).into_iter().zip(parts(expected.frame.rotation)) {
        assert!((a - b).abs() <= TURN_FRAME, "{which}: {:?}", place.frame.rotation);
    }
}

fn assert_same(sent: &Message, expected: &Message) {
    let which = format!("{} at {}", action(&expected.bytes).name(), expected.time);
    assert!((sent.time - expected.time).abs() <= FRAME, "{which}: sent at {}", sent.time);
    match (action(&sent.bytes), action(&expected.bytes)) {
        (Action::MoveToState(sent), Action::MoveToState(expected)) => {
            assert_place(&sent.position, &expected.position, &which);
            assert_eq!((sent.raw, sent.stamps), (expected.raw, expected.stamps), "{which}");
            assert_eq!(sent.contact, expected.contact, "{which}");
        }
        (Action::AutonomousPosition(sent), Action::AutonomousPosition(expected)) => {
            assert_place(&sent.position, &expected.position, &which);
            assert_eq!((sent.stamps, sent.contact), (expected.stamps, expected.contact), "{which}");
        }
        (Action::Jump(sent), Action::Jump(expected)) => {
            assert_place(&sent.position.unwrap(), &expected.position.unwrap(), &which);
            assert!((sent.extent - expected.extent).abs() <= FRAME as f32, "{which}: {}", sent.extent);
            let off = (sent.velocity - expected.velocity).length();
            assert!(off < 0.1, "{which}: {:?}", sent.velocity);
            assert_eq!(sent.stamps, expected.stamps, "{which}");
        }
        (sent, _) => panic!("{which}: {} instead", sent.name()),
    }
}

#[test]
fn the_script_sends_what_the_original_sent() {
    let Some((recorded, server)) = recording() else { return };
    let is_caused = |time: f64| WITHOUT_CAUSE.iter().all(|other| (time - other).abs() > 1e-3);
    let expected: Vec<&Message> = recorded.iter().filter(|message| is_caused(message.time)).collect();
    let Action::MoveToState(first) = action(&expected[0].bytes) else { panic!("not the first") };
    let (place, start) = (first.position, expected[0].time);

    let mut client = Client::waiting_for_ground(&place, start);
    client.world.player_mut().use_time(start);
    client.take(start);
    client.world.player_mut().set_run_by_default(true, start);
    client.world.act(PLAYER, GROUND_COMES, |actor, ground| actor.set_position(&place, true, ground));

    let (mut now, mut inputs, mut news) = (GROUND_COMES, SCRIPT.iter().peekable(), server.iter().peekable());
    while now < END {
        client.frame(now);
        let next = now + FRAME;
        while let Some(message) = news.next_if(|message| message.time < next) {
            client.receive(message);
        }
        while let Some((time, command, down)) = inputs.next_if(|(time, ..)| *time < next) {
            client.key(*command, *down, *time);
        }
        now = next;
    }
    for (sent, expected) in client.sent.iter().zip(&expected) {
        assert_same(sent, expected);
    }
    assert_eq!(client.sent.len(), expected.len(), "nothing else");
}
