//! One capture, message by message, to all of its tables.

use std::io;

use acmotion_sim::replay::Replay;
use acmotion_types::Era;
use acmotion_wire::capture::{CaptureReader, CaptureSource, CaptureSummary, GameMessage};
use acmotion_wire::{C2S, DecodeError, Direction, S2C, decode_c2s, decode_s2c};

use crate::captures::{CaptureInfo, CaptureRow, Captures, Faults};
use crate::engine::{Engine, EngineTables};
use crate::messages::{Decoded, Messages, Place};
use crate::sends::{LastSend, Sends};
use crate::table::{Rows, TableContext, TableOutput, TableWriter};
use crate::time::CaptureTime;
use crate::{Format, SCHEMA_VERSION, Table, TableError};

/// What is written of a capture, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportOptions {
    /// The format of the tables.
    pub format: Format,
    /// The tables to write. [`Table::Captures`] is always written.
    pub tables: Vec<Table>,
    /// Whether `states` has a row for each entity and tick, and not only where something changed.
    pub every_tick: bool,
    /// The client version whose numbering the motion commands follow.
    pub era: Era,
    /// The memory that rows may take until they are written, in bytes. Some more is needed to encode them.
    pub memory: usize,
    /// What else the rows depend on, in words. It is kept in the table `captures`, without commas, quotes and line ends.
    pub settings: String,
}

impl ExportOptions {
    /// Returns `true` if one of the tables needs the engine.
    pub fn needs_engine(&self) -> bool {
        self.tables.iter().any(|table| table.needs_engine())
    }

    /// Returns `true` if a table is written.
    pub fn has(&self, table: Table) -> bool {
        table == Table::Captures || self.tables.contains(&table)
    }

    /// Returns the settings as they are kept, so that they need no quotes in a line of values.
    pub(crate) fn clean_settings(&self) -> String {
        self.settings.replace([',', '"', '\n', '\r'], "_")
    }

    /// Returns the names of the tables, in their order.
    pub fn table_names(&self) -> String {
        let names: Vec<&str> =
            Table::ALL.iter().filter(|table| self.has(**table)).map(|table| table.name()).collect();
        names.join(" ")
    }
}

/// A capture that is being exported: give it a reader until that is at its end, then [finish](Self::finish).
pub struct CaptureExport<W: TableOutput> {
    options: ExportOptions,
    context: TableContext,
    clock: CaptureTime,
    /// The time of the last message, on the capture's clock.
    last_time: Option<f64>,
    number: i64,
    messages: Option<TableWriter<Messages, W>>,
    sends: Option<TableWriter<Sends, W>>,
    last_send: LastSend,
    engine: Option<Engine<W>>,
    faults: Faults,
}

/// What has been written of a capture.
pub struct Exported<W> {
    /// The tables, complete, with the number of their rows.
    pub tables: Vec<(Table, W, u64)>,
    /// What is wrong with it.
    pub faults: Faults,
}

impl<W: TableOutput> CaptureExport<W> {
    /// Starts to export a capture. `replay` has to be there if one of the tables needs the engine; `open` opens the output
    /// of a table.
    ///
    /// # Errors
    /// Returns an error if an output cannot be opened or written.
    pub fn new(
        options: &ExportOptions,
        replay: Option<Replay>,
        mut open: impl FnMut(Table) -> io::Result<W>,
    ) -> Result<Self, TableError> {
        let (options, context) = (options.clone(), TableContext::new(options.format, options.memory)?);
        let messages = start(&options, &context, Table::Messages, &mut open)?;
        let sends = start(&options, &context, Table::Sends, &mut open)?;
        let engine = match replay.filter(|_| options.needs_engine()) {
            None => None,
            Some(replay) => {
                let tables = EngineTables {
                    entities: start(&options, &context, Table::Entities, &mut open)?,
                    reports: start(&options, &context, Table::Reports, &mut open)?,
                    states: start(&options, &context, Table::States, &mut open)?,
                    events: start(&options, &context, Table::Events, &mut open)?,
                };
                Some(Engine::new(replay, tables, options.every_tick))
            }
        };
        Ok(Self {
            options,
            context,
            clock: CaptureTime::default(),
            last_time: None,
            number: 0,
            messages,
            sends,
            last_send: LastSend::default(),
            engine,
            faults: Faults::default(),
        })
    }

    /// Reads and exports the next message. Returns `false` at the end of the capture.
    ///
    /// # Errors
    /// Returns an error if a table cannot be written. What is wrong with the capture is none: it is counted.
    pub fn step<S: CaptureSource>(&mut self, reader: &mut CaptureReader<S>) -> Result<bool, TableError> {
        // The offset is that of the message or error, and cannot be asked for while the message is borrowed.
        let offset = |reader: &CaptureReader<S>| reader.record_offset();
        let problem = match reader.next_message() {
            None => return Ok(false),
            Some(Ok(message)) => self.message(&message)?,
            Some(Err(error)) => {
                self.faults.errors += 1;
                Some(error.to_string())
            }
        };
        if let Some(problem) = problem {
            self.faults.note(|| problem, offset(reader));
        }
        Ok(true)
    }

    /// Counts the whole capture as one part that cannot be read: it cannot be opened or unpacked. There is no reader for it.
    pub fn note_unreadable(&mut self, reason: &str) {
        self.faults.errors += 1;
        self.faults.note(|| reason.into(), 0);
    }

    /// Exports a message. Returns what is wrong with it.
    fn message(&mut self, message: &GameMessage<'_>) -> Result<Option<String>, TableError> {
        let GameMessage { time, direction, bytes, .. } = *message;
        self.clock.note(time);
        self.last_time = Some(time);
        let place = Place { number: self.number, time, direction };
        self.number += 1;
        let error = match direction {
            Direction::S2C => match &decode_s2c(bytes, self.options.era) {
                Ok(decoded) => {
                    self.row(place, bytes, Decoded::Server(decoded))?;
                    self.run_engine(message, place, Some(decoded))?;
                    return Ok(None);
                }
                Err(error) => *error,
            },
            Direction::C2S => match &decode_c2s(bytes, self.options.era) {
                Ok(decoded) => {
                    self.row(place, bytes, Decoded::Client(decoded))?;
                    self.send(place, decoded)?;
                    self.run_engine(message, place, None)?;
                    return Ok(None);
                }
                Err(error) => *error,
            },
        };
        self.undecodable(message, place, &error).map(Some)
    }

    #[cold]
    fn undecodable(
        &mut self,
        message: &GameMessage<'_>,
        place: Place,
        error: &DecodeError,
    ) -> Result<String, TableError> {
        self.faults.undecodable += 1;
        self.row(place, message.bytes, Decoded::Undecodable(error))?;
        self.run_engine(message, place, None)?;
        Ok(format!("message {}: {error}", place.number))
    }

    #[inline]
    fn row(&mut self, place: Place, bytes: &[u8], decoded: Decoded<'_, '_>) -> Result<(), TableError> {
        match &mut self.messages {
            Some(messages) => {
                messages.rows.push(place, &self.clock, bytes, decoded);
                messages.end_row()
            }
            None => Ok(()),
        }
    }

    fn send(&mut self, place: Place, message: &C2S<'_>) -> Result<(), TableError> {
        let Some(sends) = &mut self.sends else { return Ok(()) };
        let moment = self.clock.moment(place.time);
        if sends.rows.push(place.number, moment, message, &mut self.last_send) {
            sends.end_row()?;
        }
        Ok(())
    }

    fn run_engine(
        &mut self,
        message: &GameMessage<'_>,
        place: Place,
        decoded: Option<&S2C<'_>>,
    ) -> Result<(), TableError> {
        let Some(engine) = &mut self.engine else { return Ok(()) };
        let object = decoded.and_then(|message| match message {
            S2C::CreateObject(object) => Some(&object.0),
            _ => None,
        });
        engine.receive(place.number, message, object, &self.clock)
    }

    /// Ends the tables, and writes the row of the capture to `captures`. `summary` is that of the reader.
    ///
    /// # Errors
    /// Returns an error if a table cannot be written.
    pub fn finish(
        mut self,
        summary: &CaptureSummary,
        info: &CaptureInfo,
        captures: W,
    ) -> Result<Exported<W>, TableError> {
        let counts = match &mut self.engine {
            Some(engine) => Some(engine.finish(&self.clock)?),
            None => None,
        };
        let mut tables = Vec::new();
        end(Table::Messages, self.messages, &mut tables)?;
        end(Table::Sends, self.sends, &mut tables)?;
        if let Some(Engine { tables: engine, .. }) = self.engine {
            end(Table::Entities, engine.entities, &mut tables)?;
            end(Table::Reports, engine.reports, &mut tables)?;
            end(Table::States, engine.states, &mut tables)?;
            end(Table::Events, engine.events, &mut tables)?;
        }
        let (tables_written, settings) = (self.options.table_names(), self.options.clean_settings());
        let row = CaptureRow {
            info,
            clock: self.clock,
            last_time: self.last_time,
            summary: *summary,
            faults: &self.faults,
            engine: counts,
            tables: &tables_written,
            settings: &settings,
        };
        let mut writer: TableWriter<Captures, W> =
            writer(&self.options, &self.context, row.contents(), captures)?;
        writer.rows.push(&row);
        writer.end_row()?;
        end(Table::Captures, Some(writer), &mut tables)?;
        Ok(Exported { tables, faults: self.faults })
    }
}

/// Starts a table if it is wanted.
fn start<T: Rows, W: TableOutput>(
    options: &ExportOptions,
    context: &TableContext,
    table: Table,
    open: &mut impl FnMut(Table) -> io::Result<W>,
) -> Result<Option<TableWriter<T, W>>, TableError> {
    if !options.has(table) {
        return Ok(None);
    }
    writer(options, context, Vec::new(), open(table)?).map(Some)
}

/// Returns a table that is empty. `contents` are columns of `captures` that the file keeps besides those of all files.
fn writer<T: Rows, W: TableOutput>(
    options: &ExportOptions,
    context: &TableContext,
    contents: Vec<(&str, String)>,
    output: W,
) -> Result<TableWriter<T, W>, TableError> {
    let mut kept = vec![
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("tables", options.table_names()),
        ("settings", options.clean_settings()),
    ];
    kept.extend(contents);
    TableWriter::new(context, output, &kept)
}

/// Ends a table.
fn end<T: Rows, W: TableOutput>(
    table: Table,
    writer: Option<TableWriter<T, W>>,
    tables: &mut Vec<(Table, W, u64)>,
) -> Result<(), TableError> {
    if let Some(writer) = writer {
        let rows = writer.count();
        tables.push((table, writer.finish()?, rows));
    }
    Ok(())
}
