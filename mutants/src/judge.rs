//! Decides about mutants: which tests reach them, and whether one of those fails.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::mutant::{Mutant, Outcome, Verdict};
use crate::program::{End, Test, run};

/// Expected time of the tests that are tried first, in seconds; what comes next may take four times as long, and so on.
const FIRST_BATCH: f64 = 0.1;
const GROWTH: f64 = 4.0;

/// A run that takes this many seconds longer than this many times what is expected hangs. Other programs may be running.
const PATIENCE: f64 = 8.0;
const SLOWEST: f64 = 8.0;

/// A test, how long it takes, and the mutants that it reaches.
struct Measured {
    test: Test,
    seconds: f64,
    reached: Vec<u32>,
}

/// All tests, and for every mutant those that reach it.
pub struct Judge<'a> {
    tests: Vec<Measured>,
    by_mutant: HashMap<u32, Vec<usize>>,
    /// How many mutants of a file a test has caught: it is likely to catch more of them.
    catches: Mutex<HashMap<(String, usize), usize>>,
    folder: &'a Path,
    jobs: usize,
}

impl<'a> Judge<'a> {
    /// Runs every test by itself and notes which mutants it reaches. Tests run in `folder`; notes go to `notes`.
    pub fn new(tests: Vec<Test>, folder: &'a Path, notes: &Path, jobs: usize) -> anyhow::Result<Self> {
        fs::create_dir_all(notes).with_context(|| notes.display().to_string())?;
        let measured = in_parallel(&tests, jobs, |index, test| {
            let note = notes.join(format!("{index}"));
            fs::write(&note, [])?;
            let start = Instant::now();
            let variable = ("ACMOTION_MUTANTS_REACHED", note.to_str().context("a path in UTF-8")?);
            let end = run(&[test], folder, variable, Duration::from_secs(600))?;
            if end != End::Passed {
                eprintln!("left out: {} fails without any mutant", test.title());
                return Ok(None);
            }
            let bytes = fs::read(&note)?;
            let reached = bytes.as_chunks::<4>().0.iter().map(|id| u32::from_le_bytes(*id)).collect();
            Ok(Some(Measured { test: test.clone(), seconds: start.elapsed().as_secs_f64(), reached }))
        })?;
        let tests: Vec<Measured> = measured.into_iter().flatten().collect();
        let mut by_mutant: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, test) in tests.iter().enumerate() {
            for id in &test.reached {
                by_mutant.entry(*id).or_default().push(index);
            }
        }
        Ok(Self { tests, by_mutant, catches: Mutex::default(), folder, jobs })
    }

    /// The tests, and the seconds that all of them take one after the other.
    pub fn size(&self) -> (usize, f64) {
        (self.tests.len(), self.tests.iter().map(|it| it.seconds).sum())
    }

    /// Judges `mutants` and tells of every one that was not caught as soon as it is known.
    pub fn judge(&self, mutants: &[&Mutant]) -> anyhow::Result<Vec<Verdict>> {
        in_parallel(mutants, self.jobs, |_, mutant| {
            let outcome = self.outcome(mutant)?;
            if !matches!(outcome, Outcome::Caught { .. }) {
                let Mutant { file, line, change, .. } = mutant;
                eprintln!("{file}:{line}: {change}: {outcome:?}");
            }
            Ok(Verdict { mutant: (*mutant).clone(), outcome })
        })
    }

    fn outcome(&self, mutant: &Mutant) -> anyhow::Result<Outcome> {
        let Some(reaching) = self.by_mutant.get(&mutant.id) else { return Ok(Outcome::Unreached) };
        for batch in self.batches(mutant, reaching) {
            let tests: Vec<&Test> = batch.iter().map(|&index| &self.tests[index].test).collect();
            let expected: f64 = batch.iter().map(|&index| self.tests[index].seconds).sum();
            let limit = Duration::from_secs_f64(PATIENCE + SLOWEST * expected);
            let id = mutant.id.to_string();
            let by = match run(&tests, self.folder, ("ACMOTION_MUTANT", &id), limit)? {
                End::Passed => continue,
                End::TimedOut => format!("{} and others: no end", tests[0].title()),
                End::Failed(None) => format!("{} or another of its batch: ended", tests[0].title()),
                End::Failed(Some(name)) => name,
            };
            if let Some(index) = batch.iter().find(|&&index| self.tests[index].test.title() == by) {
                let mut catches = self.catches.lock().unwrap_or_else(|broken| broken.into_inner());
                *catches.entry((mutant.file.clone(), *index)).or_default() += 1;
            }
            return Ok(Outcome::Caught { by });
        }
        Ok(Outcome::Survived)
    }

    /// The tests in the order in which they are tried: what caught most in this file first, then what is fast, and vectors last.
    /// A batch runs in one process.
    fn batches(&self, mutant: &Mutant, reaching: &[usize]) -> Vec<Vec<usize>> {
        let mut order = reaching.to_vec();
        {
            let catches = self.catches.lock().unwrap_or_else(|broken| broken.into_inner());
            order.sort_by(|&one, &two| {
                let caught = |index| catches.get(&(mutant.file.clone(), index)).copied().unwrap_or(0);
                let is_vectors = |index: usize| matches!(self.tests[index].test, Test::Vectors { .. });
                let seconds = self.tests[one].seconds.total_cmp(&self.tests[two].seconds);
                is_vectors(one).cmp(&is_vectors(two)).then(caught(two).cmp(&caught(one))).then(seconds)
            });
        }
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut room = FIRST_BATCH;
        let mut next_room = FIRST_BATCH;
        for index in order {
            let measured = &self.tests[index];
            let fits = |batch: &&mut Vec<usize>| self.tests[batch[0]].test.runs_with(&measured.test);
            match batches.last_mut().filter(fits) {
                Some(batch) if room >= measured.seconds => batch.push(index),
                _ => {
                    // Another program starts a new batch of the same size; a full batch starts a larger one.
                    if room < measured.seconds {
                        next_room *= GROWTH;
                    }
                    room = next_room;
                    batches.push(vec![index]);
                }
            }
            room -= measured.seconds;
        }
        batches
    }
}

/// Maps `items` on `jobs` threads and keeps their order.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(usize, &T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let worker = || -> anyhow::Result<Vec<(usize, R)>> {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return Ok(results) };
            results.push((index, work(index, item)?));
        }
    };
    let mut results = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        let mut all = Vec::new();
        for worker in workers {
            all.extend(worker.join().map_err(|_| anyhow::anyhow!("a worker failed"))??);
        }
        anyhow::Ok(all)
    })?;
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_on_several_threads_keeps_its_order() {
        let items: Vec<usize> = (0..100).collect();
        let doubled = in_parallel(&items, 3, |index, item| Ok(index + item)).unwrap();
        assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
    }
}
