//! `acmotion conform`: runs conformance vectors, one module a family.

mod body;
mod check;
mod clock;
mod collision;
mod commands;
mod gate;
mod heading;
mod interp_state;
mod interpolation;
mod motion_table;
mod motion_table_manager;
mod moveto;
mod moveto_helpers;
mod sends;
mod sequence;
mod stamps;
mod target;
mod wire;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};

use crate::output::{Failed, Out, thousands};
use check::Difference;

/// Run conformance vectors and say what passed.
///
/// A vector file is JSON Lines, plain or gzipped; its family is the file name up to the first dot.
///
/// Example: acmotion conform tests/golden/*.jsonl.gz
#[derive(Args)]
pub(crate) struct Arguments {
    /// Vector files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object a file, and one a failure.
    #[arg(long)]
    json: bool,
}

/// What became of a case.
pub(crate) enum Verdict {
    Passed,
    /// Left out because the vectors' README says so.
    Skipped,
}

/// A family of vectors: takes the lines of a file one after the other. It may keep what earlier lines define.
pub(crate) trait Family {
    /// Checks one line.
    fn case(&mut self, line: &Value) -> Result<Verdict, Difference>;
}

/// How a family is begun.
type Begin = fn() -> Box<dyn Family>;

/// Every family: its name, and how to begin it.
const FAMILIES: &[(&str, Begin)] = &[
    ("body", || Box::new(body::Bodies)),
    ("bsp", || Box::<collision::Trees>::default()),
    ("camera", || Box::<collision::Walks>::default()),
    ("clock", || Box::new(clock::Clock)),
    ("commands", || Box::new(commands::Commands)),
    ("gate", || Box::new(gate::Gate)),
    ("heading", || Box::new(heading::Headings)),
    ("indoor", || Box::<collision::Walks>::default()),
    ("interp_directed", || Box::new(interp_state::Interpreters::directed())),
    ("interp_state", || Box::new(interp_state::Interpreters::default())),
    ("interpolation", || Box::new(interpolation::Interpolations)),
    ("motion_table", || Box::new(motion_table::MotionTables::new())),
    ("motion_table_directed", || Box::new(motion_table::MotionTables::directed())),
    ("motion_table_manager", || Box::new(motion_table_manager::MotionTableManager::default())),
    ("moveto", || Box::new(moveto::Moves::default())),
    ("moveto_helpers", || Box::new(moveto_helpers::Helpers)),
    ("placement", || Box::<collision::Walks>::default()),
    ("primitives", || Box::new(collision::Primitives)),
    ("sends", || Box::new(sends::Sends)),
    ("sequence", || Box::new(sequence::Sequences::default())),
    ("sequence_directed", || Box::new(sequence::Sequences::default())),
    ("stamps", || Box::new(stamps::Stamps)),
    ("target", || Box::new(target::Targets)),
    ("terrain", || Box::<collision::Lands>::default()),
    ("transition", || Box::<collision::Walks>::default()),
    ("transition_directed", || Box::<collision::Walks>::default()),
    ("transition_extra", || Box::<collision::Walks>::default()),
    ("wire", || Box::new(wire::Wire)),
];

/// How many failures of a file are told.
const TOLD: usize = 10;

#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
    first_failures: VecDeque<(u64, Difference)>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    let (mut passed, mut failed, mut all_read) = (0, 0, true);
    for path in &arguments.files {
        let tally = match run_file(path) {
            Ok(tally) => tally,
            Err(error) => {
                eprintln!("acmotion: {error:#}");
                all_read = false;
                continue;
            }
        };
        passed += tally.passed;
        failed += tally.failed;
        if arguments.json {
            print_json(out, path, &tally)?;
        } else {
            print_text(out, path, &tally)?;
        }
    }
    if !arguments.json {
        out.line(format!("{passed} passed, {failed} failed"))?;
    }
    if failed == 0 && all_read { Ok(()) } else { Err(Failed.into()) }
}

fn run_file(path: &Path) -> anyhow::Result<Tally> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let family_name = name.split('.').next().unwrap_or_default();
    let Some((_, begin)) = FAMILIES.iter().find(|(name, _)| *name == family_name) else {
        let known: Vec<_> = FAMILIES.iter().map(|(name, _)| *name).collect();
        bail!("{}: no family `{family_name}`; known are {}", path.display(), known.join(", "));
    };
    let mut family = begin();
    let mut tally = Tally::default();
    for (index, line) in open(path)?.lines().enumerate() {
        let number = index as u64 + 1;
        let line = line.with_context(|| format!("{}, line {number}", path.display()))?;
        if line.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(&line)
            .with_context(|| format!("{}, line {number}: not JSON", path.display()))?;
        match family.case(&value) {
            Ok(Verdict::Passed) => tally.passed += 1,
            Ok(Verdict::Skipped) => tally.skipped += 1,
            Err(difference) => {
                tally.failed += 1;
                if tally.first_failures.len() < TOLD {
                    tally.first_failures.push_back((number, difference));
                }
            }
        }
    }
    if tally.passed + tally.failed + tally.skipped == 0 {
        bail!("{}: no vectors in it", path.display());
    }
    Ok(tally)
}

/// A file's text, unpacked if it begins like a gzip file.
fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    let mut file = File::open(path).with_context(|| path.display().to_string())?;
    let mut start = Vec::new();
    file.by_ref().take(2).read_to_end(&mut start).with_context(|| path.display().to_string())?;
    let zipped = start == [0x1F, 0x8B];
    let whole = io_chain(start, file);
    Ok(if zipped {
        Box::new(BufReader::new(MultiGzDecoder::new(whole)))
    } else {
        Box::new(BufReader::new(whole))
    })
}

fn io_chain(start: Vec<u8>, file: File) -> impl Read {
    std::io::Cursor::new(start).chain(file)
}

fn print_text(out: &mut Out, path: &Path, tally: &Tally) -> anyhow::Result<()> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let [passed, failed, skipped] = [tally.passed, tally.failed, tally.skipped].map(thousands);
    out.line(format!("{name}: {passed} passed, {failed} failed, {skipped} skipped"))?;
    for (line, difference) in &tally.first_failures {
        out.line(format!("  line {line}: {difference}"))?;
    }
    Ok(())
}

fn print_json(out: &mut Out, path: &Path, tally: &Tally) -> anyhow::Result<()> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    out.json(&json!({
        "file": name, "passed": tally.passed, "failed": tally.failed, "skipped": tally.skipped,
    }))?;
    for (line, difference) in &tally.first_failures {
        out.json(&json!({
            "file": name, "line": line, "path": difference.path,
            "expected": difference.expected, "got": difference.got,
        }))?;
    }
    Ok(())
}
