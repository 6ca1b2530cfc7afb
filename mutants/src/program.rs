//! Runs tests with a mutant switched on.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

/// A mutant may collect things without end. In KiB of address space.
const MAX_MEMORY: u32 = 8_000_000;

/// One thing that can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// A test of a test program.
    Named {
        /// The program.
        program: PathBuf,
        /// The test's name.
        name: String,
    },
    /// A file of conformance vectors.
    Vectors {
        /// The command.
        command: PathBuf,
        /// The file.
        file: PathBuf,
    },
}

impl Test {
    /// What a report calls it.
    pub fn title(&self) -> String {
        match self {
            Self::Named { name, .. } => name.clone(),
            Self::Vectors { file, .. } => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// The program that runs it.
    pub fn program(&self) -> &Path {
        match self {
            Self::Named { program, .. } => program,
            Self::Vectors { command, .. } => command,
        }
    }

    /// What tells it from all others.
    pub fn key(&self) -> String {
        format!("{} {}", self.program().display(), self.title())
    }

    /// Whether both can run in one process.
    pub fn runs_with(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Named { program: one, .. }, Self::Named { program: two, .. }) if one == two)
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything passed.
    Passed,
    /// Something failed: what, if it is known.
    Failed(Option<String>),
    /// The time limit was exceeded.
    TimedOut,
}

/// The tests of a test program.
pub fn tests_of(program: &Path) -> anyhow::Result<Vec<Test>> {
    let listing = Command::new(program)
        .args(["--list", "--format", "terse"])
        .output()
        .with_context(|| program.display().to_string())?;
    ensure!(listing.status.success(), "{} does not list its tests", program.display());
    let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
    let names = listing.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names.map(|name| Test::Named { program: program.to_owned(), name: name.to_owned() }).collect())
}

/// Runs tests that belong together in one process, in `folder`, until the first one fails.
pub fn run(tests: &[&Test], folder: &Path, variable: (&str, &str), limit: Duration) -> anyhow::Result<End> {
    let mut arguments: Vec<&std::ffi::OsStr> = Vec::new();
    let Some(first) = tests.first() else { return Ok(End::Passed) };
    match first {
        Test::Named { program, .. } => {
            arguments.push(program.as_os_str());
            arguments.extend(["--exact", "--test-threads", "1"].map(std::ffi::OsStr::new));
            for test in tests {
                if let Test::Named { name, .. } = test {
                    arguments.push(name.as_ref());
                }
            }
        }
        Test::Vectors { command, file } => {
            arguments.extend([command.as_os_str(), "conform".as_ref(), file.as_os_str()]);
        }
    }
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {MAX_MEMORY}; exec \"$@\""), "sh"])
        .args(arguments)
        .current_dir(folder)
        .env(variable.0, variable.1)
        // The same inputs every time, and no search for smaller ones that fail.
        .env("PROPTEST_RNG_SEED", "1")
        .env("PROPTEST_MAX_SHRINK_ITERS", "0")
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("sh")?;
    watch(&mut child, limit)
}

/// Waits for the end, for the first failed test or for the time limit, whichever comes first.
fn watch(child: &mut Child, limit: Duration) -> anyhow::Result<End> {
    let deadline = Instant::now() + limit;
    let output = child.stdout.take().context("the output of a test program")?;
    let (sender, failures) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(name) = failed_test(&line) {
                // The receiver is gone once the first failure is known.
                if sender.send(name.to_owned()).is_err() {
                    break;
                }
            }
        }
    });
    let failure = failures.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    let end = match failure {
        Ok(name) => End::Failed(Some(name)),
        Err(mpsc::RecvTimeoutError::Timeout) => End::TimedOut,
        // The output is closed: the program has ended or is about to.
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let status = child.wait()?;
            if status.success() { End::Passed } else { End::Failed(None) }
        }
    };
    drop(failures);
    if end != End::Passed {
        // It may have ended by itself.
        let _ = child.kill();
    }
    child.wait()?;
    let _ = reader.join();
    Ok(end)
}

fn failed_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_test_is_known_from_its_line() {
        assert_eq!(failed_test("test gate_story::a_name ... FAILED"), Some("gate_story::a_name"));
        assert_eq!(failed_test("test gate_story::a_name ... ok"), None);
        assert_eq!(failed_test("test result: FAILED. 1 passed"), None);
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        let mut child = Command::new("sleep").arg("100").stdout(Stdio::piped()).spawn().unwrap();
        assert_eq!(watch(&mut child, Duration::from_millis(10)).unwrap(), End::TimedOut);
    }
}
