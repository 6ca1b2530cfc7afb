//! Builds the tree, and drops mutants that do not compile.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use crate::site::{Planted, Region};
use crate::tree::{ENGINE, Sources, write_sources};

/// Errors of the compiler are found in rounds: types first, then borrows.
const MAX_ROUNDS: usize = 20;

/// The test program of the simulation.
const SIMULATION_TEST: &str = "simulation";

/// The modules of that program which drive the engine as clients and servers do. The checker of clients has no other tests.
pub const SIMULATION_MODULES: [&str; 8] =
    ["checking", "combat", "doors", "replay", "replay_player", "scenarios", "server", "solids"];

/// The test program of the command.
const COMMAND_TEST: &str = "command";

/// Programs outside of the engine's package.
pub struct Others {
    /// The command that checks the conformance vectors.
    pub command: PathBuf,
    /// The test program of the simulation.
    pub simulation: PathBuf,
}

/// The tree and where cargo builds it.
pub struct Build<'a> {
    /// The copy of the workspace.
    pub tree: &'a Path,
    /// Cargo's output.
    pub output: &'a Path,
}

impl Build<'_> {
    /// Builds the test programs until only mutants are left that compile. Adds the others to `dropped`.
    pub fn tests(&self, sources: &Sources, dropped: &mut HashSet<u32>) -> anyhow::Result<Vec<PathBuf>> {
        for _ in 0..MAX_ROUNDS {
            let planted = sources.plant(dropped);
            write_sources(self.tree, &planted, sources.mutants.len())?;
            let engine =
                ["test", "--no-run", "-p", "acmotion", "--all-features", "--lib", "--test", "engine"];
            let messages = self.cargo(&engine)?;
            let errors: Vec<&Value> =
                messages.iter().filter(|it| it["message"]["level"] == "error").collect();
            let before = dropped.len();
            for error in &errors {
                dropped.extend(blamed(&error["message"], &planted));
            }
            if errors.is_empty() {
                let programs = executables(&messages);
                ensure!(
                    programs.len() == 2,
                    "expected the unit tests and the story tests, found {programs:?}"
                );
                return Ok(programs);
            }
            eprintln!("{} errors, {} mutants dropped", errors.len(), dropped.len() - before);
            if dropped.len() == before {
                let texts: Vec<_> =
                    errors.iter().filter_map(|it| it["message"]["rendered"].as_str()).collect();
                bail!("no mutant is to blame for these errors:\n{}", texts.join("\n"));
            }
        }
        bail!("mutants still fail to compile after {MAX_ROUNDS} rounds")
    }

    /// Builds the command that checks the conformance vectors, and the tests of the simulation.
    pub fn others(&self) -> anyhow::Result<Others> {
        let mut arguments = vec!["test", "--no-run", "-p", "acmotion-cli", "-p", "acmotion-sim"];
        // A test of the command makes cargo build the command itself.
        arguments.extend(["--no-default-features", "--test", COMMAND_TEST, "--test", SIMULATION_TEST]);
        let programs = executables(&self.cargo(&arguments)?);
        let is_command = |path: &&PathBuf| path.file_stem().is_some_and(|it| it == "acmotion");
        let command = programs.iter().find(is_command).context("cargo built no command")?.clone();
        let start = format!("{SIMULATION_TEST}-");
        let is_simulation =
            |path: &&PathBuf| path.file_name().is_some_and(|it| it.to_string_lossy().starts_with(&start));
        let simulation = programs.iter().find(is_simulation);
        let simulation = simulation.context("cargo built no tests of the simulation")?.clone();
        Ok(Others { command, simulation })
    }

    /// Runs cargo and returns its messages.
    fn cargo(&self, arguments: &[&str]) -> anyhow::Result<Vec<Value>> {
        let output = Command::new("cargo")
            .args(arguments)
            .args(["--locked", "--message-format", "json"])
            .current_dir(self.tree)
            .env("CARGO_TARGET_DIR", self.output)
            // Little time should be spent on building and on running.
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_TEST_DEBUG", "0")
            .stderr(Stdio::inherit())
            .output()
            .context("cargo")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let is_explained = messages.iter().any(|it| it["message"]["level"] == "error");
        ensure!(output.status.success() || is_explained, "cargo {} failed", arguments.join(" "));
        Ok(messages)
    }
}

fn executables(messages: &[Value]) -> Vec<PathBuf> {
    messages.iter().filter_map(|it| it["executable"].as_str()).map(PathBuf::from).collect()
}

/// The mutants that an error of the compiler is about: those whose text it points at, else the innermost around it.
fn blamed(error: &Value, planted: &BTreeMap<String, Planted>) -> Vec<u32> {
    let mut spans = Vec::new();
    collect_spans(error, &mut spans);
    let regions_at =
        |file: &str| planted.get(file.strip_prefix(ENGINE).unwrap_or(file)).map(|it| &it.regions);
    let mut inside = Vec::new();
    let mut around: Option<&Region> = None;
    for (file, start, end) in &spans {
        for region in regions_at(file).into_iter().flatten() {
            let contains = |(from, to): (usize, usize)| from <= *start && *end <= to;
            if contains(region.alternative) {
                inside.push(region.id);
            } else if contains(region.site)
                && around.is_none_or(|it| region.site.1 - region.site.0 <= it.site.1 - it.site.0)
            {
                around = Some(region);
            }
        }
    }
    if inside.is_empty() { around.map(|it| it.id).into_iter().collect() } else { inside }
}

/// Every place that an error and its notes point at.
fn collect_spans(message: &Value, spans: &mut Vec<(String, usize, usize)>) {
    for span in message["spans"].as_array().into_iter().flatten() {
        if let (Some(file), Some(start), Some(end)) =
            (span["file_name"].as_str(), span["byte_start"].as_u64(), span["byte_end"].as_u64())
        {
            spans.push((file.to_owned(), start as usize, end as usize));
        }
    }
    for child in message["children"].as_array().into_iter().flatten() {
        collect_spans(child, spans);
    }
}
