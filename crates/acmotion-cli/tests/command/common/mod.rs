//! Helpers for the tests of the command line.
#![allow(dead_code, reason = "each test file uses some of them")]

use std::fs::{self, File};
use std::io::read_to_string;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use flate2::read::GzDecoder;
use serde_json::Value;
use tempfile::tempdir;

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

/// Returns the lines of the project's vectors of a family.
pub(crate) fn vectors_of(family: &str) -> Vec<Value> {
    let text = match File::open(golden(&format!("{family}.dev.jsonl.gz"))) {
        Ok(file) => read_to_string(GzDecoder::new(file)).unwrap(),
        Err(_) => fs::read_to_string(golden(&format!("{family}.jsonl"))).unwrap(),
    };
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns `true` if a line defines what others use.
pub(crate) fn is_definition(line: &Value) -> bool {
    ["region", "terrain", "geom", "layout", "table", "animation", "rooms"]
        .iter()
        .any(|kind| line["kind"] == *kind)
}

/// Runs lines as a file of a family. Returns what is printed; a panic of the command fails the test.
pub(crate) fn conform(family: &str, lines: &[Value]) -> String {
    let folder = tempdir().unwrap();
    let path = folder.path().join(format!("{family}.mine.jsonl")).display().to_string();
    fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let output = acmotion(["conform", &path]).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a case of a family after the definitions before it: the first for which `is_meant` returns `true`, changed.
#[track_caller]
pub(crate) fn changed_case(
    family: &str,
    is_meant: impl Fn(&Value) -> bool,
    change: impl FnOnce(&mut Value),
) -> Vec<Value> {
    let lines = vectors_of(family);
    let index = lines.iter().position(|line| !is_definition(line) && is_meant(line)).unwrap();
    let mut kept: Vec<_> = lines[..index].iter().filter(|line| is_definition(line)).cloned().collect();
    kept.push(lines[index].clone());
    change(kept.last_mut().unwrap());
    kept
}
