//! Runs every test once without a mutant and notes how long it takes and which mutants it reaches.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, UNIX_EPOCH};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::judge::in_parallel;
use crate::program::{End, Test, run};

/// The longest that a test may take without a mutant.
const LONGEST: Duration = Duration::from_secs(600);

/// A test, how long it takes, and the mutants that it reaches.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The test.
    pub test: Test,
    /// How long it takes.
    pub seconds: f64,
    /// The mutants.
    pub reached: Vec<u32>,
}

/// What is remembered of a test, as long as its program stays the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Note {
    seconds: f64,
    reached: Vec<u32>,
    /// When its program was built, in nanoseconds.
    built: u64,
}

/// Measures tests, which run in `folder`. What an earlier run found out in `work` about the same programs is taken over. Tests
/// that fail are left out.
pub fn measure(tests: &[Test], folder: &Path, work: &Path, jobs: usize) -> anyhow::Result<Vec<Measured>> {
    let path = work.join("measured.json");
    let mut notes: HashMap<String, Note> =
        fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let reached = work.join("reached");
    fs::create_dir_all(&reached).with_context(|| reached.display().to_string())?;

    let measured = in_parallel(tests, jobs, |index, test| {
        let built = built(test.program())?;
        if let Some(note) = notes.get(&test.key()).filter(|note| note.built == built) {
            return Ok(Some(note.clone()));
        }
        let file = reached.join(index.to_string());
        fs::write(&file, [])?;
        let start = Instant::now();
        let variable = ("ACMOTION_MUTANTS_REACHED", file.to_str().context("a path in UTF-8")?);
        let end = run(&[test], folder, variable, LONGEST)?;
        let seconds = start.elapsed().as_secs_f64();
        if end != End::Passed {
            eprintln!("left out: {} fails without any mutant", test.title());
            return Ok(None);
        }
        let bytes = fs::read(&file)?;
        let reached = bytes.as_chunks::<4>().0.iter().map(|id| u32::from_le_bytes(*id)).collect();
        Ok(Some(Note { seconds, reached, built }))
    })?;

    let mut found = Vec::new();
    for (test, note) in tests.iter().zip(measured) {
        let Some(note) = note else { continue };
        notes.insert(test.key(), note.clone());
        found.push(Measured { test: test.clone(), seconds: note.seconds, reached: note.reached });
    }
    fs::write(&path, serde_json::to_string(&notes)?).with_context(|| path.display().to_string())?;
    Ok(found)
}

/// When a program was built.
fn built(program: &Path) -> anyhow::Result<u64> {
    let modified =
        fs::metadata(program).and_then(|it| it.modified()).with_context(|| program.display().to_string())?;
    Ok(modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64))
}
