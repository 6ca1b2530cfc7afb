//! `acmotion simulate`: runs a scene and shows how well everybody sees everybody.

mod lines;
mod record;
mod report;
mod summary;

use std::fs;
use std::path::PathBuf;

use acmotion_sim::Simulation;
use acmotion_sim::scene::Scene;
use anyhow::{Context as _, bail};
use clap::Args;

use crate::output::{Out, Progress};
use record::Record;

/// Run a scripted scene: players, observers and creatures around a server in a box, over a virtual network.
///
/// The truth about a player is his own client, about a creature the server. What everybody else shows is compared with
/// it, at the same time, and with where it was as long ago as messages take.
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
    /// The cell file with the land to walk on, instead of the scene's own ground.
    #[arg(long, value_name = "FILE")]
    cell: Option<PathBuf>,
    /// Write a page with the truth and every view.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// JSON Lines instead of a table.
    #[arg(long)]
    json: bool,
}

/// Seconds of the scene from one look at the output to the next.
const CHUNK: f64 = 0.25;

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if let Some(path) = &arguments.cell {
        bail!("--cell {}: walking on the land of a cell file is not possible yet", path.display());
    }
    let path = &arguments.scenario;
    let name = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| name.clone())?;
    let scene = Scene::parse(&text).with_context(|| name.clone())?;
    let mut simulation = Simulation::new(&scene).with_context(|| name.clone())?;

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
