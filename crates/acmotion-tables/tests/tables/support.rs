//! Captures of scenarios, their tables, and rows as JSON.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use acmotion_dat::Assets;
use acmotion_sim::replay::{Replay, ReplaySettings};
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{ClientId, ClientTraffic, Simulation};
use acmotion_tables::{CaptureExport, CaptureInfo, ExportOptions, Faults, Format, MemoryFiles, Table};
use acmotion_types::Era;
use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureReader, CaptureWriter};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Map, Value, json};

/// The Unix time at which captures start: in January 2017.
pub(crate) const START: f64 = 1_485_216_000.0;

/// Returns the folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A message with its time and direction, as a client sees it.
pub(crate) type Captured = (f64, Direction, Arc<[u8]>);

/// Runs a scenario and returns what one of its clients receives and sends, in order.
pub(crate) fn captured(scenario: &str, client: usize) -> Vec<Captured> {
    let scenario = Scenario::parse(scenario).unwrap();
    let mut traffic = ClientTraffic::new(ClientId(client));
    Simulation::new(&scenario).unwrap().step(scenario.seconds, &mut traffic);
    let messages: Vec<Captured> = traffic
        .into_messages()
        .into_iter()
        .map(|message| (message.time, message.direction, message.bytes))
        .collect();
    assert!(messages.len() > 20, "{} messages", messages.len());
    messages
}

/// Writes messages to a capture that starts at `start`.
pub(crate) fn pcap(messages: &[Captured], start: f64) -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    for (time, direction, bytes) in messages {
        writer.message(start + time, *direction, bytes).unwrap();
    }
    writer.into_inner()
}

/// Runs a scenario of the repository and returns what one of its clients receives and sends.
pub(crate) fn scene_capture(scene: &str, client: usize) -> Vec<Captured> {
    captured(&fs::read_to_string(root().join(format!("scenes/{scene}.toml"))).unwrap(), client)
}

/// Two players, one of them over a bad network, as the first sees them.
pub(crate) fn duel() -> Vec<Captured> {
    scene_capture("laggy_duel", 0)
}

/// A player runs away from an observer, so that it snaps (rule D7).
pub(crate) fn out_of_range() -> Vec<Captured> {
    captured(
        r#"
        title = "Out of range"
        seconds = 20
        seed = 3
        [[player]]
        name = "Runa"
        at = [60, 20]
        run_skill = 200
        input = [{ at = 1.0, press = "forward" }, { at = 18.0, release = "forward" }]
        [[observer]]
        name = "Watcher"
        at = [60, 10]
        "#,
        1,
    )
}

pub(crate) fn options(tables: &[Table]) -> ExportOptions {
    ExportOptions {
        format: Format::Parquet,
        tables: tables.into(),
        every_tick: false,
        memory: 64 << 20,
        era: Era::default(),
        settings: String::from("test"),
    }
}

pub(crate) fn replay() -> Replay {
    Replay::new(Assets::mannequin(), ReplaySettings::default())
}

/// The tables of a capture as files in memory.
pub(crate) struct Tables {
    pub(crate) files: BTreeMap<&'static str, Vec<Vec<u8>>>,
    pub(crate) counts: BTreeMap<&'static str, u64>,
    pub(crate) faults: Faults,
}

/// Exports a capture.
pub(crate) fn export(capture: &[u8], options: &ExportOptions) -> Tables {
    let replay = options.needs_engine().then(replay);
    let mut export = CaptureExport::new(options, replay, |_| Ok(MemoryFiles::default())).unwrap();
    let mut reader = CaptureReader::from_slice(capture);
    while export.step(&mut reader).unwrap() {}
    let info = CaptureInfo {
        file: String::from("a,\"b\".pcap"),
        hash: String::from("00ff"),
        bytes: capture.len() as u64,
        format: reader.format(),
    };
    let exported = export.finish(&reader.summary(), &info, MemoryFiles::default()).unwrap();
    let (mut files, mut counts) = (BTreeMap::new(), BTreeMap::new());
    for (table, file, rows) in exported.tables {
        files.insert(table.name(), file.into_files());
        counts.insert(table.name(), rows);
    }
    Tables { files, counts, faults: exported.faults }
}

impl Tables {
    /// Reads a table. Each row is an object; missing values are missing there, too.
    pub(crate) fn rows(&self, table: Table) -> Vec<Map<String, Value>> {
        let rows: Vec<_> = self.files[table.name()].iter().flat_map(|file| read(file)).collect();
        assert_eq!(rows.len() as u64, self.counts[table.name()], "{}", table.name());
        rows
    }
}

/// Reads a Parquet file.
pub(crate) fn read(file: &[u8]) -> Vec<Map<String, Value>> {
    let reader = SerializedFileReader::new(bytes::Bytes::copy_from_slice(file)).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| {
        let row = row.unwrap();
        let values = row.get_column_iter().map(|(name, field)| (name.clone(), value(field)));
        values.filter(|(_, value)| !value.is_null()).collect()
    })
    .collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => json!(value),
        Field::UByte(value) => json!(value),
        Field::UShort(value) => json!(value),
        Field::UInt(value) => json!(value),
        Field::Int(value) => json!(value),
        Field::Long(value) | Field::TimestampMicros(value) => json!(value),
        Field::Float(value) => json!(f64::from(*value)),
        Field::Double(value) => json!(value),
        Field::Str(text) => json!(text),
        Field::Bytes(bytes) => {
            json!(bytes.data().iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        other => panic!("no such column: {other:?}"),
    }
}
