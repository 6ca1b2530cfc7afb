//! The export of one capture.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acmotion::scene::SceneLoader;
use acmotion_dat::Assets;
use acmotion_sim::replay::{Replay, ReplaySettings};
use acmotion_tables::{CaptureExport, CaptureInfo, ExportOptions, Exported, Faults, Table};
use acmotion_types::Guid;
use acmotion_wire::capture::{CaptureReader, CaptureSummary};
use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::dataset::{Dataset, Output, Unfinished};
use super::hash::{Hashing, Identity};
use super::{lock, optional};
use crate::captures::CaptureFile;
use crate::output::{Progress, counted};

/// What all captures share.
pub(super) struct Job {
    pub(super) dataset: Dataset,
    pub(super) options: ExportOptions,
    pub(super) assets: Assets,
    pub(super) cells: Option<Assets>,
    pub(super) player: Option<Guid>,
    /// The captures that were exported in this run, by their keys: the place of each among all.
    pub(super) exported: Mutex<HashMap<String, usize>>,
}

/// What became of a capture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Exported,
    /// It was there before this run.
    Present,
    /// Another capture of this run has the same contents.
    Duplicate,
    /// The file could not be opened or unpacked. A row of `captures` says why.
    Unreadable,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Exported => "exported",
            Self::Present => "present",
            Self::Duplicate => "duplicate",
            Self::Unreadable => "unreadable",
        }
    }
}

/// What became of a capture, and what is in it.
pub(super) struct Outcome {
    pub(super) file: String,
    pub(super) status: Status,
    key: Option<String>,
    /// The unpacked size in bytes.
    pub(super) bytes: u64,
    messages: u64,
    faults: Faults,
    rows: Vec<(Table, u64)>,
}

impl Outcome {
    fn new(file: String, status: Status) -> Self {
        let (faults, rows) = (Faults::default(), Vec::new());
        Self { file, status, key: None, bytes: 0, messages: 0, faults, rows }
    }

    /// Returns the number of rows that were written to a table.
    pub(super) fn rows(&self, table: Table) -> Option<u64> {
        self.rows.iter().find(|(written, _)| *written == table).map(|(_, rows)| *rows)
    }

    /// Returns what is wrong with the capture; `None` if nothing is, or if an earlier run has said so.
    pub(super) fn problem(&self) -> Option<String> {
        let (first, offset) = self.faults.first.as_ref()?;
        if self.status == Status::Unreadable {
            return Some(first.clone());
        }
        if self.status == Status::Present {
            return None;
        }
        let parts =
            [(self.faults.errors, "unreadable part"), (self.faults.undecodable, "undecodable message")];
        let parts =
            parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun));
        let parts = parts.collect::<Vec<_>>().join(", ");
        Some(format!("{parts}; the first at offset {offset}: {first}"))
    }

    pub(super) fn json(&self) -> Value {
        let rows: Map<String, Value> =
            self.rows.iter().map(|(table, rows)| (table.name().into(), (*rows).into())).collect();
        let (first_error, offset) = self.faults.first.clone().unzip();
        json!({
            "file": self.file, "status": self.status.name(), "capture": self.key, "bytes": self.bytes,
            "messages": self.messages, "errors": self.faults.errors, "undecodable": self.faults.undecodable,
            "first_error": optional(first_error), "first_bad_offset": optional(offset), "rows": rows,
        })
    }
}

/// The number of messages after which the progress is shown.
const PROGRESS_STEP: u32 = 4_096;

impl Job {
    /// Checks that there is land in the cell file, before anything is written.
    pub(super) fn check_land(&self) -> anyhow::Result<()> {
        self.land().map(drop)
    }

    fn land(&self) -> anyhow::Result<Option<SceneLoader>> {
        let loader = self.cells.as_ref().map(|cells| SceneLoader::new(&self.assets, cells));
        loader.transpose().context("--cell needs the region of the dat file")
    }

    fn replay(&self) -> anyhow::Result<Option<Replay>> {
        if !self.options.needs_engine() {
            return Ok(None);
        }
        let settings = ReplaySettings { player: self.player, era: self.options.era };
        let mut replay = Replay::new(self.assets.clone(), settings);
        if let Some(land) = self.land()? {
            replay.set_land(land);
        }
        Ok(Some(replay))
    }

    /// Exports a capture, unless it is there already. `number` is its place among the captures of this run.
    ///
    /// # Errors
    /// Returns an error if the tables cannot be written. What is wrong with the capture is part of the outcome.
    pub(super) fn export(
        &self,
        number: usize,
        capture: &CaptureFile,
        progress: &Progress,
    ) -> anyhow::Result<Outcome> {
        if self.dataset.had_captures && !capture.is_standard_input() {
            // A second pass over a new capture is cheap beside the export, and none over one that is there is cheaper.
            if let Ok(input) = capture.open(Arc::default()) {
                // An earlier run may not even have got at its packed bytes.
                self.dataset.remove(&Identity::unreadable(None::<io::Empty>, &capture.name()).key())?;
                let identity = Hashing::new(input).finish();
                if let Some(stored) = self.dataset.find(&identity.key(), &self.options) {
                    progress.add(capture.size.unwrap_or(0));
                    return Ok(Outcome {
                        key: Some(identity.key()),
                        bytes: identity.len,
                        messages: stored.messages,
                        faults: stored.faults,
                        ..Outcome::new(capture.name(), Status::Present)
                    });
                }
            }
        }
        let read = Arc::new(AtomicU64::new(0));
        let exported = match capture.open(Arc::clone(&read)) {
            Ok(input) => self.export_new(number, capture, Hashing::new(input), &read, progress),
            Err(error) => self.export_unreadable(number, capture, &error, progress),
        };
        exported.with_context(|| format!("{}: the tables of {}", self.dataset, capture.name()))
    }

    /// Writes the row of a file that cannot be opened or unpacked, and tables without rows, unless they are there already.
    fn export_unreadable(
        &self,
        number: usize,
        capture: &CaptureFile,
        error: &io::Error,
        progress: &Progress,
    ) -> anyhow::Result<Outcome> {
        let (file, reason) = (capture.name(), error.to_string());
        // What comes through standard input cannot be read again.
        let packed = Some(capture).filter(|capture| !capture.is_standard_input());
        let packed = packed.and_then(|capture| capture.open_packed().ok());
        let identity = Identity::unreadable(packed, &file);
        progress.add(capture.size.unwrap_or(0));
        let key = identity.key();
        let mut rows = Vec::new();
        if self.dataset.find(&key, &self.options).is_none() || lock(&self.exported).contains_key(&key) {
            let unfinished = self.dataset.begin()?;
            let mut export =
                CaptureExport::new(&self.options, self.replay()?, |table| unfinished.create(table))?;
            export.note_unreadable(&reason);
            let info = CaptureInfo { file: file.clone(), hash: identity.hash, bytes: 0, format: None };
            rows = self.finish(number, &key, export, &CaptureSummary::default(), &info, &unfinished)?.0;
        }
        let faults = Faults { errors: 1, first: Some((reason, 0)), ..Faults::default() };
        Ok(Outcome { key: Some(key), faults, rows, ..Outcome::new(file, Status::Unreadable) })
    }

    fn export_new(
        &self,
        number: usize,
        capture: &CaptureFile,
        mut input: Hashing<crate::unpack::Unpacked>,
        read: &AtomicU64,
        progress: &Progress,
    ) -> anyhow::Result<Outcome> {
        let unfinished = self.dataset.begin()?;
        let mut export = CaptureExport::new(&self.options, self.replay()?, |table| unfinished.create(table))?;
        let mut reader = CaptureReader::new(&mut input);
        let (mut shown, mut steps) = (0, 0_u32);
        let mut show = || {
            let now = read.load(Ordering::Relaxed);
            progress.add(now - shown);
            shown = now;
        };
        while export.step(&mut reader)? {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(PROGRESS_STEP) {
                show();
            }
        }
        let (summary, format) = (reader.summary(), reader.format());
        let identity = input.finish();
        show();
        let (file, key) = (capture.name(), identity.key());
        let info = CaptureInfo { file, hash: identity.hash, bytes: identity.len, format };
        let (rows, faults) = self.finish(number, &key, export, &summary, &info, &unfinished)?;
        Ok(Outcome {
            key: Some(key),
            bytes: info.bytes,
            messages: summary.messages(),
            faults,
            rows,
            ..Outcome::new(info.file, Status::Exported)
        })
    }

    /// Ends the tables of a capture and moves them to their places. Returns the numbers of their rows and what is wrong with it.
    fn finish(
        &self,
        number: usize,
        key: &str,
        export: CaptureExport<Output>,
        summary: &CaptureSummary,
        info: &CaptureInfo,
        unfinished: &Unfinished,
    ) -> anyhow::Result<(Vec<(Table, u64)>, Faults)> {
        let captures = unfinished.create(Table::Captures)?;
        let Exported { tables, faults } = export.finish(summary, info, captures)?;
        let rows: Vec<(Table, u64)> = tables.iter().map(|(table, _, rows)| (*table, *rows)).collect();
        for (_, mut output, _) in tables {
            let output: &mut Output = &mut output;
            output.flush()?;
        }
        let written = rows.iter().filter(|(_, rows)| self.dataset.gets_file(*rows)).map(|(table, _)| *table);
        self.publish(number, key, unfinished, &written.collect::<Vec<_>>())?;
        Ok((rows, faults))
    }

    /// Moves the tables of a capture to their places, unless an earlier capture of this run has the same contents.
    fn publish(
        &self,
        number: usize,
        key: &str,
        unfinished: &Unfinished,
        tables: &[Table],
    ) -> anyhow::Result<()> {
        // Held while files are moved, so that two captures of the same contents do not mix.
        let mut exported = lock(&self.exported);
        if exported.get(key).is_none_or(|first| number < *first) {
            self.dataset.publish(unfinished, key, tables)?;
            exported.insert(key.into(), number);
        }
        Ok(())
    }

    /// Marks the captures that have the contents of an earlier one.
    pub(super) fn mark_duplicates(&self, outcomes: &mut [Outcome]) {
        let exported = lock(&self.exported);
        for (number, outcome) in outcomes.iter_mut().enumerate() {
            let first = outcome.key.as_ref().and_then(|key| exported.get(key));
            if first.is_some_and(|first| *first < number) {
                if outcome.status != Status::Unreadable {
                    outcome.status = Status::Duplicate;
                }
                outcome.rows.clear();
            }
        }
    }
}
