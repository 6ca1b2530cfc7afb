//! A capture run through the engine, frame by frame, onto a tape; as `acmotion replay` does it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use acmotion::World;
use acmotion::collide::scene::SceneLoader;
use acmotion::types::{CellPosition, Era, Guid};
use acmotion::wire::capture::{CaptureReader, GameMessage};
use acmotion::wire::{Action, C2S, Direction, S2C, decode_c2s, decode_s2c};
use acmotion::world::{Resident, Settings, StandIn};

use super::{LIMITS, Origins, Recording, Sources};
use crate::record::{BodyFlags, Event, Key, Kind, Letter, Person, Roster, Tape, Tick, Watcher, told};
use crate::values::Origin;

/// Seconds from frame to frame, as a client draws: a hair more than a sixtieth, so that the engine's 30 Hz gate opens at
/// every second one.
const FRAME: f64 = 1.0 / 60.0 + 1e-7;
/// How long the engine runs on behind the last message.
const AFTERGLOW: f64 = 1.0;
/// A silence longer than this is jumped over.
const LONGEST_SILENCE: f64 = 600.0;
/// Frames beyond these, four hours of them, are not run.
const MOST_FRAMES: u64 = 4 * 3600 * 60;
/// So many landblocks around one where somebody is are there too.
const AROUND: u8 = 1;
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
    runner.world.player().guid().map(|guid| recording.player.set(guid));
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

/// A world, its clock, and what of it no world keeps.
pub(super) struct Runner {
    pub(super) world: World,
    /// The land, taken in as the recording leads there.
    loader: Option<SceneLoader>,
    visited: BTreeSet<u16>,
    now: Option<f64>,
    frames: u64,
    number: u32,
    pub(super) events: Vec<Event>,
    /// How far somebody was from where the server last said he is.
    pub(super) errors: HashMap<Guid, f32>,
    pub(super) names: HashMap<Guid, String>,
    unreadable: u64,
    silences: u64,
}

/// More names than this are not kept.
const MOST_NAMES: usize = 100_000;

impl Runner {
    pub(super) fn new(sources: &Sources) -> Self {
        let settings =
            Settings { stand_ins_for_unknown: true, level_where_unknown: true, ..Settings::default() };
        let loader = sources.cells.as_ref().and_then(|cells| SceneLoader::new(&sources.assets, cells).ok());
        Self {
            world: World::with_settings(sources.assets.clone(), settings),
            loader,
            visited: BTreeSet::new(),
            now: None,
            frames: 0,
            number: 0,
            events: Vec::new(),
            errors: HashMap::new(),
            names: HashMap::new(),
            unreadable: 0,
            silences: 0,
        }
    }

    /// A message comes in: time passes up to the first frame at or behind it, and there it is taken, after that frame's
    /// physics (rule B1).
    pub(super) fn message(&mut self, message: Came<'_>, taking: &mut impl Taking) {
        if !message.time.is_finite() || self.frames > MOST_FRAMES {
            self.unreadable += 1;
            return;
        }
        match self.now {
            None => self.frame(message.time, taking),
            Some(now) if message.time - now > LONGEST_SILENCE => {
                self.silences += 1;
                self.pass(now + AFTERGLOW, taking);
                self.frame(message.time, taking);
            }
            Some(_) => self.pass(message.time, taking),
        }
        let now = self.now.unwrap_or(message.time);
        taking.letter(Letter {
            t: now,
            tick: self.number,
            direction: message.direction,
            link: "player",
            bytes: message.bytes.into(),
            fate: "arrived",
            arrives: Some(message.time),
        });
        match message.direction {
            Direction::S2C => self.server_says(message.bytes, now),
            Direction::C2S => self.client_says(message.bytes, now),
        }
        self.drain_events();
    }

    /// Frame after frame until the clock is at `time` or behind it.
    pub(super) fn pass(&mut self, time: f64, taking: &mut impl Taking) {
        while let Some(now) = self.now.filter(|now| *now < time) {
            if self.frames > MOST_FRAMES {
                return;
            }
            self.frame(now + FRAME, taking);
        }
    }

    pub(super) fn run_out(&mut self, taking: &mut impl Taking) {
        if let Some(now) = self.now {
            self.pass(now + AFTERGLOW, taking);
        }
    }

    fn frame(&mut self, now: f64, taking: &mut impl Taking) {
        self.now = Some(now);
        self.frames += 1;
        let ticked = self.world.tick(now);
        self.drain_events();
        if ticked {
            self.number += 1;
            taking.tick(self, self.number, now);
            self.events.clear();
        }
    }

    /// What time it is in the recording; none before the first message.
    pub(super) fn now(&self) -> Option<f64> {
        self.now
    }

    fn drain_events(&mut self) {
        let events: Vec<_> = self.world.drain_events().collect();
        self.events.extend(events.iter().map(|event| told(event, &self.world)));
    }

    fn server_says(&mut self, bytes: &[u8], now: f64) {
        let Ok(message) = decode_s2c(bytes, Era::default()) else {
            self.unreadable += 1;
            return;
        };
        match &message {
            S2C::CreateObject(object) => {
                if self.names.len() < MOST_NAMES {
                    self.names.insert(object.0.guid, object.0.weenie.name().to_string());
                }
                self.visit(object.0.physics.position);
            }
            S2C::UpdateObject(object) => self.visit(object.0.physics.position),
            S2C::UpdatePosition(report) => self.reported(report.guid, &report.pack.position),
            S2C::PositionAndMovement(report) => self.reported(report.guid, &report.pack.position),
            _ => {}
        }
        if self.world.receive(bytes, now).is_err() {
            self.unreadable += 1;
        }
    }

    /// Somebody is somewhere: the land there is needed.
    fn visit(&mut self, place: Option<CellPosition>) {
        let (Some(place), Some(loader)) = (place, &mut self.loader) else { return };
        if place.cell.is_valid() && self.visited.insert(place.cell.block()) {
            loader.load_around(place.cell.block(), AROUND);
            self.world.set_surroundings(Some(Arc::new(loader.scene())));
        }
    }

    /// How far somebody is shown from where the server says he is.
    fn reported(&mut self, guid: Guid, place: &CellPosition) {
        self.visit(Some(*place));
        let shown = self.world.find(guid).filter(|resident| resident.body().is_in_cell());
        if let Some(shown) = shown {
            self.errors.insert(guid, shown.position().distance_to(place));
        }
    }

    /// What the player's own client said of his place.
    fn client_says(&mut self, bytes: &[u8], now: f64) {
        let Ok(C2S::GameAction(action)) = decode_c2s(bytes, Era::default()) else { return };
        let place = match &action.action {
            Action::MoveToState(message) => Some(message.position),
            Action::AutonomousPosition(message) => Some(message.position),
            Action::Jump(message) => message.position,
            _ => None,
        };
        self.visit(place);
        if let Some(place) = place {
            self.world.set_player_position(&place, now);
        }
    }

    /// What should be known about the run.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let stand_ins =
            self.world.entities().filter(|resident| resident.stand_in() != StandIn::empty()).count();
        for (count, words) in [
            (self.unreadable, "messages that could not be read"),
            (self.silences, "silences of more than ten minutes, jumped over"),
            (stand_ins as u64, "objects shown by a stand-in, for the dat file does not have them"),
        ] {
            if count > 0 {
                notes.push(format!("{words}: {count}"));
            }
        }
        if self.frames > MOST_FRAMES {
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
    let world = &runner.world;
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
