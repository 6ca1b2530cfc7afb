//! Captures: read message by message or as a table, and written.

use std::collections::VecDeque;
use std::ffi::CString;
use std::io::{self, Read};

use acmotion::types::{Era, MotionCommand, Stamp};
use acmotion::wire::Direction;
use acmotion::wire::capture::{self, CaptureReader, CaptureSummary, CaptureWriter, StreamSource};
use acmotion::wire::is_movement;
use acmotion_wire::json::write_message;
use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Float64Builder, LargeBinaryBuilder, LargeStringBuilder, UInt16Builder,
    UInt32Builder,
};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrow::{Table, TableBuilder};
use crate::columns::{PositionColumns, VectorColumns};
use crate::convert::{Bytes, EraName, Source};
use crate::errors::{CaptureError, decode_error, raise};
use crate::locked::Locked;
use crate::message::{Facts, Message, Stamps};

/// The reader of any capture.
pub(crate) type AnyReader = CaptureReader<StreamSource<Box<dyn Read + Send + Sync>>>;

/// The number of messages that are decoded before Python gets them, so that other threads can run meanwhile.
const BATCH: usize = 256;
/// The maximum number of errors that are kept. All are counted.
const MAX_ERRORS: usize = 1000;

/// Parses the name of a direction.
pub(crate) fn direction(name: &str) -> PyResult<Direction> {
    match name {
        "S2C" | "s2c" => Ok(Direction::S2C),
        "C2S" | "c2s" => Ok(Direction::C2S),
        other => Err(PyValueError::new_err(format!("`{other}` is not a direction: expected S2C or C2S"))),
    }
}

/// What is wrong with a capture besides its messages.
#[derive(Default)]
pub(crate) struct Damage {
    pub(crate) errors: Vec<String>,
    pub(crate) count: u64,
}

impl Damage {
    /// Adds an error. Returns it as an exception if nothing can be read at all, if the operating system refuses to read on,
    /// or if nothing damaged is tolerated.
    pub(crate) fn add(&mut self, error: &capture::CaptureError, strict: bool) -> PyResult<()> {
        if let capture::CaptureError::Io { kind, message } = error {
            return Err(io::Error::new(*kind, message.as_str()).into());
        }
        let is_nothing =
            matches!(error, capture::CaptureError::NotACapture { .. } | capture::CaptureError::Empty);
        if is_nothing || strict {
            return Err(raise::<CaptureError>(error));
        }
        self.count += 1;
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error.to_string());
        }
        Ok(())
    }

    /// Warns of records that were skipped, once for all of them.
    pub(crate) fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let Some(first) = self.errors.first() else { return Ok(()) };
        let text =
            format!("{} records of the capture are damaged and were skipped; the first: {first}", self.count);
        let text = CString::new(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
    }
}

/// A capture that is being read. Iterating over it yields its messages.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Decoder {
    state: Locked<DecoderState>,
}

struct DecoderState {
    reader: AnyReader,
    options: Options,
    ready: VecDeque<Message>,
    damage: Damage,
    /// The exception to raise once all messages before it have been returned.
    failure: Option<PyErr>,
    is_over: bool,
}

#[derive(Clone, Copy)]
struct Options {
    era: Era,
    all: bool,
    strict: bool,
}

impl DecoderState {
    fn read_batch(&mut self) {
        let Options { era, all, strict } = self.options;
        while self.ready.len() < BATCH && !self.is_over {
            match self.reader.next_message() {
                Some(Ok(message)) if all || is_movement(message.direction, message.bytes) => {
                    self.ready.push_back(Message::new(
                        message.time,
                        message.direction,
                        message.bytes,
                        era,
                        all,
                    ));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => {
                    if let Err(failure) = self.damage.add(&error, strict) {
                        (self.failure, self.is_over) = (Some(failure), true);
                    }
                }
                None => self.is_over = true,
            }
        }
    }
}

#[pymethods]
impl Decoder {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Message>> {
        if let Some(message) = self.state.with(py, |state| state.ready.pop_front())? {
            return Ok(Some(message));
        }
        let (message, failure) = self.state.with_detached(py, |state| {
            state.read_batch();
            let message = state.ready.pop_front();
            let failure = if message.is_none() { state.failure.take() } else { None };
            (message, failure)
        })?;
        failure.map_or(Ok(message), Err)
    }

    /// What was wrong with records of the capture so far: at most 1,000 sentences.
    #[getter]
    fn errors(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.state.with(py, |state| state.damage.errors.clone())
    }

    /// The counters of the capture so far, as far as it has been read: up to 256 messages ahead of the last one returned.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (summary, errors) = self.state.with(py, |state| (state.reader.summary(), state.damage.count))?;
        let CaptureSummary { first_time, last_time, truncated, .. } = summary;
        let counters = [
            ("records", summary.records),
            ("packets", summary.packets),
            ("damaged", summary.damaged),
            ("not_udp", summary.not_udp),
            ("ip_fragments", summary.ip_fragments),
            ("not_ours", summary.not_ours),
            ("undecided", summary.undecided),
            ("retransmissions", summary.retransmissions),
            ("messages_s2c", summary.messages_s2c),
            ("messages_c2s", summary.messages_c2s),
            ("fragments", summary.fragments),
            ("repeated_fragments", summary.repeated_fragments),
            ("refused_fragments", summary.refused_fragments),
            ("incomplete_messages", summary.incomplete_messages),
            ("missing_fragments", summary.missing_fragments),
            ("errors", errors),
        ];
        let dict = PyDict::new(py);
        counters.into_iter().try_for_each(|(name, count)| dict.set_item(name, count))?;
        dict.set_item("truncated", truncated)?;
        dict.set_item("first_time", first_time)?;
        dict.set_item("last_time", last_time)?;
        Ok(dict)
    }
}

/// Returns the messages of a capture (pcap, pcapng, JSON Lines; a path or the bytes of a file) as an iterator.
///
/// Without `all` only messages about movement are returned. Records that are damaged are skipped and listed in `errors`;
/// with `strict` they raise `CaptureError`. A message that cannot be decoded has its `error`.
#[pyfunction]
#[pyo3(
    signature = (source, *, era = EraName::default(), all = false, strict = false),
    text_signature = "(source, *, era='retail', all=False, strict=False)"
)]
pub(crate) fn decode(
    py: Python<'_>,
    source: Source,
    era: EraName,
    all: bool,
    strict: bool,
) -> PyResult<Decoder> {
    let state = DecoderState {
        reader: CaptureReader::new(source.open(py)?),
        options: Options { era: era.0, all, strict },
        ready: VecDeque::new(),
        damage: Damage::default(),
        failure: None,
        is_over: false,
    };
    Ok(Decoder { state: Locked::new(state) })
}

/// Decodes one message, given as bytes that start with its opcode. Raises `DecodeError` if it is not valid.
#[pyfunction]
#[pyo3(
    signature = (bytes, direction = "S2C", *, time = 0.0, era = EraName::default()),
    text_signature = "(bytes, direction='S2C', *, time=0.0, era='retail')"
)]
pub(crate) fn decode_message(
    py: Python<'_>,
    bytes: Bytes,
    direction: &str,
    time: f64,
    era: EraName,
) -> PyResult<Message> {
    let message = Message::new(time, self::direction(direction)?, &bytes.0, era.0, true);
    match &message.facts.error {
        Some(error) => Err(decode_error(py, error)),
        None => Ok(message),
    }
}

/// The columns of [`decode_table`].
#[derive(Default)]
struct MessageColumns {
    time: Float64Builder,
    direction: LargeStringBuilder,
    opcode: UInt32Builder,
    sub_opcode: UInt32Builder,
    name: LargeStringBuilder,
    guid: UInt32Builder,
    position: PositionColumns,
    velocity: VectorColumns,
    grounded: BooleanBuilder,
    style: UInt32Builder,
    axes: [(UInt32Builder, Float32Builder); 3],
    stamps: [UInt16Builder; 6],
    size: UInt32Builder,
    error: LargeStringBuilder,
    raw: LargeBinaryBuilder,
    json: LargeStringBuilder,
}

/// The names of the columns of stamps.
const STAMPS: [&str; 6] = [
    "instance_seq",
    "position_seq",
    "movement_seq",
    "teleport_seq",
    "server_control_seq",
    "force_position_seq",
];
/// The names of the columns of a motion's axes.
const AXES: [(&str, &str); 3] = [
    ("forward_command", "forward_speed"),
    ("sidestep_command", "sidestep_speed"),
    ("turn_command", "turn_speed"),
];

impl MessageColumns {
    fn push(&mut self, time: f64, direction: Direction, bytes: &[u8], facts: &Facts) {
        let id = |command: Option<MotionCommand>| command.map(|command| command.0);
        self.time.append_value(time);
        self.direction.append_value(direction.name());
        self.opcode.append_option(facts.opcode);
        self.sub_opcode.append_option(facts.sub_opcode);
        self.name.append_value(&facts.name);
        self.guid.append_option(facts.guid);
        self.position.push(facts.position.as_ref());
        self.velocity.push(facts.velocity);
        self.grounded.append_option(facts.grounded);
        self.style.append_option(id(facts.style));
        for ((commands, speeds), (command, speed)) in self.axes.iter_mut().zip(facts.axes) {
            commands.append_option(id(command));
            speeds.append_option(speed);
        }
        let Stamps { instance, position, movement, teleport, server_control, force_position } = facts.stamps;
        let stamps = [instance, position, movement, teleport, server_control, force_position];
        for (column, stamp) in self.stamps.iter_mut().zip(stamps) {
            column.append_option(stamp.map(|Stamp(number)| number));
        }
        self.size.append_value(bytes.len() as u32);
        self.error.append_option(facts.error.map(|error| error.to_string()));
        self.raw.append_value(bytes);
    }

    fn finish(mut self, with_json: bool) -> PyResult<Table> {
        let mut table = TableBuilder::default();
        table.add("time", self.time.finish());
        table.add("direction", self.direction.finish());
        table.add("opcode", self.opcode.finish());
        table.add("sub_opcode", self.sub_opcode.finish());
        table.add("name", self.name.finish());
        table.add("guid", self.guid.finish());
        self.position.finish(&mut table, "");
        self.velocity.finish(&mut table, ["vx", "vy", "vz"]);
        table.add("grounded", self.grounded.finish());
        table.add("style", self.style.finish());
        for ((command, speed), (commands, speeds)) in AXES.into_iter().zip(&mut self.axes) {
            table.add(command, commands.finish());
            table.add(speed, speeds.finish());
        }
        for (name, column) in STAMPS.into_iter().zip(&mut self.stamps) {
            table.add(name, column.finish());
        }
        table.add("size", self.size.finish());
        table.add("error", self.error.finish());
        table.add("raw", self.raw.finish());
        if with_json {
            table.add("json", self.json.finish());
        }
        table.finish()
    }
}

/// Returns the messages of a capture as a table, with the fields that most messages about movement have.
///
/// With `json` there is a column of the lines that `acmotion decode --json` prints. The other options are those of
/// `decode`.
#[pyfunction]
#[pyo3(
    signature = (source, *, era = EraName::default(), all = false, strict = false, json = false),
    text_signature = "(source, *, era='retail', all=False, strict=False, json=False)"
)]
pub(crate) fn decode_table(
    py: Python<'_>,
    source: Source,
    era: EraName,
    all: bool,
    strict: bool,
    json: bool,
) -> PyResult<Table> {
    let mut reader: AnyReader = CaptureReader::new(source.open(py)?);
    let (mut columns, mut damage, mut line) = (MessageColumns::default(), Damage::default(), Vec::new());
    loop {
        let is_over = py.detach(|| -> PyResult<bool> {
            for _ in 0..1 << 16 {
                let Some(next) = reader.next_message() else { return Ok(true) };
                match next {
                    Ok(message) if all || is_movement(message.direction, message.bytes) => {
                        let facts = Facts::of(message.direction, message.bytes, era.0);
                        columns.push(message.time, message.direction, message.bytes, &facts);
                        if json {
                            line.clear();
                            write_message(
                                &mut line,
                                message.time,
                                message.direction,
                                message.bytes,
                                era.0,
                                all,
                            );
                            columns.json.append_value(String::from_utf8_lossy(&line));
                        }
                    }
                    Ok(_) => {}
                    Err(error) => damage.add(&error, strict)?,
                }
            }
            Ok(false)
        })?;
        py.check_signals()?;
        if is_over {
            damage.warn(py)?;
            return columns.finish(json);
        }
    }
}

/// Returns messages as the bytes of a pcap file that every tool of this project reads, and Wireshark too.
///
/// Each message is a tuple of its time in seconds, its direction and its bytes, or a `Message`.
#[pyfunction]
pub(crate) fn write_capture<'py>(
    py: Python<'py>,
    messages: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let invalid = |error: &dyn std::fmt::Display| raise::<CaptureError>(error);
    let mut writer = CaptureWriter::new(Vec::new()).map_err(|error| invalid(&error))?;
    for message in messages.try_iter()? {
        let message = message?;
        let written = if let Ok(message) = message.cast::<Message>() {
            let message = message.get();
            writer.message(message.time, message.direction, &message.bytes)
        } else {
            let (time, name, bytes): (f64, String, Bytes) = message.extract()?;
            writer.message(time, direction(&name)?, &bytes.0)
        };
        written.map_err(|error| invalid(&error))?;
    }
    Ok(PyBytes::new(py, &writer.into_inner()))
}
