//! Captures and single messages.

use std::io::Cursor;

use acmotion::types::Era;
use acmotion::wire::capture::{self, CaptureReader, CaptureSummary, GameMessage, StreamSource};
use acmotion::wire::json::write_message;
use acmotion::wire::{Direction, decode_c2s, decode_s2c};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::bytes::Bytes;
use crate::convert::{direction, era};
use crate::errors::{Kind, Outcome};

/// The reader of any capture that is in memory.
pub(crate) type MemoryReader = CaptureReader<StreamSource<Cursor<Vec<u8>>>>;

/// The size, in bytes, from which on a batch of messages is returned to JavaScript.
const BATCH_SIZE: usize = 256 << 10;
/// The maximum number of errors that are kept. All are counted.
const MAX_ERRORS: usize = 1000;

/// What is wrong with a capture besides its messages.
#[derive(Default)]
pub(crate) struct Damage {
    pub(crate) errors: Vec<String>,
    count: u64,
}

impl Damage {
    /// Adds an error. Returns it if nothing can be read at all, or if nothing damaged is tolerated.
    pub(crate) fn add(&mut self, error: &capture::CaptureError, strict: bool) -> Outcome<()> {
        let is_nothing =
            matches!(error, capture::CaptureError::NotACapture { .. } | capture::CaptureError::Empty);
        if is_nothing || strict {
            return Err(Kind::Capture.error(error));
        }
        self.count += 1;
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error.to_string());
        }
        Ok(())
    }
}

/// A capture that is being read.
#[wasm_bindgen]
pub struct Decoder {
    reader: MemoryReader,
    era: Era,
    all: bool,
    strict: bool,
    damage: Damage,
    lines: Vec<u8>,
    /// Why reading ended early; thrown once all messages before it have been returned.
    failure: Option<JsValue>,
}

#[wasm_bindgen]
impl Decoder {
    /// Creates a reader of a file: pcap, pcapng or JSON Lines.
    #[wasm_bindgen(constructor)]
    pub fn new(file: Bytes, era_name: &str, all: bool, strict: bool) -> Outcome<Self> {
        Ok(Self {
            reader: CaptureReader::new(Cursor::new(file.0)),
            era: era(era_name)?,
            all,
            strict,
            damage: Damage::default(),
            lines: Vec::new(),
            failure: None,
        })
    }

    /// Returns the next messages, lines of `acmotion decode --json` with line ends. It is empty at the end.
    pub fn next_lines(&mut self) -> Outcome<String> {
        self.lines.clear();
        while self.failure.is_none() && self.lines.len() < BATCH_SIZE {
            let Some(next) = self.reader.next_message() else { break };
            match next {
                Ok(GameMessage { time, direction, bytes, .. }) => {
                    if write_message(&mut self.lines, time, direction, bytes, self.era, self.all) {
                        self.lines.push(b'\n');
                    }
                }
                Err(error) => self.failure = self.damage.add(&error, self.strict).err(),
            }
        }
        if self.lines.is_empty()
            && let Some(failure) = self.failure.take()
        {
            return Err(failure);
        }
        Ok(String::from_utf8_lossy(&self.lines).into_owned())
    }

    /// Returns what was wrong with records of the capture so far: at most 1,000 sentences.
    pub fn errors(&self) -> Vec<String> {
        self.damage.errors.clone()
    }

    /// Returns the counters of the capture so far as JSON.
    pub fn summary(&self) -> String {
        let summary: CaptureSummary = self.reader.summary();
        let fields = json!({
            "records": summary.records,
            "packets": summary.packets,
            "damaged": summary.damaged,
            "notUdp": summary.not_udp,
            "ipFragments": summary.ip_fragments,
            "notOurs": summary.not_ours,
            "undecided": summary.undecided,
            "retransmissions": summary.retransmissions,
            "messagesS2C": summary.messages_s2c,
            "messagesC2S": summary.messages_c2s,
            "fragments": summary.fragments,
            "repeatedFragments": summary.repeated_fragments,
            "refusedFragments": summary.refused_fragments,
            "incompleteMessages": summary.incomplete_messages,
            "missingFragments": summary.missing_fragments,
            "errors": self.damage.count,
            "truncated": summary.truncated,
            "firstTime": summary.first_time,
            "lastTime": summary.last_time,
        });
        fields.to_string()
    }
}

/// Decodes one message, given as bytes that start with its opcode. Returns a line of `acmotion decode --json`.
#[wasm_bindgen]
pub fn decode_message(bytes: &[u8], direction_name: &str, time: f64, era_name: &str) -> Outcome<String> {
    let (direction, era) = (direction(direction_name)?, era(era_name)?);
    let decoded = match direction {
        Direction::S2C => decode_s2c(bytes, era).map(drop),
        Direction::C2S => decode_c2s(bytes, era).map(drop),
    };
    decoded.map_err(Kind::Decode.of())?;
    let mut line = Vec::new();
    write_message(&mut line, time, direction, bytes, era, true);
    Ok(String::from_utf8_lossy(&line).into_owned())
}
