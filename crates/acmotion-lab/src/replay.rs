//! Recordings: captures run through the engine once, results of other runs, scenes; and a capture that is still coming.

mod feed;
mod result;
mod runner;
mod scene;
mod shelf;
mod whys;

use std::sync::{Arc, OnceLock, RwLock};

use acmotion::dat::Assets;
use acmotion::types::Guid;
use serde_json::{Value, json};

pub(crate) use feed::follow;
pub(crate) use shelf::Recordings;
pub(crate) use whys::Whys;

use crate::record::{Key, Limits, Tape};
use crate::session::{SharedTape, read};
use whys::WhyShelf;

/// What the tape of a recording holds: all of it, if need be not every tick.
const LIMITS: Limits = Limits { seconds: f64::INFINITY, bytes: 192 << 20, thins: true };
/// What the tape of a capture that is still coming holds.
const LIVE_LIMITS: Limits = Limits { seconds: 3600.0, bytes: 192 << 20, thins: false };

/// What recordings are run with.
#[derive(Clone)]
pub(crate) struct Sources {
    /// Setups, motion tables, meshes.
    pub(crate) assets: Assets,
    /// The land, if there is a file of it.
    pub(crate) cells: Option<Assets>,
}

/// Where a recording comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origins {
    /// A capture, run through the engine.
    Capture,
    /// What `replay --json` or `simulate --json` wrote.
    Result,
    /// A scene that was run.
    Scene,
}

impl Origins {
    const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Result => "result",
            Self::Scene => "scene",
        }
    }
}

/// Something that can be wound through.
pub(crate) struct Recording {
    name: String,
    kind: Origins,
    tape: SharedTape,
    player: OnceLock<Guid>,
    views: Vec<(u8, String, String)>,
    notes: Vec<String>,
    whys: WhyShelf,
}

impl Recording {
    /// Opens a file by what is in it.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    pub(crate) fn open(sources: &Sources, name: &str, bytes: &[u8]) -> Result<Self, String> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(String::from("the file is empty"));
        }
        if result::is_result(bytes) {
            return result::open(&sources.assets, name, bytes);
        }
        if scene::is_scene(name, bytes) {
            return scene::open(name, bytes);
        }
        runner::open(sources, name, bytes)
    }

    fn new(name: &str, kind: Origins, tape: Tape) -> Self {
        Self {
            name: name.into(),
            kind,
            tape: Arc::new(RwLock::new(tape)),
            player: OnceLock::new(),
            views: vec![(0, "recording".into(), "what the recording shows".into())],
            notes: Vec::new(),
            whys: WhyShelf::default(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn tape(&self) -> SharedTape {
        Arc::clone(&self.tape)
    }

    /// Who the player is, if that is known.
    pub(crate) fn player(&self) -> Option<Guid> {
        self.player.get().copied()
    }

    pub(crate) fn views(&self) -> Value {
        let view = |(view, name, words): &(u8, String, String)| json!({ "view": view, "name": name, "words": words });
        self.views.iter().map(view).collect()
    }

    /// Why somebody moved as he did, tick by tick, where the tape does not have it: worked out in the background.
    pub(crate) fn whys(&self, key: Key) -> Option<Whys> {
        self.whys.of(key)
    }

    /// What is said about it when it is opened.
    pub(crate) fn summary(&self) -> Value {
        let tape = read(&self.tape);
        let (start, end) = (tape.first().map_or(0.0, |tick| tick.t), tape.last().map_or(0.0, |tick| tick.t));
        json!({
            "name": self.name, "kind": self.kind.name(), "live": !tape.has_ended, "messages": tape.mail.end(),
            "ticks": tape.len(), "entities": tape.roster.len(), "seconds": end - start, "start": start,
            "notes": self.notes,
        })
    }
}
