//! Runs tests with a mutant switched on.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

/// A mutant may collect things without end. In KiB of address space.
const MAX_MEMORY: u32 = 8_000_000;

/// How long a run may take in all that takes a second of processor time, besides some seconds: other programs may be running.
const SLOWED: f64 = 30.0;
const WAITING: f64 = 60.0;

/// How Linux counts processor time.
const TICKS_A_SECOND: f64 = 100.0;

/// The signals that end a process which takes too much of it.
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

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
        let program = self.program().file_name().unwrap_or_default();
        format!("{} {}", program.to_string_lossy(), self.title())
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

/// A run, and the processor time that it took in seconds.
pub struct Run {
    /// How it ended.
    pub end: End,
    /// The processor time, to a hundredth of a second. Unlike the time that passes, it is the same on a busy machine.
    pub seconds: f64,
}

/// Runs tests that belong together in one process, in `folder`, until the first one fails. A process that takes more than
/// `limit` seconds of processor time hangs.
pub fn run(tests: &[&Test], folder: &Path, variable: (&str, &str), limit: f64) -> anyhow::Result<Run> {
    let mut arguments: Vec<&std::ffi::OsStr> = Vec::new();
    let first = tests.first().context("no test to run")?;
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
    let limits = format!("ulimit -v {MAX_MEMORY}; ulimit -t {}; exec \"$@\"", limit.ceil() as u64);
    let mut child = Command::new("sh")
        .args(["-c", &limits, "sh"])
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
    watch(&mut child, Duration::from_secs_f64(WAITING + SLOWED * limit))
}

/// Waits for the end, for the first failed test or for the time limit, whichever comes first.
fn watch(child: &mut Child, limit: Duration) -> anyhow::Result<Run> {
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
    let (mut end, mut seconds) = (End::Passed, 0.0);
    match failure {
        Ok(name) => end = End::Failed(Some(name)),
        Err(mpsc::RecvTimeoutError::Timeout) => end = End::TimedOut,
        // The output is closed: the program has ended or is about to.
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            seconds = processor_time(child.id());
            let status = child.wait()?;
            if status.signal().is_some_and(|signal| [SIGXCPU, SIGKILL].contains(&signal)) {
                end = End::TimedOut;
            } else if !status.success() {
                end = End::Failed(None);
            }
        }
    }
    drop(failures);
    if end != End::Passed {
        // It may have ended by itself.
        let _ = child.kill();
    }
    child.wait()?;
    let _ = reader.join();
    Ok(Run { end, seconds })
}

/// The processor time that a process has taken which has just closed its output, in seconds.
fn processor_time(process: u32) -> f64 {
    let mut seconds = 0.0;
    // It takes a moment to end.
    for _ in 0..100 {
        let Ok(status) = fs::read_to_string(format!("/proc/{process}/stat")) else { break };
        // The name, in brackets, may contain spaces.
        let fields: Vec<&str> = status.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |index: usize| fields.get(index).and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
        seconds = (ticks(11) + ticks(12)) / TICKS_A_SECOND;
        if fields.first() == Some(&"Z") {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    seconds
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
        assert_eq!(watch(&mut child, Duration::from_millis(10)).unwrap().end, End::TimedOut);
    }

    #[test]
    fn processor_time_is_measured_and_limited() {
        let busy = "ulimit -t 1; while true; do true; done";
        let mut child = Command::new("sh").args(["-c", busy]).stdout(Stdio::piped()).spawn().unwrap();
        let run = watch(&mut child, Duration::from_secs(600)).unwrap();
        assert_eq!(run.end, End::TimedOut);
        assert!((0.9..1.5).contains(&run.seconds), "{}", run.seconds);
    }
}
