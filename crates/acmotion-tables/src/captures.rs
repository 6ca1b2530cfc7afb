//! The table `captures`.

use acmotion_sim::replay::Totals;
use acmotion_wire::capture::{CaptureFormat, CaptureSummary};

use crate::SCHEMA_VERSION;
use crate::column::{Name, Optional, Required, Text, Timestamp};
use crate::table::{Rows as _, table};
use crate::time::CaptureTime;

table! {
    /// One row for each capture: what it is, and how much of it could be read.
    Captures = "captures" {
        /// The path of the file as it was given; for a file in a zip archive, that of the archive, a slash and its name there.
        file: Required<Text>,
        /// The BLAKE3 hash of the unpacked capture, in hexadecimal digits. The partition is named by its first sixteen, after a `c`. If it cannot be opened or unpacked, the hash of its packed bytes, or of the name in `file` where not even these can be read, and the letter is `u`.
        hash: Required<Text>,
        /// The size of the unpacked capture in bytes; 0 if it cannot be opened or unpacked.
        bytes: Required<i64>,
        /// `pcap`, `pcapng` or `jsonl`; missing if it is none of them.
        format: Optional<Name>,
        /// The time of the first message, where the capture's clock is that of the calendar.
        started: Optional<Timestamp>,
        /// Seconds from the first message to the last.
        seconds: Optional<f64>,
        /// The number of captured packets, or of lines of JSON.
        records: Required<i64>,
        /// The number of those that belong to the game.
        packets: Required<i64>,
        /// The number of messages.
        messages: Required<i64>,
        /// The number of messages from the server.
        messages_s2c: Required<i64>,
        /// The number of messages from the client.
        messages_c2s: Required<i64>,
        /// The number of messages that could not be decoded.
        undecodable: Required<i64>,
        /// The number of parts of the capture that could not be read.
        errors: Required<i64>,
        /// The first message that could not be decoded or part that could not be read, in words.
        first_error: Optional<Text>,
        /// Where that is: the offset of its record in the unpacked capture, in bytes.
        first_bad_offset: Optional<i64>,
        /// Whether the capture ends inside a record.
        truncated: Required<bool>,
        /// The number of messages of which fragments are missing.
        incomplete_messages: Required<i64>,
        /// The local player, if the capture or `--self` names it.
        player: Optional<u32>,
        /// The number of ticks of the engine; missing if it did not run.
        ticks: Optional<i64>,
        /// The number of snaps.
        snaps: Optional<i64>,
        /// The number of teleports.
        teleports: Optional<i64>,
        /// The number of messages that the engine refused.
        rejected: Optional<i64>,
        /// What is odd about the capture's clock and its messages, in sentences.
        problems: Optional<Text>,
        /// The tables that were written.
        tables: Required<Text>,
        /// What else the rows depend on: the version of acmotion, the era, and the data that the engine used.
        settings: Required<Text>,
        /// The version of this schema.
        schema_version: Required<u32>,
    }
}

/// What is wrong with a capture.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Faults {
    /// The number of messages that could not be decoded.
    pub undecodable: u64,
    /// The number of parts of the capture that could not be read.
    pub errors: u64,
    /// The first of either, and the offset of its record in the capture.
    pub first: Option<(String, u64)>,
}

impl Faults {
    /// Returns `true` if something is wrong.
    pub fn any(&self) -> bool {
        self.undecodable + self.errors > 0
    }

    pub(crate) fn note(&mut self, what: impl FnOnce() -> String, offset: u64) {
        self.first.get_or_insert_with(|| (what(), offset));
    }
}

/// What a capture is, as far as its reader does not know.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CaptureInfo {
    /// The path of the file.
    pub file: String,
    /// The BLAKE3 hash of the unpacked capture, or of what there is of one that cannot be read, in hexadecimal digits.
    pub hash: String,
    /// The size of the unpacked capture in bytes.
    pub bytes: u64,
    /// The format of the capture; `None` if it is none.
    pub format: Option<CaptureFormat>,
}

/// What the engine counted.
#[derive(Clone, Copy)]
pub(crate) struct EngineCounts {
    pub(crate) ticks: u32,
    pub(crate) totals: Totals,
    pub(crate) player: Option<u32>,
}

/// Everything that a row is made of.
pub(crate) struct CaptureRow<'a> {
    pub(crate) info: &'a CaptureInfo,
    pub(crate) clock: CaptureTime,
    /// The time of the last message, on the capture's clock.
    pub(crate) last_time: Option<f64>,
    pub(crate) summary: CaptureSummary,
    pub(crate) faults: &'a Faults,
    pub(crate) engine: Option<EngineCounts>,
    pub(crate) tables: &'a str,
    pub(crate) settings: &'a str,
}

impl CaptureRow<'_> {
    /// Returns the columns that say what was in the capture and what is wrong with it, for [`StoredCapture`].
    ///
    /// [`StoredCapture`]: crate::StoredCapture
    pub(crate) fn contents(&self) -> Vec<(&'static str, String)> {
        let Faults { undecodable, errors, first } = self.faults;
        let mut contents = vec![
            ("messages", self.summary.messages().to_string()),
            ("undecodable", undecodable.to_string()),
            ("errors", errors.to_string()),
        ];
        if let Some((what, offset)) = first {
            contents.extend([("first_error", what.clone()), ("first_bad_offset", offset.to_string())]);
        }
        contents
    }
}

impl Captures {
    /// Sets the values of a row.
    pub(crate) fn push(&mut self, capture: &CaptureRow<'_>) {
        let row = self.len();
        let CaptureRow { info, summary, faults, .. } = capture;
        self.file.push(&info.file);
        self.hash.push(&info.hash);
        self.bytes.push(info.bytes as i64);
        self.format.set_some(row, info.format.map(CaptureFormat::name));
        self.started.set_some(row, capture.clock.start_micros());
        self.seconds.set_some(row, capture.last_time.map(|time| capture.clock.since_start(time)));
        self.records.push(summary.records as i64);
        self.packets.push(summary.packets as i64);
        self.messages.push(summary.messages() as i64);
        self.messages_s2c.push(summary.messages_s2c as i64);
        self.messages_c2s.push(summary.messages_c2s as i64);
        self.undecodable.push(faults.undecodable as i64);
        self.errors.push(faults.errors as i64);
        if let Some((what, offset)) = &faults.first {
            self.first_error.set(row, what);
            self.first_bad_offset.set(row, *offset as i64);
        }
        self.truncated.push(summary.truncated);
        self.incomplete_messages.push(summary.incomplete_messages as i64);
        if let Some(EngineCounts { ticks, totals, player }) = capture.engine {
            self.player.set_some(row, player);
            self.ticks.set(row, ticks.into());
            self.snaps.set(row, totals.snaps as i64);
            self.teleports.set(row, totals.teleports as i64);
            self.rejected.set(row, totals.rejected as i64);
            let problems = totals.problems().join("; ");
            self.problems.set_some(row, Some(problems.as_str()).filter(|problems| !problems.is_empty()));
        }
        self.tables.push(capture.tables);
        self.settings.push(capture.settings);
        self.schema_version.push(SCHEMA_VERSION);
    }
}
