//! `acmotion bench`: the cost of motion on this machine.

mod town;

use std::hint::black_box;
use std::time::{Duration, Instant};

use acmotion::crowd::Crowd;
use acmotion::wire::capture::{CaptureReader, CaptureWriter, WriteError};
use acmotion::wire::{Direction, decode_s2c};
use acmotion_tables::{
    CaptureExport, CaptureInfo, ExportOptions, MemoryFiles, Table as ExportTable, TableError,
};
use acmotion_types::Era;
use clap::Args;
use serde_json::json;

use crate::allocator::peak_megabytes;
use crate::decode::decode_in_memory;
use crate::export::default_format;
use crate::output::{Align, Out, OutFile, Progress, Table, note, thousands};
use town::Town;

/// Measure the cost of motion on this machine, per entity and tick, per pose and per message.
///
/// The workload is a crowd of bodies that share a motion table and receive a command about once a second. `sequence` is one
/// tick: commands, animation frames, hooks, movement. `pose` also computes the world matrices of 30 parts per body. `town`
/// is a tick of up to 1,000 bodies that walk through the mannequin's town and collide with its land, its houses and each
/// other. `decode a capture` is what `acmotion decode --all` does with each message of a capture in memory, and `export a
/// capture` what `acmotion export tables --only messages` does. Each time is the median of many short runs. `best` is the
/// shortest run, which is the better measure on a busy machine.
///
/// Allocations are those of one tick of all entities, or of 1,000 messages. They are counted only in a build with
/// `--features count-allocations`, because counting slows down every allocation of the program.
#[derive(Args)]
#[command(after_help = "\
Example:
  acmotion bench --entities 10000")]
pub(crate) struct Arguments {
    /// The number of entities; by default 1,000 and then 10,000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    entities: Option<u32>,
    /// The time to spend on each measurement, in seconds.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = parse_seconds)]
    seconds: f64,
    /// Print JSON Lines instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3_600.0 => Ok(seconds),
        _ => Err(format!("`{text}` is not a time in seconds; expected a number above 0, up to 3600")),
    }
}

/// Ticks before the first measurement: twenty seconds, after which the motions of the crowd are fully mixed.
const WARM_UP_TICKS: usize = 600;
/// Ticks over which allocations are counted.
const COUNTED_TICKS: u64 = 60;
/// The minimum number of runs of a measurement.
const MIN_RUNS: usize = 7;
/// The minimum duration of a run.
const MIN_RUN_TIME: Duration = Duration::from_millis(5);

/// The messages to decode: an `UpdateMotion` of 28 bytes and an `UpdatePosition` of 48.
pub(crate) const MESSAGES: [(&str, &[u8]); 2] = [
    (
        "decode UpdateMotion",
        &[
            0x4C, 0xF7, 0x00, 0x00, 0x01, 0x00, 0x00, 0x50, 0x09, 0x00, 0x02, 0x01, 0x03, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x3D, 0x00, 0x03, 0x00, 0x00, 0x00, 0x3D, 0x00, 0x05, 0x00,
        ],
    ),
    (
        "decode UpdatePosition",
        &[
            0x48, 0xF7, 0x00, 0x00, 0x34, 0x12, 0x00, 0x80, 0x36, 0x00, 0x00, 0x00, 0x15, 0x00, 0xB4, 0xA9,
            0x00, 0x00, 0x20, 0x41, 0x00, 0x00, 0xA0, 0x41, 0x00, 0x00, 0xBC, 0x42, 0x00, 0x00, 0x00, 0x3F,
            0x00, 0x00, 0xC0, 0xBF, 0x65, 0x00, 0x00, 0x00, 0x01, 0x00, 0xFF, 0xFF, 0x02, 0x00, 0x03, 0x00,
        ],
    ),
];
/// Messages decoded in one call of the measured work.
const MESSAGES_PER_CALL: usize = 1_000;

/// Messages of a capture that is exported: enough that its beginning and its end do not count for much.
const EXPORTED_MESSAGES: usize = 20_000;

/// The result of one measurement.
struct Measurement {
    what: String,
    /// The number of entities; `None` for messages.
    entities: Option<usize>,
    time: Time,
    /// Bytes per entity, without its matrices and the data that all entities share; `None` for messages.
    bytes: Option<usize>,
    /// The mean size of a message in bytes, in a capture with its packet; `None` for entities.
    message_size: Option<f64>,
    /// Allocations per tick of all entities, or per [`MESSAGES_PER_CALL`] messages; `None` if they are not counted.
    allocations: Option<f64>,
}

/// Nanoseconds per entity and tick, or per message.
struct Time {
    median: f64,
    best: f64,
    runs: usize,
}

impl Measurement {
    fn of_messages(what: String, time: Time, message_size: f64, allocations: Option<f64>) -> Self {
        Self { what, entities: None, time, bytes: None, message_size: Some(message_size), allocations }
    }

    /// Returns the messages and the megabytes that are handled in a second; `None` for entities.
    fn throughput(&self) -> Option<(f64, f64)> {
        let messages = 1e9 / self.time.median;
        self.message_size.map(|size| (messages, messages * size / 1e6))
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    out.redirect(&arguments.out_file, false)?;
    let counts = match arguments.entities {
        Some(count) => vec![count as usize],
        None => vec![1_000, 10_000],
    };
    let mut bench = Bench::new(arguments.seconds, counts.len());
    let mut results = Vec::new();
    for count in counts {
        results.extend(measure_crowd(count, &mut bench));
    }
    let walkers = arguments.entities.map_or(town::MAX_WALKERS, |count| count as usize);
    results.push(measure_town(walkers, &mut bench)?);
    results.extend(measure_messages(&mut bench));
    results.extend(measure_captures(&mut bench)?);
    results.push(measure_export(&mut bench)?);
    drop(bench);
    if arguments.json {
        print_json(out, &results)?;
    } else {
        print_text(out, &results)?;
    }
    out.flush()?;
    if let Some(peak) = peak_megabytes() {
        note(format_args!("peak memory {peak:.0} MB"));
    }
    Ok(())
}

/// Measures one thing after the other, and shows how far it is.
struct Bench {
    /// The time for each measurement, in seconds.
    seconds: f64,
    progress: Progress,
}

/// The number of measurements of a crowd, and of everything else.
const CROWD_MEASUREMENTS: usize = 4;
const OTHER_MEASUREMENTS: usize = 6;

impl Bench {
    fn new(seconds: f64, crowds: usize) -> Self {
        let measurements = CROWD_MEASUREMENTS * crowds + OTHER_MEASUREMENTS;
        Self { seconds, progress: Progress::new(measurements as u64, "measuring") }
    }

    /// Runs what comes before a measurement.
    fn warm_up(&self, mut tick: impl FnMut()) {
        for _ in 0..WARM_UP_TICKS {
            tick();
            self.progress.show();
        }
    }

    /// Measures the time per item of a call that handles `items` of them.
    fn measure(&mut self, items: usize, mut work: impl FnMut()) -> Time {
        let begun = Instant::now();
        let mut runs = Vec::new();
        while runs.len() < MIN_RUNS || begun.elapsed().as_secs_f64() < self.seconds {
            let (start, mut calls) = (Instant::now(), 0);
            while start.elapsed() < MIN_RUN_TIME {
                work();
                calls += 1;
            }
            runs.push(start.elapsed().as_secs_f64() * 1e9 / (calls * items) as f64);
            self.progress.show();
        }
        self.progress.step();
        runs.sort_by(f64::total_cmp);
        Time { median: runs[runs.len() / 2], best: runs[0], runs: runs.len() }
    }
}

fn measure_crowd(count: usize, bench: &mut Bench) -> Vec<Measurement> {
    let mut crowd = Crowd::new(count);
    bench.warm_up(|| crowd.tick_and_pose());
    type Mode = fn(&mut Crowd);
    let modes: [(&str, Mode); CROWD_MEASUREMENTS] = [
        ("sequence", Crowd::tick),
        ("pose", Crowd::tick_and_pose),
        ("pose alone, batched", Crowd::pose),
        ("pose alone, one at a time", Crowd::pose_one_at_a_time),
    ];
    let results = modes.map(|(what, mode)| {
        let time = bench.measure(count, || mode(&mut crowd));
        let allocations = count_allocations(COUNTED_TICKS, || mode(&mut crowd));
        black_box(crowd.checksum());
        Measurement {
            what: what.into(),
            entities: Some(count),
            time,
            bytes: Some(crowd.bytes_per_entity()),
            message_size: None,
            allocations,
        }
    });
    results.into()
}

fn measure_town(count: usize, bench: &mut Bench) -> anyhow::Result<Measurement> {
    let mut town = Town::new(count)?;
    bench.warm_up(|| town.tick());
    let count = town.count();
    let time = bench.measure(count, || town.tick());
    let allocations = count_allocations(COUNTED_TICKS, || town.tick());
    let bytes = Some(town.bytes_per_entity());
    Ok(Measurement {
        what: "town".into(),
        entities: Some(count),
        time,
        bytes,
        message_size: None,
        allocations,
    })
}

fn measure_messages(bench: &mut Bench) -> Vec<Measurement> {
    let results = MESSAGES.map(|(what, bytes)| {
        let decode_all = || {
            for _ in 0..MESSAGES_PER_CALL {
                // By reference: passing the message itself would copy all of it.
                let _ = black_box(&decode_s2c(black_box(bytes), Era::default()));
            }
        };
        let time = bench.measure(MESSAGES_PER_CALL, decode_all);
        let allocations = count_allocations(1, decode_all);
        Measurement::of_messages(what.into(), time, bytes.len() as f64, allocations)
    });
    results.into()
}

/// Returns a capture of messages, each in a packet of its own.
pub(crate) fn capture(messages: usize) -> Result<Vec<u8>, WriteError> {
    let mut writer = CaptureWriter::new(Vec::new())?;
    for (number, (_, bytes)) in (0..messages).zip(MESSAGES.iter().cycle()) {
        writer.message(number as f64 / 100.0, Direction::S2C, bytes)?;
    }
    Ok(writer.into_inner())
}

/// Measures what `acmotion decode` does with a capture.
fn measure_captures(bench: &mut Bench) -> anyhow::Result<Vec<Measurement>> {
    let capture = capture(MESSAGES_PER_CALL)?;
    let forms = [("decode a capture to text", false), ("decode a capture to JSON", true)];
    let results = forms.map(|(what, json)| {
        let decode_all = || {
            black_box(decode_in_memory(black_box(&capture), json));
        };
        let time = bench.measure(MESSAGES_PER_CALL, decode_all);
        let allocations = count_allocations(1, decode_all);
        let size = capture.len() as f64 / MESSAGES_PER_CALL as f64;
        Measurement::of_messages(what.into(), time, size, allocations)
    });
    Ok(results.into())
}

/// Measures what `acmotion export tables --only messages` does with a capture.
fn measure_export(bench: &mut Bench) -> anyhow::Result<Measurement> {
    let capture = capture(EXPORTED_MESSAGES)?;
    let format = default_format();
    let options = ExportOptions {
        format,
        tables: vec![ExportTable::Messages],
        every_tick: false,
        era: Era::default(),
        memory: 64 << 20,
        settings: String::new(),
    };
    let export = || -> Result<(), TableError> {
        let mut export = CaptureExport::new(&options, None, |_| Ok(MemoryFiles::default()))?;
        let mut reader = CaptureReader::from_slice(black_box(&capture));
        while export.step(&mut reader)? {}
        let info = CaptureInfo::default();
        black_box(export.finish(&reader.summary(), &info, MemoryFiles::default())?);
        Ok(())
    };
    // If it works once, it works again.
    export()?;
    let time = bench.measure(EXPORTED_MESSAGES, || drop(export()));
    let per_thousand = (MESSAGES_PER_CALL as f64) / EXPORTED_MESSAGES as f64;
    let allocations = count_allocations(1, || drop(export())).map(|count| count * per_thousand);
    let what = format!("export a capture to .{}", format.extension());
    let size = capture.len() as f64 / EXPORTED_MESSAGES as f64;
    Ok(Measurement::of_messages(what, time, size, allocations))
}

/// Returns the allocations per call, averaged over `calls` calls.
#[cfg(feature = "count-allocations")]
fn count_allocations(calls: u64, mut work: impl FnMut()) -> Option<f64> {
    let counted = allocation_counter::measure(|| (0..calls).for_each(|_| work()));
    Some(counted.count_total as f64 / calls as f64)
}

/// Returns `None`: this build has no counting allocator.
#[cfg(not(feature = "count-allocations"))]
fn count_allocations(_calls: u64, _work: impl FnMut()) -> Option<f64> {
    None
}

fn print_json(out: &mut Out, results: &[Measurement]) -> anyhow::Result<()> {
    for result in results {
        let Measurement { what, entities, time, bytes, allocations, .. } = result;
        let (messages, megabytes) = result.throughput().unzip();
        out.json(&json!({
            "what": what, "entities": entities, "ns": time.median, "ns_best": time.best, "runs": time.runs,
            "bytes_per_entity": bytes, "allocations": allocations,
            "messages_per_second": messages, "megabytes_per_second": megabytes,
        }))?;
    }
    Ok(())
}

fn print_text(out: &mut Out, results: &[Measurement]) -> anyhow::Result<()> {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("what", Align::Left),
        ("entities", right),
        ("ns each", right),
        ("best", right),
        ("messages/s", right),
        ("MB/s", right),
        ("bytes each", right),
        ("allocations a tick", right),
    ]);
    for result in results {
        let number =
            |number: Option<usize>| number.map_or_else(String::new, |number| thousands(number as u64));
        let (messages, megabytes) = result.throughput().unzip();
        let whole = |number: Option<f64>| number.map_or_else(String::new, |number| thousands(number as u64));
        table.row(vec![
            result.what.clone(),
            number(result.entities),
            format!("{:.1}", result.time.median),
            format!("{:.1}", result.time.best),
            whole(messages),
            whole(megabytes),
            number(result.bytes),
            result.allocations.map_or_else(|| String::from("-"), |count| format!("{count:.2}")),
        ]);
    }
    table.print(out, "")?;
    if results.iter().any(|result| result.allocations.is_none()) {
        out.line("allocations: not counted (build with --features count-allocations)")?;
    }
    Ok(())
}
