//! Changes the engine in thousands of small ways and tells which of them no test catches.
//!
//! All mutants are compiled into one copy of the engine, and a variable of the environment switches one of them on. So the
//! engine is built once and not once for every mutant.

mod breaks;
mod compile;
mod judge;
mod lists;
mod mutant;
mod program;
mod report;
mod scan;
#[cfg(test)]
mod scan_tests;
mod site;
mod tree;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Parser;

use crate::compile::Build;
use crate::judge::Judge;
use crate::lists::{read_breaks, read_equivalents};
use crate::mutant::{Mutant, Outcome, Verdict};
use crate::program::{Test, tests_of};
use crate::tree::Sources;

/// Results are saved after this many mutants.
const PART: usize = 100;

/// Plants mutants in the engine and lists those that no test catches.
#[derive(Parser)]
struct Options {
    /// Judges only mutants of this room: a module of the engine, or `root` for its single files.
    #[arg(long)]
    room: Option<String>,
    /// Judges only this many mutants, chosen at random.
    #[arg(long)]
    sample: Option<usize>,
    /// Chooses another sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Tests that run at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Plants the breaks of this file instead of mutants.
    #[arg(long)]
    breaks: Option<PathBuf>,
    /// Judges again what the last run did not catch, and updates its results.
    #[arg(long)]
    again: bool,
    /// Judges what an interrupted run did not come to, and adds to its results.
    #[arg(long)]
    resume: bool,
    /// The folder for the copy of the workspace, its build and the results (`results.json`), from the top of the
    /// repository. Two runs at the same time need two folders.
    #[arg(long, default_value = "target/mutants")]
    work: PathBuf,
    /// Leaves out the conformance vectors, and so the build of the command that checks them.
    #[arg(long)]
    no_vectors: bool,
    /// Leaves out tests whose names contain this, to save time. What only they would catch survives.
    #[arg(long)]
    skip: Vec<String>,
    /// Counts the mutants that compile, and stops.
    #[arg(long)]
    list: bool,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the folder of the workspace")?;
    let work = root.join(&options.work);
    let (tree, output) = (work.join("tree"), work.join("build"));

    let sources = match &options.breaks {
        Some(path) => Sources::with_breaks(root, &read_breaks(path)?)?,
        None => Sources::scan(root)?,
    };
    tree::copy_workspace(root, &tree)?;
    let build = Build { tree: &tree, output: &output };
    let mut dropped = remembered(&work, &sources.mutants);
    let programs = build.tests(&sources, &mut dropped)?;
    remember(&work, &sources.mutants, &dropped)?;
    eprintln!("{} mutants, and {} that do not compile", sources.mutants.len() - dropped.len(), dropped.len());
    if options.breaks.is_some() {
        for mutant in sources.mutants.iter().filter(|it| dropped.contains(&it.id)) {
            println!("does not compile: {}:{}: {}", mutant.file, mutant.line, mutant.change);
        }
    }
    if options.list {
        return Ok(());
    }

    let mut tests = Vec::new();
    for program in &programs {
        tests.extend(tests_of(program)?);
    }
    if !options.no_vectors {
        tests.extend(vectors(&tree, &build.command()?)?);
    }
    tests.retain(|test| !options.skip.iter().any(|name| test.title().contains(name)));
    let folder = tree.join("crates/acmotion");
    let judge = Judge::new(tests, &folder, &work.join("reached"), options.jobs)?;
    let (count, seconds) = judge.size();
    eprintln!("{count} tests, {seconds:.0} s");

    let results = work.join("results.json");
    let mut verdicts: Vec<Verdict> =
        if options.again || options.resume { read_results(&results)? } else { Vec::new() };
    let mut chosen: Vec<&Mutant> = sources.mutants.iter().filter(|it| !dropped.contains(&it.id)).collect();
    if let Some(room) = &options.room {
        chosen.retain(|mutant| mutant.room() == room);
    }
    if options.again {
        chosen.retain(|mutant| is_survivor(&verdicts, mutant));
    }
    if options.resume {
        chosen.retain(|mutant| !verdicts.iter().any(|it| it.mutant.is_same_change(mutant)));
    }
    // In an order that makes whatever was done when the run is interrupted a sample of everything.
    let chosen = sample(chosen, options.sample, options.seed);
    for (index, part) in chosen.chunks(PART).enumerate() {
        let judged = judge.judge(part)?;
        verdicts.retain(|old| !part.iter().any(|new| new.is_same_change(&old.mutant)));
        verdicts.extend(judged);
        let text = serde_json::to_string_pretty(&verdicts)?;
        fs::write(&results, text).with_context(|| results.display().to_string())?;
        eprintln!("{} of {} mutants", index * PART + part.len(), chosen.len());
    }
    verdicts.retain(|it| sources.mutants.iter().any(|mutant| mutant.is_same_change(&it.mutant)));
    verdicts
        .sort_by(|one, two| (&one.mutant.file, one.mutant.line).cmp(&(&two.mutant.file, two.mutant.line)));

    let equivalents = read_equivalents(&root.join("mutants/equivalent.toml"))?;
    print!("{}", report::report(&verdicts, &equivalents));
    if options.breaks.is_none() {
        for entry in report::stale(&verdicts, &sources.mutants, &equivalents) {
            println!("equivalent.toml: no such survivor: {}: {}: {}", entry.file, entry.change, entry.line);
        }
    }
    Ok(())
}

/// Every file of conformance vectors of the repository.
fn vectors(tree: &Path, command: &Path) -> anyhow::Result<Vec<Test>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(tree.join("tests/golden"))? {
        files.push(entry?.path());
    }
    files.sort();
    let is_vectors = |path: &PathBuf| path.extension().is_some_and(|it| it == "gz" || it == "jsonl");
    Ok(files
        .into_iter()
        .filter(is_vectors)
        .map(|file| Test::Vectors { command: command.to_owned(), file })
        .collect())
}

fn read_results(path: &Path) -> anyhow::Result<Vec<Verdict>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: results of an earlier run", path.display()))?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

fn is_survivor(verdicts: &[Verdict], mutant: &Mutant) -> bool {
    verdicts
        .iter()
        .any(|it| !matches!(it.outcome, Outcome::Caught { .. }) && it.mutant.is_same_change(mutant))
}

/// Chooses `size` of the mutants, or all of them, in an order that depends on the seed alone.
fn sample(mut mutants: Vec<&Mutant>, size: Option<usize>, seed: u64) -> Vec<&Mutant> {
    // Multiplies and mixes (SplitMix64), which spreads neighbouring numbers evenly.
    let spread = |id: u32| {
        let mut value =
            (u64::from(id) ^ seed.rotate_left(32)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    };
    mutants.sort_by_key(|mutant| spread(mutant.id));
    mutants.truncate(size.unwrap_or(usize::MAX));
    mutants
}

/// Mutants that did not compile the last time, so that fewer rounds are needed.
fn remembered(work: &Path, mutants: &[Mutant]) -> HashSet<u32> {
    let Ok(text) = fs::read_to_string(work.join("dropped.json")) else { return HashSet::new() };
    let old: Vec<Mutant> = serde_json::from_str(&text).unwrap_or_default();
    let is_old = |mutant: &&Mutant| old.iter().any(|it| it.is_same_change(mutant));
    mutants.iter().filter(is_old).map(|mutant| mutant.id).collect()
}

fn remember(work: &Path, mutants: &[Mutant], dropped: &HashSet<u32>) -> anyhow::Result<()> {
    let dropped: Vec<&Mutant> = mutants.iter().filter(|mutant| dropped.contains(&mutant.id)).collect();
    fs::write(work.join("dropped.json"), serde_json::to_string(&dropped)?)
        .context("target/mutants/dropped.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_depends_on_the_seed_alone() {
        let mutant = |id| Mutant {
            id,
            file: String::new(),
            line: 1,
            text: String::new(),
            change: String::new(),
            nth: 0,
        };
        let mutants: Vec<Mutant> = (0..1000).map(mutant).collect();
        let ids = |seed| {
            sample(mutants.iter().collect(), Some(10), seed).iter().map(|it| it.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(1), ids(1));
        assert_ne!(ids(1), ids(2));
        assert_eq!(ids(1).len(), 10);
    }
}
