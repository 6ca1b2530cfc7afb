//! `acmotion conform`: runs conformance vectors (`docs/conformance.md`). Each family has its module.

mod about;
mod body;
mod check;
mod clock;
mod collision;
mod commands;
mod explain;
mod gate;
mod heading;
mod interp_state;
mod interpolation;
mod list;
mod motion_table;
mod motion_table_manager;
mod moveto;
mod moveto_helpers;
mod recorded;
mod rules;
mod sends;
mod sequence;
mod stage;
mod stamps;
mod steps;
mod target;
mod wire;

use std::fs;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};

use crate::output::{Failed, Out, OutFile, Progress, error_text, escape_controls, thousands, warn};
use crate::unpack;
use check::{Difference, Field};

/// Run conformance vectors and report which pass.
///
/// A vector file is JSON Lines, plain or gzipped. Its family is the file name up to the first dot. For a folder, every vector
/// file in it is run. For each file, the counts are printed, and the first ten failures with the path of the first field
/// that differs. A line that defines what later ones use counts as passed if it can be read and its parts agree.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion conform tests/golden
  acmotion conform --list
  acmotion conform --list tests/golden
  acmotion conform --explain tests/golden/stamps.dev.jsonl.gz:12

docs/conformance.md says how to read vectors and how to run them on another implementation.")]
pub(crate) struct Arguments {
    /// The vector files, or folders of them.
    #[arg(required_unless_present_any = ["list", "explain"], value_name = "FILE")]
    files: Vec<PathBuf>,
    /// List the families with their kinds of lines and the rules that they check; with files or folders, how many lines of each
    /// kind are in them. Nothing is run.
    #[arg(long, conflicts_with = "explain")]
    list: bool,
    /// Print one case as a story: what is given, step by step, what must come out, what came out, and the rules.
    #[arg(long, value_name = "FILE:LINE", value_parser = explain::parse_place, conflicts_with = "files")]
    explain: Option<explain::Place>,
    /// Print one JSON object per file and one per reported failure; with --list one per family or file, with --explain
    /// one for the case.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
}

/// The result of a case that did not fail.
pub(crate) enum CaseResult {
    Passed,
    /// The case was left out, because `docs/conformance.md` says so.
    Skipped,
}

/// The runner of a family of vectors. It gets the lines of a file in order and can keep what earlier lines define.
pub(crate) trait Family {
    /// Runs the case of one line.
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference>;
}

/// Runs the case of one line, unless it is left out.
pub(crate) fn run_line(family: &mut dyn Family, line: &Value) -> Result<CaseResult, Difference> {
    if steps::is_left_out(Field::line(line))? {
        return Ok(CaseResult::Skipped);
    }
    family.run_line(line)
}

/// Creates the runner for one file.
type NewFamily = fn() -> Box<dyn Family>;

/// Every family: its name and its runner.
pub(crate) const FAMILIES: &[(&str, NewFamily)] = &[
    ("body", || Box::new(body::BodyFamily)),
    ("bsp", || Box::<collision::BspFamily>::default()),
    ("camera", || Box::<collision::SweepFamily>::default()),
    ("clock", || Box::new(clock::ClockFamily)),
    ("commands", || Box::new(commands::CommandsFamily)),
    ("gate", || Box::new(gate::GateFamily)),
    ("heading", || Box::new(heading::HeadingFamily)),
    ("indoor", || Box::<collision::SweepFamily>::default()),
    ("interp_directed", || Box::new(interp_state::InterpStateFamily::directed())),
    ("interp_state", || Box::new(interp_state::InterpStateFamily::default())),
    ("interpolation", || Box::new(interpolation::InterpolationFamily)),
    ("motion_table", || Box::new(motion_table::MotionTableFamily::new())),
    ("motion_table_directed", || Box::new(motion_table::MotionTableFamily::directed())),
    ("motion_table_manager", || Box::new(motion_table_manager::MotionTableManagerFamily::default())),
    ("moveto", || Box::new(moveto::MoveToFamily::default())),
    ("moveto_helpers", || Box::new(moveto_helpers::MoveToHelpersFamily)),
    ("placement", || Box::<collision::SweepFamily>::default()),
    ("primitives", || Box::new(collision::PrimitivesFamily)),
    ("recorded", || Box::<recorded::RecordedFamily>::default()),
    ("sends", || Box::new(sends::SendsFamily)),
    ("sequence", || Box::new(sequence::SequenceFamily::default())),
    ("sequence_directed", || Box::new(sequence::SequenceFamily::default())),
    ("stamps", || Box::new(stamps::StampsFamily)),
    ("target", || Box::new(target::TargetFamily)),
    ("terrain", || Box::<collision::TerrainFamily>::default()),
    ("transition", || Box::<collision::SweepFamily>::default()),
    ("transition_directed", || Box::<collision::SweepFamily>::default()),
    ("transition_extra", || Box::<collision::SweepFamily>::default()),
    ("wire", || Box::new(wire::WireFamily)),
];

/// The maximum number of failures printed per file.
const MAX_REPORTED_FAILURES: usize = 10;
/// The maximum length of a line, in bytes; the same as in captures.
const MAX_LINE: u64 = 4 << 20;
/// The maximum number of lines of a file, empty ones included.
const MAX_LINES: u64 = 1_000_000;
/// The maximum size of a file after unpacking, in bytes.
const MAX_SIZE: u64 = 64 << 20;

/// The results of one file.
#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
    /// The first failures with their line numbers, at most [`MAX_REPORTED_FAILURES`].
    first_failures: Vec<(u64, Difference)>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    out.redirect(&arguments.out_file, false)?;
    if let Some(place) = &arguments.explain {
        return explain::run(place, arguments.json, out);
    }
    let files = vector_files(&arguments.files)?;
    if arguments.list {
        return list::run(&files, arguments.json, out);
    }
    let (mut passed, mut failed, mut all_run) = (0, 0, true);
    let size = files.iter().filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum();
    let (progress, read) = (Progress::bytes(size, "conforming"), Arc::default());
    for path in &files {
        let tally = match run_file(path, &read, |read| progress.set(read)) {
            Ok(tally) => tally,
            Err(error) => {
                warn(error_text(&error));
                all_run = false;
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
    // If no file could be read, its error says all.
    if !arguments.json && passed + failed > 0 {
        out.line(format!("{passed} passed, {failed} failed"))?;
    }
    if failed == 0 && all_run { Ok(()) } else { Err(Failed.into()) }
}

/// Returns the files among paths, and the vector files in the folders among them, sorted by their names.
fn vector_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let context = || path.display().to_string();
        let entries = fs::read_dir(path).with_context(context)?.collect::<Result<Vec<_>, _>>();
        let mut found: Vec<_> = entries.with_context(context)?.iter().map(fs::DirEntry::path).collect();
        found.retain(|file| {
            ends_like_vectors(file) && FAMILIES.iter().any(|(name, _)| *name == family_name(file))
        });
        if found.is_empty() {
            bail!("{}: no vector files in it; their names end in .jsonl or .jsonl.gz", path.display());
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

/// Returns `true` if the name of a file in a folder ends as those of vector files do.
fn ends_like_vectors(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
}

/// Runs the cases of a file. `read` counts the bytes that are read from it, and after each case `show` gets their number.
fn run_file(path: &Path, read: &Arc<AtomicU64>, mut show: impl FnMut(u64)) -> anyhow::Result<Tally> {
    let input = open(path, Arc::clone(read))?;
    let mut family = family_of(path)?;
    let mut tally = Tally::default();
    read_lines(path, input, |number, value| {
        match run_line(&mut *family, &value) {
            Ok(CaseResult::Passed) => tally.passed += 1,
            Ok(CaseResult::Skipped) => tally.skipped += 1,
            Err(difference) => {
                tally.failed += 1;
                if tally.first_failures.len() < MAX_REPORTED_FAILURES {
                    tally.first_failures.push((number, difference));
                }
            }
        }
        show(read.load(Ordering::Relaxed));
    })?;
    if tally.passed + tally.failed + tally.skipped == 0 {
        bail!("{}: no vectors in it", path.display());
    }
    Ok(tally)
}

/// Calls `handle` with the number and value of each line of a file, except empty ones. Returns the number of lines.
fn read_lines(
    path: &Path,
    mut input: impl BufRead,
    mut handle: impl FnMut(u64, Value),
) -> anyhow::Result<u64> {
    let (mut line, mut number, mut size) = (Vec::new(), 0, 0);
    loop {
        line.clear();
        number += 1;
        let at = || format!("{}, line {number}", path.display());
        if input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line).with_context(at)? == 0 {
            return Ok(number - 1);
        }
        if line.len() as u64 > MAX_LINE {
            bail!("{}: longer than {} bytes", at(), thousands(MAX_LINE));
        }
        size += line.len() as u64;
        if size > MAX_SIZE {
            bail!("{}: larger than {} bytes; split it", path.display(), thousands(MAX_SIZE));
        }
        if number > MAX_LINES {
            bail!("{}: more than {} lines; split it", path.display(), thousands(MAX_LINES));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let value = serde_json::from_slice(&line).with_context(|| format!("{}: not JSON", at()))?;
        handle(number, value);
    }
}

/// Returns the runner for a file, which is chosen by its name up to the first dot.
fn family_of(path: &Path) -> anyhow::Result<Box<dyn Family>> {
    let family = family_name(path);
    let found = FAMILIES.iter().find(|(name, _)| *name == family);
    found.map(|(_, new)| new()).with_context(|| unknown_family(path))
}

/// Returns the text of the error that there is no runner for a file.
fn unknown_family(path: &Path) -> String {
    let families: Vec<_> = FAMILIES.iter().map(|(name, _)| *name).collect();
    let family = family_name(path);
    format!("{}: no family `{family}`; families are {}", path.display(), families.join(", "))
}

/// Returns the name of a file up to the first dot.
fn family_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    String::from(name.split('.').next().unwrap_or_default())
}

/// Returns the name of the kind of a line: its `kind`, `fn` or `msg`, or an empty string if it has none.
fn part_of(line: &Value) -> &str {
    ["kind", "fn", "msg"].into_iter().find_map(|field| line.get(field)?.as_str()).unwrap_or_default()
}

/// Opens a vector file and unpacks it if it is packed. `read` counts the bytes that are read from it.
fn open(path: &Path, read: Arc<AtomicU64>) -> anyhow::Result<impl BufRead> {
    let input = unpack::open_counted(path, read).with_context(|| path.display().to_string())?;
    Ok(BufReader::new(input))
}

fn print_text(out: &mut Out, path: &Path, tally: &Tally) -> anyhow::Result<()> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let [passed, failed, skipped] = [tally.passed, tally.failed, tally.skipped].map(thousands);
    out.line(format!("{name}: {passed} passed, {failed} failed, {skipped} skipped"))?;
    for (line, difference) in &tally.first_failures {
        out.line(format!("  line {line}: {}", escape_controls(&difference.to_string())))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The bar goes on within a long file, from file to file.
    #[test]
    fn progress_is_shown_within_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stamps.long.jsonl");
        fs::write(&path, "{\"fn\":\"newer16\",\"old\":10,\"new\":11,\"newer\":true}\n".repeat(4_000))
            .unwrap();
        let (read, size) = (Arc::default(), fs::metadata(&path).unwrap().len());
        let mut shown = Vec::new();
        for end in [size, 2 * size] {
            let tally = run_file(&path, &read, |read| shown.push(read)).unwrap();
            assert_eq!((tally.passed, shown.last()), (4_000, Some(&end)));
        }
        assert_eq!(shown.len(), 8_000, "after each case");
        assert!(shown.is_sorted());
        shown.dedup();
        assert!(shown.len() > 20 && shown[0] < size / 10, "{shown:?}");
    }
}
