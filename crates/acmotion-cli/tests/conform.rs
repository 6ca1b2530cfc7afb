//! `acmotion conform`: the project's own vectors pass, failures are reported, and files that cannot be run are errors.

mod common;

use std::fs;

use common::{golden, json_lines, run, stderr, stdout};
use tempfile::tempdir;

#[test]
fn failures_are_counted_and_reported() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("stamps.mine.jsonl").display().to_string();
    let passing = r#"{"fn":"newer16","old":10,"new":11,"newer":true}"#;
    let failing = r#"{"fn":"newer16","old":11,"new":11,"newer":true}"#;
    fs::write(&path, format!("{passing}\n{failing}\n")).unwrap();
    let output = String::from_utf8(run(1, ["conform", &path]).stdout).unwrap();
    assert_eq!(
        output,
        "stamps.mine.jsonl: 1 passed, 1 failed, 0 skipped\n  line 2: newer: expected true, got false\n1 passed, 1 failed\n"
    );
    let lines = json_lines(&run(1, ["conform", &path, "--json"]).stdout);
    assert_eq!(lines[1]["path"], "newer");
}

#[test]
fn files_that_cannot_be_run_are_errors() {
    let folder = tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name).display().to_string();
        fs::write(&path, text).unwrap();
        path
    };
    assert!(stderr(1, ["conform", &file("wolves.jsonl", "{}")]).contains("no family `wolves`"));
    assert!(stderr(1, ["conform", &file("stamps.a.jsonl", "{")]).contains("line 1: not JSON"));
    assert!(stderr(1, ["conform", &file("stamps.b.jsonl", "")]).contains("no vectors in it"));
    for missing in ["stamps.none.jsonl", "nofile"] {
        let error = stderr(1, ["conform", missing]);
        assert!(error.starts_with(&format!("acmotion: {missing}: No such file")), "{error}");
    }
    let long = format!("[{}0]", "0,".repeat(3 << 20));
    assert!(
        stderr(1, ["conform", &file("stamps.long.jsonl", &long)]).contains("line 1: longer than 4,194,304")
    );
    let first_bytes = &fs::read(golden("stamps.dev.jsonl.gz")).unwrap()[..2000];
    let cut = folder.path().join("stamps.cut.jsonl.gz");
    fs::write(&cut, first_bytes).unwrap();
    assert!(stderr(1, ["conform", &cut.display().to_string()]).contains("stamps.cut.jsonl.gz, line"));
    stderr(2, ["conform"]);
}

#[test]
fn failures_are_short_and_without_control_characters() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("heading.mine.jsonl").display().to_string();
    let unknown = r#"{"fn":"\u001b]0;title\u0007\n"}"#;
    let huge = r#"{"fn":"jump_charge","held_seconds":0,"dual_wield":false,"level":1e300}"#;
    fs::write(&path, format!("{unknown}\n{huge}\n")).unwrap();
    let output = String::from_utf8(run(1, ["conform", &path]).stdout).unwrap();
    assert!(output.contains(r"got \u{1b}]0;title\u{7}\n"), "{output}");
    assert!(output.contains("level: expected 1e300, got 0"), "{output}");
}

#[test]
fn the_projects_own_vectors_pass() {
    let folder = golden("").read_dir().unwrap();
    let mut files: Vec<String> = folder.map(|entry| entry.unwrap().path().display().to_string()).collect();
    files.sort();
    assert!(files.len() >= 28, "{files:?}");
    let output = stdout(["conform"].into_iter().map(String::from).chain(files));
    assert!(output.lines().last().unwrap().ends_with(" passed, 0 failed"), "{output}");
    let passed: u64 = output.lines().last().unwrap().split_whitespace().next().unwrap().parse().unwrap();
    assert!(passed > 22_000, "{output}");
}
