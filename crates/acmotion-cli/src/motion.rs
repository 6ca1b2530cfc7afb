//! `acmotion motion`: the duration of motions and the times of their hooks.

use std::path::PathBuf;

use acmotion::query::{MotionQuery, Segment, TimedHook, Timing, Undefined, motions, timing};
use acmotion::{Library, Table as MotionTable, json};
use acmotion_dat::DataId;
use acmotion_types::{Era, MotionCommand};
use anyhow::{Context as _, anyhow, bail};
use clap::Args;

use crate::input::open_assets;
use crate::names::{command_parser, style_parser, suggestion};
use crate::numbers::{fixed, shortest};
use crate::output::{Align, Out, OutFile, Table};

/// Show how long a motion takes and when its hooks fire.
///
/// The link (the transition into the motion) and the cycle (the motion itself, repeated) are timed separately. Without
/// MOTION, every motion of the style is listed; without STYLE, those of every style. Hooks are the effects of single frames,
/// such as sounds and hits. A hook fires when the animation leaves its frame, so hooks on the last frame never fire.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion motion mannequin 0x09000001 SwordCombat SlashHigh
  acmotion motion mannequin 0x09000001 NonCombat RunForward --from WalkForward --speed 1.5")]
pub(crate) struct Arguments {
    /// A dat file, or `mannequin` for the built-in dataset.
    file: PathBuf,
    /// The id of the motion table, hexadecimal.
    table: DataId,
    /// A style, by its name, such as NonCombat, or its hexadecimal id.
    #[arg(value_parser = style_parser(), hide_possible_values = true)]
    style: Option<MotionCommand>,
    /// A motion, by its name, such as RunForward, or its hexadecimal id.
    #[arg(value_parser = command_parser(), hide_possible_values = true)]
    motion: Option<MotionCommand>,
    /// The speed at which the motion is played; 1 is the speed of the table.
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true, value_parser = parse_speed)]
    speed: f32,
    /// The motion to start from; by default the style's default substate.
    #[arg(long, value_name = "MOTION", value_parser = command_parser(), hide_possible_values = true)]
    from: Option<MotionCommand>,
    /// Print JSON Lines instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
}

pub(crate) fn parse_speed(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(speed) if speed.is_finite() => Ok(speed),
        _ => Err(format!("`{text}` is not a speed; expected a finite number")),
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    out.redirect(&arguments.out_file, false)?;
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
        let query = MotionQuery { style, motion, from: arguments.from, speed: arguments.speed };
        let timing = timing(&library, table, &query).map_err(|undefined| {
            anyhow!("motion table {}: {}", arguments.table, describe_undefined(table, &undefined))
        })?;
        return if arguments.json { out.json(&json::timing(&timing)) } else { print_timing(&timing, out) };
    }
    for (number, style) in styles.into_iter().enumerate() {
        let timings = timings_of(&library, table, style, arguments);
        if timings.is_empty() {
            let undefined = Undefined { style, motion: style };
            bail!("motion table {}: {}", arguments.table, describe_undefined(table, &undefined));
        }
        if arguments.json {
            timings.iter().try_for_each(|timing| out.json(&json::timing(timing)))?;
        } else {
            if number > 0 {
                out.line("")?;
            }
            print_style(style, &timings, out)?;
        }
    }
    Ok(())
}

/// Returns that a table does not have a motion, and where it has that or what it has instead.
pub(crate) fn describe_undefined(table: &MotionTable, undefined: &Undefined) -> String {
    let styles: Vec<MotionCommand> = table.styles().map(|(style, _)| style).collect();
    let list = |styles: &[MotionCommand]| {
        let names: Vec<String> = styles.iter().map(MotionCommand::to_string).collect();
        names.join(", ")
    };
    let Undefined { style, motion } = *undefined;
    if !styles.contains(&style) {
        return format!("there is no style {style}; styles are {}", list(&styles));
    }
    let requests = |style| motions(table, style, Era::default()).requests();
    let others: Vec<_> = styles.into_iter().filter(|other| requests(*other).contains(&motion)).collect();
    if others.is_empty() {
        let names: Vec<String> = requests(style).iter().map(MotionCommand::to_string).collect();
        let meant = suggestion(&motion.to_string(), names.iter().map(String::as_str));
        format!("{undefined}, nor in another one{meant}")
    } else {
        format!("{undefined}; it is in {}", list(&others))
    }
}

/// Returns the timing of every motion that can be requested in a style from `--from`, or else from the style's default.
fn timings_of(
    library: &Library,
    table: &MotionTable,
    style: MotionCommand,
    arguments: &Arguments,
) -> Vec<Timing> {
    let Some(from) = arguments.from.or_else(|| table.style_default(style)) else { return Vec::new() };
    let requested = motions(table, style, Era::default()).requests();
    let query = |motion| MotionQuery { style, motion, from: Some(from), speed: arguments.speed };
    requested.into_iter().filter_map(|motion| timing(library, table, &query(motion)).ok()).collect()
}

fn print_style(style: MotionCommand, timings: &[Timing], out: &mut Out) -> anyhow::Result<()> {
    let (from, speed) = timings.first().map_or((style, 1.0), |timing| (timing.from, timing.query.speed));
    out.line(format!("{style}, from {from} at speed {}", shortest(speed)))?;
    let mut table = Table::new(&[
        ("motion", Align::Left),
        ("link s", Align::Right),
        ("cycle s", Align::Right),
        ("hooks", Align::Right),
        ("hits at", Align::Left),
    ]);
    for timing in timings {
        let hits: Vec<_> = timing.attacks().map(describe_hit).collect();
        table.row(vec![
            timing.query.motion.to_string(),
            fixed(timing.link_seconds(), 3),
            timing.cycle_seconds().map_or_else(|| String::from("-"), |seconds| fixed(seconds, 3)),
            timing.hooks.len().to_string(),
            hits.join(", "),
        ]);
    }
    table.print(out, "  ")
}

fn describe_hit(hit: &TimedHook) -> String {
    let time = fixed(hit.time, 3);
    match hit.share {
        Some(share) => format!("{time} s ({} %)", fixed(share * 100.0, 0)),
        None => format!("{time} s"),
    }
}

fn print_timing(timing: &Timing, out: &mut Out) -> anyhow::Result<()> {
    let MotionQuery { style, motion, speed, .. } = timing.query;
    out.line(format!("{motion} in {style}, from {} at speed {}", timing.from, shortest(speed)))?;
    out.line(format!("  link {} s", fixed(timing.link_seconds(), 3)))?;
    timing.link.iter().try_for_each(|segment| print_segment(segment, out))?;
    if let Some(cycle) = &timing.cycle {
        out.line(format!("  cycle {} s", fixed(cycle.seconds, 3)))?;
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
            fixed(timed.time, 4),
            timed
                .share
                .map_or_else(|| String::from("cycle"), |share| format!("{} %", fixed(share * 100.0, 1))),
            timed.animation.to_string(),
            timed.frame.to_string(),
            crate::dat::describe_hook(&timed.hook),
        ]);
    }
    table.print(out, "  ")
}

fn print_segment(segment: &Segment, out: &mut Out) -> anyhow::Result<()> {
    let Segment { animation, low, high, framerate, seconds, .. } = segment;
    let (framerate, seconds) = (shortest(*framerate), fixed(*seconds, 3));
    out.line(format!("    {animation} frames {low}–{high} at {framerate} a second: {seconds} s"))
}
