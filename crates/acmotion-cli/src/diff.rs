//! `acmotion diff`: compares two results tick by tick.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use acmotion_sim::compare::{
    CompareError, Comparison, EntityComparison, FieldDifference, FirstDifference, ResultSummary, Side,
    Tolerance, compare,
};
use acmotion_types::MotionCommand;
use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};

use crate::input::{input_name, is_standard_input, parse_hex};
use crate::output::{Align, Failed, Out, OutFile, Table, counted, thousands};
use crate::unpack;

/// Compare two replays or simulations tick by tick, and find where each entity first differs.
///
/// A result is what `replay --json` or `simulate --json` wrote, plain or as .gz or .zst, or what another implementation wrote in
/// the same form (docs/conformance.md). States of an entity belong together if their times differ by at most a sixtieth of
/// a second. A field that only one result has is named and not compared. Numbers within the tolerances count as the same:
/// positions within --tolerance, angles within 0.01 degrees, velocities within 0.01 m/s, other numbers within 0.0001.
///
/// What `replay --json --changes` wrote has no states for ticks without changes: compare it with another result of that kind.
///
/// The exit code is 0 if nothing differs, and 1 if something does or if a file cannot be read.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion diff before.jsonl after.jsonl
  acmotion diff before.jsonl after.jsonl --tolerance 0.01 --ignore event")]
pub(crate) struct Arguments {
    /// The first result. Use `-` for standard input.
    a: PathBuf,
    /// The second result. Use `-` for standard input.
    b: PathBuf,
    /// How far two positions may be apart and still count as the same, in metres.
    #[arg(long, value_name = "METRES", default_value_t = Tolerance::default().distance, value_parser = tolerance)]
    tolerance: f32,
    /// Do not compare this field or kind of event, for instance `pending`, `position` or `hook`; `event` stands for all events.
    /// Can be given more than once.
    #[arg(long, value_name = "FIELD")]
    ignore: Vec<String>,
    /// The number of entities to list, of those that differ.
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,
    /// Print JSON Lines instead of text: a summary, then every entity that differs.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
}

/// The maximum number of fields that are listed with their values.
const MAX_FIELDS: usize = 8;

fn tolerance(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(metres) if metres.is_finite() && metres >= 0.0 => Ok(metres),
        _ => Err(String::from("expected a number of metres, 0 or more")),
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    out.redirect(&arguments.out_file, false)?;
    if is_standard_input(&arguments.a) && is_standard_input(&arguments.b) {
        bail!("only one of the two results can come from standard input");
    }
    let settings = Tolerance {
        distance: arguments.tolerance,
        ignored: arguments.ignore.clone(),
        ..Tolerance::default()
    };
    let (a, b) = (open(&arguments.a)?, open(&arguments.b)?);
    let comparison = compare(a, b, settings).map_err(|error| named(error, arguments))?;
    if arguments.json {
        print_json(&comparison, out)?;
    } else {
        print_text(&comparison, arguments, out)?;
    }
    if comparison.is_same() { Ok(()) } else { Err(Failed.into()) }
}

fn open(path: &Path) -> anyhow::Result<impl BufRead> {
    let input = unpack::open(path).with_context(|| input_name(path))?;
    Ok(BufReader::with_capacity(1 << 16, input))
}

/// Puts the name of the file before the reason why it could not be compared.
fn named(error: CompareError, arguments: &Arguments) -> anyhow::Error {
    let path = |side: Side| input_name(if side == Side::A { &arguments.a } else { &arguments.b });
    match error {
        CompareError::Io(side, error) => anyhow::Error::from(error).context(path(side)),
        CompareError::NoStates(side) => anyhow::anyhow!(
            "{}: no line has the state of an entity; expected the output of replay --json or simulate --json",
            path(side)
        ),
        CompareError::TooManyEntities => error.into(),
    }
}

/// Returns the entities that differ, in the order of time.
fn different(comparison: &Comparison) -> impl Iterator<Item = (&EntityComparison, &FirstDifference)> {
    comparison.entities.iter().filter_map(|entity| Some((entity, entity.first.as_ref()?)))
}

fn print_json(comparison: &Comparison, out: &mut Out) -> anyhow::Result<()> {
    out.json(&json!({
        "same": comparison.is_same(),
        "a": comparison.a,
        "b": comparison.b,
        "compared": comparison.compared,
        "entities": comparison.entities.len(),
        "different": different(comparison).count(),
        "fields_of_one": comparison.fields_of_one,
    }))?;
    for (entity, _) in different(comparison) {
        out.json(&serde_json::to_value(entity)?)?;
    }
    Ok(())
}

fn print_text(comparison: &Comparison, arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    for (name, path, summary) in [("A", &arguments.a, &comparison.a), ("B", &arguments.b, &comparison.b)] {
        out.line(format!("{name}: {}: {}", input_name(path), summary_text(summary)))?;
    }
    for (side, name) in [(Side::A, "A"), (Side::B, "B")] {
        let fields = comparison.fields_of_one.iter().filter(|(owner, _)| *owner == side);
        let fields: Vec<&str> = fields.map(|(_, field)| field.as_str()).collect();
        if !fields.is_empty() {
            out.line(format!("only in {name}, not compared: {}", fields.join(", ")))?;
        }
    }
    let compared = format!("{} of states", counted(comparison.compared, "pair"));
    let Some((entity, first)) = different(comparison).next() else {
        return out.line(format!("No difference in {compared}."));
    };
    let (count, all) = (different(comparison).count(), comparison.entities.len());
    let differ = if count == 1 { "differs" } else { "differ" };
    out.line(format!("{compared} compared; {count} of {} {differ}.", counted(all, "entity")))?;
    if let Some((side, missing)) = missing_states(comparison) {
        let states = counted(missing, "state");
        out.line(format!(
            "Where both have a state they agree, but {side} lacks {states}, as what `replay --json --changes` writes does."
        ))?;
    }
    out.line("")?;
    out.line(format!("The first difference is at {:.3} s, of {}:", first.time, subject(entity)))?;
    for field in first.fields.iter().take(MAX_FIELDS) {
        out.line(format!(
            "  {}: {} in A, {} in B",
            field.field,
            value_text(field, &field.a),
            value_text(field, &field.b)
        ))?;
    }
    let more = first.fields.len().saturating_sub(MAX_FIELDS) as u64 + first.more;
    if more > 0 {
        out.line(format!("  and {} more", thousands(more)))?;
    }
    if let Some(distance) = first.distance {
        out.line(format!("  {distance:.3} m apart then"))?;
    }
    out.line("")?;
    let mut table = Table::new(&[
        ("entity", Align::Left),
        ("first at", Align::Right),
        ("in", Align::Left),
        ("pairs", Align::Right),
        ("different", Align::Right),
        ("events", Align::Right),
        ("greatest distance", Align::Right),
        ("at", Align::Right),
    ]);
    for (entity, first) in different(comparison).take(arguments.most) {
        let mut fields: Vec<&str> = first.fields.iter().map(|field| field.field.as_str()).collect();
        fields.dedup();
        table.row(vec![
            subject(entity),
            format!("{:.3} s", first.time),
            fields.join(", "),
            thousands(entity.compared),
            thousands(entity.different),
            thousands(entity.different_events),
            format!("{:.3} m", entity.greatest_distance),
            entity.greatest_at.map_or_else(String::new, |time| format!("{time:.3} s")),
        ]);
    }
    table.print(out, "")?;
    if count > arguments.most {
        out.line(format!("and {} more", count - arguments.most))?;
    }
    Ok(())
}

/// Returns which result lacks states that the other has, and how many, if nothing else differs.
fn missing_states(comparison: &Comparison) -> Option<(&'static str, u64)> {
    let sum = |count: fn(&EntityComparison) -> u64| comparison.entities.iter().map(count).sum::<u64>();
    let others = sum(|entity| entity.different + entity.different_events);
    match (sum(|entity| entity.only_a), sum(|entity| entity.only_b)) {
        (0, missing @ 1..) if others == 0 => Some(("A", missing)),
        (missing @ 1.., 0) if others == 0 => Some(("B", missing)),
        _ => None,
    }
}

fn summary_text(summary: &ResultSummary) -> String {
    let mut text = format!("{}, {}", counted(summary.states, "state"), counted(summary.events, "event"));
    if let (Some(start), Some(end)) = (summary.start, summary.end) {
        text.push_str(&format!(", {start:.3} to {end:.3} s"));
    }
    if summary.unreadable > 0 {
        text.push_str(&format!(", {}", counted(summary.unreadable, "unreadable line")));
    }
    text
}

fn subject(entity: &EntityComparison) -> String {
    let guid = entity.guid.map_or_else(|| String::from("messages sent"), |guid| guid.to_string());
    match &entity.view {
        Some(view) => format!("{guid} ({view})"),
        None => guid,
    }
}

/// Returns a value as it is read: commands with their names, events without their details, what is missing as "nothing".
fn value_text(field: &FieldDifference, value: &Value) -> String {
    match (field.field.as_str(), value) {
        (_, Value::Null) => String::from("nothing"),
        ("state", _) => String::from("present"),
        ("event", event) => {
            let text = |name: &str| event.get(name).and_then(Value::as_str);
            let what = ["name", "hook", "motion", "reason", "what"].into_iter().find_map(text);
            [text("event"), what].into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
        ("style" | "substate", Value::String(text)) => {
            let name = parse_hex(text).ok().and_then(|id| MotionCommand(id).name());
            name.map_or_else(|| text.clone(), |name| format!("{name} ({text})"))
        }
        _ => value.to_string(),
    }
}
