//! `acmotion conform --list` and `--explain`.

use std::fs;

use crate::common::{acmotion, golden, json_lines, run, stderr, stdout};
use tempfile::tempdir;

fn place(file: &str, line: u64) -> String {
    format!("{}:{line}", golden(file).display())
}

#[test]
fn the_list_has_every_family_with_its_rules_and_the_rules_without_vectors() {
    let output = stdout(["conform", "--list"]);
    assert!(
        output.contains("stamps: whether one sequence number is newer than another\n  rules D2, E8\n"),
        "{output}"
    );
    let last = output.lines().last().unwrap();
    assert!(last.starts_with("rules covered: ") && last.contains("not covered: A1, "), "{last}");
    let lines = json_lines(&run(0, ["conform", "--list", "--json"]).stdout);
    let (summary, families) = lines.split_last().unwrap();
    assert!(families.iter().all(|line| !line["rules"].as_array().unwrap().is_empty()));
    let covered = summary["rules_covered"].as_array().unwrap();
    assert!(covered.contains(&"D2".into()) && covered.contains(&"5.5.2".into()));
    assert!(summary["rules_not_covered"].as_array().unwrap().contains(&"A1".into()));
    // The files of the project hold every family that the program knows.
    for line in families {
        let family = line["family"].as_str().unwrap();
        let files =
            golden("").read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(files.filter(|name| name.split('.').next() == Some(family)).count(), 1, "{family}");
    }
}

#[test]
fn the_list_of_files_counts_their_lines_by_kind() {
    let path = golden("stamps.dev.jsonl.gz").display().to_string();
    let output = stdout(["conform", "--list", &path]);
    let first =
        "stamps.dev.jsonl.gz: 896 lines of family stamps (newer15 400, newer16 496)\n  rules D2, E8\n";
    assert!(output.starts_with(first), "{output}");
    assert!(output.contains("rules covered: 2 of "), "{output}");
    let lines = json_lines(&run(0, ["conform", "--list", "--json", &path]).stdout);
    assert_eq!((&lines[0]["lines"], &lines[0]["kinds"]["newer15"]), (&896.into(), &400.into()));
}

#[test]
fn files_that_cannot_be_listed_are_errors() {
    let folder = tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name).display().to_string();
        fs::write(&path, text).unwrap();
        path
    };
    assert!(stderr(1, ["conform", "--list", &file("wolves.jsonl", "{}")]).contains("no family `wolves`"));
    assert!(stderr(1, ["conform", "--list", &file("stamps.a.jsonl", "\n")]).contains("no vectors in it"));
    assert!(stderr(1, ["conform", "--list", "stamps.none.jsonl"]).contains("No such file"));
}

#[test]
fn a_passed_case_is_explained_with_its_rule() {
    let output = stdout(["conform", "--explain", &place("stamps.dev.jsonl.gz", 12)]);
    let (story, rule) = output.split_once("\nRule ").unwrap();
    assert!(story.contains("family stamps: whether one sequence number is newer than another\n"), "{story}");
    assert!(story.contains("\nGiven\n  fn: newer16\n") && story.contains("\nExpected\n  newer: "), "{story}");
    assert!(story.ends_with("\nPassed: all of this came out.\n"), "{story}");
    assert!(rule.starts_with("D2. newer(old,new): if |new-old| > 0x7FFF"), "{rule}");
    assert!(!rule.contains("\nRule "), "{rule}");
}

/// The case uses a table that an earlier line defines.
#[test]
fn the_steps_of_a_case_are_told_with_what_must_come_out() {
    let output = stdout(["conform", "--explain", &place("motion_table_directed.dev.jsonl.gz", 2)]);
    let (_, steps) = output.split_once("\nSteps\n").unwrap();
    assert!(steps.starts_with("  0  op do, motion 0x"), "{steps}");
    assert!(steps.contains("\n     → ret "), "{steps}");
    assert!(steps.contains("\nPassed: ") && steps.contains("\nRule G4. "), "{steps}");
    let output = stdout(["conform", "--explain", &place("transition_directed.dev.jsonl.gz", 3)]);
    assert!(
        output.contains("\nSteps\n  0  d [")
            && output.contains("\n     → {\"")
            && output.contains("\nRule 3.5 ")
    );
}

#[test]
fn a_failed_case_is_explained_with_what_came_out() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("stamps.mine.jsonl");
    fs::write(&path, "\n{\"fn\":\"newer16\",\"old\":11,\"new\":11,\"newer\":true}\n").unwrap();
    let place = format!("{}:2", path.display());
    let output = String::from_utf8(run(1, ["conform", "--explain", &place]).stdout).unwrap();
    assert!(output.contains("\nFailed at newer\n  expected true\n  got      false\n"), "{output}");
    let lines = json_lines(&run(1, ["conform", "--explain", &place, "--json"]).stdout);
    assert_eq!(lines[0]["result"], "failed");
    assert_eq!(lines[0]["difference"]["got"], "false");
    assert_eq!(lines[0]["rules"][0]["rule"], "D2");
    assert_eq!(lines[0]["case"]["old"], 11);
    let empty = format!("{}:1", path.display());
    assert!(stderr(1, ["conform", "--explain", &empty]).contains("line 1 is empty"));
}

#[test]
fn a_place_that_is_not_a_line_of_a_file_is_an_error() {
    for (place, error) in [
        ("stamps.jsonl", "there is no line number; expected FILE:LINE"),
        (":3", "there is no file name"),
        ("stamps.jsonl:three", "`three` is not a line number"),
        ("stamps.jsonl:-1", "`-1` is not a line number"),
        ("stamps.jsonl:0", "lines are counted from 1"),
    ] {
        let text = stderr(2, ["conform", "--explain", place]);
        assert!(text.contains(error), "{place}: {text}");
    }
    let beyond = stderr(1, ["conform", "--explain", &place("stamps.dev.jsonl.gz", 4000)]);
    assert!(beyond.contains("no line 4000, only 896"), "{beyond}");
    assert!(stderr(1, ["conform", "--explain", "stamps.none.jsonl:1"]).contains("No such file"));
    let folder = tempdir().unwrap();
    let path = folder.path().join("wolves.jsonl");
    fs::write(&path, "{}\n").unwrap();
    let unknown = stderr(1, ["conform", "--explain", &format!("{}:1", path.display())]);
    assert!(unknown.contains("no family `wolves`"), "{unknown}");
    stderr(2, ["conform", "--explain", "stamps.jsonl:1", "--list"]);
    stderr(2, ["conform", "--explain", "stamps.jsonl:1", "stamps.jsonl"]);
}

/// `docs/conformance.md` quotes the output of `--explain`.
#[test]
fn the_conformance_page_shows_what_is_printed() {
    let root = golden("../..");
    let place = "tests/golden/stamps.dev.jsonl.gz:12";
    let output = acmotion(["conform", "--explain", place]).current_dir(&root).output().unwrap();
    let page = fs::read_to_string(root.join("docs/conformance.md")).unwrap();
    let quoted =
        format!("$ acmotion conform --explain {place}\n{}```\n", String::from_utf8(output.stdout).unwrap());
    assert!(page.contains(&quoted), "{quoted}");
}

/// Terminal control sequences in a file must not reach the terminal.
#[test]
fn control_characters_of_a_case_are_escaped() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("heading.mine.jsonl");
    fs::write(&path, "{\"fn\":\"\\u001b]0;title\\u0007\",\"\\u001b[2J\":[\"\\u001b[1m\"]}\n").unwrap();
    let output = run(1, ["conform", "--explain", &format!("{}:1", path.display())]).stdout;
    assert!(!output.contains(&0x1b), "{}", String::from_utf8_lossy(&output));
}
