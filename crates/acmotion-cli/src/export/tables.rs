//! `acmotion export tables`: captures as tables for DuckDB, Polars, pandas or Spark.

mod dataset;
mod hash;
mod job;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use acmotion_tables::{ExportOptions, Format, Table};
use acmotion_types::Era;
use anyhow::bail;
use clap::Args;
use serde_json::json;

use crate::allocator::avoid_huge_pages;
use crate::captures::{self, CaptureFile};
use crate::input::{file_identity, open_assets};
use crate::names::Named;
use crate::output::{Failed, Out, Progress, counted, note, thousands, warn};
use crate::replay_options::ReplayOptions;
use dataset::Dataset;
use job::{Job, Outcome, Status};

/// Write the messages and the movement of captures as tables for DuckDB, Polars, pandas or Spark.
///
/// Reads captures (pcap, pcapng, JSON Lines), plain, as .gz or .zst or in .zip archives, and folders of them; `-` reads
/// standard input. Writes Parquet files DIR/TABLE/capture=KEY/part-0.parquet, where KEY is made of a hash of the
/// capture; a long table has more files after that. docs/tables.md describes every table and column: messages, entities, reports,
/// states, events, sends, captures.
///
/// Captures run in parallel. One that is there already, with the same tables and settings, is skipped, so that a run can be
/// repeated after it was interrupted or when captures were added. A damaged capture does not stop the others: what could be
/// read is exported, the table `captures` says what could not, and the exit code is 1.
///
/// Entities, reports, states and events come from the engine, which takes the time: --only messages is far faster.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion export tables captures/ --out tables
  duckdb -c \"SELECT name, count(*) FROM 'tables/messages/*/*.parquet' GROUP BY name ORDER BY 2 DESC\"
  acmotion export tables login.pcap.gz more.zip --out tables --only messages,sends")]
pub(crate) struct Arguments {
    /// Captures, folders and zip archives, or `-` for standard input.
    #[arg(required = true, value_name = "CAPTURE")]
    captures: Vec<PathBuf>,
    /// The folder to write to. It is created if it does not exist.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Write only these tables, separated by commas; `captures` is always written.
    #[arg(long, value_name = "TABLE", value_delimiter = ',')]
    #[arg(value_parser = Named::new(parse_table, || Table::ALL.map(Table::name).into()))]
    only: Vec<Table>,
    /// Write a state for each entity and tick, not only where something changed.
    #[arg(long)]
    every_tick: bool,
    /// Write CSV instead of Parquet.
    #[arg(long)]
    csv: bool,
    /// The number of captures to work on at a time, up to 64 [default: the number of cores]. Memory stays below 300 MB.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_JOBS as i64))]
    jobs: Option<u16>,
    #[command(flatten)]
    replay: ReplayOptions,
    /// Print one JSON object for each capture instead of a summary.
    #[arg(long)]
    json: bool,
}

fn parse_table(text: &str) -> Result<Table, String> {
    let text = text.trim();
    Table::ALL.into_iter().find(|table| table.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
        format!("`{text}` is not a table; expected {}", Table::ALL.map(Table::name).join(", "))
    })
}

/// The memory that the rows of all captures may take until they are written, in bytes.
const ROW_MEMORY: usize = 64 << 20;
/// The maximum number of captures to work on at a time: each takes some memory besides that for its rows.
const MAX_JOBS: usize = 64;

/// Returns the format unless another one is asked for: Parquet, if this program can write it.
pub(crate) const fn default_format() -> Format {
    #[cfg(feature = "parquet")]
    return Format::Parquet;
    #[cfg(not(feature = "parquet"))]
    Format::Csv
}

impl Arguments {
    /// Returns what is written of each capture, if a number of them are worked on at a time.
    fn options(&self, jobs: usize) -> anyhow::Result<ExportOptions> {
        Ok(ExportOptions {
            format: self.format()?,
            tables: if self.only.is_empty() { Table::ALL.into() } else { self.only.clone() },
            every_tick: self.every_tick,
            memory: ROW_MEMORY / jobs.max(1),
            era: self.replay.era.into(),
            settings: self.settings()?,
        })
    }

    /// Returns the number of captures to work on at a time.
    fn jobs(&self, captures: usize) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let wanted = self.jobs.map_or_else(cores, usize::from);
        wanted.min(captures).min(MAX_JOBS)
    }

    fn format(&self) -> anyhow::Result<Format> {
        if cfg!(not(feature = "parquet")) && !self.csv {
            bail!("this program was built without Parquet (the feature `parquet`); give --csv");
        }
        Ok(if self.csv { Format::Csv } else { default_format() })
    }

    /// Returns what the rows depend on besides the captures.
    fn settings(&self) -> anyhow::Result<String> {
        let era = match Era::from(self.replay.era) {
            Era::EndOfRetail => "retail",
            Era::September2013 => "2013",
        };
        let file = |path: &Option<PathBuf>| path.as_deref().map(file_identity).transpose();
        let dat = file(&self.replay.dat)?.unwrap_or_else(|| String::from("mannequin"));
        let cell = file(&self.replay.cell)?.unwrap_or_else(|| String::from("none"));
        let player = self.replay.player.map_or_else(|| String::from("none"), |player| player.to_string());
        Ok(format!(
            "acmotion {} era={era} every_tick={} dat={dat} cell={cell} self={player}",
            env!("CARGO_PKG_VERSION"),
            self.every_tick
        ))
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    avoid_huge_pages();
    let found = captures::find(&arguments.captures)?;
    if found.captures.iter().filter(|capture| capture.is_standard_input()).count() > 1 {
        bail!("only one of the captures can come from standard input");
    }
    if found.ignored > 0 {
        let verb = if found.ignored == 1 { "is no capture" } else { "are no captures" };
        note(format_args!("{} {verb}, by the name", counted(found.ignored, "other file")));
    }
    let jobs = arguments.jobs(found.captures.len());
    let options = arguments.options(jobs)?;
    let assets = arguments.replay.assets()?;
    let cells = arguments.replay.cell.as_deref().map(open_assets).transpose()?;
    let dataset = Dataset::open(&arguments.out, options.format)?;
    let job =
        Job { dataset, options, assets, cells, player: arguments.replay.player, exported: Mutex::default() };
    job.check_land()?;

    let started = Instant::now();
    let outcomes = run_all(&job, &found.captures, jobs)?;
    let mut has_failed = false;
    for outcome in &outcomes {
        if let Some(problem) = outcome.problem() {
            has_failed = true;
            warn(format_args!("{}: {problem}", outcome.file));
        }
    }
    if arguments.json {
        outcomes.iter().try_for_each(|outcome| out.json(&outcome.json()))?;
    } else {
        print_summary(&job, &outcomes, out)?;
    }
    out.flush()?;
    let read: u64 = outcomes.iter().map(|outcome| outcome.bytes).sum();
    note(captures::effort(read, started.elapsed()));
    if has_failed { Err(Failed.into()) } else { Ok(()) }
}

/// Exports all captures, the largest first, and returns what became of each in the order of the captures.
fn run_all(job: &Job, captures: &[CaptureFile], jobs: usize) -> anyhow::Result<Vec<Outcome>> {
    let mut order: Vec<usize> = (0..captures.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(captures[*index].size));
    let total = captures.iter().filter_map(|capture| capture.size).sum();
    let progress = Progress::bytes(total, "exporting");
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(captures.iter().map(|_| None).collect());
    let failure = Mutex::new(None);
    let work = || {
        while let Some(index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            match job.export(*index, &captures[*index], &progress) {
                Ok(outcome) => {
                    if let Some(slot) = lock(&outcomes).get_mut(*index) {
                        *slot = Some(outcome);
                    }
                }
                Err(error) => {
                    // Nothing more can be written, so that the other captures need not be started.
                    lock(&failure).get_or_insert(error);
                    next.store(order.len(), Ordering::Relaxed);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(work);
        }
        work();
    });
    drop(progress);
    match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => {
            let outcomes = outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            let mut outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
            job.mark_duplicates(&mut outcomes);
            Ok(outcomes)
        }
    }
}

/// Locks a value, even if another thread panicked while it had it.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn print_summary(job: &Job, outcomes: &[Outcome], out: &mut Out) -> anyhow::Result<()> {
    let count = |status: Status| outcomes.iter().filter(|outcome| outcome.status == status).count();
    let mut parts = vec![format!("{} exported", count(Status::Exported))];
    for (status, text) in [
        (Status::Present, "there already"),
        (Status::Duplicate, "with the contents of another"),
        (Status::Unreadable, "could not be read"),
    ] {
        if count(status) > 0 {
            parts.push(format!("{} {text}", count(status)));
        }
    }
    out.line(format!("{}: {}", counted(outcomes.len(), "capture"), parts.join(", ")))?;
    if count(Status::Exported) == 0 {
        return Ok(());
    }
    for table in Table::ALL.into_iter().filter(|table| job.options.has(*table)) {
        let rows: u64 = outcomes.iter().filter_map(|outcome| outcome.rows(table)).sum();
        let folder = job.dataset.table(table);
        let noun = if rows == 1 { "row" } else { "rows" };
        let (name, rows, folder) = (table.name(), thousands(rows), folder.display());
        out.line(format!("  {name:<10}{rows:>15} new {noun:<4}  {folder}"))?;
    }
    Ok(())
}

/// Returns `null` for nothing.
fn optional(value: Option<impl Into<serde_json::Value>>) -> serde_json::Value {
    value.map_or_else(|| json!(null), Into::into)
}
