//! Simulations of scenarios.

use std::sync::Arc;

use acmotion::scene::Scene;
use acmotion_sim::json::{summary, view_index, view_names};
use acmotion_sim::scenario::{Scenario, SharedSurroundings};
use acmotion_sim::{Delivered, EventHandler, Measured, RefusedInput, Sent, Simulation, View};
use js_sys::{Object, Reflect, Uint8Array};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::assets::Assets;
use crate::errors::{Kind, Outcome, scene_error};
use crate::replay::{RunOptions, Wanted};
use crate::states::{EventLines, States, table, too_large};

/// The seconds of a scenario after which the sizes of the result are checked.
const CHUNK: f64 = 0.25;
/// The maximum duration of a simulation, in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;

table! {
    /// The messages that are sent.
    SentTable {
        time: f64 = "t",
        from: u16 = "from",
        to: u16 = "to",
        arrives: f64 = "arrives",
        losses: u32 = "losses",
        is_duplicated: u8 = "duplicated",
        length: u32 = "length",
    }
}

table! {
    /// The messages that are handled.
    ReceivedTable {
        time: f64 = "t",
        from: u16 = "from",
        to: u16 = "to",
        sent: f64 = "sent",
        arrived: f64 = "arrived",
        is_duplicate: u8 = "duplicate",
        length: u32 = "length",
    }
}

table! {
    /// How far from the truth each entity was shown.
    ErrorTable {
        time: f64 = "t",
        view: u16 = "view",
        guid: u32 = "guid",
        error: f32 = "error",
        delayed: f32 = "delayed",
    }
}

/// Records what happens.
#[derive(Default)]
struct Recorder {
    wanted: Wanted,
    states: States,
    events: EventLines,
    sent: SentTable,
    sent_bytes: Vec<u8>,
    received: ReceivedTable,
    received_bytes: Vec<u8>,
    errors: ErrorTable,
    /// At most one for each input, whose number a scenario limits.
    refused: Vec<String>,
    /// Why recording ended early.
    failure: Option<JsValue>,
}

impl Recorder {
    /// Does something that needs memory, unless there was none before.
    fn attempt(&mut self, run: impl FnOnce(&mut Self) -> Outcome<()>) {
        if self.failure.is_none() {
            self.failure = run(self).err();
        }
    }

    /// Returns an error if the result is too large.
    fn check(&mut self) -> Outcome<()> {
        self.failure.take().map_or(Ok(()), Err)?;
        self.wanted.check("states", self.states.len())?;
        self.wanted.check("events", self.events.len())?;
        self.wanted.check("messages", self.sent.len().max(self.received.len()))?;
        self.wanted.check("errors", self.errors.len())
    }
}

fn view_number(view: View) -> u16 {
    view_index(view) as u16
}

impl EventHandler for Recorder {
    fn on_tick(&mut self, view: View, world: &acmotion::World, now: f64) {
        self.attempt(|recorder| {
            recorder.states.reserve(world.entities().len())?;
            for resident in world.entities().filter(|resident| recorder.wanted.has(resident.guid())) {
                recorder.states.push(view_index(view), now, resident, world.library());
            }
            Ok(())
        });
    }

    fn on_event(&mut self, view: View, event: &acmotion::Event, world: &acmotion::World) {
        self.events.push(view_index(view), event, world.library());
    }

    fn on_sent(&mut self, message: &Sent<'_>) {
        self.attempt(|recorder| {
            recorder.sent_bytes.try_reserve(message.bytes.len()).map_err(too_large)?;
            recorder.sent_bytes.extend_from_slice(message.bytes);
            let sent = &mut recorder.sent;
            sent.reserve(1)?;
            sent.time.push(message.time);
            sent.from.push(view_number(message.from));
            sent.to.push(view_number(message.to));
            sent.arrives.push(message.delivery.arrives.unwrap_or(f64::NAN));
            sent.losses.push(message.delivery.losses);
            sent.is_duplicated.push(message.delivery.duplicate_arrives.is_some().into());
            sent.length.push(message.bytes.len() as u32);
            Ok(())
        });
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        self.attempt(|recorder| {
            recorder.received_bytes.try_reserve(message.bytes.len()).map_err(too_large)?;
            recorder.received_bytes.extend_from_slice(message.bytes);
            let received = &mut recorder.received;
            received.reserve(1)?;
            received.time.push(message.time);
            received.from.push(view_number(message.from));
            received.to.push(view_number(message.to));
            received.sent.push(message.sent);
            received.arrived.push(message.arrived);
            received.is_duplicate.push(message.is_duplicate.into());
            received.length.push(message.bytes.len() as u32);
            Ok(())
        });
    }

    fn on_refused(&mut self, refused: &RefusedInput) {
        let RefusedInput { time, guid, input, error, .. } = refused;
        self.refused.push(format!("{time:.2} s: {guid} does not do {input:?}: {error}"));
    }

    fn on_measured(&mut self, measured: &Measured) {
        self.attempt(|recorder| {
            let errors = &mut recorder.errors;
            errors.reserve(1)?;
            errors.time.push(measured.time);
            errors.view.push(view_number(measured.view));
            errors.guid.push(measured.guid.0);
            errors.error.push(measured.error);
            errors.delayed.push(measured.delayed.unwrap_or(f32::NAN));
            Ok(())
        });
    }
}

/// What happened in a scenario. JavaScript takes its parts.
#[wasm_bindgen]
pub struct SimulationResult {
    recorder: Recorder,
    summary: String,
}

#[wasm_bindgen]
impl SimulationResult {
    /// Removes and returns the table of states.
    pub fn states(&mut self) -> Outcome<Object> {
        std::mem::take(&mut self.recorder.states).into_js()
    }

    /// Removes and returns some events: in each line the index of a view and an event as JSON. `None` at the end.
    pub fn events(&mut self) -> Option<String> {
        self.recorder.events.next()
    }

    /// Removes and returns the table of errors.
    pub fn errors(&mut self) -> Outcome<Object> {
        std::mem::take(&mut self.recorder.errors).into_js()
    }

    /// Removes and returns the table of messages that were sent, with their bytes one after the other.
    pub fn sent(&mut self) -> Outcome<Object> {
        let table = std::mem::take(&mut self.recorder.sent).into_js()?;
        with_bytes(table, std::mem::take(&mut self.recorder.sent_bytes))
    }

    /// Removes and returns the table of messages that were handled, with their bytes one after the other.
    pub fn received(&mut self) -> Outcome<Object> {
        let table = std::mem::take(&mut self.recorder.received).into_js()?;
        with_bytes(table, std::mem::take(&mut self.recorder.received_bytes))
    }

    /// Returns title, views, clients, refused inputs and accuracies as JSON.
    pub fn summary(&self) -> String {
        self.summary.clone()
    }
}

fn with_bytes(table: Object, bytes: Vec<u8>) -> Outcome<Object> {
    Reflect::set(&table, &"bytes".into(), &Uint8Array::from(&*bytes))?;
    Ok(table)
}

/// Runs a scenario, given as the text of its TOML file.
#[wasm_bindgen]
pub fn simulate(
    text: &str,
    assets: &Assets,
    seconds: Option<f64>,
    seed: Option<f64>,
    options: RunOptions,
) -> Outcome<SimulationResult> {
    let mut scenario = Scenario::parse(text).map_err(Kind::Scenario.of())?;
    if let Some(seed) = seed {
        scenario.seed = seed as u64;
    }
    let seconds = seconds.unwrap_or(scenario.seconds);
    if !(0.0..=MAX_SECONDS).contains(&seconds) {
        return Err(Kind::Argument.error(format_args!("seconds is {seconds}, expected 0 to {MAX_SECONDS}")));
    }
    let RunOptions { cells, scene, wanted, .. } = options;
    let loaded = cells.map(|cells| Scene::load(&assets.0, &cells)).transpose();
    let land = scene.or(loaded.map_err(|error| scene_error(&error))?);
    let surroundings = land.clone().map(|land| Arc::new(land) as SharedSurroundings);
    let simulation = Simulation::with_assets(&scenario, || assets.0.clone(), surroundings);
    let mut simulation = simulation.map_err(Kind::Scenario.of())?;
    if let Some(land) = land {
        simulation.check_solids(land);
    }
    let mut recorder = Recorder { wanted, ..Recorder::default() };
    while simulation.now() < seconds {
        let until = (simulation.now() + CHUNK).min(seconds);
        simulation.step(until, &mut recorder);
        recorder.check()?;
    }
    let facts = json!({
        "title": scenario.title,
        "views": view_names(&simulation),
        "clients": scenario.clients.iter().map(|client| &client.name).collect::<Vec<_>>(),
        "refused": recorder.refused,
        "summary": summary(&simulation),
    });
    Ok(SimulationResult { recorder, summary: facts.to_string() })
}
