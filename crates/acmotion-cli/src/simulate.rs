//! `acmotion simulate`: runs a scenario and shows how accurately each client shows the others.

mod check;
mod compare;
mod lines;
mod outlines;
mod pcap;
mod record;
mod report;
mod summary;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use acmotion::scene::Scene;
use acmotion_dat::Assets;
use acmotion_sim::Simulation;
use acmotion_sim::cheat::CheatKind;
use acmotion_sim::scenario::{CreatureKind, Scenario, SharedSurroundings};
use anyhow::Context as _;
use clap::{ArgGroup, Args};

use crate::input::{open_assets, other_format};
use crate::names::Named;
use crate::output::{Out, OutFile, Progress, expect_extension, note, warn, write_files};
use crate::unpack;
use record::Record;

/// Run a scenario: players, observers and creatures around a server in a box, over a virtual network.
///
/// The truth about a player is its own client's world, about a creature the server's. What every other view shows is
/// compared with the truth at the same time, and with the truth one mean message delay earlier. If the ground is more than
/// a plane, every tick of the truth is checked for bodies that are inside something solid by more than 3 mm.
///
/// With --compare every player and creature is also shown with comfort (docs/comfort.md) and by three other methods, over four
/// networks; several scenarios and folders of them can then be given.
///
/// Without --json a table is printed; with it, one object for each view, entity and tick, one for each event and message
/// in between, and at the end one for each view of each entity with its errors. The files in scenes/ explain the format
/// of scenarios.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion simulate scenes/walk_and_turn.toml --report walk.html
  acmotion simulate scenes/laggy_duel.toml --pcap duel.pcap
  acmotion simulate scenes/chase.toml --check --cheat speed
  acmotion simulate scenes --compare")]
#[command(group(ArgGroup::new("repeated").args(["check", "compare"]).multiple(false)))]
pub(crate) struct Arguments {
    /// The scenario, a TOML file; with --compare also a folder of them.
    scenario: PathBuf,
    /// Further scenarios and folders, with --compare.
    // `requires` has no effect beside what excludes the option that is required: that is excluded here as well.
    #[arg(value_name = "MORE", requires = "compare", conflicts_with_all = WITHOUT_COMPARE)]
    more: Vec<PathBuf>,
    /// The dat file with setups and motion tables. Without it, the built-in mannequin is used.
    #[arg(long, value_name = "FILE")]
    dat: Option<PathBuf>,
    /// The cell file with land and rooms, or `town` for the built-in one, instead of the scenario's own ground.
    #[arg(long, value_name = "FILE")]
    cell: Option<PathBuf>,
    /// Write an HTML page that shows the truth and every view.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// Check what the clients report, as a server would, with the built-in mannequin: over the scenario's own network and over
    /// three others: perfect, typical and terrible.
    #[arg(long, conflicts_with_all = ["dat", "cell"])]
    check: bool,
    /// With --check: let each player cheat in this way, or in all of them, and show how soon that is found.
    #[arg(long, value_name = "NAME", requires = "check", value_parser = Named::new(cheats, cheat_names))]
    #[arg(conflicts_with_all = ["dat", "cell", "compare"])]
    cheat: Option<Cheats>,
    /// Compare five ways of showing other players and creatures: the original's, comfort, and three well-known ones.
    #[arg(long, conflicts_with_all = ["dat", "cell", "report"])]
    compare: bool,
    /// With --compare: let players tell the server when a held key counts again, such as after a change of stance. The original
    /// client does not.
    #[arg(long, requires = "compare", conflicts_with_all = WITHOUT_COMPARE)]
    announce: bool,
    /// The number of seeds of the network: 1 by default for --check, 8 for --compare.
    #[arg(long, value_name = "COUNT", requires = "repeated")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: Option<u64>,
    /// Write the traffic of a client as a capture, for `acmotion replay` and other programs.
    #[arg(long, value_name = "OUT.pcap", conflicts_with = "compare")]
    pcap: Option<PathBuf>,
    /// The name of the client whose traffic --pcap writes; by default the scenario's first.
    #[arg(long, value_name = "NAME", requires = "pcap", conflicts_with = "compare")]
    client: Option<String>,
    /// Print JSON Lines instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
}

/// What excludes `--compare`.
const WITHOUT_COMPARE: [&str; 5] = ["check", "dat", "cell", "report", "pcap"];

/// What stands for all cheats.
const ALL_CHEATS: &str = "all";

/// The cheats of `--cheat`.
#[derive(Clone)]
struct Cheats(Vec<CheatKind>);

fn cheats(name: &str) -> Result<Cheats, String> {
    if name == ALL_CHEATS {
        return Ok(Cheats(CheatKind::ALL.to_vec()));
    }
    let kind = CheatKind::from_name(name);
    kind.map(|kind| Cheats(vec![kind])).ok_or_else(|| format!("expected one of {}", cheat_names().join(", ")))
}

fn cheat_names() -> Vec<&'static str> {
    CheatKind::ALL.map(CheatKind::name).into_iter().chain([ALL_CHEATS]).collect()
}

/// The maximum size of a scenario file, in bytes.
const MAX_FILE_SIZE: u64 = 16 << 20;

/// Reads a scenario file. Returns an error, without reading on, if it is larger than [`MAX_FILE_SIZE`].
fn read_scenario(path: &Path) -> anyhow::Result<String> {
    if let Some(format) = other_format(path) {
        anyhow::bail!("{format}, expected a scenario (a TOML file)");
    }
    let mut text = String::new();
    unpack::open(path)?.take(MAX_FILE_SIZE + 1).read_to_string(&mut text)?;
    anyhow::ensure!(text.len() as u64 <= MAX_FILE_SIZE, "larger than {MAX_FILE_SIZE} bytes, not a scenario");
    Ok(text)
}

/// Loads the land of a cell file.
fn land(portal: &Assets, path: &Path) -> anyhow::Result<Scene> {
    let name = path.display();
    let land = Scene::load(portal, &open_assets(path)?).with_context(|| name.to_string())?;
    anyhow::ensure!(land.blocks().next().is_some(), "{name}: there is no land in it; expected a cell file");
    Ok(land)
}

/// Returns a sentence for each motion table and setup that the scenario needs and the dat file does not have, or has
/// damaged.
fn stand_ins(scenario: &Scenario, assets: &Assets) -> Vec<String> {
    let is_needed = |kind: &CreatureKind| {
        let is_player = *kind == CreatureKind::Human && !scenario.clients.is_empty();
        is_player || scenario.creatures.iter().any(|creature| creature.kind == *kind)
    };
    let mut sentences = Vec::new();
    for kind in [CreatureKind::Human, CreatureKind::Beast, CreatureKind::Door].into_iter().filter(is_needed) {
        if let Err(error) = assets.motion_table(kind.motion_table()) {
            sentences.push(format!("{error}; the humanoid's motion table is used instead"));
        }
        if let Err(error) = assets.setup(kind.setup()) {
            sentences.push(format!("{error}; the humanoid's setup is used instead"));
        }
    }
    sentences
}

/// The maximum number of positions of which the page of `--report` is made: one for each body of each view and tick.
const MAX_PAGE_POSITIONS: f64 = 4e6;
/// Ticks of a world a second, at most (rule B2).
const TICKS_A_SECOND: f64 = 30.0;

/// The maximum number of bodies in all views, times the seconds of a scenario: 315 players for a minute, or 40 for an hour.
/// That takes about a minute; much more would seem to hang.
const MAX_BODY_SECONDS: f64 = 6e6;

/// Returns the number of bodies in all views of a scenario.
fn bodies(scenario: &Scenario) -> usize {
    let clients = scenario.clients.len();
    (clients + 1) * (clients + scenario.creatures.len())
}

/// Returns an error if a scenario would take too long.
fn check_duration(scenario: &Scenario) -> anyhow::Result<()> {
    let (bodies, seconds) = (bodies(scenario), scenario.seconds);
    anyhow::ensure!(
        bodies as f64 * seconds <= MAX_BODY_SECONDS,
        "too long: {bodies} bodies in all views can be simulated for {:.1} s, not for {seconds} s",
        MAX_BODY_SECONDS / bodies as f64,
    );
    Ok(())
}

/// Returns an error if the page of a scenario would have too many positions.
fn check_page_size(scenario: &Scenario) -> anyhow::Result<()> {
    let bodies = bodies(scenario);
    let positions = bodies as f64 * scenario.seconds * TICKS_A_SECOND;
    anyhow::ensure!(
        positions <= MAX_PAGE_POSITIONS,
        "too large for --report: {bodies} bodies in all views for {} s are {positions:.0} positions, expected at most \
         {MAX_PAGE_POSITIONS:.0}",
        scenario.seconds,
    );
    Ok(())
}

/// Seconds of the scenario after which the progress bar advances.
const CHUNK: f64 = 0.25;

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    out.redirect(&arguments.out_file, false)?;
    let path = &arguments.scenario;
    if arguments.compare {
        let paths: Vec<&Path> = std::iter::once(path).chain(&arguments.more).map(PathBuf::as_path).collect();
        return compare::run(&paths, arguments.seeds, arguments.announce, arguments.json, out);
    }
    let name = path.display().to_string();
    let text = read_scenario(path).with_context(|| name.clone())?;
    let scenario = Scenario::parse(&text).with_context(|| name.clone())?;
    check_duration(&scenario).with_context(|| name.clone())?;
    if arguments.report.is_some() {
        check_page_size(&scenario).with_context(|| name.clone())?;
    }
    let assets = match &arguments.dat {
        Some(path) => open_assets(path)?,
        None => Assets::mannequin(),
    };
    if let Some(path) = &arguments.dat {
        for sentence in stand_ins(&scenario, &assets) {
            warn(format_args!("{}: {sentence}", path.display()));
        }
    }
    let land = arguments.cell.as_deref().map(|path| land(&assets, path)).transpose()?;
    let surroundings = land.clone().map(|land| Arc::new(land) as SharedSurroundings);
    let mut simulation =
        Simulation::with_assets(&scenario, || assets.clone(), surroundings).with_context(|| name.clone())?;
    if let Some(land) = land {
        simulation.check_solids(land);
    }

    let mut record = Record::new(&simulation, arguments.json, arguments.report.is_some());
    let mut traffic = match &arguments.pcap {
        Some(path) => {
            expect_extension(path, "--pcap", "pcap")?;
            let client = arguments.client.as_deref();
            Some(pcap::traffic_of(&simulation, client).with_context(|| name.clone())?)
        }
        None => None,
    };
    let steps = (scenario.seconds / CHUNK).ceil() as u64;
    let progress = Progress::new(steps, "simulating");
    for step in 1..=steps {
        let until = (step as f64 * CHUNK).min(scenario.seconds);
        // Lines are printed after each frame, so that they take little memory.
        while arguments.json && simulation.next_frame() <= until {
            simulation.step(simulation.next_frame(), &mut (&mut record, &mut traffic));
            out.bytes(record.lines())?;
            record.clear_lines();
        }
        simulation.step(until, &mut (&mut record, &mut traffic));
        progress.step();
    }
    drop(progress);
    if let (Some(traffic), Some(path)) = (traffic, &arguments.pcap) {
        let count = pcap::write(traffic, path)?;
        note(format_args!("{count} messages in {}", path.display()));
    }

    let checks = if arguments.check {
        let cheats = arguments.cheat.as_ref().map_or(&[][..], |cheats| &cheats.0);
        Some(
            check::Report::run(&scenario, arguments.seeds.unwrap_or(1), cheats)
                .with_context(|| name.clone())?,
        )
    } else {
        None
    };
    let checked = checks.as_ref().map(check::Report::text).unwrap_or_default();
    let for_each_line = |put: &mut dyn FnMut(&str) -> anyhow::Result<()>| {
        summary::for_each_line(&simulation, &record, &mut *put)?;
        checked.lines().try_for_each(put)
    };
    if arguments.json {
        for line in acmotion_sim::json::summary(&simulation) {
            out.json(&line)?;
        }
        for line in checks.iter().flat_map(check::Report::lines) {
            out.json(&line)?;
        }
        out.flush()?;
        for_each_line(&mut |line| {
            note(line);
            Ok(())
        })?;
    } else {
        for_each_line(&mut |line| out.text_line(line))?;
    }
    if let Some(path) = &arguments.report {
        let mut text = String::new();
        for_each_line(&mut |line| {
            text.push_str(line);
            text.push('\n');
            Ok(())
        })?;
        let page = report::page(&name, text.trim_end(), &simulation, &record);
        write_files(&[(path, page.as_bytes())])?;
    }
    Ok(())
}
