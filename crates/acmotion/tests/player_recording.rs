//! The original client's own messages, made again from its keys (`docs/recorded.md`, Sends; rules B1, B2, K6, K7, K9).
//!
//! Skipped with a printed line unless `ACMOTION_CAPTURES` names the folder that holds the recordings.
//!
//! What a recording does not tell is when, between two keys, the client's ticks fell: a tick carries two frames of the
//! run, so a hold comes to one tick more or less. It tells how often the client drew, though: its reports of a place came
//! 0.7 to 2.1 ms after their second was over, so its frames took two or three milliseconds, and its ticks, which wait for
//! the first frame after a thirtieth of a second, 33.4 to 36 ms. With frames of 2.6 ms (ticks of 33.8 ms) the recorded
//! counts of crossed frames come out, give or take one, in 97 phases of a hundred; in the other three one hold (0.7102 s or
//! 0.7090 s, 21 ticks and a little) gets a tick more or less. With other frames it is more often a tick, but the messages,
//! their order, their times and all else in them are the same whatever the frames.

mod world_support;

use std::fs;
use std::path::PathBuf;

use acmotion::World;
use acmotion::dat::Assets;
use acmotion::interp::{PlayerWeenie, Weenie as _};
use acmotion::types::{CellPosition, Era, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{Action, C2S, ObjectStamps, decode_c2s};
use acmotion::world::{Identity, Settings};
use serde_json::Value;
use world_support::{create, position_with};

const PLAYER: Guid = Guid(0x5000_0002);
const INSTANCE: Stamp = Stamp(90);
const NUMBERS: PlayerWeenie =
    PlayerWeenie { run_skill: 110, jump_skill: 75, load: 0.0, stamina: 100, fights_players: false };
/// A frame of the client.
const FRAME: f64 = 0.0026;
/// Frames of other clients: a tick each, sixty and a hundred and forty-four a second, and faster.
const OTHER_FRAMES: [f64; 6] = [1.0 / 30.0 + 1e-9, 0.02, 1.0 / 60.0, 1.0 / 144.0, 0.0034, 0.0021];
/// How many places of the ticks are tried.
const PHASES: u32 = 12;
/// When the ground was there: until then the client waits for it (rule B1).
const GROUND_COMES: f64 = 57.905;
const END: f64 = 138.7;
/// Their causes are not in the recording.
const WITHOUT_CAUSE: [f64; 2] = [101.847, 138.740];
/// Crossed frames of the run: how many a second, and their length in metres.
const RUN: (f64, f32) = (1.975_806_5 * 30.0, 4.0 / 30.0);
/// Crossed frames of the turn: how many a second, and their angle in degrees.
const TURN: (f64, f32) = (45.0, 0.05 * 57.295_78);

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

fn place(message: &Message) -> CellPosition {
    match action(&message.bytes) {
        Action::MoveToState(message) => message.position,
        Action::AutonomousPosition(message) => message.position,
        Action::Jump(message) => message.position.unwrap(),
        other => panic!("{} has no place", other.name()),
    }
}

/// The client, and what it sent.
struct Client {
    world: World,
    sent: Vec<Message>,
    echoes: u16,
}

impl Client {
    /// In the world, but the ground under him is still to come: he has no contact.
    fn waiting_for_ground(place: &CellPosition, now: f64) -> Self {
        let settings =
            Settings { player: Identity::Known(PLAYER), era: Era::September2013, ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        let stamps = ObjectStamps { instance: INSTANCE, ..ObjectStamps::default() };
        world.receive(&create(PLAYER, place, stamps, None), now).unwrap();
        world.act(PLAYER, now, |actor, _| {
            use acmotion::body::TransientState;
            actor.entity.body.transient.remove(TransientState::CONTACT | TransientState::ON_WALKABLE);
        });
        let mut client = Self { world, sent: Vec::new(), echoes: 1 };
        client.world.player_mut().set_weenie(NUMBERS, now);
        client
    }

    /// Takes what is sent, and answers as the server did: the recording left its reports of the player's own place out,
    /// but for the first.
    fn take(&mut self, time: f64) {
        let first_new = self.sent.len();
        self.sent.extend(self.world.drain_outbound().map(|bytes| Message { time, bytes }));
        for index in first_new..self.sent.len() {
            let told = place(&self.sent[index]);
            self.echoes += 1;
            let echo = position_with(PLAYER, &told, self.echoes, |pack| pack.instance = INSTANCE);
            self.world.receive(&echo, time).unwrap();
        }
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

    fn receive(&mut self, message: &Message) {
        self.world.receive(&message.bytes, message.time).unwrap();
        self.take(message.time);
    }
}

/// The recording, and how it is played again.
struct Story {
    /// What the client sent, of known cause.
    expected: Vec<Message>,
    server: Vec<Message>,
    frame: f64,
    phase: u32,
}

impl Story {
    /// How long a tick takes: it waits for the first frame after a thirtieth of a second.
    fn tick(&self) -> f64 {
        (1.0 / 30.0 / self.frame).ceil() * self.frame
    }

    /// Everything that the script sends.
    fn play(&self) -> Vec<Message> {
        let (start, place) = (self.expected[0].time, place(&self.expected[0]));
        let mut client = Client::waiting_for_ground(&place, start);
        client.world.player_mut().use_time(start);
        client.take(start);
        client.world.player_mut().set_run_by_default(true, start);
        let mut now = GROUND_COMES + self.tick() * f64::from(self.phase) / f64::from(PHASES);
        client.world.act(PLAYER, now, |actor, ground| actor.set_position(&place, true, ground));
        let (mut inputs, mut news) = (SCRIPT.iter().peekable(), self.server.iter().peekable());
        while now < END {
            client.frame(now);
            let next = now + self.frame;
            while let Some(message) = news.next_if(|message| message.time < next) {
                client.receive(message);
            }
            while let Some((time, command, down)) = inputs.next_if(|(time, ..)| *time < next) {
                client.key(*command, *down, *time);
            }
            now = next;
        }
        client.sent
    }

    /// The same messages in the same order at the same times, and what changed of the place from one to the next is the
    /// same but for so many crossed frames.
    fn check(&self, sent: &[Message], crossed: impl Fn(f64) -> f32) {
        let named = |message: &Message| action(&message.bytes).name();
        let which = format!("frames of {} s, phase {}", self.frame, self.phase);
        let names = |messages: &[Message]| messages.iter().map(named).collect::<Vec<_>>();
        assert_eq!(names(sent), names(&self.expected), "{which}");
        for (index, (now, then)) in sent.iter().zip(&self.expected).enumerate() {
            let which = format!("{which}: {} at {}", named(then), then.time);
            assert!((now.time - then.time).abs() <= self.tick(), "{which}: sent at {}", now.time);
            assert_same(now, then, &which);
            let before = index.saturating_sub(1);
            let ways = [(&sent[before], now), (&self.expected[before], then)].map(way);
            let off = (ways[0].0 - ways[1].0).length();
            assert!(off <= crossed(RUN.0) * RUN.1 + 1e-3, "{which}: {off} m off");
            let off = (ways[0].1 - ways[1].1).abs();
            assert!(off <= crossed(TURN.0) * TURN.1 + 1e-2, "{which}: {off} degrees off");
            assert_eq!(place(now).cell, place(then).cell, "{which}");
        }
    }
}

/// How far and by how many degrees the player got from one message to another.
fn way((from, to): (&Message, &Message)) -> (Vec3, f32) {
    let (from, to) = (place(from), place(to));
    let turn = to.frame.heading() - from.frame.heading();
    (from.offset_to(&to), (turn + 540.0).rem_euclid(360.0) - 180.0)
}

/// All but the place is the same.
fn assert_same(sent: &Message, expected: &Message, which: &str) {
    match (action(&sent.bytes), action(&expected.bytes)) {
        (Action::MoveToState(sent), Action::MoveToState(expected)) => {
            assert_eq!((sent.raw, sent.stamps), (expected.raw, expected.stamps), "{which}");
            assert_eq!(sent.contact, expected.contact, "{which}");
        }
        (Action::AutonomousPosition(sent), Action::AutonomousPosition(expected)) => {
            assert_eq!((sent.stamps, sent.contact), (expected.stamps, expected.contact), "{which}");
        }
        (Action::Jump(sent), Action::Jump(expected)) => {
            // The keys' times are rounded to a millisecond; the recorded extent gives the recorded speed, to the bit.
            assert!((sent.extent - expected.extent).abs() <= 1e-3, "{which}: {}", sent.extent);
            assert_eq!(NUMBERS.jump_speed(expected.extent), Some(expected.velocity.z), "{which}");
            assert_eq!(NUMBERS.jump_speed(sent.extent), Some(sent.velocity.z), "{which}");
            assert_eq!((sent.velocity.x, sent.velocity.y), (0.0, 0.0), "{which}");
            assert_eq!(sent.stamps, expected.stamps, "{which}");
        }
        (sent, _) => panic!("{which}: {} instead", sent.name()),
    }
}

/// The recording with those frames, wherever the ticks fall.
fn stories(frame: f64, check: impl Fn(&Story, &[Message])) {
    let Some((mut expected, server)) = recording() else { return };
    expected.retain(|message| WITHOUT_CAUSE.iter().all(|time| (message.time - time).abs() > 1e-3));
    let mut story = Story { expected, server, frame, phase: 0 };
    for phase in 0..PHASES {
        story.phase = phase;
        check(&story, &story.play());
    }
}

#[test]
fn the_script_sends_what_the_original_sent() {
    stories(FRAME, |story, sent| story.check(sent, |_| 1.0));
}

/// A tick more or less, and a frame for where in a frame it falls.
#[test]
fn whatever_the_frames_the_messages_are_the_same() {
    for frame in OTHER_FRAMES {
        stories(frame, |story, sent| {
            let tick = story.tick();
            story.check(sent, |rate| (tick * rate).ceil() as f32 + 1.0);
        });
    }
}
