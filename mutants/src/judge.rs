//! Decides about mutants: which tests reach them, and whether one of those fails.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;

use crate::lists::Shortcut;
use crate::measure::Measured;
use crate::mutant::{Mutant, Outcome, Verdict};
use crate::program::{End, Test, run};

/// Expected processor time of the tests that are tried first, in seconds; what comes next may take four times as long, and so on.
const FIRST_BATCH: f64 = 0.05;
const GROWTH: f64 = 4.0;

/// A run that takes this many seconds longer than this many times what is expected hangs.
const PATIENCE: f64 = 2.0;
const SLOWEST: f64 = 5.0;

/// Seconds that a process takes to start.
const START: f64 = 0.02;

/// What a test is worth that has caught nothing yet, in mutants of the file caught; and what a mutant is worth that it caught
/// elsewhere in the room.
const UNTRIED: f64 = 0.05;
const ABOUT_ROOM: f64 = 0.2;
const SAME_ROOM: f64 = 0.1;

/// All tests, and for every mutant those that reach it.
pub struct Judge<'a> {
    tests: Vec<Measured>,
    by_mutant: HashMap<u32, Vec<usize>>,
    /// How many mutants of a file and of a room a test has caught: it is likely to catch more of them.
    catches: Mutex<HashMap<(String, usize), usize>>,
    folder: &'a Path,
    jobs: usize,
    /// A mutant that passes tests of this many seconds has survived.
    budget: f64,
    /// Functions that only save time: the tests that compare ways are run for all of their mutants.
    shortcuts: &'a [Shortcut],
}

impl<'a> Judge<'a> {
    /// Judges by `tests`, which run in `folder`.
    pub fn new(
        tests: Vec<Measured>,
        folder: &'a Path,
        jobs: usize,
        budget: f64,
        shortcuts: &'a [Shortcut],
    ) -> Self {
        let mut by_mutant: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, test) in tests.iter().enumerate() {
            for id in &test.reached {
                by_mutant.entry(*id).or_default().push(index);
            }
        }
        Self { tests, by_mutant, catches: Mutex::default(), folder, jobs, budget, shortcuts }
    }

    /// Learns from earlier verdicts which tests catch most.
    pub fn learn(&self, verdicts: &[Verdict]) {
        let by_title: HashMap<String, usize> =
            self.tests.iter().enumerate().map(|(index, it)| (it.test.title(), index)).collect();
        for Verdict { mutant, outcome } in verdicts {
            if let Outcome::Caught { by } = outcome
                && let Some(&index) = by_title.get(by)
            {
                self.note_catch(mutant, index);
            }
        }
    }

    /// Judges `mutants`, hands over every verdict as soon as it is known and tells of those that were not caught.
    pub fn judge(
        &self,
        mutants: &[&Mutant],
        done: impl Fn(Verdict) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<()> {
        in_parallel(mutants, self.jobs, |_, mutant| {
            let outcome = self.outcome(mutant)?;
            if !matches!(outcome, Outcome::Caught { .. }) {
                let Mutant { file, line, change, .. } = mutant;
                eprintln!("{file}:{line}: {change}: {outcome:?}");
            }
            done(Verdict { mutant: (*mutant).clone(), outcome })
        })?;
        Ok(())
    }

    fn outcome(&self, mutant: &Mutant) -> anyhow::Result<Outcome> {
        let Some(reaching) = self.by_mutant.get(&mutant.id) else { return Ok(Outcome::Unreached) };
        for batch in self.batches(mutant, reaching) {
            let tests: Vec<&Test> = batch.iter().map(|&index| &self.tests[index].test).collect();
            let expected: f64 = batch.iter().map(|&index| self.tests[index].seconds).sum();
            let limit = PATIENCE + SLOWEST * expected;
            let id = mutant.id.to_string();
            let by = match run(&tests, self.folder, ("ACMOTION_MUTANT", &id), limit)?.end {
                End::Passed => continue,
                End::TimedOut => format!("{} and others: no end", tests[0].title()),
                End::Failed(None) if tests.len() > 1 => {
                    format!("{} or another of its batch: ended", tests[0].title())
                }
                End::Failed(None) => tests[0].title(),
                End::Failed(Some(name)) => name,
            };
            if let Some(index) = batch.iter().find(|&&index| self.tests[index].test.title() == by) {
                self.note_catch(mutant, *index);
            }
            return Ok(Outcome::Caught { by });
        }
        let compares = |index: &&usize| self.compares_ways(mutant, **index);
        Ok(match reaching.iter().find(compares) {
            Some(&index) => Outcome::SameBits { by: self.tests[index].test.title() },
            None => Outcome::Survived,
        })
    }

    /// Whether a test compares the results of a function that only saves time with those of the general way.
    fn compares_ways(&self, mutant: &Mutant, test: usize) -> bool {
        let title = self.tests[test].test.title();
        self.shortcuts.iter().any(|it| it.contains(mutant) && title.contains(&it.held_by))
    }

    fn note_catch(&self, mutant: &Mutant, test: usize) {
        let mut catches = self.catches();
        for place in [mutant.file.as_str(), mutant.room()] {
            *catches.entry((place.to_owned(), test)).or_default() += 1;
        }
    }

    fn catches(&self) -> MutexGuard<'_, HashMap<(String, usize), usize>> {
        self.catches.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// The tests in the order in which they are tried: those first that catch most in their time, here and in the whole room.
    /// Tests that compare a shorter way with the general one come first, and are no part of the budget. Whatever comes after
    /// the budget is spent is left out. A batch runs in one process.
    fn batches(&self, mutant: &Mutant, reaching: &[usize]) -> Vec<Vec<usize>> {
        let mut order: Vec<(f64, usize)> = {
            let catches = self.catches();
            let caught =
                |place: &str, index| catches.get(&(place.to_owned(), index)).copied().unwrap_or(0) as f64;
            let worth = |index: usize| {
                if self.compares_ways(mutant, index) {
                    return f64::INFINITY;
                }
                // Tests are named after the rooms that they are about.
                let is_about_room = self.tests[index].test.title().starts_with(mutant.room());
                let untried = if is_about_room { ABOUT_ROOM } else { UNTRIED };
                untried + caught(&mutant.file, index) + SAME_ROOM * caught(mutant.room(), index)
            };
            reaching
                .iter()
                .map(|&index| (worth(index) / (START + self.tests[index].seconds), index))
                .collect()
        };
        order.sort_by(|one, two| two.0.total_cmp(&one.0));

        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut first_of_tier = 0;
        let (mut spent, mut room, mut next_room) = (0.0, FIRST_BATCH, FIRST_BATCH);
        for (worth, index) in order {
            let measured = &self.tests[index];
            if spent >= self.budget {
                break;
            }
            if room <= 0.0 {
                next_room *= GROWTH;
                room = next_room;
                first_of_tier = batches.len();
            }
            let fits = |batch: &&mut Vec<usize>| self.tests[batch[0]].test.runs_with(&measured.test);
            match batches[first_of_tier..].iter_mut().find(fits) {
                Some(batch) => batch.push(index),
                None => batches.push(vec![index]),
            }
            if worth < f64::INFINITY {
                spent += measured.seconds;
            }
            room -= measured.seconds;
        }
        batches
    }
}

/// Maps `items` on `jobs` threads and keeps their order.
pub fn in_parallel<T: Sync, R: Send>(
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

    fn mutant(file: &str) -> Mutant {
        Mutant {
            id: 0,
            file: file.to_owned(),
            line: 1,
            text: String::new(),
            change: String::new(),
            nth: 0,
            function: String::new(),
            is_break: false,
        }
    }

    fn test(program: &str, name: &str, seconds: f64) -> Measured {
        let test = Test::Named { program: program.into(), name: name.to_owned() };
        Measured { test, seconds, reached: vec![0] }
    }

    #[test]
    fn what_catches_most_in_its_time_is_tried_first() {
        let tests = vec![test("a", "slow", 2.0), test("a", "fast", 0.2), test("a", "best", 1.0)];
        let judge = Judge::new(tests, Path::new("."), 1, 10.0, &[]);
        assert_eq!(judge.batches(&mutant("body.rs"), &[0, 1, 2]), [vec![1], vec![2], vec![0]]);
        let caught =
            |by: &str| Verdict { mutant: mutant("body.rs"), outcome: Outcome::Caught { by: by.to_owned() } };
        judge.learn(&[caught("best")]);
        assert_eq!(judge.batches(&mutant("body.rs"), &[0, 1, 2])[0], [2]);
        assert_eq!(judge.batches(&mutant("gate.rs"), &[0, 1, 2])[0], [1]);
    }

    #[test]
    fn tests_of_a_program_share_a_process_until_the_budget_is_spent() {
        let tests = (0..8).map(|index| test(if index % 2 == 0 { "a" } else { "b" }, "test", 0.04)).collect();
        let judge = Judge::new(tests, Path::new("."), 1, 0.2, &[]);
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(judge.batches(&mutant("body.rs"), &all), [vec![0], vec![1], vec![2, 4], vec![3]]);
    }

    #[test]
    fn a_test_that_compares_ways_is_run_in_any_case() {
        let tests = vec![test("a", "fast", 0.2), test("a", "ways_agree", 9.0)];
        let shortcut = Shortcut {
            file: "body.rs".to_owned(),
            functions: vec!["short".to_owned()],
            held_by: "ways_agree".to_owned(),
            reason: "the general way gives the same".to_owned(),
        };
        let shortcuts = [shortcut];
        let judge = Judge::new(tests, Path::new("."), 1, 0.1, &shortcuts);
        let short = Mutant { function: "short".to_owned(), ..mutant("body.rs") };
        assert_eq!(judge.batches(&short, &[0, 1]), [vec![1], vec![0]]);
        assert_eq!(judge.batches(&mutant("body.rs"), &[0, 1]), [vec![0]]);
    }

    #[test]
    fn work_on_several_threads_keeps_its_order() {
        let items: Vec<usize> = (0..100).collect();
        let doubled = in_parallel(&items, 3, |index, item| Ok(index + item)).unwrap();
        assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
    }
}
