//! Simulations of scenarios.

use std::fmt::Write as _;
use std::sync::Arc;

use acmotion::types::Era;
use acmotion::wire::Direction;
use acmotion_sim::json::{summary, view_index, view_names};
use acmotion_sim::scenario::SharedSurroundings;
use acmotion_sim::{
    CapturedMessage, ClientId, ClientTraffic, Delivered, EventHandler, Measured, RefusedInput, Sent,
    Simulation, View,
};
use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Float64Builder, LargeBinaryBuilder, LargeStringBuilder, UInt32Builder,
};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;

use crate::arrow::{Table, table_columns};
use crate::assets::{Assets, assets_or_mannequin};
use crate::convert::json_to_py;
use crate::errors::scenario_error;
use crate::event::EventColumns;
use crate::message::Facts;
use crate::replay::{Guids, States};
use crate::scenario::ScenarioSource;
use crate::scene::Land;
use crate::state::StateColumns;

/// The seconds of a scenario after which signals such as Ctrl-C are handled.
const CHUNK: f64 = 0.25;
/// The maximum duration of a simulation, in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// What happened in a scenario.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct SimulationResult {
    /// The state of each entity in each view, after each of the view's ticks.
    #[pyo3(get)]
    states: Py<Table>,
    /// What happened in each view.
    #[pyo3(get)]
    events: Py<Table>,
    /// The messages that were sent, from view to view, and when they arrive.
    #[pyo3(get)]
    sent: Py<Table>,
    /// The messages that were handled, in the receiver's first frame after their arrival.
    #[pyo3(get)]
    received: Py<Table>,
    /// How far from the truth each entity was shown in each view, in metres: `error` at the same time, `delayed` one mean
    /// message delay earlier.
    #[pyo3(get)]
    errors: Py<Table>,
    /// The inputs that players could not carry out, in words.
    #[pyo3(get)]
    refused: Vec<String>,
    /// The names of the views: `server`, each observer, and `self NAME` for the client of a player.
    #[pyo3(get)]
    views: Vec<String>,
    /// The names of the clients.
    #[pyo3(get)]
    clients: Vec<String>,
    summary: Vec<Value>,
    captures: Vec<Vec<CapturedMessage>>,
}

#[pymethods]
impl SimulationResult {
    /// How accurately each view showed each entity: the lines of the event `summary` of `acmotion simulate --json`.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.summary.iter().map(|line| json_to_py(py, line)).collect()
    }

    /// Returns a capture, as JSON Lines, of what a client received and sent. `replay` and `decode` take it.
    fn capture<'py>(&self, py: Python<'py>, client: &str) -> PyResult<Bound<'py, PyBytes>> {
        let index = self.clients.iter().position(|name| name == client);
        let captured = index.and_then(|index| self.captures.get(index)).ok_or_else(|| {
            PyKeyError::new_err(format!("no client `{client}`; there are {}", self.clients.join(", ")))
        })?;
        let mut lines = String::new();
        for CapturedMessage { time, direction, bytes } in captured {
            let name = direction.name().to_lowercase();
            // Writing to a string cannot fail.
            let _ = write!(lines, "{{\"t\": {time:?}, \"dir\": \"{name}\", \"hex\": \"");
            for byte in &**bytes {
                let _ = write!(lines, "{byte:02x}");
            }
            lines.push_str("\"}\n");
        }
        Ok(PyBytes::new(py, lines.as_bytes()))
    }

    fn __repr__(&self) -> String {
        format!("<SimulationResult of {}>", self.views.join(", "))
    }
}

table_columns! {
    /// The columns of the table of messages that are sent.
    struct SentColumns {
        time: Float64Builder = "t",
        from: LargeStringBuilder = "from",
        to: LargeStringBuilder = "to",
        name: LargeStringBuilder = "name",
        guid: UInt32Builder = "guid",
        arrives: Float64Builder = "arrives",
        losses: UInt32Builder = "losses",
        duplicated: BooleanBuilder = "duplicated",
        raw: LargeBinaryBuilder = "raw",
    }
}

impl SentColumns {
    fn push(&mut self, message: &Sent<'_>, [from, to]: [&str; 2]) {
        let direction = if message.to == View::Server { Direction::C2S } else { Direction::S2C };
        let facts = Facts::of(direction, message.bytes, Era::default());
        self.time.append_value(message.time);
        self.from.append_value(from);
        self.to.append_value(to);
        self.name.append_value(&facts.name);
        self.guid.append_option(facts.guid);
        self.arrives.append_option(message.delivery.arrives);
        self.losses.append_value(message.delivery.losses);
        self.duplicated.append_value(message.delivery.duplicate_arrives.is_some());
        self.raw.append_value(&**message.bytes);
    }
}

table_columns! {
    /// The columns of the table of messages that are handled.
    struct ReceivedColumns {
        time: Float64Builder = "t",
        from: LargeStringBuilder = "from",
        to: LargeStringBuilder = "to",
        sent: Float64Builder = "sent",
        arrived: Float64Builder = "arrived",
        duplicate: BooleanBuilder = "duplicate",
        raw: LargeBinaryBuilder = "raw",
    }
}

impl ReceivedColumns {
    fn push(&mut self, message: &Delivered<'_>, [from, to]: [&str; 2]) {
        self.time.append_value(message.time);
        self.from.append_value(from);
        self.to.append_value(to);
        self.sent.append_value(message.sent);
        self.arrived.append_value(message.arrived);
        self.duplicate.append_value(message.is_duplicate);
        self.raw.append_value(&**message.bytes);
    }
}

table_columns! {
    /// The columns of the table of errors.
    struct ErrorColumns {
        time: Float64Builder = "t",
        view: LargeStringBuilder = "view",
        guid: UInt32Builder = "guid",
        error: Float32Builder = "error",
        delayed: Float32Builder = "delayed",
    }
}

impl ErrorColumns {
    fn push(&mut self, measured: &Measured, view: &str) {
        self.time.append_value(measured.time);
        self.view.append_value(view);
        self.guid.append_value(measured.guid.0);
        self.error.append_value(measured.error);
        self.delayed.append_option(measured.delayed);
    }
}

/// Records what happens.
struct Recorder {
    /// Those of the clients, after that of the server.
    views: Vec<String>,
    wanted: Option<States>,
    states: StateColumns,
    events: EventColumns,
    sent: SentColumns,
    received: ReceivedColumns,
    errors: ErrorColumns,
    refused: Vec<String>,
    traffic: Vec<ClientTraffic>,
}

impl Recorder {
    fn view(views: &[String], view: View) -> &str {
        views.get(view_index(view)).map_or("", String::as_str)
    }
}

impl EventHandler for Recorder {
    fn on_tick(&mut self, view: View, world: &acmotion::World, now: f64) {
        let Some(wanted) = &self.wanted else { return };
        let name = Self::view(&self.views, view);
        for resident in world.entities().filter(|resident| wanted.wants(resident.guid())) {
            self.states.push(Some(name), now, resident, world.library());
        }
    }

    fn on_event(&mut self, view: View, event: &acmotion::Event, world: &acmotion::World) {
        self.events.push(Some(Self::view(&self.views, view)), event, world.library());
    }

    fn on_sent(&mut self, message: &Sent<'_>) {
        let names = [message.from, message.to].map(|view| Self::view(&self.views, view));
        self.sent.push(message, names);
        self.traffic.iter_mut().for_each(|client| client.on_sent(message));
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        let names = [message.from, message.to].map(|view| Self::view(&self.views, view));
        self.received.push(message, names);
        self.traffic.iter_mut().for_each(|client| client.on_delivered(message));
    }

    fn on_refused(&mut self, refused: &RefusedInput) {
        let RefusedInput { time, guid, input, error, .. } = refused;
        self.refused.push(format!("{time:.2} s: {guid} does not do {input:?}: {error}"));
    }

    fn on_measured(&mut self, measured: &Measured) {
        self.errors.push(measured, Self::view(&self.views, measured.view));
    }
}

/// Runs a scenario (a path or a `Scenario`) and returns what happened.
///
/// `cell` takes the place of the scenario's own ground: the path of a cell file, its Assets, a Scene, or "town"; `seconds`
/// that of its duration. States are recorded of all entities after each tick, of `guids` only, or not at all.
#[pyfunction]
#[pyo3(
    signature = (
        scenario, *, assets = None, cell = Land::NONE, seconds = None, states = true, guids = None, max_states = 10_000_000,
    ),
    text_signature = "(scenario, *, assets=None, cell=None, seconds=None, states=True, guids=None, max_states=10000000)"
)]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn simulate(
    py: Python<'_>,
    scenario: ScenarioSource,
    assets: Option<&Assets>,
    cell: Land<'_>,
    seconds: Option<f64>,
    states: bool,
    guids: Option<Guids>,
    max_states: usize,
) -> PyResult<SimulationResult> {
    let scenario = scenario.0;
    let seconds = seconds.unwrap_or(scenario.seconds);
    if !(0.0..=MAX_SECONDS).contains(&seconds) {
        return Err(PyValueError::new_err(format!("seconds is {seconds}, expected 0 to {MAX_SECONDS}")));
    }
    let assets = py.detach(|| assets_or_mannequin(assets));
    let land = cell.scene(py, &assets)?;
    let surroundings = land.clone().map(|land| Arc::new(land) as SharedSurroundings);
    let simulation = py.detach(|| Simulation::with_assets(&scenario, || assets.clone(), surroundings));
    let mut simulation = simulation.map_err(|error| scenario_error(py, &error))?;
    if let Some(land) = land {
        simulation.check_solids(land);
    }
    let mut recorder = Recorder {
        views: view_names(&simulation),
        wanted: states.then_some(States { guids: guids.map(|guids| guids.0), max: max_states }),
        states: StateColumns::default(),
        events: EventColumns::default(),
        sent: SentColumns::default(),
        received: ReceivedColumns::default(),
        errors: ErrorColumns::default(),
        refused: Vec::new(),
        traffic: (0..scenario.clients.len()).map(|client| ClientTraffic::new(ClientId(client))).collect(),
    };
    while simulation.now() < seconds {
        let until = (simulation.now() + CHUNK).min(seconds);
        py.detach(|| simulation.step(until, &mut recorder));
        py.check_signals()?;
        recorder.wanted.as_ref().map_or(Ok(()), |wanted| wanted.check(recorder.states.len()))?;
    }
    Ok(SimulationResult {
        states: Py::new(py, recorder.states.finish(true)?)?,
        events: Py::new(py, recorder.events.finish(true)?)?,
        sent: Py::new(py, recorder.sent.finish()?)?,
        received: Py::new(py, recorder.received.finish()?)?,
        errors: Py::new(py, recorder.errors.finish()?)?,
        refused: recorder.refused,
        summary: summary(&simulation),
        views: recorder.views,
        clients: scenario.clients.iter().map(|client| client.name.clone()).collect(),
        captures: recorder.traffic.into_iter().map(ClientTraffic::into_messages).collect(),
    })
}
