//! The replay of captures, and the options that it shares with simulations.

use std::collections::BTreeMap;
use std::io::Cursor;

use acmotion::dat;
use acmotion::scene::{self, SceneLoader};
use acmotion::types::{CellPosition, Era, Guid};
use acmotion::wire::capture::CaptureReader;
use acmotion_sim::replay::{Replay, ReplaySettings, Step, report_error};
use js_sys::Object;
use rustc_hash::FxHashSet;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::assets::Assets;
use crate::bytes::Bytes;
use crate::capture::{Damage, MemoryReader};
use crate::convert::era;
use crate::errors::{Kind, Outcome, scene_error};
use crate::scene::Scene;
use crate::states::{EventLines, States, table};

/// What a replay or a simulation runs with, and what it records.
#[wasm_bindgen]
#[derive(Default)]
pub struct RunOptions {
    pub(crate) cells: Option<dat::Assets>,
    pub(crate) scene: Option<scene::Scene>,
    player: Option<Guid>,
    era: Era,
    strict: bool,
    pub(crate) wanted: Wanted,
}

/// What is recorded.
#[derive(Default)]
pub(crate) struct Wanted {
    /// The maximum number of rows of each table, and of events.
    max_rows: usize,
    /// Whether states are recorded.
    states: bool,
    /// Those of these entities; of all if `None`.
    guids: Option<FxHashSet<u32>>,
}

impl Wanted {
    /// Returns `true` if the states of an entity are recorded.
    pub(crate) fn has(&self, guid: Guid) -> bool {
        self.states && self.guids.as_ref().is_none_or(|guids| guids.contains(&guid.0))
    }

    /// Returns an error if a table has more rows than allowed.
    pub(crate) fn check(&self, what: &str, rows: usize) -> Outcome<()> {
        if rows <= self.max_rows {
            return Ok(());
        }
        let advice = if what == "states" { "name the entities of interest as guids, or " } else { "" };
        Err(Kind::Limit.error(format_args!("more than {} {what}: {advice}raise maxRows", self.max_rows)))
    }
}

#[wasm_bindgen]
impl RunOptions {
    /// Creates options for a maximum number of rows of each table, and of events.
    #[wasm_bindgen(constructor)]
    pub fn new(max_rows: usize, states: bool) -> Self {
        Self { wanted: Wanted { max_rows, states, guids: None }, ..Self::default() }
    }

    /// Sets the cell file.
    pub fn set_cells(&mut self, cells: &Assets) {
        self.cells = Some(cells.0.clone());
    }

    /// Sets the scene of a simulation.
    pub fn set_scene(&mut self, scene: &Scene) {
        self.scene = Some(scene.0.clone());
    }

    /// Sets the local player of a replay.
    pub fn set_player(&mut self, guid: u32) {
        self.player = Some(Guid(guid));
    }

    /// Sets the numbering of motion commands.
    pub fn set_era(&mut self, name: &str) -> Outcome<()> {
        self.era = era(name)?;
        Ok(())
    }

    /// Refuses captures with damaged records.
    pub fn set_strict(&mut self) {
        self.strict = true;
    }

    /// Records only the states of these entities.
    pub fn set_guids(&mut self, guids: &[u32]) {
        self.wanted.guids = Some(guids.iter().copied().collect());
    }
}

table! {
    /// The positions that the server reported, and that the local player's client sent.
    Reports {
        time: f64 = "t",
        guid: u32 = "guid",
        is_own: u8 = "own",
        cell: u32 = "cell",
        x: f32 = "x",
        y: f32 = "y",
        z: f32 = "z",
        shown_cell: u32 = "shownCell",
        shown_x: f32 = "shownX",
        shown_y: f32 = "shownY",
        shown_z: f32 = "shownZ",
        error: f32 = "error",
    }
}

impl Reports {
    fn push(
        &mut self,
        is_own: bool,
        time: f64,
        guid: Guid,
        position: &CellPosition,
        shown: Option<&CellPosition>,
    ) -> Outcome<()> {
        self.reserve(1)?;
        let origin = position.frame.origin;
        let shown_origin = shown.map(|shown| shown.frame.origin);
        self.time.push(time);
        self.guid.push(guid.0);
        self.is_own.push(is_own.into());
        self.cell.push(position.cell.0);
        self.x.push(origin.x);
        self.y.push(origin.y);
        self.z.push(origin.z);
        self.shown_cell.push(shown.map_or(0, |shown| shown.cell.0));
        self.shown_x.push(shown_origin.map_or(f32::NAN, |origin| origin.x));
        self.shown_y.push(shown_origin.map_or(f32::NAN, |origin| origin.y));
        self.shown_z.push(shown_origin.map_or(f32::NAN, |origin| origin.z));
        self.error.push(shown.map_or(f32::NAN, |shown| report_error(shown, position)));
        Ok(())
    }
}

/// What happened in a capture when it ran through the engine. JavaScript takes its parts.
#[wasm_bindgen]
pub struct ReplayResult {
    states: States,
    reports: Reports,
    events: EventLines,
    names: BTreeMap<u32, String>,
    summary: String,
}

#[wasm_bindgen]
impl ReplayResult {
    /// Removes and returns the table of states.
    pub fn states(&mut self) -> Outcome<Object> {
        std::mem::take(&mut self.states).into_js()
    }

    /// Removes and returns the table of reports.
    pub fn reports(&mut self) -> Outcome<Object> {
        std::mem::take(&mut self.reports).into_js()
    }

    /// Removes and returns some events: in each line 0 and an event as JSON. `None` at the end.
    pub fn events(&mut self) -> Option<String> {
        self.events.next()
    }

    /// Returns pairs of a guid and a name, as a JSON list.
    pub fn names(&self) -> String {
        json!(self.names.iter().collect::<Vec<_>>()).to_string()
    }

    /// Returns problems, ticks and totals as JSON.
    pub fn summary(&self) -> String {
        self.summary.clone()
    }
}

/// A replay that is being recorded.
struct Recorder {
    replay: Replay,
    wanted: Wanted,
    states: States,
    reports: Reports,
    events: EventLines,
    names: BTreeMap<u32, String>,
}

impl Recorder {
    /// Records everything that follows from what was received so far.
    fn run(&mut self) -> Outcome<()> {
        while let Some(step) = self.replay.step() {
            let world = self.replay.world();
            match step {
                Step::Tick { time, .. } => {
                    self.states.reserve(world.entities().len())?;
                    for resident in world.entities().filter(|resident| self.wanted.has(resident.guid())) {
                        self.states.push(0, time, resident, world.library());
                    }
                    self.wanted.check("states", self.states.len())?;
                }
                Step::Event(event) => {
                    self.events.push(0, &event, world.library());
                    self.wanted.check("events", self.events.len())?;
                }
                Step::Named { guid, name } => {
                    self.names.insert(guid.0, name);
                }
                Step::Report { time, guid, position, shown } => {
                    self.reports.push(false, time, guid, &position, shown.as_ref())?;
                    self.wanted.check("reports", self.reports.len())?;
                }
                Step::OwnReport { time, guid, position, shown } => {
                    self.reports.push(true, time, guid, &position, shown.as_ref())?;
                    self.wanted.check("reports", self.reports.len())?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Runs a capture through the engine.
#[wasm_bindgen]
pub fn replay(capture: Bytes, assets: &Assets, options: RunOptions) -> Outcome<ReplayResult> {
    let RunOptions { cells, player, era, strict, wanted, .. } = options;
    let land = cells.map(|cells| SceneLoader::new(&assets.0, &cells)).transpose();
    let mut replay = Replay::new(assets.0.clone(), ReplaySettings { player, era });
    if let Some(land) = land.map_err(|error| scene_error(&error))? {
        replay.set_land(land);
    }
    let mut recorder = Recorder {
        replay,
        wanted,
        states: States::default(),
        reports: Reports::default(),
        events: EventLines::default(),
        names: BTreeMap::new(),
    };
    let mut reader: MemoryReader = CaptureReader::new(Cursor::new(capture.0));
    let mut damage = Damage::default();
    while let Some(next) = reader.next_message() {
        match next {
            Ok(message) => recorder.replay.receive(message.time, message.direction, message.bytes),
            Err(error) => damage.add(&error, strict)?,
        }
        recorder.run()?;
    }
    recorder.replay.finish();
    recorder.run()?;
    let totals = recorder.replay.totals();
    let mut problems = damage.errors;
    problems.extend(totals.problems());
    problems.extend(recorder.replay.land_problems().iter().map(ToString::to_string));
    let summary = json!({
        "problems": problems,
        "ticks": recorder.replay.ticks(),
        "totals": {
            "messages": totals.messages,
            "unreadable": totals.unreadable,
            "rejected": totals.rejected,
            "snaps": totals.snaps,
            "teleports": totals.teleports,
            "silences": totals.silences,
            "skippedPauses": totals.skipped_pauses,
            "shortenedGaps": totals.shortened_gaps,
            "clampedTimes": totals.clamped_times,
        },
    });
    let Recorder { states, reports, events, names, .. } = recorder;
    Ok(ReplayResult { states, reports, events, names, summary: summary.to_string() })
}
