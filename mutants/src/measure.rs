//! Runs every test once without a mutant and notes how much processor time it takes and which mutants it reaches.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::judge::in_parallel;
use crate::program::{End, Run, Test, run};

/// The longest that a test may take without a mutant, in seconds.
const LONGEST: f64 = 600.0;

/// What the shortest test takes, in seconds.
const SHORTEST: f64 = 0.002;

/// A program with this many tests is large.
const LARGE: usize = 50;

/// A test, the seconds that it takes, and the mutants that it reaches.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The test.
    pub test: Test,
    /// How much processor time it takes.
    pub seconds: f64,
    /// The mutants.
    pub reached: Vec<u32>,
}

/// What is remembered of a test, as long as its program stays the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Note {
    seconds: f64,
    reached: Vec<u32>,
    /// What the result depends on: see [`Fingerprints`].
    fingerprint: u64,
}

/// Numbers that change with whatever changes which mutants a test reaches.
struct Fingerprints {
    folder: PathBuf,
    /// That of the engine with its mutants, and of what the story tests share.
    shared: u64,
}

impl Fingerprints {
    /// `folder` is that of the engine's package.
    fn new(folder: &Path) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        add_files(&folder.join("src"), &mut files)?;
        for entry in fs::read_dir(folder.join("tests/engine"))? {
            let path = entry?.path();
            if path.is_dir() {
                add_files(&path, &mut files)?;
            }
        }
        files.sort();
        let shared =
            files.iter().try_fold(FNV_BASIS, |hash, file| anyhow::Ok(fnv(hash, &fs::read(file)?)))?;
        Ok(Self { folder: folder.to_owned(), shared })
    }

    /// A story test depends on its own file besides; a test of another package on when its program was built.
    fn of(&self, test: &Test) -> anyhow::Result<u64> {
        let program = test.program().file_name().unwrap_or_default().to_string_lossy().into_owned();
        if program.starts_with("engine-") {
            let file = test.title().split("::").next().unwrap_or_default().to_owned();
            let file = self.folder.join("tests/engine").join(file).with_extension("rs");
            return Ok(fnv(self.shared, &fs::read(&file).with_context(|| file.display().to_string())?));
        }
        let is_unit_test = matches!(test, Test::Named { .. }) && program.starts_with("acmotion-");
        if is_unit_test { Ok(self.shared) } else { built(test.program()) }
    }
}

/// The basis and the prime of the hash FNV-1a.
const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            add_files(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Measures tests, which run in `folder`. What an earlier run found out in `work` about the same tests of the same engine is
/// taken over. Tests that fail are left out.
pub fn measure(tests: &[Test], folder: &Path, work: &Path, jobs: usize) -> anyhow::Result<Vec<Measured>> {
    let path = work.join("measured.json");
    let mut notes: HashMap<String, Note> =
        fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let reached = work.join("reached");
    fs::create_dir_all(&reached).with_context(|| reached.display().to_string())?;

    let fingerprints = Fingerprints::new(folder)?;
    let measured = in_parallel(tests, jobs, |index, test| {
        let fingerprint = fingerprints.of(test)?;
        if let Some(note) = notes.get(&test.key()).filter(|note| note.fingerprint == fingerprint) {
            return Ok(Some(note.clone()));
        }
        let file = reached.join(index.to_string());
        fs::write(&file, [])?;
        let variable = ("ACMOTION_MUTANTS_REACHED", file.to_str().context("a path in UTF-8")?);
        let Run { end, seconds } = run(&[test], folder, variable, LONGEST)?;
        if end != End::Passed {
            eprintln!("left out: {} fails without any mutant", test.title());
            return Ok(None);
        }
        let bytes = fs::read(&file)?;
        let reached = bytes.as_chunks::<4>().0.iter().map(|id| u32::from_le_bytes(*id)).collect();
        Ok(Some(Note { seconds, reached, fingerprint }))
    })?;

    let mut found = Vec::new();
    for (test, note) in tests.iter().zip(measured) {
        let Some(note) = note else { continue };
        notes.insert(test.key(), note.clone());
        found.push(Measured { test: test.clone(), seconds: note.seconds, reached: note.reached });
    }
    leave_out_start(&mut found);
    fs::write(&path, serde_json::to_string(&notes)?).with_context(|| path.display().to_string())?;
    Ok(found)
}

/// Most tests of a large program take no longer than what all of them need, which they share in one process. That is left out.
fn leave_out_start(tests: &mut [Measured]) {
    let mut by_program: HashMap<PathBuf, Vec<f64>> = HashMap::new();
    for Measured { test, seconds, .. } in tests.iter() {
        if matches!(test, Test::Named { .. }) {
            by_program.entry(test.program().to_owned()).or_default().push(*seconds);
        }
    }
    by_program.retain(|_, seconds| seconds.len() >= LARGE);
    by_program.values_mut().for_each(|seconds| seconds.sort_by(f64::total_cmp));
    for Measured { test, seconds, .. } in tests {
        let start = by_program.get(test.program()).map_or(0.0, |all| all[all.len() / 2]);
        *seconds = (*seconds - start).max(SHORTEST);
    }
}

/// When a program was built.
fn built(program: &Path) -> anyhow::Result<u64> {
    let modified =
        fs::metadata(program).and_then(|it| it.modified()).with_context(|| program.display().to_string())?;
    Ok(modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_tests_of_a_program_need_is_left_out() {
        let named = |program: &str, seconds| Measured {
            test: Test::Named { program: program.into(), name: String::new() },
            seconds,
            reached: Vec::new(),
        };
        let mut tests: Vec<Measured> = (0..LARGE).map(|_| named("large", 0.04)).collect();
        tests.extend([named("large", 0.3), named("large", 0.01), named("small", 0.04)]);
        leave_out_start(&mut tests);
        let seconds: Vec<f64> = tests[LARGE - 1..].iter().map(|it| it.seconds).collect();
        assert_eq!(seconds, [SHORTEST, 0.3 - 0.04, SHORTEST, 0.04]);
    }
}
