//! Recordings: captures that are run through the engine, results of other runs, scenarios, and captures that are still
//! being written.

mod explanations;
#[cfg(feature = "server")]
mod feed;
mod interest;
mod recordings;
mod result;
mod runner;
mod scenario;
mod verdicts;

use std::sync::{Arc, OnceLock, RwLock};

use acmotion::dat::Assets;
use acmotion::types::Guid;
use acmotion_sim::replay::ReplaySettings;
use acmotion_sim::soak::Digest;
use bitflags::bitflags;

pub(crate) use explanations::ExplanationRun;
#[cfg(feature = "server")]
pub(crate) use feed::follow;
pub(crate) use interest::{Interest, InterestWatch};
pub(crate) use recordings::Recordings;

use crate::files::{DatFile, Files};
use crate::protocol::api::{RecordingKind, RecordingSummary};
use crate::protocol::{LandKind, ViewInfo};
use crate::record::{BodyKey, Limits, SharedTimeline, Timeline, View, read};
use explanations::Explanations;

/// The limits of a recording: all of it, but of a long one not every tick.
const LIMITS: Limits = Limits { seconds: f64::INFINITY, bytes: 192 << 20, thins: true };
/// The limits of a capture that is still being written.
#[cfg(feature = "server")]
const LIVE_LIMITS: Limits = Limits { seconds: 3600.0, bytes: 192 << 20, thins: false };

/// The data that recordings are run with.
#[derive(Clone)]
pub(crate) struct Sources {
    /// Setups, motion tables and meshes.
    pub(crate) assets: Assets,
    /// The land; `None` for level ground.
    pub(crate) cells: Option<Assets>,
    /// How captures are read.
    pub(crate) settings: ReplaySettings,
    /// The numbers of the files.
    pub(crate) numbers: FileNumbers,
    /// The number of the built-in dat file, with which scenarios are simulated.
    pub(crate) mannequin: u32,
}

/// The numbers of the files that a recording was opened with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FileNumbers {
    pub(crate) dat: u32,
    /// The cell file with its land; `None` for level ground.
    pub(crate) cell: Option<u32>,
}

impl Sources {
    /// Creates sources from a dat file, and a cell file if there is land.
    pub(crate) fn new(
        files: &Files,
        dat: &DatFile,
        cell: Option<&DatFile>,
        settings: ReplaySettings,
    ) -> Self {
        Self {
            assets: dat.assets.clone(),
            cells: cell.map(|cell| cell.assets.clone()),
            settings,
            numbers: FileNumbers { dat: dat.number, cell: cell.map(|cell| cell.number) },
            mannequin: files.mannequin().number,
        }
    }

    /// Returns the land of captures and results.
    fn land_kind(&self) -> LandKind {
        if self.cells.is_some() { LandKind::Cells } else { LandKind::Level }
    }
}

#[cfg(test)]
impl Default for Sources {
    fn default() -> Self {
        let files = Files::new((Assets::mannequin(), "mannequin".into()), None);
        Self::new(&files, files.dat(), None, ReplaySettings::default())
    }
}

bitflags! {
    /// What the ticks of a recording have of a body besides its position.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct StateFields: u8 {
        const ROTATION = 1;
        const STYLE = 2;
        const SUBSTATE = 4;
        const ACTION = 8;
        const SCALE = 16;
    }
}

/// A timeline that can be played, with what is known about it.
pub(crate) struct Recording {
    name: String,
    kind: RecordingKind,
    timeline: SharedTimeline,
    player: OnceLock<Guid>,
    land: LandKind,
    views: Vec<ViewInfo>,
    notes: Vec<String>,
    explanations: Explanations,
    files: FileNumbers,
    fields: StateFields,
    /// The digest of the file; `None` if it is still being read.
    digest: Option<u64>,
}

impl Recording {
    /// Opens a file. Its kind is recognised by its content, a scenario also by its name.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file cannot be read. If the interest is lost, that is a reason too.
    pub(crate) fn open(
        sources: &Sources,
        name: &str,
        bytes: &[u8],
        watch: &InterestWatch,
    ) -> Result<Self, String> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(String::from("the file is empty"));
        }
        let digest = Some(Digest::of(bytes).value());
        if !result::is_result(bytes) && scenario::is_scenario(name, bytes) {
            let files = FileNumbers { dat: sources.mannequin, cell: None };
            return scenario::open(name, bytes, watch).map(|recording| Self { files, digest, ..recording });
        }
        let recording = if result::is_result(bytes) {
            result::open(&sources.assets, name, bytes, watch)?
        } else {
            runner::open(sources, name, bytes, watch)?
        };
        Ok(Self { files: sources.numbers, land: sources.land_kind(), digest, ..recording })
    }

    fn new(name: &str, kind: RecordingKind, timeline: Timeline) -> Self {
        Self {
            name: name.into(),
            kind,
            timeline: Arc::new(RwLock::new(timeline)),
            player: OnceLock::new(),
            land: LandKind::Level,
            views: vec![view(0, "recording", "What the recording shows.")],
            notes: Vec::new(),
            explanations: Explanations::default(),
            files: FileNumbers::default(),
            fields: StateFields::all(),
            digest: None,
        }
    }

    /// Returns what its ticks have of a body. A result may lack some of it.
    pub(crate) fn fields(&self) -> StateFields {
        self.fields
    }

    /// Returns the numbers of the files that it was opened with.
    pub(crate) fn files(&self) -> FileNumbers {
        self.files
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn timeline(&self) -> SharedTimeline {
        Arc::clone(&self.timeline)
    }

    /// Returns the player, or `None` if it is not known.
    pub(crate) fn player(&self) -> Option<Guid> {
        self.player.get().copied()
    }

    pub(crate) fn land(&self) -> LandKind {
        self.land
    }

    pub(crate) fn views(&self) -> &[ViewInfo] {
        &self.views
    }

    /// Starts to explain an entity tick by tick in the background. Returns `None` if the ticks have the explanations
    /// already, or if the recording cannot be run again.
    pub(crate) fn explain(&self, key: BodyKey) -> Option<ExplanationRun> {
        self.explanations.explain(key)
    }

    pub(crate) fn summary(&self, id: u32) -> RecordingSummary {
        let timeline = read(&self.timeline);
        let (start, end) = timeline.span();
        RecordingSummary {
            id,
            name: self.name.clone(),
            kind: self.kind,
            live: !timeline.has_ended,
            messages: timeline.messages.end(),
            ticks: timeline.len(),
            entities: timeline.entities.len(),
            seconds: end - start,
            start: timeline.clock_start + start,
            dat: self.files.dat,
            cell: self.files.cell,
            digest: self.digest.map(|digest| format!("{digest:016x}")),
            notes: self.notes.clone(),
        }
    }
}

fn view(view: View, name: impl Into<String>, description: impl Into<String>) -> ViewInfo {
    ViewInfo { view, name: name.into(), description: description.into() }
}
