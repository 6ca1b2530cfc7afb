//! One page at work: its clock, its place on the tape, and what it is shown.

mod answers;
mod command;
mod outbox;
mod transport;

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use acmotion::types::Guid;
use serde_json::{Value, json};
use tokio::sync::mpsc::Receiver;
use tokio::time::Instant;

pub(crate) use command::{Command, Filter, KEYS, Network, ORDERS};
pub(crate) use outbox::{Outbox, Parcel};
use transport::{Mode, Transport};

use crate::record::{Key, Shown, Tape, Tick};
use crate::replay::{Recording, Whys};
use crate::walk::Walk;

/// How much of a walk can be wound back, in seconds.
pub(crate) const HISTORY_SECONDS: f64 = 120.0;

/// A tape that one writes and others read.
pub(crate) type SharedTape = Arc<RwLock<Tape>>;

/// Reads a tape. Whoever panicked while writing has at worst left a tick out.
pub(crate) fn read(tape: &SharedTape) -> RwLockReadGuard<'_, Tape> {
    tape.read().unwrap_or_else(PoisonError::into_inner)
}

/// The same, to be written.
pub(crate) fn write(tape: &SharedTape) -> RwLockWriteGuard<'_, Tape> {
    tape.write().unwrap_or_else(PoisonError::into_inner)
}

/// What a session shows.
pub(crate) enum Stage {
    Walk(Box<Walk>),
    Replay(Arc<Recording>),
}

/// A page at work.
pub(crate) struct Session {
    stage: Stage,
    tape: SharedTape,
    transport: Transport,
    outbox: Outbox,
    selected: Option<Key>,
    whys: Option<Whys>,
    filter: Filter,
    /// Up to which version the page knows the roster.
    roster: u64,
    /// The last tick that was shown, and whether its neighbours follow from it.
    shown: Option<u32>,
    is_leap: bool,
    /// The number of the last command.
    answered: Value,
}

/// How many ticks are made at once at most; who is farther behind lets time go by.
const MOST_AT_ONCE: u32 = 8;
/// How often a tape that somebody else writes is looked at.
const LOOK: Duration = Duration::from_millis(15);

impl Session {
    /// A walk from the beginning.
    pub(crate) fn walk(walk: Walk, outbox: Outbox) -> Self {
        let tape = walk.tape();
        Self::new(Stage::Walk(Box::new(walk)), tape, Transport::live(), outbox)
    }

    /// A recording from its beginning; one that is still going on from where it is.
    pub(crate) fn replay(recording: Arc<Recording>, outbox: Outbox) -> Self {
        let tape = recording.tape();
        let transport = if read(&tape).has_ended { Transport::paused() } else { Transport::live() };
        Self::new(Stage::Replay(recording), tape, transport, outbox)
    }

    fn new(stage: Stage, tape: SharedTape, transport: Transport, outbox: Outbox) -> Self {
        Self {
            stage,
            tape,
            transport,
            outbox,
            selected: None,
            whys: None,
            filter: Filter::default(),
            roster: 0,
            shown: None,
            is_leap: true,
            answered: Value::Null,
        }
    }

    /// Until the page goes.
    pub(crate) async fn run(mut self, mut commands: Receiver<String>) {
        self.outbox.text(self.hello().to_string());
        let first = match self.transport.mode() {
            Mode::Live => read(&self.tape).last().cloned(),
            _ => read(&self.tape).first().cloned(),
        };
        self.show(first.as_deref());
        self.tell_state();
        self.transport.anchor(self.end_time());
        loop {
            let due = self.due();
            tokio::select! {
                biased;
                text = commands.recv() => match text {
                    Some(text) => self.command(&text),
                    None => return,
                },
                () = wait_until(due) => self.go_on(),
            }
        }
    }

    /// When there is something to do next, if nobody says anything.
    fn due(&self) -> Option<Instant> {
        match (self.transport.mode(), &self.stage) {
            (Mode::Live, Stage::Walk(walk)) => Some(self.transport.when(walk.next_tick())),
            (Mode::Live, Stage::Replay(_)) => Some(Instant::now() + LOOK),
            (Mode::Paused, _) => self.whys.is_some().then(|| Instant::now() + LOOK),
            (Mode::Recorded, _) => Some(Instant::now() + LOOK),
        }
    }

    /// Time has passed.
    fn go_on(&mut self) {
        match self.transport.mode() {
            Mode::Live => match &mut self.stage {
                Stage::Walk(walk) => {
                    let mut made = 0;
                    while made < MOST_AT_ONCE && self.transport.is_due(walk.next_tick()) {
                        walk.advance();
                        made += 1;
                    }
                    if made == MOST_AT_ONCE {
                        self.transport.anchor(walk.next_tick());
                    }
                    self.show_last();
                    self.tell_refusals();
                }
                Stage::Replay(_) => self.show_last(),
            },
            Mode::Recorded => self.play_on(),
            Mode::Paused => {}
        }
        self.look_for_why();
    }

    /// What the player was told to do and did not.
    fn tell_refusals(&mut self) {
        let Stage::Walk(walk) = &mut self.stage else { return };
        for (command, why) in walk.take_refusals() {
            let refused = json!({ "type": "refused", "n": Value::Null, "do": command, "why": why });
            self.outbox.text(refused.to_string());
        }
    }

    /// Plays records at their rate.
    fn play_on(&mut self) {
        let t = self.transport.now();
        let (found, reaches_end) = {
            let tape = read(&self.tape);
            let (first, last) =
                (tape.first().map_or(0.0, |tick| tick.t), tape.last().map_or(0.0, |tick| tick.t));
            let backward = self.transport.rate() < 0.0;
            (tape.at_time(t).cloned(), if backward { t <= first } else { t >= last })
        };
        self.show_if_new(found.as_deref());
        if !reaches_end {
            return;
        }
        let goes_live = self.transport.rate() > 0.0 && self.can_go_on();
        if goes_live {
            self.go_live()
        } else {
            self.pause()
        }
        self.tell_state();
    }

    /// Can more come behind the last record?
    fn can_go_on(&self) -> bool {
        matches!(self.stage, Stage::Walk(_)) || !read(&self.tape).has_ended
    }

    fn go_live(&mut self) {
        let end = self.end_time();
        self.transport.go_live(end);
        self.show_last();
    }

    fn pause(&mut self) {
        self.transport.pause();
    }

    fn end_time(&self) -> f64 {
        match &self.stage {
            Stage::Walk(walk) => walk.next_tick(),
            Stage::Replay(_) => read(&self.tape).last().map_or(0.0, |tick| tick.t),
        }
    }

    fn show_last(&mut self) {
        let last = read(&self.tape).last().cloned();
        self.show_if_new(last.as_deref());
    }

    fn show_if_new(&mut self, tick: Option<&Tick>) {
        if tick.map(|tick| tick.number) != self.shown {
            self.show(tick);
        }
    }

    /// Shows a tick, with what happened on the way to it.
    fn show(&mut self, tick: Option<&Tick>) {
        let Some(tick) = tick else { return };
        self.tell_roster();
        self.tell_happened(tick);
        let mode = self.transport.mode();
        let (is_newest, next_in) = {
            let tape = read(&self.tape);
            let is_newest = tape.last().is_some_and(|last| last.number == tick.number);
            let apart = tape.thinned() as f32 / 30.0;
            (is_newest, apart)
        };
        let is_still = mode == Mode::Paused;
        let rate = self.transport.rate().abs().max(0.01) as f32;
        let shown = Shown {
            is_newest,
            is_still,
            is_leap: std::mem::take(&mut self.is_leap),
            next_in: if is_still { 0.0 } else { next_in / rate },
        };
        self.outbox.tick(tick.frame(shown));
        self.shown = Some(tick.number);
        self.tell_why(tick);
        if tick.charge >= 0.0 {
            self.tell_state();
        }
    }

    fn tell_roster(&mut self) {
        let tape = read(&self.tape);
        let version = tape.roster.version();
        if version != self.roster {
            self.outbox.text(tape.roster.since(self.roster).to_string());
            self.roster = version;
        }
    }

    /// Events and messages between the tick shown before and this one; of this one alone after a leap or a step back.
    fn tell_happened(&self, tick: &Tick) {
        let tape = read(&self.tape);
        let before = self.shown.filter(|shown| !self.is_leap && *shown < tick.number);
        let start = before.unwrap_or_else(|| tick.number.saturating_sub(1));
        let ticks = tape.onward(start, false).take_while(|one| one.number <= tick.number);
        for one in ticks {
            let events = one.events.iter().filter(|event| self.filter.takes_event(event));
            let mut events = events.map(|event| String::from(&*event.text)).peekable();
            if events.peek().is_some() {
                self.outbox.events(one.t, one.number, events);
            }
            let letters = tape.letters_of(one).filter_map(|(number, letter)| {
                let head = letter.head();
                self.filter.takes_letter(&head).then(|| letter.line(number, &head).to_string())
            });
            let mut letters = letters.peekable();
            if letters.peek().is_some() {
                self.outbox.mail(letters);
            }
        }
    }

    /// Why whom the page has selected moved as he did.
    fn tell_why(&self, tick: &Tick) {
        let Some(key) = self.selected else { return };
        let head = json!({ "type": "why", "t": tick.t, "tick": tick.number, "guid": key.guid.to_string(), "view": key.view });
        let known = self.whys.as_ref().and_then(|whys| whys.at(tick.number));
        let text = match (tick.why(key), known) {
            (Some(why), _) => with_field(&head, "why", why),
            (None, Some(why)) => with_field(&head, "why", &why),
            (None, None) => {
                let words = match (&self.whys, tick.body(key)) {
                    (_, None) => "It is not there at this time.",
                    (Some(whys), _) if !whys.is_ready() => {
                        "The recording is being gone through again for it."
                    }
                    _ => "Nothing more was kept of it at this time.",
                };
                let mut head = head;
                head["why"] = Value::Null;
                head["words"] = words.into();
                head.to_string()
            }
        };
        self.outbox.why(text);
    }

    /// What was gone through again may be there now.
    fn look_for_why(&mut self) {
        let Some(whys) = self.whys.as_mut().filter(|whys| whys.is_news()) else { return };
        whys.is_told();
        let tick = self.shown.and_then(|number| read(&self.tape).at_number(number).cloned());
        if let Some(tick) = tick {
            self.tell_why(&tick);
        }
    }

    fn select(&mut self, key: Option<Key>) {
        self.selected = key;
        self.whys = None;
        match &mut self.stage {
            Stage::Walk(walk) => walk.select(key),
            Stage::Replay(recording) => self.whys = key.and_then(|key| recording.whys(key)),
        }
        let tick = self.shown.and_then(|number| read(&self.tape).at_number(number).cloned());
        if let Some(tick) = tick {
            self.tell_why(&tick);
        }
    }

    fn hello(&self) -> Value {
        let tape = read(&self.tape);
        let (first, last) = (tape.first(), tape.last());
        let mut hello = json!({
            "type": "hello",
            "mode": "replay",
            "origin": tape.origin.text(),
            "self": Value::Null,
            "views": [{ "view": 0, "name": "recording", "words": "what the recording shows" }],
            "name": Value::Null,
            "start": first.map_or(0.0, |tick| tick.t),
            "end": last.map_or(0.0, |tick| tick.t),
            "ticks": tape.len(),
            "thinned": tape.thinned(),
        });
        match &self.stage {
            Stage::Walk(walk) => {
                hello["mode"] = "walk".into();
                hello["self"] = walk.player().to_string().into();
                hello["views"] = Walk::views();
            }
            Stage::Replay(recording) => {
                hello["self"] = recording.player().map(|guid: Guid| guid.to_string()).into();
                hello["name"] = recording.name().into();
                hello["views"] = recording.views();
            }
        }
        hello
    }

    fn tell_state(&mut self) {
        let mut state = {
            let tape = read(&self.tape);
            let (first, last) = (tape.first(), tape.last());
            let shown = self.shown.and_then(|number| tape.at_number(number));
            json!({
                "type": "state",
                "n": self.answered,
                "mode": self.transport.mode().name(),
                "rate": self.transport.rate(),
                "speed": self.transport.speed(),
                "t": shown.map_or(0.0, |tick| tick.t),
                "tick": shown.map_or(0, |tick| tick.number),
                "start": first.map_or(0.0, |tick| tick.t),
                "end": last.map_or(0.0, |tick| tick.t),
                "first_tick": first.map_or(0, |tick| tick.number),
                "last_tick": last.map_or(0, |tick| tick.number),
                "selected": self.selected.map(|key| json!({ "guid": key.guid.to_string(), "view": key.view })),
                "live_input": !tape.has_ended && matches!(self.stage, Stage::Replay(_)),
                "ended": tape.has_ended,
            })
        };
        if let Stage::Walk(walk) = &mut self.stage {
            walk.describe(&mut state);
        }
        self.outbox.state(state.to_string());
    }
}

/// An object with one more field, whose value is JSON already.
fn with_field(object: &Value, name: &str, json: &str) -> String {
    let mut text = object.to_string();
    text.pop();
    text.push_str(&format!(r#","{name}":{json}}}"#));
    text
}

async fn wait_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
