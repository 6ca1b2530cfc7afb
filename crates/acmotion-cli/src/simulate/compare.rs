//! `acmotion simulate --compare`: the original's way of showing remotes, comfort and three others, side by side.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use acmotion_sim::methods::{Comparison, Method, compare_scenario};
use acmotion_sim::network::LinkSettings;
use acmotion_sim::scenario::Scenario;
use anyhow::Context as _;
use serde_json::{Value, json};

use super::{bodies, check_duration, read_scenario};
use crate::methods_table::{ERROR_LEGEND, LEGEND, json, put_methods, table};
use crate::output::{Out, Progress, note};

/// The number of seeds unless another is given.
const SEEDS: u64 = 8;
/// The maximum number of scenario files.
const MAX_SCENARIOS: usize = 1_000;
/// The maximum number of bodies in all views, times the seconds of a scenario and the seeds, of all scenarios: every distance is
/// kept, so that this takes about 600 MB.
const MAX_COMPARED: f64 = 1e5;

/// The networks, from good to bad: latency and jitter one way, in seconds, and loss.
const NETWORKS: [(&str, LinkSettings); 4] = [
    ("LAN", link(0.001, 0.0, 0.0)),
    ("60 ± 15 ms, 0.5 %", link(0.06, 0.015, 0.005)),
    ("150 ± 50 ms, 2 %", link(0.15, 0.05, 0.02)),
    ("300 ± 100 ms, 5 %", link(0.3, 0.1, 0.05)),
];

const fn link(latency: f64, jitter: f64, loss: f64) -> LinkSettings {
    LinkSettings { latency, jitter, loss, ..LinkSettings::PERFECT }
}

/// What was found in one scenario over one network.
struct Cell {
    scenario: String,
    network: &'static str,
    found: Comparison,
}

/// Compares all methods in the scenarios of some files and folders, and prints the tables.
pub(super) fn run(
    paths: &[&Path],
    seeds: Option<u64>,
    announces: bool,
    as_json: bool,
    out: &mut Out,
) -> anyhow::Result<()> {
    let seeds = seeds.unwrap_or(SEEDS);
    let scenarios = read_all(paths)?;
    check_amount(&scenarios, seeds)?;
    let progress = Progress::new(scenarios.len() as u64 * NETWORKS.len() as u64 * seeds, "comparing");
    let mut cells = Vec::new();
    for (network, link) in NETWORKS {
        for (name, scenario) in &scenarios {
            let mut scenario = scenario.clone();
            scenario.clients.iter_mut().for_each(|client| client.network = link.into());
            let mut found = Comparison::default();
            for seed in 1..=seeds {
                scenario.seed = seed;
                found.merge(&compare_scenario(&scenario, announces).with_context(|| name.clone())?);
                progress.step();
            }
            cells.push(Cell { scenario: name.clone(), network, found });
        }
    }
    drop(progress);
    let text = text(&cells, scenarios.len(), seeds);
    if as_json {
        for line in lines(&cells, seeds) {
            out.json(&line)?;
        }
        out.flush()?;
        note(text.trim_end());
    } else {
        out.text_line(text.trim_end())?;
    }
    Ok(())
}

/// Reads the scenarios of files, and of the TOML files in folders, in the order of their names.
fn read_all(paths: &[&Path]) -> anyhow::Result<Vec<(String, Scenario)>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.to_path_buf());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let entries = entries.take(MAX_SCENARIOS + 1).collect::<Result<Vec<_>, _>>();
        let entries = entries.with_context(|| path.display().to_string())?;
        let mut found: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
        found.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        anyhow::ensure!(
            !found.is_empty(),
            "{}: there are no scenarios in it; expected TOML files",
            path.display()
        );
        found.sort();
        files.extend(found);
    }
    anyhow::ensure!(files.len() <= MAX_SCENARIOS, "more than {MAX_SCENARIOS} scenarios");
    files.iter().map(|path| Ok((name_of(path), read(path)?))).collect()
}

/// Returns an error if scenarios would take too much memory.
fn check_amount(scenarios: &[(String, Scenario)], seeds: u64) -> anyhow::Result<()> {
    let amounts = scenarios.iter().map(|(_, scenario)| bodies(scenario) as f64 * scenario.seconds);
    let amount = amounts.sum::<f64>() * seeds as f64;
    anyhow::ensure!(
        amount <= MAX_COMPARED,
        "too much to compare: bodies in all views, times seconds and seeds, are {amount:.0}, expected at most \
         {MAX_COMPARED:.0}; take fewer seeds or scenarios",
    );
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Scenario> {
    let name = || path.display().to_string();
    let scenario = Scenario::parse(&read_scenario(path).with_context(name)?).with_context(name)?;
    check_duration(&scenario).with_context(name)?;
    Ok(scenario)
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Returns the cells of a network taken together.
fn all_of(cells: &[Cell], network: &str) -> Comparison {
    let mut all = Comparison::default();
    cells.iter().filter(|cell| cell.network == network).for_each(|cell| all.merge(&cell.found));
    all
}

/// Returns the tables, and where comfort is worse than the original.
fn text(cells: &[Cell], scenarios: usize, seeds: u64) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "compared in {scenarios} scenarios over {} networks and {seeds} seeds",
        NETWORKS.len()
    );
    let mut all = table(&["network", "method"]);
    for (network, _) in NETWORKS {
        put_methods(&mut all, &[network], &all_of(cells, network));
    }
    let _ = write!(text, "\nall scenarios\n{}", all.text(""));
    let mut each = table(&["network", "scenario", "method"]);
    for cell in cells {
        put_methods(&mut each, &[cell.network, &cell.scenario], &cell.found);
    }
    let _ = write!(text, "\neach scenario\n{}", each.text(""));
    let _ = write!(text, "\n{ERROR_LEGEND}{LEGEND}");
    for method in [Method::Comfort, Method::Behind] {
        let _ = writeln!(text, "\nwhere {} is worse than faithful:", method.name());
        let mut count = 0;
        for cell in cells {
            for (measure, [own, faithful]) in cell.found.worse_than_faithful(method) {
                count += 1;
                let _ = writeln!(
                    text,
                    "{}, {}: {measure}: {own:.3} instead of {faithful:.3}",
                    cell.network, cell.scenario
                );
            }
        }
        let measures = cells.len() * cells.first().map_or(0, |cell| cell.found.truth().measures().len());
        let _ = writeln!(text, "{count} of {measures} measures");
    }
    text
}

/// Returns the lines of `--json`: one for each scenario, network and method, and one for all scenarios together.
fn lines(cells: &[Cell], seeds: u64) -> Vec<Value> {
    let line = |network: &str, scenario: Option<&str>, method: &str, quality: Value| {
        let mut line = json!({
            "event": "compare", "network": network, "scenario": scenario, "seeds": seeds, "method": method,
        });
        if let (Some(line), Value::Object(quality)) = (line.as_object_mut(), quality) {
            line.extend(quality);
        }
        line
    };
    let mut lines = Vec::new();
    let mut put = |network: &str, scenario: Option<&str>, found: &Comparison| {
        lines.push(line(network, scenario, "truth", json(&found.truth())));
        for method in Method::ALL {
            lines.push(line(network, scenario, method.name(), json(&found.quality(method))));
        }
    };
    for cell in cells {
        put(cell.network, Some(&cell.scenario), &cell.found);
    }
    for (network, _) in NETWORKS {
        put(network, None, &all_of(cells, network));
    }
    lines
}
