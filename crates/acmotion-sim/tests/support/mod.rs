//! Scenes that ship, and a watcher that writes everything down.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use acmotion::World;
use acmotion::types::{Era, Guid};
use acmotion::wire::{S2C, decode_c2s, decode_s2c};
use acmotion::world::{Event, EventKind};
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{Delivered, Measured, Refused, Sent, Simulation, View, Watch};

/// All scenes that ship, by the name of their file.
pub(crate) fn shipped() -> Vec<(String, Scenario)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut scenes: Vec<(String, Scenario)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let scene = Scenario::parse(&fs::read_to_string(&path).unwrap());
            (name.clone(), scene.unwrap_or_else(|error| panic!("{name}: {error}")))
        })
        .collect();
    scenes.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(scenes.len() >= 6, "some scenes are missing");
    scenes
}

/// A message as it was sent.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Letter {
    pub(crate) time: f64,
    pub(crate) from: View,
    pub(crate) to: View,
    pub(crate) arrives: Option<f64>,
    pub(crate) bytes: Arc<[u8]>,
}

impl Letter {
    /// Its name; it can be read, or the test fails.
    pub(crate) fn name(&self) -> &'static str {
        if self.to == View::Server {
            decode_c2s(&self.bytes, Era::default()).unwrap().name()
        } else {
            self.read().name()
        }
    }

    /// A message of the server.
    pub(crate) fn read(&self) -> S2C<'_> {
        decode_s2c(&self.bytes, Era::default()).unwrap()
    }
}

/// Everything that happened.
#[derive(Default)]
pub(crate) struct Diary {
    pub(crate) letters: Vec<Letter>,
    pub(crate) delivered: Vec<(f64, View, bool, Arc<[u8]>)>,
    pub(crate) events: Vec<(View, Event)>,
    pub(crate) refused: Vec<Refused>,
    pub(crate) measured: Vec<Measured>,
    pub(crate) ticks: usize,
}

impl Diary {
    /// What the server told a view about somebody, by name.
    pub(crate) fn told(&self, to: View, guid: Guid, name: &str) -> Vec<&Letter> {
        let about = |letter: &&Letter| letter.read().guid() == Some(guid) && letter.name() == name;
        self.letters.iter().filter(|letter| letter.to == to && to != View::Server).filter(about).collect()
    }

    /// What was sent to the server from a view.
    pub(crate) fn said(&self, from: View) -> Vec<&'static str> {
        self.letters.iter().filter(|letter| letter.from == from).map(Letter::name).collect()
    }

    pub(crate) fn happened(&self, view: View, guid: Guid, is_it: impl Fn(&EventKind) -> bool) -> usize {
        let events = self.events.iter();
        events.filter(|(seen_by, event)| *seen_by == view && event.guid == guid && is_it(&event.kind)).count()
    }
}

impl Watch for Diary {
    fn ticked(&mut self, _view: View, _world: &World, _now: f64) {
        self.ticks += 1;
    }

    fn happened(&mut self, view: View, event: &Event, _world: &World) {
        self.events.push((view, *event));
    }

    fn sent(&mut self, message: &Sent<'_>) {
        let Sent { time, from, to, fate, bytes } = *message;
        self.letters.push(Letter { time, from, to, arrives: fate.arrives, bytes: Arc::clone(bytes) });
    }

    fn delivered(&mut self, message: &Delivered<'_>) {
        let bytes = Arc::clone(message.bytes);
        self.delivered.push((message.time, message.to, message.is_duplicate, bytes));
    }

    fn refused(&mut self, refused: &Refused) {
        self.refused.push(*refused);
    }

    fn measured(&mut self, measured: &Measured) {
        self.measured.push(*measured);
    }
}

/// Runs a scene to its end.
pub(crate) fn run(scene: &Scenario) -> (Simulation, Diary) {
    let mut simulation = Simulation::new(scene).unwrap();
    let mut diary = Diary::default();
    simulation.step(scene.seconds, &mut diary);
    (simulation, diary)
}
