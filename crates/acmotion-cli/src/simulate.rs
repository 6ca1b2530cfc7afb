//! `acmotion simulate`: runs a scene and shows how well everybody sees everybody.

mod lines;
mod outlines;
mod record;
mod report;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use acmotion::collide;
use acmotion_dat::Assets;
use acmotion_sim::Simulation;
use acmotion_sim::scenario::{Scenario, SharedSurroundings};
use anyhow::Context as _;
use clap::Args;

use crate::input::open_assets;
use crate::output::{Out, Progress};
use record::Record;

/// Run a scripted scene: players, observers and creatures around a server in a box, over a virtual network.
///
/// The truth about a player is his own client, about a creature the server. What everybody else shows is compared with
/// it, at the same time, and with where it was as long ago as messages take. Where there is more than a plane to walk on,
/// every tick of the truth is looked at: is anybody inside something solid, by more than 3 mm?
///
/// Without --json a table is printed; with it, one object for each view, entity and tick, one for each event and message
/// in between, and in the end one for each view of each entity with its errors. The scenes under scenes/ explain the
/// format.
///
/// Example: acmotion simulate scenes/walk_and_turn.toml --report walk.html
#[derive(Args)]
pub(crate) struct Arguments {
    /// The scene, a TOML file.
    scenario: PathBuf,
    /// The dat file with setups and motion tables; the built-in mannequin if none is given.
    #[arg(long, value_name = "FILE")]
    dat: Option<PathBuf>,
    /// The cell file with the land to walk on, or `town` for the built-in one, instead of the scene's own ground.
    #[arg(long, value_name = "FILE")]
    cell: Option<PathBuf>,
    /// Write a page with the truth and every view.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// JSON Lines instead of a table.
    #[arg(long)]
    json: bool,
}

/// The land of a cell file.
fn land(portal: &Assets, path: &Path) -> anyhow::Result<collide::Scene> {
    let name = path.display();
    let land = collide::Scene::load(portal, &open_assets(path)?).with_context(|| name.to_string())?;
    anyhow::ensure!(land.blocks().next().is_some(), "{name}: there is no land in it; expected a cell file");
    Ok(land)
}

/// Seconds of the scene from one look at the output to the next.
const CHUNK: f64 = 0.25;

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    let path = &arguments.scenario;
    let name = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| name.clone())?;
    let scene = Scenario::parse(&text).with_context(|| name.clone())?;
    let assets = match &arguments.dat {
        Some(path) => open_assets(path)?,
        None => Assets::mannequin(),
    };
    let land = arguments.cell.as_deref().map(|path| land(&assets, path)).transpose()?;
    let around = land.clone().map(|land| Arc::new(land) as SharedSurroundings);
    let mut simulation = Simulation::with(&scene, || assets.clone(), around).with_context(|| name.clone())?;
    if let Some(land) = land {
        simulation.look_for_solids(land);
    }

    let mut record = Record::new(&simulation, arguments.json);
    let steps = (scene.seconds / CHUNK).ceil() as u64;
    let progress = Progress::new(steps, "simulating");
    for step in 1..=steps {
        simulation.step((step as f64 * CHUNK).min(scene.seconds), &mut record);
        for line in record.take_lines() {
            out.json(&line)?;
        }
        progress.step();
    }
    drop(progress);

    let text = summary::text(&simulation, &record);
    if arguments.json {
        for line in summary::lines(&simulation, &record) {
            out.json(&line)?;
        }
        out.finish()?;
        eprint!("{text}");
    } else {
        out.line(text.trim_end())?;
    }
    if let Some(path) = &arguments.report {
        let page = report::page(&name, &text, &simulation, &record);
        fs::write(path, page).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
