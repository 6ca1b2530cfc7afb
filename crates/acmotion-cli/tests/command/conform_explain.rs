//! `acmotion conform --list` and `--explain`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::{acmotion, changed_case, golden, json_lines, run, stderr, stdout};
use serde_json::Value;
use tempfile::tempdir;

fn place(file: &str, line: u64) -> String {
    format!("{}:{line}", golden(file).display())
}

#[test]
fn the_list_has_every_family_with_its_rules_and_the_rules_without_vectors() {
    let output = stdout(["conform", "--list"]);
    assert!(
        output.contains(
            "stamps: whether one sequence number is newer than another\n  lines newer16, newer15\n  rules D2, E8\n"
        ),
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
    assert!(output.contains("\n1 file, 896 lines\n"), "{output}");
    assert!(output.contains("rules covered: 2 of "), "{output}");
    let lines = json_lines(&run(0, ["conform", "--list", "--json", &path]).stdout);
    assert_eq!((&lines[0]["lines"], &lines[0]["kinds"]["newer15"]), (&896.into(), &400.into()));
}

#[test]
fn the_list_of_a_folder_counts_files_lines_and_definitions() {
    let folder = tempdir().unwrap();
    for name in ["stamps.dev.jsonl.gz", "bsp.dev.jsonl.gz"] {
        fs::copy(golden(name), folder.path().join(name)).unwrap();
    }
    let output = stdout(["conform", "--list", folder.path().to_str().unwrap()]);
    let total = "\n2 files, 4,025 lines, of which 69 define what the others use\n";
    assert!(output.contains(total), "{output}");
}

/// The rules in the tables of `docs/conformance.md` are those that `--list` prints.
#[test]
fn the_conformance_page_has_the_rules_of_every_family() {
    let page = fs::read_to_string(golden("../../docs/conformance.md")).unwrap();
    let mut written = BTreeMap::new();
    let tables = page.split("| family | rules | contents of a line |\n|---|---|---|\n").skip(1);
    for row in tables.flat_map(|table| table.lines().take_while(|line| line.starts_with('|'))) {
        let [_, names, rules, ..] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else { continue };
        let names: Vec<_> = names.split(", ").map(|name| name.trim_matches('`')).collect();
        for name in &names {
            written.entry(String::from(*name)).or_insert_with(|| (names.len(), ranges(rules)));
        }
    }
    let lines = json_lines(&run(0, ["conform", "--list", "--json"]).stdout);
    let listed: BTreeMap<_, _> =
        lines.iter().filter_map(|line| Some((line["family"].as_str()?, strings(&line["rules"])))).collect();
    for (family, rules) in &listed {
        let (names, written) = written.get(*family).unwrap_or_else(|| panic!("no row for {family}"));
        // Families in one row have their rules together.
        let is_enough = |rule: &String| rules.contains(rule) || *names > 1;
        let of_row = |rule: &String| written.iter().any(|other| is_part(rule, other));
        assert!(rules.iter().all(of_row), "{family}: {rules:?} on the page {written:?}");
        assert!(written.iter().all(is_enough), "{family}: on the page {written:?}, listed {rules:?}");
    }
    let together: BTreeSet<_> =
        ["transition", "transition_extra"].iter().flat_map(|name| &listed[name]).collect();
    let row = &written["transition"].1;
    assert!(row.iter().all(|rule| together.contains(rule)), "{row:?}");
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|word| String::from(word.as_str().unwrap())).collect()
}

/// Returns `true` if a rule is another one or below it.
fn is_part(rule: &str, other: &str) -> bool {
    rule.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the rules of a list such as `D2, E5–E8, 5.1–5.3`.
fn ranges(list: &str) -> Vec<String> {
    let mut rules = Vec::new();
    for item in list.split(", ") {
        let Some((from, to)) = item.split_once('–') else {
            rules.push(String::from(item));
            continue;
        };
        let split = |rule: &str| {
            let digits = rule.rfind(|char: char| !char.is_ascii_digit()).map_or(0, |before| before + 1);
            (String::from(&rule[..digits]), rule[digits..].parse::<u32>().ok())
        };
        let ((prefix, from), (_, to)) = (split(from), split(to));
        if let (Some(from), Some(to)) = (from, to) {
            rules.extend((from..=to).map(|number| format!("{prefix}{number}")));
        }
    }
    rules
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
    assert!(steps.contains("\nPassed: ") && steps.contains("\n  G4. "), "{steps}");
    let output = stdout(["conform", "--explain", &place("transition_directed.dev.jsonl.gz", 3)]);
    assert!(
        output.contains("\nSteps\n  0  d [")
            && output.contains("\n     → {\"")
            && output.contains("\n  3.5 ")
    );
}

/// Values of an order's ticks have names, and only what differs from the tick before is printed.
#[test]
fn ticks_are_told_by_what_changes() {
    let output = stdout(["conform", "--explain", &place("moveto.dev.jsonl.gz", 3)]);
    let (_, ticks) = output.split_once("\nTicks, each with what differs from the one before\n").unwrap();
    assert!(
        ticks.starts_with("  0  t 0, x 50, y 50, z 10, heading 0, movement_type 7, current_command 0x"),
        "{ticks}"
    );
    assert!(
        ticks.contains("\n  1  t 0.033333, heading 3, motions_pending false\n  2  t 0.066667, heading 6\n")
    );
    let output = stdout(["conform", "--explain", &place("body.dev.jsonl.gz", 1233)]);
    assert!(output.contains("\nPath, each with what differs from the one before\n  0  x "), "{output}");
}

/// Of a case with many rules only their beginnings are printed, and all texts with `--json`.
#[test]
fn many_rules_are_told_by_their_first_lines() {
    let place = place("interp_state.dev.jsonl.gz", 3);
    let output = stdout(["conform", "--explain", &place]);
    let (_, rules) = output.split_once("\nRules, with their first lines (--json has all of them)\n").unwrap();
    let count = rules.lines().count();
    assert!(count > 4 && rules.lines().all(|line| line.starts_with("  ")), "{rules}");
    let lines = json_lines(&run(0, ["conform", "--explain", &place, "--json"]).stdout);
    let texts = lines[0]["rules"].as_array().unwrap();
    assert_eq!(texts.len(), count);
    assert!(texts.iter().any(|rule| rule["text"].as_str().unwrap().lines().count() > 3));
}

/// If a step fails, the rules are those of that step and of the kind of the line.
#[test]
fn the_rules_of_a_step_that_failed_are_those_of_its_operation() {
    let lines = changed_case(
        "motion_table",
        |line| line["steps"][1]["op"] == "stop",
        |line| {
            line["steps"][1]["ret"] = Value::Null;
        },
    );
    let folder = tempdir().unwrap();
    let path = folder.path().join("motion_table.mine.jsonl");
    fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let place = format!("{}:{}", path.display(), lines.len());
    let output = String::from_utf8(run(1, ["conform", "--explain", &place]).stdout).unwrap();
    let (story, rules) = output.split_once("\nRule ").unwrap();
    assert!(story.contains("\nFailed at steps[1].ret\n"), "{story}");
    let numbers: Vec<_> = rules.split("\nRule ").map(|text| text.split('.').next().unwrap()).collect();
    assert_eq!(numbers, ["G10", "G8", "G9"]);
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
