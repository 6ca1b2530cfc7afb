//! Helpers for the tests of the command line.
#![allow(dead_code, reason = "each test file uses some of them")]

use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

/// Returns the `acmotion` command with arguments.
pub(crate) fn acmotion<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::cargo_bin("acmotion").unwrap();
    command.args(arguments);
    command
}

/// Runs the command, checks its exit code, and returns its output.
#[track_caller]
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(code: i32, arguments: impl IntoIterator<Item = S>) -> Output {
    let output = acmotion(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Runs the command, which has to succeed, and returns its standard output.
#[track_caller]
pub(crate) fn stdout<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> String {
    String::from_utf8(run(0, arguments).stdout).unwrap()
}

/// Runs the command, checks its exit code, and returns its standard error.
#[track_caller]
pub(crate) fn stderr<S: AsRef<std::ffi::OsStr>>(code: i32, arguments: impl IntoIterator<Item = S>) -> String {
    String::from_utf8(run(code, arguments).stderr).unwrap()
}

/// Parses JSON Lines, each of which has to be an object.
#[track_caller]
pub(crate) fn json_lines(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).unwrap();
    let values: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(values.iter().all(Value::is_object));
    values
}

/// Returns the path of a file of the project's conformance vectors.
pub(crate) fn golden(name: &str) -> PathBuf {
    PathBuf::from(format!("{}/../../tests/golden/{name}", env!("CARGO_MANIFEST_DIR")))
}
