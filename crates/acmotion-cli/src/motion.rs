//! `acmotion motion`: how long motions take and when their hooks fire.

use std::path::PathBuf;

use acmotion::Library;
use acmotion::query::{MotionQuery, Segment, TimedHook, Timing, motions, timing};
use acmotion::table::Table as MotionTable;
use acmotion_dat::json::hook_payload;
use acmotion_dat::{DataId, HookEffect};
use acmotion_types::{Era, MotionCommand};
use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};

use crate::input::{open_assets, parse_hex};
use crate::output::{Align, Out, Table};

/// How long a motion takes, link and cycle apart, and when each hook fires.
///
/// Without MOTION every motion of the style is listed, without STYLE those of every style. A hook fires when its frame is
/// left; those of the last frame never do.
///
/// Examples:
///
///   acmotion motion mannequin 0x09000001 SwordCombat SlashHigh
///
///   acmotion motion mannequin 0x09000001 NonCombat RunForward --from WalkForward --speed 1.5
#[derive(Args)]
pub(crate) struct Arguments {
    /// A dat file, or `mannequin`.
    file: PathBuf,
    /// The motion table's id, hexadecimal.
    table: DataId,
    /// A style, by name or hexadecimal id.
    #[arg(value_parser = command)]
    style: Option<MotionCommand>,
    /// A motion, by name or hexadecimal id.
    #[arg(value_parser = command)]
    motion: Option<MotionCommand>,
    /// How fast.
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true, value_parser = speed)]
    speed: f32,
    /// What the body does before; the style's default if none is given.
    #[arg(long, value_name = "MOTION", value_parser = command)]
    from: Option<MotionCommand>,
    /// JSON Lines instead of text.
    #[arg(long)]
    json: bool,
}

fn command(text: &str) -> Result<MotionCommand, String> {
    MotionCommand::from_name(text)
        .or_else(|| parse_hex(text).ok().map(MotionCommand))
        .ok_or_else(|| format!("`{text}` is neither the name of a motion nor a hexadecimal id"))
}

fn speed(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(speed) if speed.is_finite() => Ok(speed),
        _ => Err(format!("`{text}` is not a speed")),
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    let assets = open_assets(&arguments.file)?;
    let mut library = Library::new();
    let id =
        library.load_table(&assets, arguments.table).with_context(|| arguments.file.display().to_string())?;
    let table = library.table(id);
    let styles: Vec<MotionCommand> = match arguments.style {
        Some(style) => vec![style],
        None => table.styles().map(|(style, _)| style).collect(),
    };
    if let (Some(style), Some(motion)) = (arguments.style, arguments.motion) {
        let question = MotionQuery { style, motion, from: arguments.from, speed: arguments.speed };
        let timing = timing(&library, table, &question)
            .with_context(|| format!("motion table {}", arguments.table))?;
        return if arguments.json { out.json(&timing_json(&timing)) } else { print_one(&timing, out) };
    }
    for style in styles {
        let timings = timings_of(&library, table, style, arguments);
        if timings.is_empty() {
            let nothing = acmotion::query::Undefined { style, motion: style };
            return Err(anyhow::Error::from(nothing).context(format!("motion table {}", arguments.table)));
        }
        if arguments.json {
            timings.iter().try_for_each(|timing| out.json(&timing_json(timing)))?;
        } else {
            print_style(style, &timings, out)?;
        }
    }
    Ok(())
}

/// Every motion that can be asked for from the style's default, or from where the arguments say.
fn timings_of(
    library: &Library,
    table: &MotionTable,
    style: MotionCommand,
    arguments: &Arguments,
) -> Vec<Timing> {
    let known = motions(table, style, Era::default());
    let Some(from) = arguments.from.or_else(|| table.style_default(style)) else { return Vec::new() };
    let links = known.links.iter().map(|(_, to)| *to).filter(|to| to.is_style() || to.is_action());
    let mut asked: Vec<MotionCommand> = known.cycles.iter().copied().chain(links).collect();
    asked.sort_unstable_by_key(|motion| (motion.is_action(), motion.is_style(), motion.wire_index()));
    asked.dedup();
    let question = |motion| MotionQuery { style, motion, from: Some(from), speed: arguments.speed };
    asked.into_iter().filter_map(|motion| timing(library, table, &question(motion)).ok()).collect()
}

fn print_style(style: MotionCommand, timings: &[Timing], out: &mut Out) -> anyhow::Result<()> {
    let (from, speed) = timings.first().map_or((style, 1.0), |timing| (timing.from, timing.query.speed));
    out.line(format!("{style}, from {from} at speed {speed}"))?;
    let mut table = Table::new(&[
        ("motion", Align::Left),
        ("link s", Align::Right),
        ("cycle s", Align::Right),
        ("hooks", Align::Right),
        ("hits at", Align::Left),
    ]);
    for timing in timings {
        let hits: Vec<_> = timing.attacks().map(hit_words).collect();
        table.row(vec![
            timing.query.motion.to_string(),
            format!("{:.3}", timing.link_seconds()),
            timing.cycle_seconds().map_or_else(|| String::from("-"), |seconds| format!("{seconds:.3}")),
            timing.hooks.len().to_string(),
            hits.join(", "),
        ]);
    }
    table.print(out, "  ")?;
    out.line("")
}

fn hit_words(hit: &TimedHook) -> String {
    match hit.share {
        Some(share) => format!("{:.3} s ({:.0} %)", hit.time, share * 100.0),
        None => format!("{:.3} s", hit.time),
    }
}

fn print_one(timing: &Timing, out: &mut Out) -> anyhow::Result<()> {
    let MotionQuery { style, motion, speed, .. } = timing.query;
    out.line(format!("{motion} in {style}, from {} at speed {speed}", timing.from))?;
    out.line(format!("  link {:.3} s", timing.link_seconds()))?;
    timing.link.iter().try_for_each(|segment| print_segment(segment, out))?;
    if let Some(cycle) = &timing.cycle {
        out.line(format!("  cycle {:.3} s", cycle.seconds))?;
        print_segment(cycle, out)?;
    }
    if timing.hooks.is_empty() {
        return out.line("  no hooks");
    }
    let mut table = Table::new(&[
        ("seconds", Align::Right),
        ("share", Align::Right),
        ("animation", Align::Left),
        ("frame", Align::Right),
        ("hook", Align::Left),
    ]);
    for timed in &timing.hooks {
        table.row(vec![
            format!("{:.4}", timed.time),
            timed.share.map_or_else(|| String::from("cycle"), |share| format!("{:.1} %", share * 100.0)),
            timed.animation.to_string(),
            timed.frame.to_string(),
            crate::dat::hook_words(&timed.hook),
        ]);
    }
    table.print(out, "  ")
}

fn print_segment(segment: &Segment, out: &mut Out) -> anyhow::Result<()> {
    let Segment { animation, low, high, framerate, seconds, .. } = segment;
    out.line(format!("    {animation} frames {low}–{high} at {framerate} a second: {seconds:.3} s"))
}

fn timing_json(timing: &Timing) -> Value {
    let id = |motion: MotionCommand| format!("0x{:08X}", motion.0);
    let MotionQuery { style, motion, speed, .. } = timing.query;
    json!({
        "style": id(style),
        "style_name": style.name(),
        "motion": id(motion),
        "name": motion.name(),
        "from": id(timing.from),
        "speed": speed,
        "link": {
            "seconds": timing.link_seconds(),
            "animations": timing.link.iter().map(segment_json).collect::<Vec<_>>(),
        },
        "cycle": timing.cycle.as_ref().map(|cycle| json!({
            "seconds": cycle.seconds, "animations": [segment_json(cycle)],
        })),
        "hooks": timing.hooks.iter().map(hook_json).collect::<Vec<_>>(),
        "attacks": timing.attacks().map(|hit| json!({ "time": hit.time, "share": hit.share })).collect::<Vec<_>>(),
    })
}

fn segment_json(segment: &Segment) -> Value {
    json!({
        "animation": segment.animation.to_string(), "low": segment.low, "high": segment.high,
        "framerate": segment.framerate, "start": segment.start, "seconds": segment.seconds,
    })
}

fn hook_json(timed: &TimedHook) -> Value {
    let effect: &HookEffect = &timed.hook.effect;
    json!({
        "time": timed.time,
        "share": timed.share,
        "part_of": if timed.share.is_some() { "link" } else { "cycle" },
        "animation": timed.animation.to_string(),
        "frame": timed.frame,
        "hook": effect.name(),
        "type": effect.number(),
        "direction": timed.hook.direction.0,
        "payload": hook_payload(effect),
    })
}
