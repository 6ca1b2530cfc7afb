//! `acmotion soak`: hours of play with churn and hostile messages, in minutes.

mod memory;

use acmotion_sim::soak::{Soak, SoakSettings, SoakTotals};
use clap::Args;
use serde_json::{Value, json};

use crate::output::{Align, Failed, Out, OutFile, Progress, Table, counted, thousands};
use memory::{MAX_SLOPE, Memory};

/// Simulate hours of play with hostile messages, and watch memory and numbers.
///
/// Players and creatures come and go in the built-in town. Each client sees what is within 40 m of its player, about ten
/// others. A share of all messages, in both directions, is hostile: real ones with changed bits, absurd numbers or wrong
/// lengths, stale ones, and random bytes.
///
/// Eight times in a run, and at its end, all of them leave for a moment: what is allocated then belongs to none of them,
/// and must not grow. Printed are the memory over simulated time with its slope at these rests in the second half, the
/// number of states and events with numbers that are not finite, and a digest of all messages and bodies, which is the
/// same for the same arguments. The check fails if a number is not finite, if the digest of a second run differs, or if
/// what is allocated grows by more than 1 MB an hour, which is judged from half an hour on.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion soak
  acmotion soak --minutes 5 --clients 50 --twice")]
pub(crate) struct Arguments {
    /// The time to simulate, in minutes.
    #[arg(long, value_name = "M", default_value_t = 60.0, value_parser = parse_minutes)]
    minutes: f64,
    /// The number of clients.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=300))]
    clients: u16,
    /// The seed of everything that is random.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The share of hostile messages, from 0 to 0.9.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_share)]
    hostile: f64,
    /// Run a second time and compare the digests.
    #[arg(long)]
    twice: bool,
    /// Print JSON Lines instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
}

/// The time in seconds below which minutes are printed with two decimals.
const SHORT_RUN: u64 = 120;
/// The maximum simulated time, in minutes: a day.
const MAX_MINUTES: f64 = 1_440.0;

fn parse_minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= MAX_MINUTES => Ok(minutes),
        _ => Err(format!("expected a number of minutes above 0, up to {MAX_MINUTES}")),
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=0.9).contains(&share) => Ok(share),
        _ => Err(String::from("expected a share from 0 to 0.9")),
    }
}

/// The result of one run.
struct Run {
    totals: SoakTotals,
    digest: u64,
    memory: Memory,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    out.redirect(&arguments.out_file, false)?;
    let first = soak(arguments)?;
    print(arguments, &first, out)?;
    let mut is_good = is_good(&first);
    if arguments.twice {
        let second = soak(arguments)?;
        let is_equal = first.digest == second.digest && first.totals == second.totals;
        is_good &= is_equal;
        if arguments.json {
            out.json(&json!({ "event": "second_run", "digest": hex(second.digest), "equal": is_equal }))?;
        } else {
            let verdict = if is_equal { "the same" } else { "a different one" };
            out.line(format!("second run: digest {}, {verdict}", hex(second.digest)))?;
        }
    }
    if is_good { Ok(()) } else { Err(Failed.into()) }
}

fn soak(arguments: &Arguments) -> anyhow::Result<Run> {
    let clients = usize::from(arguments.clients);
    let settings = SoakSettings {
        clients,
        creatures: (3 * clients).div_ceil(10),
        seed: arguments.seed,
        hostile: arguments.hostile,
        ..SoakSettings::default()
    };
    let mut soak = Soak::new(&settings)?;
    let seconds = (arguments.minutes * 60.0).ceil() as u64;
    let mut memory = Memory::new(seconds);
    let progress = Progress::new(seconds, "simulating");
    for second in 1..=seconds {
        soak.step();
        if memory.is_due(second) {
            memory.sample(second, soak.body_count());
        }
        if memory.is_rest_due(second) {
            soak.rest();
            memory.sample(second, soak.body_count());
        }
        progress.step();
    }
    Ok(Run { totals: soak.totals(), digest: soak.digest(), memory })
}

fn is_good(run: &Run) -> bool {
    run.totals.non_finite == 0 && run.memory.judged_slope().is_none_or(|slope| slope <= MAX_SLOPE)
}

fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

fn print(arguments: &Arguments, run: &Run, out: &mut Out) -> anyhow::Result<()> {
    let Run { totals, digest, memory } = run;
    if arguments.json {
        for sample in memory.samples() {
            out.json(&json!({
                "event": "memory",
                "minute": sample.second / 60.0,
                "bodies": sample.bodies,
                "allocated_mb": sample.allocated,
                "rss_mb": sample.resident,
            }))?;
        }
        return out.json(&summary(arguments, run));
    }
    let share = 100.0 * totals.hostile as f64 / totals.delivered.max(1) as f64;
    out.line(format!(
        "{} min with {}, seed {}: {} entered and {} left, {} came and {} went",
        totals.seconds as f64 / 60.0,
        counted(arguments.clients, "client"),
        arguments.seed,
        counted(totals.entered, "player"),
        thousands(totals.left),
        counted(totals.creatures_added, "creature"),
        thousands(totals.creatures_removed),
    ))?;
    out.line(format!(
        "{}, {share:.1} % of them hostile; {} unreadable or refused by the server",
        counted(totals.delivered, "message"),
        thousands(totals.unreadable),
    ))?;
    out.line(format!(
        "up to {} in {}, {}, {}",
        counted(totals.max_bodies, "body"),
        counted(u32::from(arguments.clients) + 1, "world"),
        counted(totals.body_ticks, "body tick"),
        counted(totals.events, "event"),
    ))?;
    let megabytes = |value: Option<f64>| value.map_or_else(|| String::from("–"), |mb| format!("{mb:.1} MB"));
    let columns = [("minute", Align::Right), ("bodies", Align::Right), ("allocated", Align::Right)];
    let mut table = Table::new(&[&columns[..], &[("resident", Align::Right)]].concat());
    let decimals = if totals.seconds < SHORT_RUN { 2 } else { 1 };
    for sample in memory.samples() {
        table.row(vec![
            format!("{:.decimals$}", sample.second / 60.0),
            thousands(sample.bodies as u64),
            megabytes(sample.allocated),
            megabytes(sample.resident),
        ]);
    }
    table.print(out, "  ")?;
    let slope =
        |slope: Option<f64>| slope.map_or_else(|| String::from("not known"), |mb| format!("{mb:.2} MB/h"));
    let judged = if memory.judged_slope().is_some() { "" } else { ", too short to judge" };
    match (memory.slope(), memory.resident_slope()) {
        (None, None) => out.line("slope without bodies: too short to tell")?,
        (allocated, resident) => out.line(format!(
            "slope without bodies: allocated {}{judged}, resident {}",
            slope(allocated),
            slope(resident),
        ))?,
    }
    out.line(format!("not finite: {}", thousands(totals.non_finite)))?;
    if let Some(first) = &totals.first_non_finite {
        out.line(format!("first: {first}"))?;
    }
    out.line(format!("digest: {}", hex(*digest)))
}

fn summary(arguments: &Arguments, run: &Run) -> Value {
    let Run { totals, digest, memory } = run;
    json!({
        "event": "summary",
        "minutes": totals.seconds as f64 / 60.0,
        "clients": arguments.clients,
        "seed": arguments.seed,
        "entered": totals.entered,
        "left": totals.left,
        "creatures_added": totals.creatures_added,
        "creatures_removed": totals.creatures_removed,
        "messages": totals.delivered,
        "hostile": totals.hostile,
        "unreadable": totals.unreadable,
        "events": totals.events,
        "body_ticks": totals.body_ticks,
        "max_bodies": totals.max_bodies,
        "allocated_slope_mb_per_hour": memory.slope(),
        "rss_slope_mb_per_hour": memory.resident_slope(),
        "slope_judged": memory.judged_slope().is_some(),
        "non_finite": totals.non_finite,
        "first_non_finite": totals.first_non_finite,
        "digest": hex(*digest),
    })
}
