//! Exports captures of a crowd as Parquet, one after the other on one core. Prints the megabytes and messages a second of the
//! fastest capture and of all, the size of the tables, and the most memory that was resident.
//!
//! `cargo bench -p acmotion-tables` takes a gigabyte of captures; a number after `--` is another size in megabytes. For the tables
//! of the engine it takes a twentieth of that.

use std::hint::black_box;
use std::time::Instant;

use acmotion_dat::Assets;
use acmotion_sim::replay::{Replay, ReplaySettings};
use acmotion_tables::{CaptureExport, CaptureInfo, ExportOptions, Format, MemoryFiles, Table};
use acmotion_types::{CellId, CellPosition, Era, Guid, MotionCommand, Stamp, Vec3};
use acmotion_wire::capture::{CaptureReader, CaptureWriter};
use acmotion_wire::{
    Direction, InterpretedState, MotionFlags, Movement, MovementBody, MovementData, Pad, PositionFlags,
    PositionPack, S2C, UpdateMotion, UpdatePosition, decode_s2c,
};

const BODIES: u32 = 100;
/// The size of one capture, in bytes.
const CAPTURE: usize = 10_000_000;
/// The size of a packet in the capture besides its message, in bytes.
const OVERHEAD: usize = 94;
const START: f64 = 1_700_000_000.0;

/// Returns a capture of bodies that run about, each sent with its motion and its position once a second, and its messages.
fn capture() -> (Vec<u8>, usize) {
    let mut writer = CaptureWriter::new(Vec::with_capacity(CAPTURE + 65_536)).unwrap();
    let (mut written, mut messages, mut random) = (0, 0, 1_u32);
    let mut places = vec![Vec3::new(96.0, 96.0, 94.0); BODIES as usize];
    for second in 0_u32.. {
        for (body, place) in (0..BODIES).zip(&mut places) {
            for axis in [&mut place.x, &mut place.y] {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *axis = (*axis + (random >> 16) as f32 / 8_192.0 - 4.0).clamp(0.0, 191.0);
            }
            let time = START + f64::from(second) + f64::from(body) / f64::from(BODIES);
            for message in [motion(body, second), position(body, second, *place)] {
                let mut bytes = Vec::new();
                message.encode(&mut bytes);
                writer.message(time, Direction::S2C, &bytes).unwrap();
                written += bytes.len() + OVERHEAD;
                messages += 1;
            }
        }
        if written >= CAPTURE {
            break;
        }
    }
    (writer.into_inner(), messages)
}

fn guid(body: u32) -> Guid {
    Guid(0x5000_0001 + body)
}

fn stamp(second: u32) -> Stamp {
    Stamp((second as u16).wrapping_add(1))
}

/// Returns an `UpdateMotion`: the body runs; every seventh one has a speed.
fn motion(body: u32, second: u32) -> S2C<'static> {
    let forward_speed = (body + second).is_multiple_of(7).then_some(1.5 + 0.1 * (body % 5) as f32);
    let state = InterpretedState {
        forward_command: Some(MotionCommand::RUN_FORWARD),
        forward_speed,
        ..InterpretedState::default()
    };
    let movement = Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state, sticky: None },
    };
    let data = MovementData {
        movement_stamp: stamp(second),
        server_control: Stamp(0),
        autonomous: true.into(),
        pad: Pad::ZERO,
        movement,
    };
    UpdateMotion { guid: guid(body), instance: Stamp(1), data }.into()
}

/// Returns an `UpdatePosition`.
fn position(body: u32, second: u32, place: Vec3) -> S2C<'static> {
    // Squares of 24 m, eight in a row.
    let square = |metres: f32| (metres / 24.0) as u32;
    let cell = CellId(0xA9B4_0001 + 8 * square(place.x) + square(place.y));
    let pack = PositionPack {
        flags: PositionFlags::GROUNDED,
        position: CellPosition::at(cell, place),
        velocity: None,
        placement: None,
        instance: Stamp(1),
        position_stamp: stamp(second),
        teleport: Stamp(0),
        force_position: Stamp(0),
    };
    UpdatePosition { guid: guid(body), pack }.into()
}

/// Reads and decodes the messages of a capture. Returns their number.
fn decode(capture: &[u8]) -> usize {
    let mut reader = CaptureReader::from_slice(capture);
    let mut decoded = 0;
    while let Some(message) = reader.next_message() {
        decoded += usize::from(black_box(decode_s2c(message.unwrap().bytes, Era::default())).is_ok());
    }
    decoded
}

/// Exports a capture. Returns the size of its tables in bytes.
fn export(capture: &[u8], tables: &[Table]) -> usize {
    let options = ExportOptions {
        format: Format::Parquet,
        tables: tables.into(),
        every_tick: false,
        era: Era::default(),
        memory: 64 << 20,
        settings: String::new(),
    };
    let replay = options.needs_engine().then(|| Replay::new(Assets::mannequin(), ReplaySettings::default()));
    let mut export = CaptureExport::new(&options, replay, |_| Ok(MemoryFiles::default())).unwrap();
    let mut reader = CaptureReader::from_slice(capture);
    while export.step(&mut reader).unwrap() {}
    let done = export.finish(&reader.summary(), &CaptureInfo::default(), MemoryFiles::default()).unwrap();
    assert!(!done.faults.any());
    done.tables.into_iter().flat_map(|(_, files, _)| files.into_files()).map(|file| file.len()).sum()
}

/// Does something with as many captures and prints how fast that is.
fn measure(what: &str, captures: usize, capture: &(Vec<u8>, usize), mut work: impl FnMut(&[u8])) {
    let (bytes, messages) = (capture.0.len() as f64, capture.1 as f64);
    let begun = Instant::now();
    let mut fastest = f64::INFINITY;
    for _ in 0..captures {
        let begun = Instant::now();
        work(&capture.0);
        fastest = fastest.min(begun.elapsed().as_secs_f64());
    }
    let mean = begun.elapsed().as_secs_f64() / captures as f64;
    let [best, all] = [fastest, mean].map(|seconds| {
        format!("{:.0} MB/s, {:.2} million messages/s", bytes / 1e6 / seconds, messages / 1e6 / seconds)
    });
    println!("{what}, {:.0} MB: {all}; at best {best}", captures as f64 * bytes / 1e6);
}

fn main() {
    let megabytes = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000);
    let captures = (megabytes * 1_000_000 / CAPTURE).max(1);
    let capture = capture();
    assert_eq!(decode(&capture.0), capture.1);
    measure("read and decode", captures, &capture, |capture| {
        black_box(decode(capture));
    });
    let mut size = 0;
    measure("messages", captures, &capture, |capture| size = export(capture, &[Table::Messages]));
    println!("  {:.1} MB of tables for {:.1} MB", size as f64 / 1e6, capture.0.len() as f64 / 1e6);
    measure("all tables", captures.div_ceil(20), &capture, |capture| size = export(capture, &Table::ALL));
    println!("  {:.1} MB of tables for {:.1} MB", size as f64 / 1e6, capture.0.len() as f64 / 1e6);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    match status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
        Some(peak) => println!("peak memory, the capture and its tables included: {}", peak.trim()),
        None => println!("peak memory: not told by this system"),
    }
}
