//! Changes the engine in thousands of small ways and tells which of them no test catches.
//!
//! All mutants are compiled into one copy of the engine, and a variable of the environment switches one of them on. So the
//! engine is built once and not once for every mutant.

mod breaks;
mod compile;
mod judge;
mod lists;
mod measure;
mod mutant;
mod program;
mod report;
mod scan;
#[cfg(test)]
mod scan_tests;
mod site;
mod tree;
mod vectors;
mod verdicts;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::Context as _;
use clap::Parser;

use crate::compile::{Build, SIMULATION_MODULES};
use crate::judge::Judge;
use crate::lists::{Known, read_breaks, read_known};
use crate::measure::measure;
use crate::mutant::{Mutant, Outcome, Verdict};
use crate::program::{Test, tests_of};
use crate::scan::Grain;
use crate::tree::Sources;
use crate::verdicts::Verdicts;

/// Results are saved after this many mutants.
const PART: usize = 50;

/// The breaks written by hand. They are planted together with the mutants, so that one build serves both.
const BREAKS: &str = "mutants/breaks.toml";

/// Plants mutants in the engine and lists those that no test catches.
#[derive(Parser)]
struct Options {
    /// Judges only mutants of this room: a module of the engine, or `root` for its single files. Several rooms are judged
    /// one after the other.
    #[arg(long)]
    room: Vec<String>,
    /// Judges only this many mutants, chosen at random.
    #[arg(long)]
    sample: Option<usize>,
    /// Chooses another sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Tests that run at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Plants the boundaries of comparisons, other numbers and missing checks as well.
    #[arg(long)]
    fine: bool,
    /// Judges the breaks of this file (`mutants/breaks.toml`) instead of mutants.
    #[arg(long, num_args = 0..=1, default_missing_value = BREAKS)]
    breaks: Option<PathBuf>,
    /// Judges again what the last run did not catch, without what is known to be equivalent, and updates its results.
    #[arg(long)]
    again: bool,
    /// Judges what an interrupted run did not come to, and adds to its results.
    #[arg(long)]
    resume: bool,
    /// The folder for the copy of the workspace, its build and the results (`results.json`), from the top of the
    /// repository. Two runs at the same time need two folders.
    #[arg(long, default_value = "target/mutants")]
    work: PathBuf,
    /// Runs only the tests of the engine's package: no conformance vectors and no simulation, which saves their build.
    #[arg(long)]
    engine_only: bool,
    /// A mutant has survived when it has passed tests of this many seconds, those first that catch most in their time.
    #[arg(long, default_value_t = 4.0)]
    budget: f64,
    /// A mutant has survived only when it has passed every test that reaches it.
    #[arg(long)]
    thorough: bool,
    /// Runs only tests whose names contain this. What they do not catch keeps its old verdict.
    #[arg(long)]
    tests: Vec<String>,
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

    let breaks = root.join(options.breaks.as_deref().unwrap_or(Path::new(BREAKS)));
    let grain = if options.fine { Grain::Fine } else { Grain::Coarse };
    let sources = Sources::scan(root, grain, &read_breaks(&breaks)?)?;
    tree::copy_workspace(root, &tree)?;
    let build = Build { tree: &tree, output: &output };
    let mut dropped = remembered(&work, &sources.mutants);
    let programs = build.tests(&sources, &mut dropped)?;
    remember(&work, &sources.mutants, &dropped)?;
    eprintln!("{} mutants, and {} that do not compile", sources.mutants.len() - dropped.len(), dropped.len());
    for mutant in sources.mutants.iter().filter(|it| it.is_break && dropped.contains(&it.id)) {
        println!("does not compile: {}:{}: {}", mutant.file, mutant.line, mutant.change);
    }
    if options.list {
        return Ok(());
    }

    let mut tests = Vec::new();
    if !options.engine_only {
        let others = build.others()?;
        let simulation = tests_of(&kept(&others.simulation, &work)?)?;
        let is_chosen = |test: &Test| {
            test.title().split("::").next().is_some_and(|module| SIMULATION_MODULES.contains(&module))
        };
        tests.extend(simulation.into_iter().filter(is_chosen));
        tests.extend(vectors::tests(&tree, &work, &kept(&others.command, &work)?)?);
    }
    for program in &programs {
        tests.extend(tests_of(&kept(program, &work)?)?);
    }
    let is_named = |test: &Test, names: &[String]| names.iter().any(|name| test.title().contains(name));
    tests.retain(|test| !is_named(test, &options.skip));
    tests.retain(|test| options.tests.is_empty() || is_named(test, &options.tests));
    let folder = tree.join("crates/acmotion");
    let tests = measure(&tests, &folder, &work, options.jobs)?;
    let seconds: f64 = tests.iter().map(|it| it.seconds).sum();
    eprintln!("{} tests, {seconds:.0} s", tests.len());

    let results = work.join(if options.breaks.is_some() { "breaks.json" } else { "results.json" });
    let old = if options.again || options.resume { verdicts::read(&results)? } else { Vec::new() };
    let known = read_known(&root.join("mutants/equivalent.toml"))?;
    let chosen = choose(&options, &sources.mutants, &dropped, &old, &known);
    let budget = if options.thorough { f64::INFINITY } else { options.budget };
    let judge = Judge::new(tests, &folder, options.jobs, budget, &known.shortcuts);
    judge.learn(&old);
    let verdicts = Mutex::new(Verdicts::new(old, &sources.mutants));
    judge.judge(&chosen, |verdict| {
        let mut verdicts = verdicts.lock().unwrap_or_else(|broken| broken.into_inner());
        // Some of the tests cannot show that a mutant survives.
        let is_final = options.tests.is_empty() || matches!(verdict.outcome, Outcome::Caught { .. });
        verdicts.add(verdict, is_final);
        if verdicts.count.is_multiple_of(PART) || verdicts.count == chosen.len() {
            eprintln!("{} of {} mutants", verdicts.count, chosen.len());
            verdicts.save(&results)?;
        }
        Ok(())
    })?;
    let verdicts = verdicts.into_inner().unwrap_or_else(|broken| broken.into_inner()).sorted();

    print!("{}", report::report(&verdicts, &known));
    if options.breaks.is_none() {
        for entry in report::stale(&verdicts, &sources.mutants, &known.equivalents) {
            println!("equivalent.toml: no such survivor: {}: {}: {}", entry.file, entry.change, entry.line);
        }
    }
    Ok(())
}

/// A copy of a program that stays as it is while another run builds.
fn kept(program: &Path, work: &Path) -> anyhow::Result<PathBuf> {
    let folder = work.join(format!("programs-{}", std::process::id()));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let copy = folder.join(program.file_name().context("the name of a program")?);
    fs::copy(program, &copy).with_context(|| copy.display().to_string())?;
    let built = fs::metadata(program)?.modified()?;
    fs::File::options().write(true).open(&copy)?.set_modified(built)?;
    Ok(copy)
}

/// The mutants to be judged, in an order that makes whatever was done when the run is interrupted a sample of everything.
fn choose<'m>(
    options: &Options,
    mutants: &'m [Mutant],
    dropped: &HashSet<u32>,
    old: &[Verdict],
    known: &Known,
) -> Vec<&'m Mutant> {
    let mut chosen: Vec<&Mutant> = mutants.iter().filter(|it| !dropped.contains(&it.id)).collect();
    chosen.retain(|mutant| mutant.is_break == options.breaks.is_some());
    let place = |mutant: &Mutant| options.room.iter().position(|room| mutant.room() == room);
    if !options.room.is_empty() {
        chosen.retain(|mutant| place(mutant).is_some());
    }
    if options.again {
        let is_caught = |it: &&Verdict| matches!(it.outcome, Outcome::Caught { .. });
        let caught: HashSet<_> = old.iter().filter(is_caught).map(|it| it.mutant.key()).collect();
        let judged: HashSet<_> = old.iter().map(|it| it.mutant.key()).collect();
        chosen.retain(|mutant| judged.contains(&mutant.key()) && !caught.contains(&mutant.key()));
        chosen.retain(|mutant| !known.equivalents.iter().any(|it| it.names(mutant)));
    }
    if options.resume {
        let judged: HashSet<_> = old.iter().map(|it| it.mutant.key()).collect();
        chosen.retain(|mutant| !judged.contains(&mutant.key()));
    }
    let mut chosen = sample(chosen, options.sample, options.seed);
    chosen.sort_by_key(|mutant| place(mutant));
    chosen
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
    let old: HashSet<_> = old.iter().map(Mutant::key).collect();
    let is_old = |mutant: &&Mutant| old.contains(&mutant.key());
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
            function: String::new(),
            is_break: false,
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
