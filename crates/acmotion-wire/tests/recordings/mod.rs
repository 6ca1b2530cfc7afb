//! Runs tests that need recordings of the game. They are not part of the project: they are in the folder named by
//! `ACMOTION_CAPTURES`. If the variable is not set, the tests are listed as ignored.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// A test that receives the folder of the recordings.
pub(crate) struct RecordingTest {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Path),
    /// Whether the test takes so long that it runs only with `--ignored` or `--include-ignored`.
    pub(crate) is_slow: bool,
}

/// Defines `main`, which runs the functions that are listed, with the slow ones after a semicolon.
macro_rules! recording_tests {
    ($($name:ident),* $(,)? $(; slow: $($slow:ident),* $(,)?)?) => {
        fn main() -> std::process::ExitCode {
            recordings::run(&[
                $(recordings::RecordingTest { name: stringify!($name), run: $name, is_slow: false },)*
                $($(recordings::RecordingTest { name: stringify!($slow), run: $slow, is_slow: true },)*)?
            ])
        }
    };
}
pub(crate) use recording_tests;

/// Runs the tests, or lists them as ignored.
pub(crate) fn run(tests: &[RecordingTest]) -> ExitCode {
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
