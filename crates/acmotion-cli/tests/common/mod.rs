//! What several tests of the command line need.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

/// The `acmotion` command with arguments.
pub(crate) fn acmotion<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::cargo_bin("acmotion").unwrap();
    command.args(arguments);
    command
}

/// Runs it and returns what came out, with the exit code checked.
#[track_caller]
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(code: i32, arguments: impl IntoIterator<Item = S>) -> Output {
    let output = acmotion(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Standard output as text.
#[track_caller]
pub(crate) fn text<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> String {
    String::from_utf8(run(0, arguments).stdout).unwrap()
}

/// Standard error of a run that ends with that code.
#[track_caller]
pub(crate) fn complaint<S: AsRef<std::ffi::OsStr>>(
    code: i32,
    arguments: impl IntoIterator<Item = S>,
) -> String {
    String::from_utf8(run(code, arguments).stderr).unwrap()
}

/// Standard output as JSON Lines, each of which must be a JSON object.
#[track_caller]
pub(crate) fn json_lines(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).unwrap();
    let values: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(values.iter().all(Value::is_object));
    values
}

/// A file of the project's conformance vectors.
pub(crate) fn golden(name: &str) -> PathBuf {
    PathBuf::from(format!("{}/../../tests/golden/{name}", env!("CARGO_MANIFEST_DIR")))
}
