//! Runs tests that need recordings of the game. They are not part of the project: they are in the folder named by
//! `ACMOTION_CAPTURES`. If the variable is not set, the tests are listed as ignored.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use flate2::read::GzDecoder;
use libtest_mimic::{Arguments, Trial};
use serde_json::Value;

/// A test that receives the folder of the recordings.
pub struct RecordingTest {
    /// The name that is printed.
    pub name: &'static str,
    /// The test, which panics if it fails.
    pub run: fn(&Path),
    /// Whether the test takes so long that it runs only with `--ignored` or `--include-ignored`.
    pub is_slow: bool,
}

/// Defines `main`, which runs the functions that are listed, with the slow ones after a semicolon.
#[macro_export]
macro_rules! recording_tests {
    ($($name:ident),* $(,)? $(; slow: $($slow:ident),* $(,)?)?) => {
        fn main() -> std::process::ExitCode {
            $crate::run(&[
                $($crate::RecordingTest { name: stringify!($name), run: $name, is_slow: false },)*
                $($($crate::RecordingTest { name: stringify!($slow), run: $slow, is_slow: true },)*)?
            ])
        }
    };
}

/// Runs the tests, or lists them as ignored.
pub fn run(tests: &[RecordingTest]) -> ExitCode {
    let folder = std::env::var_os("ACMOTION_CAPTURES").map(PathBuf::from);
    let trials = tests.iter().map(|test| {
        let (run, folder) = (test.run, folder.clone());
        let is_ignored = test.is_slow || folder.is_none();
        let trial = Trial::test(test.name, move || match &folder {
            Some(folder) => {
                run(folder);
                Ok(())
            }
            None => Err("ACMOTION_CAPTURES is not set".into()),
        });
        trial.with_ignored_flag(is_ignored)
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// A message of a recording.
pub struct Message {
    /// The time in seconds.
    pub time: f64,
    /// Whether the server sent it.
    pub is_from_server: bool,
    /// The message, beginning with its opcode.
    pub bytes: Vec<u8>,
}

/// Reads a recording in JSON Lines, in either of the two forms in use, which may be compressed. A message without a time
/// has time 0.
///
/// # Panics
/// Panics if the file cannot be read or is not a recording.
pub fn read(folder: &Path, name: &str) -> Vec<Message> {
    let path = folder.join(name);
    let failed = |error| panic!("{}: {error}", path.display());
    let file = File::open(&path).unwrap_or_else(failed);
    let mut text = String::new();
    let read = if name.ends_with(".gz") {
        GzDecoder::new(file).read_to_string(&mut text)
    } else {
        (&file).read_to_string(&mut text)
    };
    read.map_err(failed).ok();
    text.lines().map(message).collect()
}

fn message(line: &str) -> Message {
    let line: Value = serde_json::from_str(line).expect("a line is a JSON object");
    let hex = line["hex"].as_str().or_else(|| line["raw_hex"].as_str()).expect("a line has bytes");
    let byte =
        |pair: &[u8]| u8::from_str_radix(&String::from_utf8_lossy(pair), 16).expect("bytes are hexadecimal");
    Message {
        time: line["t"].as_f64().or_else(|| line["time"].as_f64()).unwrap_or(0.0),
        is_from_server: line["dir"] == "s2c" || line["direction"] == "S2C",
        bytes: hex.as_bytes().chunks(2).map(byte).collect(),
    }
}
