//! `acmotion conform`: the project's own vectors pass; what is wrong fails and is told.

mod common;

use std::fs;

use common::{complaint, golden, json_lines, run, text};
use tempfile::tempdir;

#[test]
fn failures_are_counted_and_told() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("stamps.mine.jsonl").display().to_string();
    let right = r#"{"fn":"newer16","old":10,"new":11,"newer":true}"#;
    let wrong = r#"{"fn":"newer16","old":11,"new":11,"newer":true}"#;
    fs::write(&path, format!("{right}\n{wrong}\n")).unwrap();
    let said = String::from_utf8(run(1, ["conform", &path]).stdout).unwrap();
    assert_eq!(
        said,
        "stamps.mine.jsonl: 1 passed, 1 failed, 0 skipped\n  line 2: newer: expected true, got false\n1 passed, 1 failed\n"
    );
    let lines = json_lines(&run(1, ["conform", &path, "--json"]).stdout);
    assert_eq!(lines[1]["path"], "newer");
}

#[test]
fn what_cannot_be_run_is_never_a_pass() {
    let folder = tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name).display().to_string();
        fs::write(&path, text).unwrap();
        path
    };
    assert!(complaint(1, ["conform", &file("wolves.jsonl", "{}")]).contains("no family `wolves`"));
    assert!(complaint(1, ["conform", &file("stamps.a.jsonl", "{")]).contains("line 1: not JSON"));
    assert!(complaint(1, ["conform", &file("stamps.b.jsonl", "")]).contains("no vectors in it"));
    assert!(complaint(1, ["conform", "stamps.none.jsonl"]).contains("stamps.none.jsonl"));
    let short = &fs::read(golden("stamps.dev.jsonl.gz")).unwrap()[..2000];
    let cut = folder.path().join("stamps.cut.jsonl.gz");
    fs::write(&cut, short).unwrap();
    assert!(complaint(1, ["conform", &cut.display().to_string()]).contains("stamps.cut.jsonl.gz, line"));
    complaint(2, ["conform"]);
}

/// Every vector file of the project passes.
#[test]
fn the_projects_own_vectors_pass() {
    let folder = golden("").read_dir().unwrap();
    let mut files: Vec<String> = folder.map(|entry| entry.unwrap().path().display().to_string()).collect();
    files.sort();
    assert!(files.len() >= 28, "{files:?}");
    let said = text(["conform"].into_iter().map(String::from).chain(files));
    assert!(said.lines().last().unwrap().ends_with(" passed, 0 failed"), "{said}");
    let passed: u64 = said.lines().last().unwrap().split_whitespace().next().unwrap().parse().unwrap();
    assert!(passed > 22_000, "{said}");
}
