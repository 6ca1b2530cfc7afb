//! `acmotion simulate`: the table, the JSON contract, the page, and what is wrong with a scene.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use common::{complaint, json_lines, run, text};
use serde_json::Value;
use tempfile::tempdir;

fn scene(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"));
    path.display().to_string()
}

#[test]
fn the_table_says_who_is_seen_by_whom() {
    let said = text(["simulate", &scene("walk_and_turn")]);
    assert!(said.starts_with("Walk and turn: 16 s, seed 1,"), "{said}");
    let watcher = said.lines().find(|line| line.contains("Watcher")).unwrap();
    assert!(
        watcher.starts_with("Asha") && watcher.contains("200 ms") && watcher.contains(" m "),
        "{watcher}"
    );
    assert!(said.contains("from the truth at the same time"), "{said}");
}

#[test]
fn every_line_says_whose_view_it_is() {
    let lines = json_lines(&run(0, ["simulate", "--json", &scene("chase")]).stdout);
    let (events, states): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("event").is_some());
    assert!(states.len() > 24 * 30 * 3, "three views, thirty ticks a second");
    let views: BTreeSet<&str> = lines.iter().map(|line| line["view"].as_str().unwrap()).collect();
    assert_eq!(views, BTreeSet::from(["Watcher", "self Hare", "server"]));
    for field in
        ["t", "guid", "cell", "origin", "heading", "rotation", "velocity", "substate", "interpolation"]
    {
        assert!(states.iter().all(|state| state.get(field).is_some()), "{field}");
    }
    let mut last = f64::NEG_INFINITY;
    for line in &lines {
        let time = line["t"].as_f64().unwrap();
        assert!(time >= last, "in the order of time: {line}");
        last = time;
    }
    let names: BTreeSet<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    for name in ["created", "hook", "motion_done", "sent", "received", "moveto", "summary"] {
        assert!(names.contains(name), "{names:?}");
    }
}

#[test]
fn what_is_sent_is_there_in_bytes() {
    let lines = json_lines(&run(0, ["simulate", "--json", &scene("walk_and_turn")]).stdout);
    let sent: Vec<&Value> =
        lines.iter().filter(|line| line["event"] == "sent" && line["view"] == "self Asha").collect();
    assert!(sent.len() > 15);
    for line in &sent {
        assert_eq!(line["opcode"], "0xF7B1");
        assert!(line["raw_hex"].as_str().unwrap().starts_with("b1f70000"), "{line}");
        assert_eq!(line["to"], "server");
    }
    assert!(sent.iter().any(|line| line["name"] == "MoveToState" && line["sub_opcode"] == "0xF61C"));
}

#[test]
fn the_summary_comes_last() {
    let lines = json_lines(&run(0, ["simulate", "--json", &scene("laggy_duel")]).stdout);
    let summaries: Vec<&Value> = lines.iter().rev().take_while(|line| line["event"] == "summary").collect();
    assert_eq!(summaries.len(), 4, "each duellist by the server and by the other");
    for line in summaries {
        for part in ["error", "error_delayed"] {
            let spread = &line[part];
            let [mean, p95, worst] = ["mean", "p95", "worst"].map(|field| spread[field].as_f64().unwrap());
            assert!(0.0 < mean && mean < worst && p95 <= worst, "{line}");
        }
        assert!(line["truth"].as_str().unwrap().starts_with("self "), "{line}");
        assert!(line["snaps"].is_u64() && line["backward"].is_u64() && line["delay"].is_f64(), "{line}");
    }
}

#[test]
fn the_page_stands_alone() {
    let folder = tempdir().unwrap();
    let page = folder.path().join("chase.html");
    text(["simulate", &scene("chase"), "--report", page.to_str().unwrap()]);
    let page = fs::read_to_string(page).unwrap();
    for part in [
        "acmotion simulate",
        "\"Wolf\"",
        "\"self Hare\"",
        "\"Watcher\"",
        "\"errors\":[[",
        "prefers-color-scheme",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for foreign in ["http://", "https://", "src=", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(!page.contains("/*DATA*/") && !page.contains("/*SCRIPT*/") && !page.contains("/*STYLE*/"));
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    fs::write(&path, "seconds = 5\n[[player]]\nname = 'A'\nat = [1, 1]\nhat = 'red'\n").unwrap();
    let path = path.to_str().unwrap();
    let said = complaint(1, ["simulate", path]);
    assert!(
        said.contains("bad.toml") && said.contains("line 5") && said.contains("unknown field `hat`"),
        "{said}"
    );
    let said = complaint(1, ["simulate", "nowhere.toml"]);
    assert!(said.contains("nowhere.toml"), "{said}");
    complaint(2, ["simulate"]);
}

#[test]
fn land_comes_from_a_cell_file() {
    let slope = scene("sprint_and_strafe_jump");
    let said = text(["simulate", &slope, "--cell", "town"]);
    assert!(said.contains("Near"), "{said}");
    assert_ne!(said, text(["simulate", &slope]), "another ground, other ways");
    let said = complaint(1, ["simulate", &scene("walk_and_turn"), "--cell", "nowhere.dat"]);
    assert!(said.contains("nowhere.dat"), "{said}");
}

/// A reader who has seen enough is not an error.
#[test]
fn a_closed_pipe_is_fine() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_acmotion"))
        .args(["simulate", "--json", &scene("chase")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("Broken pipe"));
}
