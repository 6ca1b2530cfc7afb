//! The scenarios of the repository, and callbacks that record everything.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use acmotion::types::{Era, Guid};
use acmotion::wire::{S2C, decode_c2s, decode_s2c};
use acmotion::{Event, EventKind, World};
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{Delivered, EventHandler, Measured, RefusedInput, Sent, Simulation, View};

/// Returns all scenarios of the repository, each with the name of its file.
pub(crate) fn shipped() -> Vec<(String, Scenario)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut scenarios: Vec<(String, Scenario)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let scenario = Scenario::parse(&fs::read_to_string(&path).unwrap());
            (name.clone(), scenario.unwrap_or_else(|error| panic!("{name}: {error}")))
        })
        .collect();
    scenarios.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(scenarios.len() >= 6, "scenarios are missing: {}", scenarios.len());
    scenarios
}

/// A message that was sent.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SentMessage {
    pub(crate) time: f64,
    pub(crate) from: View,
    pub(crate) to: View,
    pub(crate) arrives: Option<f64>,
    pub(crate) bytes: Arc<[u8]>,
}

impl SentMessage {
    /// Returns its name. Panics if it cannot be decoded.
    pub(crate) fn name(&self) -> &'static str {
        if self.to == View::Server {
            decode_c2s(&self.bytes, Era::default()).unwrap().name()
        } else {
            self.decode().name()
        }
    }

    /// Decodes a message of the server.
    pub(crate) fn decode(&self) -> S2C<'_> {
        decode_s2c(&self.bytes, Era::default()).unwrap()
    }
}

/// Everything that a simulation reported.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) sent: Vec<SentMessage>,
    pub(crate) delivered: Vec<(f64, View, bool, Arc<[u8]>)>,
    pub(crate) events: Vec<(View, Event)>,
    pub(crate) refused: Vec<RefusedInput>,
    pub(crate) measured: Vec<Measured>,
    pub(crate) ticks: usize,
}

impl Log {
    /// Returns the messages with a name that the server sent to a client about an object.
    pub(crate) fn sent_to(&self, client: View, guid: Guid, name: &str) -> Vec<&SentMessage> {
        let to_client = self.sent.iter().filter(|message| message.to == client && client != View::Server);
        to_client.filter(|sent| sent.decode().guid() == Some(guid) && sent.name() == name).collect()
    }

    /// Returns the names of the messages that a client sent.
    pub(crate) fn sent_by(&self, client: View) -> Vec<&'static str> {
        self.sent.iter().filter(|message| message.from == client).map(SentMessage::name).collect()
    }

    /// Returns the number of events of an entity in a view that match.
    pub(crate) fn count(&self, view: View, guid: Guid, matches: impl Fn(&EventKind) -> bool) -> usize {
        let events = self.events.iter();
        events
            .filter(|(seen_by, event)| *seen_by == view && event.guid == guid && matches(&event.kind))
            .count()
    }
}

impl EventHandler for Log {
    fn on_tick(&mut self, _view: View, _world: &World, _now: f64) {
        self.ticks += 1;
    }

    fn on_event(&mut self, view: View, event: &Event, _world: &World) {
        self.events.push((view, *event));
    }

    fn on_sent(&mut self, message: &Sent<'_>) {
        let Sent { time, from, to, delivery: fate, bytes } = *message;
        self.sent.push(SentMessage { time, from, to, arrives: fate.arrives, bytes: Arc::clone(bytes) });
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        let bytes = Arc::clone(message.bytes);
        self.delivered.push((message.time, message.to, message.is_duplicate, bytes));
    }

    fn on_refused(&mut self, refused: &RefusedInput) {
        self.refused.push(*refused);
    }

    fn on_measured(&mut self, measured: &Measured) {
        self.measured.push(*measured);
    }
}

/// Runs a scenario to its end.
pub(crate) fn run(scenario: &Scenario) -> (Simulation, Log) {
    let mut simulation = Simulation::new(scenario).unwrap();
    let mut log = Log::default();
    simulation.step(scenario.seconds, &mut log);
    (simulation, log)
}
