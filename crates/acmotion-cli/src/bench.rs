//! `acmotion bench`: what motion costs on this machine.

mod town;

use std::hint::black_box;
use std::time::{Duration, Instant};

use acmotion::crowd::Crowd;
use acmotion::wire::decode_s2c;
use acmotion_types::Era;
use allocation_counter::AllocationInfo;
use clap::Args;
use serde_json::json;

use crate::output::{Align, Out, Table, thousands};
use town::Town;

/// What motion costs on this machine: per entity and tick, per pose, per message.
///
/// The workload is a crowd in which every body plays the same motion table on its own and gets a command once a second
/// or so. `sequence` is a tick of it: commands, frames, hooks, movement; `pose` also writes the world matrices of 30 parts
/// each. `town` is a tick of up to 1,000 people who walk about in the mannequin's town, swept through its land and houses and
/// past each other. Each figure is the median of many short runs; `best` is the shortest, which says more on a busy machine.
///
/// Example: acmotion bench --entities 10000
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many entities; 1,000 and then 10,000 if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    entities: Option<u32>,
    /// How many seconds to spend on each figure.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// JSON Lines instead of text.
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3_600.0 => Ok(seconds),
        _ => Err(format!("`{text}` is not a number of seconds above 0 and up to 3600")),
    }
}

/// Ticks before anything is measured: twenty seconds of the crowd's life, after which it is as mixed as it gets.
const WARM_UP: usize = 600;
/// Ticks over which allocations are counted.
const COUNTED_TICKS: u64 = 60;
/// Runs of a figure, at least.
const FEWEST_RUNS: usize = 7;
/// A run is at least this long.
const RUN: Duration = Duration::from_millis(5);

/// An `UpdateMotion` of 28 bytes and an `UpdatePosition` of 48.
const MESSAGES: [(&str, &[u8]); 2] = [
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
/// Messages in one call of the work that is measured.
const MESSAGES_A_CALL: usize = 1_000;

/// One figure.
struct Figure {
    what: String,
    /// How many entities; none for messages.
    entities: Option<usize>,
    /// Nanoseconds per entity and tick, or per message.
    median: f64,
    best: f64,
    runs: usize,
    /// Bytes of an entity, beside its matrices and what all share.
    bytes: Option<usize>,
    /// Allocations per tick of all entities, or per thousand messages.
    allocations: f64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    let counts = match arguments.entities {
        Some(count) => vec![count as usize],
        None => vec![1_000, 10_000],
    };
    let mut figures = Vec::new();
    for count in counts {
        figures.extend(crowd_figures(count, arguments.seconds));
    }
    figures
        .push(town_figure(arguments.entities.map_or(town::MOST, |count| count as usize), arguments.seconds)?);
    figures.extend(message_figures(arguments.seconds));
    if arguments.json { print_json(out, &figures) } else { print_text(out, &figures) }
}

fn crowd_figures(count: usize, seconds: f64) -> Vec<Figure> {
    let mut crowd = Crowd::new(count);
    for _ in 0..WARM_UP {
        crowd.tick_and_pose();
    }
    type Mode = fn(&mut Crowd);
    let modes: [(&str, Mode); 4] = [
        ("sequence", Crowd::tick),
        ("pose", Crowd::tick_and_pose),
        ("pose alone, batched", Crowd::pose),
        ("pose alone, one at a time", Crowd::pose_one_at_a_time),
    ];
    let figures = modes.map(|(what, mode)| {
        let (median, best, runs) = measure(seconds, count, || mode(&mut crowd));
        let counted = allocation_counter::measure(|| (0..COUNTED_TICKS).for_each(|_| mode(&mut crowd)));
        black_box(crowd.checksum());
        Figure {
            what: what.into(),
            entities: Some(count),
            median,
            best,
            runs,
            bytes: Some(crowd.bytes_per_entity()),
            allocations: per_call(&counted, COUNTED_TICKS),
        }
    });
    figures.into()
}

fn town_figure(count: usize, seconds: f64) -> anyhow::Result<Figure> {
    let mut town = Town::new(count)?;
    for _ in 0..WARM_UP {
        town.tick();
    }
    let count = town.count();
    let (median, best, runs) = measure(seconds, count, || town.tick());
    let counted = allocation_counter::measure(|| (0..COUNTED_TICKS).for_each(|_| town.tick()));
    Ok(Figure {
        what: "town".into(),
        entities: Some(count),
        median,
        best,
        runs,
        bytes: Some(town.bytes_per_entity()),
        allocations: per_call(&counted, COUNTED_TICKS),
    })
}

fn message_figures(seconds: f64) -> Vec<Figure> {
    let figures = MESSAGES.map(|(what, bytes)| {
        let decode_all = || {
            for _ in 0..MESSAGES_A_CALL {
                let _ = black_box(decode_s2c(black_box(bytes), Era::default()));
            }
        };
        let (median, best, runs) = measure(seconds, MESSAGES_A_CALL, decode_all);
        let counted = allocation_counter::measure(decode_all);
        let allocations = per_call(&counted, 1);
        Figure { what: what.into(), entities: None, median, best, runs, bytes: None, allocations }
    });
    figures.into()
}

/// Nanoseconds per item of a call that has so many: the median and the best of the runs, and how many runs there were.
fn measure(seconds: f64, items: usize, mut work: impl FnMut()) -> (f64, f64, usize) {
    let begun = Instant::now();
    let mut runs = Vec::new();
    while runs.len() < FEWEST_RUNS || begun.elapsed().as_secs_f64() < seconds {
        let (start, mut calls) = (Instant::now(), 0);
        while start.elapsed() < RUN {
            work();
            calls += 1;
        }
        runs.push(start.elapsed().as_secs_f64() * 1e9 / (calls * items) as f64);
    }
    runs.sort_by(f64::total_cmp);
    (runs[runs.len() / 2], runs[0], runs.len())
}

fn per_call(counted: &AllocationInfo, calls: u64) -> f64 {
    counted.count_total as f64 / calls as f64
}

fn print_json(out: &mut Out, figures: &[Figure]) -> anyhow::Result<()> {
    for figure in figures {
        out.json(&json!({
            "what": figure.what, "entities": figure.entities, "ns": figure.median, "ns_best": figure.best,
            "runs": figure.runs, "bytes_per_entity": figure.bytes, "allocations": figure.allocations,
        }))?;
    }
    Ok(())
}

fn print_text(out: &mut Out, figures: &[Figure]) -> anyhow::Result<()> {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("what", Align::Left),
        ("entities", right),
        ("ns each", right),
        ("best", right),
        ("bytes each", right),
        ("allocations a tick", right),
    ]);
    for figure in figures {
        let number =
            |number: Option<usize>| number.map_or_else(String::new, |number| thousands(number as u64));
        table.row(vec![
            figure.what.clone(),
            number(figure.entities),
            format!("{:.1}", figure.median),
            format!("{:.1}", figure.best),
            number(figure.bytes),
            format!("{:.2}", figure.allocations),
        ]);
    }
    table.print(out, "")
}
