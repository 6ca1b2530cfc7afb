//! A capture run through the engine, frame by frame, onto a tape; as `acmotion replay` does it.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion::World;
use acmotion::collide::scene::SceneLoader;
use acmotion::types::{CellPosition, Guid};
use acmotion::wire::Direction;
use acmotion::wire::capture::{CaptureReader, GameMessage};
use acmotion::world::{Resident, StandIn};
use acmotion_sim::replay::{Replay, ReplaySettings, Step};

use super::{LIMITS, Origins, Recording, Sources};
use crate::record::{BodyFlags, Event, Key, Kind, Letter, Person, Roster, Tape, Tick, Watcher, told};
use crate::values::Origin;

/// The number of frames, four hours of them, after which messages are ignored.
const MAX_FRAMES: u64 = 4 * 3600 * 60;
/// The one view there is.
const VIEW: u8 = 0;

/// Runs a whole capture.
pub(super) fn open(sources: &Sources, name: &str, bytes: &[u8]) -> Result<Recording, String> {
    let mut runner = Runner::new(sources);
    let mut taken = Taken::new(Tape::new(LIMITS));
    let mut reader = CaptureReader::from_slice(bytes);
    let (mut damaged, mut first_damage) = (0u64, None);
    while let Some(next) = reader.next_message() {
        match next {
            Ok(message) => runner.message((&message).into(), &mut taken),
            Err(error) => {
                damaged += 1;
                first_damage.get_or_insert_with(|| error.to_string());
            }
        }
    }
    runner.run_out(&mut taken);
    if taken.tape.len() == 0 {
        return Err(
            first_damage.unwrap_or_else(|| String::from("there is no message of the game in the file"))
        );
    }
    taken.tape.has_ended = true;
    let mut notes = runner.notes();
    if let Some(first) = first_damage {
        notes.push(format!("{damaged} pieces of the file could not be read; the first: {first}"));
    }
    let mut recording = Recording::new(name, Origins::Capture, taken.tape);
    recording.notes = notes;
    runner.world().player().guid().map(|guid| recording.player.set(guid));
    recording.whys.remember(sources.clone(), bytes.into());
    Ok(recording)
}

/// A message of a capture.
#[derive(Clone, Copy)]
pub(super) struct Came<'a> {
    pub(super) time: f64,
    pub(super) direction: Direction,
    pub(super) bytes: &'a [u8],
}

impl<'a> From<&GameMessage<'a>> for Came<'a> {
    fn from(message: &GameMessage<'a>) -> Self {
        Self { time: message.time, direction: message.direction, bytes: message.bytes }
    }
}

/// Who is told what a runner sees.
pub(super) trait Taking {
    /// A tick is over.
    fn tick(&mut self, runner: &mut Runner, number: u32, now: f64);
    /// A message came.
    fn letter(&mut self, letter: Letter);
}

/// A replay, with what is kept of its steps until the next tick.
pub(super) struct Runner {
    replay: Replay,
    pub(super) events: Vec<Event>,
    /// How far each body was from where the server last reported it, in metres.
    pub(super) errors: HashMap<Guid, f32>,
    pub(super) names: HashMap<Guid, String>,
}

/// The maximum number of names that are kept.
const MAX_NAMES: usize = 100_000;

impl Runner {
    pub(super) fn new(sources: &Sources) -> Self {
        let mut replay = Replay::new(sources.assets.clone(), ReplaySettings::default());
        let loader = sources.cells.as_ref().and_then(|cells| SceneLoader::new(&sources.assets, cells).ok());
        if let Some(loader) = loader {
            replay.set_land(loader);
        }
        Self { replay, events: Vec::new(), errors: HashMap::new(), names: HashMap::new() }
    }

    /// Handles a message of the capture, and the frames up to it. Messages after the frame limit are ignored.
    pub(super) fn message(&mut self, message: Came<'_>, taking: &mut impl Taking) {
        if !self.is_over_limit() {
            self.replay.receive(message.time, message.direction, message.bytes);
            self.take_steps(taking);
        }
    }

    /// Lets some seconds pass without a message.
    pub(super) fn pass(&mut self, seconds: f64, taking: &mut impl Taking) {
        if let Some(now) = self.replay.now().filter(|_| !self.is_over_limit()) {
            self.replay.advance(now + seconds);
            self.take_steps(taking);
        }
    }

    /// Runs on for a moment after the last message.
    pub(super) fn run_out(&mut self, taking: &mut impl Taking) {
        self.replay.finish();
        self.take_steps(taking);
    }

    fn is_over_limit(&self) -> bool {
        self.replay.frames() > MAX_FRAMES
    }

    fn take_steps(&mut self, taking: &mut impl Taking) {
        while let Some(step) = self.replay.step() {
            match step {
                Step::Tick { number, time } => {
                    taking.tick(self, number, time);
                    self.events.clear();
                }
                Step::Event(event) => self.events.push(told(&event, self.replay.world())),
                Step::Message { time, arrived, direction, bytes } => taking.letter(Letter {
                    t: time,
                    tick: self.replay.ticks(),
                    direction,
                    link: "player",
                    bytes,
                    fate: "arrived",
                    arrives: Some(arrived),
                }),
                Step::Named { guid, name } if self.names.len() < MAX_NAMES => {
                    self.names.insert(guid, name);
                }
                Step::Report { guid, position, shown: Some(shown), .. } => {
                    self.errors.insert(guid, shown.distance_to(&position));
                }
                _ => {}
            }
        }
    }

    pub(super) fn world(&self) -> &World {
        self.replay.world()
    }

    /// Starts to keep why an entity moves as it does. Returns `false` if it is not in the world.
    pub(super) fn explain(&mut self, guid: Guid) -> bool {
        self.replay.explain(guid, true)
    }

    /// What should be known about the run, a sentence each.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = self.replay.totals().problems();
        let stand_ins =
            self.world().entities().filter(|resident| resident.stand_in() != StandIn::empty()).count();
        if stand_ins > 0 {
            notes.push(format!(
                "objects shown by a stand-in, for the dat file does not have them: {stand_ins}"
            ));
        }
        if self.is_over_limit() {
            notes.push(String::from("only the first four hours were run"));
        }
        notes
    }
}

/// A tape that a runner fills.
pub(super) struct Taken {
    pub(super) tape: Tape,
    watcher: Watcher,
    has_origin: bool,
}

impl Taken {
    pub(super) fn new(tape: Tape) -> Self {
        Self { tape, watcher: Watcher::default(), has_origin: false }
    }
}

impl Taking for Taken {
    fn tick(&mut self, runner: &mut Runner, number: u32, now: f64) {
        let tick = observe(runner, number, now, &mut self.watcher, &mut self.tape, &mut self.has_origin);
        self.tape.push(tick);
    }

    fn letter(&mut self, letter: Letter) {
        self.tape.mail.push(letter);
    }
}

/// Everybody as he is after a tick.
pub(super) fn observe(
    runner: &mut Runner,
    number: u32,
    now: f64,
    watcher: &mut Watcher,
    tape: &mut Tape,
    has_origin: &mut bool,
) -> Tick {
    let world = runner.replay.world();
    if !*has_origin && let Some(first) = first_place(world) {
        tape.origin = Origin::of(first.cell);
        *has_origin = true;
    }
    let events: Box<[Event]> = runner.events.drain(..).map(|event| event.stamp(number, VIEW)).collect();
    let player = world.player().guid();
    let bodies = world.entities().map(|resident| {
        let key = Key { guid: resident.guid(), view: VIEW };
        let mut body = watcher.body(now, key, resident, world.library(), tape.origin, &events);
        body.flags.set(BodyFlags::PLAYER, player == Some(key.guid));
        body.error = runner.errors.get(&key.guid).copied().unwrap_or(f32::NAN);
        if !tape.roster.knows(key) {
            note(&mut tape.roster, key, world, resident, runner.names.get(&key.guid));
        }
        body
    });
    let bodies = bodies.collect();
    watcher.forget(now);
    Tick { number, t: now, charge: -1.0, bodies, events, why: Box::default(), mail_end: tape.mail.end() }
}

pub(super) fn first_place(world: &World) -> Option<CellPosition> {
    let own = world.player_position();
    own.or_else(|| world.entities().find(|one| one.body().is_in_cell()).map(Resident::position))
}

fn note(roster: &mut Roster, key: Key, world: &World, resident: &Resident, name: Option<&String>) {
    let library = world.library();
    let kind = match world.player().guid() {
        Some(guid) if guid == key.guid => Kind::Player,
        _ => Kind::Object,
    };
    let person = Person {
        name: name.cloned().unwrap_or_default(),
        kind,
        setup: resident.model().map(|model| library.model(model).id()).unwrap_or_default(),
        table: resident.entity().animator.table().map(|table| library.table(table).id()).unwrap_or_default(),
        stand_in: resident.stand_in() != StandIn::empty(),
        parent: resident.parent().unwrap_or_default(),
    };
    roster.note(key, &person);
}

/// The bytes of a capture, to be gone through again.
pub(super) type Bytes = Arc<[u8]>;
