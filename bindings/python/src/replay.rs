//! The replay of captures.

use std::collections::{BTreeMap, HashSet};

use acmotion::scene::SceneLoader;
use acmotion::types::{CellPosition, Guid, Vec3};
use acmotion::wire::capture::CaptureReader;
use acmotion_sim::replay::{Replay, ReplaySettings, Step, Totals};
use arrow_array::builder::{Float32Builder, Float64Builder, LargeStringBuilder, UInt32Builder};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrow::{Table, TableBuilder};
use crate::assets::{Assets, assets_or_mannequin};
use crate::capture::{AnyReader, Damage};
use crate::columns::PositionColumns;
use crate::convert::{EraName, Source};
use crate::errors::{LimitError, raise, scene_error};
use crate::event::EventColumns;
use crate::scene::Land;
use crate::state::StateColumns;

/// The steps of a replay after which signals such as Ctrl-C are handled.
const STEPS: usize = 1 << 14;
/// The messages after which they are handled.
const MESSAGES: usize = 1 << 12;
/// The maximum number of rows of the tables of reports and events.
const MAX_ROWS: usize = 50_000_000;

/// Guids from anything that Python can iterate over.
pub(crate) struct Guids(pub(crate) HashSet<u32>);

impl<'py> FromPyObject<'_, 'py> for Guids {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.try_iter()?.map(|guid| guid?.extract()).collect::<PyResult<_>>().map(Self)
    }
}

/// Which states are recorded.
pub(crate) struct States {
    /// Those of these entities; of all if `None`.
    pub(crate) guids: Option<HashSet<u32>>,
    /// The maximum number of rows.
    pub(crate) max: usize,
}

impl States {
    /// Returns `true` if the states of an entity are recorded.
    pub(crate) fn wants(&self, guid: Guid) -> bool {
        self.guids.as_ref().is_none_or(|guids| guids.contains(&guid.0))
    }

    /// Returns an error if there are more rows than allowed.
    pub(crate) fn check(&self, rows: usize) -> PyResult<()> {
        if rows <= self.max {
            return Ok(());
        }
        Err(raise::<LimitError>(format_args!(
            "more than {} states: name the entities of interest with guids=…, or raise max_states",
            self.max
        )))
    }
}

/// What happened in a capture when it ran through the engine.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct ReplayResult {
    /// The state of each entity after each tick.
    #[pyo3(get)]
    states: Py<Table>,
    /// The positions that the server reported, and that the local player's client sent; where each entity was shown then,
    /// and the horizontal distance between the two as `error`.
    #[pyo3(get)]
    reports: Py<Table>,
    /// What happened. Snaps and teleports have a `distance`.
    #[pyo3(get)]
    events: Py<Table>,
    /// The names of the objects by their guids.
    #[pyo3(get)]
    names: BTreeMap<u32, String>,
    /// A sentence for each problem with the capture.
    #[pyo3(get)]
    problems: Vec<String>,
    /// The number of ticks.
    #[pyo3(get)]
    ticks: u32,
    totals: Totals,
}

#[pymethods]
impl ReplayResult {
    /// What was counted: messages, unreadable and rejected ones, snaps, teleports.
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = [
            ("messages", self.totals.messages),
            ("unreadable", self.totals.unreadable),
            ("rejected", self.totals.rejected),
            ("snaps", self.totals.snaps),
            ("teleports", self.totals.teleports),
            ("silences", self.totals.silences),
            ("skipped_pauses", self.totals.skipped_pauses),
            ("shortened_gaps", self.totals.shortened_gaps),
            ("clamped_times", self.totals.clamped_times),
        ];
        let dict = PyDict::new(py);
        counters.into_iter().try_for_each(|(name, count)| dict.set_item(name, count))?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let Totals { messages, snaps, .. } = self.totals;
        format!("<ReplayResult of {messages} messages, {} ticks, {snaps} snaps>", self.ticks)
    }
}

/// The columns of the table of reports.
#[derive(Default)]
struct ReportColumns {
    time: Float64Builder,
    guid: UInt32Builder,
    source: LargeStringBuilder,
    reported: PositionColumns,
    shown: PositionColumns,
    error: Float32Builder,
    len: usize,
}

impl ReportColumns {
    fn push(
        &mut self,
        source: &str,
        time: f64,
        guid: Guid,
        position: &CellPosition,
        shown: Option<&CellPosition>,
    ) {
        let horizontal = |shown: &CellPosition| Vec3 { z: 0.0, ..shown.offset_to(position) }.length();
        self.time.append_value(time);
        self.guid.append_value(guid.0);
        self.source.append_value(source);
        self.reported.push(Some(position));
        self.shown.push(shown);
        self.error.append_option(shown.map(horizontal));
        self.len += 1;
    }

    fn finish(mut self) -> PyResult<Table> {
        let mut table = TableBuilder::default();
        table.add("t", self.time.finish());
        table.add("guid", self.guid.finish());
        table.add("source", self.source.finish());
        self.reported.finish(&mut table, "");
        self.shown.finish(&mut table, "shown_");
        table.add("error", self.error.finish());
        table.finish()
    }
}

/// A replay that is being recorded.
struct Recorder {
    replay: Replay,
    states: StateColumns,
    reports: ReportColumns,
    events: EventColumns,
    event_count: usize,
    names: BTreeMap<u32, String>,
    wanted: Option<States>,
}

impl Recorder {
    /// Records up to [`STEPS`] steps. Returns `true` if everything received so far has been handled.
    fn run(&mut self) -> PyResult<bool> {
        for _ in 0..STEPS {
            let Some(step) = self.replay.step() else { return Ok(true) };
            let world = self.replay.world();
            match step {
                Step::Tick { time, .. } => {
                    let Some(wanted) = &self.wanted else { continue };
                    for resident in world.entities().filter(|resident| wanted.wants(resident.guid())) {
                        self.states.push(None, time, resident, world.library());
                    }
                    wanted.check(self.states.len())?;
                }
                Step::Event(event) => {
                    self.events.push(None, &event, world.library());
                    self.event_count += 1;
                }
                Step::Named { guid, name } => {
                    self.names.insert(guid.0, name);
                }
                Step::Report { time, guid, position, shown } => {
                    self.reports.push("server", time, guid, &position, shown.as_ref());
                }
                Step::OwnReport { time, guid, position, shown } => {
                    self.reports.push("client", time, guid, &position, shown.as_ref());
                }
                _ => {}
            }
            if self.event_count.max(self.reports.len) > MAX_ROWS {
                return Err(raise::<LimitError>(format_args!("more than {MAX_ROWS} events or reports")));
            }
        }
        Ok(false)
    }
}

/// Runs a capture (a path or the bytes of a file) through the engine and returns what happened.
///
/// `cell` adds land: the path of a cell file, its Assets, or "town". `player` is the guid of the local player if the capture
/// does not name it. States are recorded of all entities after each tick, of `guids` only, or not at all.
#[pyfunction]
#[pyo3(
    signature = (
        capture, *, assets = None, cell = Land::NONE, player = None, era = EraName::default(), strict = false, states = true,
        guids = None, max_states = 10_000_000,
    ),
    text_signature = "(capture, *, assets=None, cell=None, player=None, era='retail', strict=False, states=True, guids=None, max_states=10000000)"
)]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn replay(
    py: Python<'_>,
    capture: Source,
    assets: Option<&Assets>,
    cell: Land<'_>,
    player: Option<u32>,
    era: EraName,
    strict: bool,
    states: bool,
    guids: Option<Guids>,
    max_states: usize,
) -> PyResult<ReplayResult> {
    let mut reader: AnyReader = CaptureReader::new(capture.open(py)?);
    let assets = py.detach(|| assets_or_mannequin(assets));
    if cell.is_scene() {
        return Err(PyTypeError::new_err("expected a cell file: land is loaded where the capture leads"));
    }
    let land = cell.cells(py)?.map(|cells| SceneLoader::new(&assets, &cells)).transpose();
    let settings = ReplaySettings { player: player.map(Guid), era: era.0 };
    let mut replay = Replay::new(assets, settings);
    if let Some(land) = land.map_err(|error| scene_error(&error))? {
        replay.set_land(land);
    }
    let mut recorder = Recorder {
        replay,
        states: StateColumns::default(),
        reports: ReportColumns::default(),
        events: EventColumns::default(),
        event_count: 0,
        names: BTreeMap::new(),
        wanted: states.then_some(States { guids: guids.map(|guids| guids.0), max: max_states }),
    };
    let (mut damage, mut is_read) = (Damage::default(), false);
    // Messages are read when everything before them has been handled.
    let mut run = || -> PyResult<bool> {
        for _ in 0..MESSAGES {
            if !recorder.run()? {
                return Ok(false);
            }
            if is_read {
                return Ok(true);
            }
            match reader.next_message() {
                Some(Ok(message)) => recorder.replay.receive(message.time, message.direction, message.bytes),
                Some(Err(error)) => damage.add(&error, strict)?,
                None => {
                    recorder.replay.finish();
                    is_read = true;
                }
            }
        }
        Ok(false)
    };
    while !py.detach(&mut run)? {
        py.check_signals()?;
    }
    damage.warn(py)?;
    let mut problems = damage.errors;
    problems.extend(recorder.replay.totals().problems());
    problems.extend(recorder.replay.land_problems().iter().map(ToString::to_string));
    Ok(ReplayResult {
        states: Py::new(py, recorder.states.finish(false)?)?,
        reports: Py::new(py, recorder.reports.finish()?)?,
        events: Py::new(py, recorder.events.finish(false)?)?,
        names: recorder.names,
        problems,
        ticks: recorder.replay.ticks(),
        totals: *recorder.replay.totals(),
    })
}
