//! `acmotion replay`: runs a capture through the engine and shows how entities moved.

mod changes;
mod compare;
mod report;
mod summary;
pub(crate) mod track;

use std::path::{Path, PathBuf};

use acmotion::scene::SceneLoader;
use acmotion::{ComfortSettings, EventKind, Presentation, json};
use acmotion_dat::Assets;
use acmotion_sim::methods::ReplayRecorder;
use acmotion_sim::replay::{Replay, ReplaySettings, Step};
use acmotion_wire::capture::{CaptureError, CaptureReader};
use acmotion_wire::json::JsonWriter;
use anyhow::Context as _;
use clap::Args;

use crate::captures::{CaptureFile, Damage, ReadProgress, find_one};
use crate::input::{is_standard_input, open_assets};
use crate::output::{Failed, Out, OutFile, note, warn, write_files};
use crate::replay_options::ReplayOptions;
use changes::Changes;
use track::Tracks;

/// Run a capture through the engine and show how entities moved.
///
/// The local player is the object that PlayerCreate names, or else the one given with --self, or else there is none. It
/// moves by what its own client sent, and is compared with each position that it sent. An object that the capture never
/// creates gets a humanoid as a stand-in when it is first reported. With --cell bodies collide with the land, houses
/// and objects of a cell file and with each other. Without it, and where the file has no land, the ground under a body
/// is level, at the height of its last report on the ground.
///
/// A time that is not finite or goes back counts as the time of the message before. Silences of more than ten minutes are
/// skipped, and so are pauses of more than half a minute after an hour of them. Gaps of more than an hour are shortened to
/// an hour, and times that are too large to be exact are counted from the first message. Each is reported in the summary.
/// A capture that lets many bodies run for long but has few messages is not replayed to its end: the summary says where it
/// stopped, and the exit code is 1.
///
/// Without --json a summary is printed; with it, one object for each entity and tick, and one for each event in between;
/// with --compare as well, one object for each method instead.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion replay walk.pcap --report walk.html
  acmotion replay walk.pcap --json --changes --out walk.jsonl
  acmotion replay walk.pcap --dat client_portal.dat --cell client_cell_1.dat")]
pub(crate) struct Arguments {
    /// The capture: pcap, pcapng, or JSON Lines of {t, dir, hex}, which may be packed as .gz, .zst or .zip. Use `-` for
    /// standard input.
    capture: PathBuf,
    #[command(flatten)]
    options: ReplayOptions,
    /// Where no land is known, let the ground slope as the reported positions do.
    #[arg(long)]
    slope_from_reports: bool,
    /// Let creatures whose motion tables are missing move as fast as their reported positions do.
    #[arg(long)]
    speeds_from_reports: bool,
    /// Compare five ways of showing the bodies that the server moves: the original's, comfort (docs/comfort.md), and three
    /// well-known ones. What counts is how far each is from a reported position just before the report, and how smooth it
    /// is.
    #[arg(long, conflicts_with = "report")]
    compare: bool,
    /// Write an HTML page that shows paths, speeds, errors and a timeline.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// Print JSON Lines instead of a summary.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
    /// With --json: leave out the line of an entity if nothing but `t` and `frame` has changed since its last one. `acmotion
    /// diff` compares such a result only with another one.
    #[arg(long, requires = "json", conflicts_with = "compare")]
    changes: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    out.redirect(&arguments.out_file, is_standard_input(&arguments.capture))?;
    replay(arguments, arguments.options.assets()?, &find_one(&arguments.capture)?, out)
}

fn replay(arguments: &Arguments, assets: Assets, capture: &CaptureFile, out: &mut Out) -> anyhow::Result<()> {
    let mut progress = ReadProgress::new(capture, "replaying", arguments.json);
    let input = capture.open(progress.counter()).with_context(|| capture.name())?;
    let settings = ReplaySettings { player: arguments.options.player, era: arguments.options.era.into() };
    let land =
        arguments.options.cell.as_deref().map(|path| land(path, &arguments.options, &assets)).transpose()?;
    let mut replay = Replay::new(assets, settings);
    if let Some(land) = land {
        replay.set_land(land);
    }
    replay.set_slope_from_reports(arguments.slope_from_reports);
    replay.set_speeds_from_reports(arguments.speeds_from_reports);
    let compared = arguments.compare.then(|| {
        replay.set_presentation(Presentation::Comfort(ComfortSettings::default()));
        ReplayRecorder::default()
    });
    let tracks = if arguments.report.is_some() { Tracks::with_samples() } else { Tracks::default() };
    let mut record = Record {
        tracks,
        compared,
        json: arguments.json && !arguments.compare,
        line: Vec::new(),
        changes: arguments.changes.then(Changes::default),
    };
    let mut damage = Damage::new(capture);
    let mut reader = CaptureReader::new(input);
    while let Some(next) = reader.next_message() {
        progress.message();
        match next {
            Ok(message) => {
                replay.receive(message.time, message.direction, message.bytes);
                record.take_steps(&mut replay, out)?;
            }
            Err(error @ (CaptureError::NotACapture { .. } | CaptureError::Empty)) => {
                return Err(error).with_context(|| capture.name());
            }
            Err(error) => {
                damage.add(error);
            }
        }
    }
    drop(progress);
    let damaged = damage.finish();
    replay.finish();
    record.take_steps(&mut replay, out)?;
    for problem in replay.land_problems() {
        warn(problem);
    }
    out.flush()?;
    let mut text = summary::text(&record.tracks, &replay);
    if let Some(compared) = record.compared.take() {
        let found = compared.finish();
        text.push_str(&compare::text(&found));
        for line in compare::lines(&found).iter().filter(|_| arguments.json) {
            out.json(line)?;
        }
        out.flush()?;
    }
    if arguments.json {
        note(text.trim_end());
    } else {
        out.line(text.trim_end())?;
    }
    if let Some(path) = &arguments.report {
        let name = arguments.capture.display().to_string();
        let page = report::page(&name, &text, &record.tracks);
        write_files(&[(path, page.as_bytes())])?;
    }
    let is_whole = damaged + replay.totals().unreadable == 0 && !replay.has_stopped();
    if is_whole { Ok(()) } else { Err(Failed.into()) }
}

/// Opens a cell file. Meshes, shapes of rooms and the region come from `portal`.
fn land(path: &Path, options: &ReplayOptions, portal: &Assets) -> anyhow::Result<SceneLoader> {
    let cells = open_assets(path)?;
    SceneLoader::new(portal, &cells).with_context(|| match &options.dat {
        Some(dat) => format!("{}: --cell needs the region of the dat file", dat.display()),
        None => String::from("--cell needs the region of the built-in mannequin"),
    })
}

/// Records and prints the steps of a replay.
struct Record {
    tracks: Tracks,
    /// What each method shows, if that is compared.
    compared: Option<ReplayRecorder>,
    json: bool,
    /// A buffer for the current line.
    line: Vec<u8>,
    /// What leaves out lines without changes, with `--changes`.
    changes: Option<Changes>,
}

impl Record {
    fn take_steps(&mut self, replay: &mut Replay, out: &mut Out) -> anyhow::Result<()> {
        while let Some(step) = replay.step() {
            let world = replay.world();
            if let Some(compared) = &mut self.compared {
                compared.on_step(&step, world);
            }
            match step {
                Step::Tick { time, .. } => {
                    self.tracks.tick(time, world);
                    for resident in world.entities().filter(|_| self.json) {
                        self.line.clear();
                        JsonWriter::new(&mut self.line)
                            .object(|line| json::put_state(line, time, resident, world.library()));
                        let changes = self.changes.as_mut();
                        if changes.is_some_and(|changes| !changes.note(resident.guid(), &self.line)) {
                            continue;
                        }
                        self.line.push(b'\n');
                        out.bytes(&self.line)?;
                    }
                }
                Step::Event(event) => {
                    self.tracks.event(&event);
                    if let (Some(changes), EventKind::Deleted(_)) = (&mut self.changes, &event.kind) {
                        changes.forget(event.guid);
                    }
                    if self.json && json::is_listed(&event) {
                        self.line.clear();
                        JsonWriter::new(&mut self.line).object(|line| {
                            json::put_event(line, &event, world.library());
                        });
                        self.line.push(b'\n');
                        out.bytes(&self.line)?;
                    }
                }
                Step::Named { guid, name } => self.tracks.name(guid, &name),
                Step::Report { time, guid, position, shown } => {
                    self.tracks.report(guid, time, &position, shown);
                }
                Step::OwnReport { time, guid, position, shown } => {
                    self.tracks.own_report(guid, time, &position, shown);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
