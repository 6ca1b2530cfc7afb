//! `acmotion simulate --compare` and `acmotion replay --compare`: the tables, the JSON, and errors.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::{json_lines, run, stderr, stdout};
use crate::replay::{motion, position_at};
use acmotion_types::{CellId, CellPosition, MotionCommand, Vec3};
use acmotion_wire::Direction;
use acmotion_wire::capture::CaptureWriter;
use serde_json::Value;
use tempfile::tempdir;

const METHODS: [&str; 7] =
    ["truth", "faithful", "comfort", "comfort, behind", "snap", "interpolate", "dead reckoning"];

const SCENARIO: &str = r#"
seconds = 5
[[player]]
name = "Asha"
at = [90, 90]
input = [{ at = 1, press = "forward" }, { at = 4, release = "forward" }]
[[observer]]
name = "Watcher"
at = [100, 95]
"#;

/// Writes scenarios of these names into a folder and returns its path.
fn write_scenarios(folder: &Path, names: &[&str]) -> String {
    for name in names {
        fs::write(folder.join(name), SCENARIO).unwrap();
    }
    folder.display().to_string()
}

#[test]
fn a_folder_of_scenarios_is_compared_over_four_networks() {
    let folder = tempdir().unwrap();
    let path = write_scenarios(folder.path(), &["b.toml", "a.toml", "notes.txt"]);
    let text = stdout(["simulate", "--compare", "--seeds", "2", &path]);
    assert!(text.starts_with("compared in 2 scenarios over 4 networks and 2 seeds\n"), "{text}");
    for network in ["LAN", "60 ± 15 ms, 0.5 %", "150 ± 50 ms, 2 %", "300 ± 100 ms, 5 %"] {
        let rows = text.lines().filter(|line| line.starts_with(network) && !line.contains(": "));
        assert_eq!(rows.count(), METHODS.len() * 3, "{network}: all, a and b\n{text}");
    }
    assert!(text.contains("\nwhere comfort is worse than faithful:\n"), "{text}");
    assert!(text.contains("root mean square"), "the columns are explained: {text}");
    assert_eq!(text, stdout(["simulate", "--compare", "--seeds", "2", &path]), "the same again");
}

#[test]
fn each_method_has_a_line_for_each_scenario_and_network() {
    let folder = tempdir().unwrap();
    let path = write_scenarios(folder.path(), &["a.toml"]);
    let file = folder.path().join("a.toml").display().to_string();
    let output = run(0, ["simulate", "--compare", "--json", "--seeds", "1", &path, &file]);
    let lines = json_lines(&output.stdout);
    assert_eq!(lines.len(), 4 * METHODS.len() * 3, "the folder, the file, and both together");
    assert!(String::from_utf8_lossy(&output.stderr).contains("all scenarios"), "the table is on stderr");
    let names: BTreeSet<&str> = lines.iter().map(|line| line["method"].as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(METHODS));
    for line in &lines {
        assert_eq!((&line["event"], &line["seeds"]), (&Value::from("compare"), &Value::from(1)), "{line}");
        assert!(line["scenario"].is_null() || line["scenario"] == "a", "{line}");
        for field in ["moving", "backward", "jump", "jerk", "sliding"] {
            assert!(line[field].is_number(), "{field}: {line}");
        }
        let is_truth = line["method"] == "truth";
        assert_eq!(line["error"].is_null(), is_truth, "{line}");
        assert!(is_truth || line["error_delayed"]["p95"].is_number(), "{line}");
    }
    let mean = |method: &str| {
        let is_it = |line: &&Value| line["method"] == method && line["network"] == "150 ± 50 ms, 2 %";
        lines.iter().find(is_it).unwrap()["error"]["mean"].as_f64().unwrap()
    };
    assert!(mean("comfort") < mean("faithful"), "a run over 150 ms");
    assert!(mean("faithful") < mean("snap"));
}

/// A key that is held through a stance change is announced only with `--announce`, and others then see the run.
#[test]
fn resumed_keys_are_announced_if_that_is_asked_for() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/stance_change_while_running.toml");
    let scene = scene.display().to_string();
    let error = |arguments: &[&str]| {
        let fixed = ["simulate", "--compare", "--json", "--seeds", "1", &scene];
        let arguments = fixed.iter().chain(arguments);
        let lines = json_lines(&run(0, arguments).stdout);
        let faithful = lines.iter().find(|line| line["method"] == "faithful").unwrap();
        faithful["error"]["worst"].as_f64().unwrap()
    };
    let (silent, announced) = (error(&[]), error(&["--announce"]));
    assert!(announced < 0.5 * silent, "{announced} m instead of {silent} m");
}

#[test]
fn more_than_can_be_compared_is_an_error() {
    let folder = tempdir().unwrap();
    let path = write_scenarios(folder.path(), &["a.toml"]);
    let error = stderr(1, ["simulate", "--compare", "--seeds", "10000", &path]);
    assert!(error.contains("too much to compare") && error.contains("expected at most 100000"), "{error}");
    for number in 0..1_000 {
        fs::write(folder.path().join(format!("{number}.toml")), "").unwrap();
    }
    let error = stderr(1, ["simulate", "--compare", &path]);
    assert!(error.contains("more than 1000 scenarios"), "{error}");
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let folder = tempdir().unwrap();
    let path = folder.path().display().to_string();
    let error = stderr(1, ["simulate", "--compare", &path]);
    assert!(error.contains("there are no scenarios in it; expected TOML files"), "{error}");
    fs::write(folder.path().join("bad.toml"), "seconds = 5\nsecond = 6\n").unwrap();
    let error = stderr(1, ["simulate", "--compare", &path]);
    assert!(error.contains("bad.toml") && error.contains("line 2"), "{error}");
    let missing = folder.path().join("missing.toml").display().to_string();
    assert!(stderr(1, ["simulate", "--compare", &missing]).contains("missing.toml"));
    for arguments in [
        ["simulate", "a.toml", "b.toml"].as_slice(),
        &["simulate", "a.toml", "--announce"],
        &["simulate", "a.toml", "--seeds", "3"],
        &["simulate", "a.toml", "--compare", "--check"],
        &["simulate", "a.toml", "--compare", "--report", "a.html"],
        &["simulate", "a.toml", "--compare", "--seeds", "0"],
        &["replay", "a.pcap", "--compare", "--report", "a.html"],
    ] {
        let error = stderr(2, arguments);
        assert!(error.starts_with("error: "), "{arguments:?}: {error}");
    }
}

fn report(y: f32, z: f32, stamp: u16) -> Vec<u8> {
    position_at(CellPosition::at(CellId(0xA9B4_0011), Vec3::new(50.0, y, z)), stamp)
}

/// A remote is announced to run at 6 m/s. It runs at `speed`, up a hill of `slope`, and is reported every second, now a little
/// early and now a little late.
fn capture(folder: &Path, speed: f32, slope: f32) -> String {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    writer.message(10.0, Direction::S2C, &report(10.0, 94.0, 1)).unwrap();
    writer.message(10.5, Direction::S2C, &motion(MotionCommand::RUN_FORWARD, 1.5, 2)).unwrap();
    for second in 1..=8_u16 {
        let shift = if second % 2 == 0 { 0.04 } else { -0.04 };
        let (time, way) = (10.5 + f64::from(second) + shift, speed * f32::from(second));
        let report = report(10.0 + way, 94.0 + slope * way, 1 + second);
        writer.message(time, Direction::S2C, &report).unwrap();
    }
    let path = folder.join("run.pcap");
    fs::write(&path, writer.into_inner()).unwrap();
    path.display().to_string()
}

#[test]
fn the_remotes_of_a_capture_are_compared_with_their_reports() {
    let folder = tempdir().unwrap();
    let path = capture(folder.path(), 6.0, 0.0);
    let text = stdout(["replay", &path, "--compare"]);
    assert!(text.contains("; 8 reports of those that moved\nmethod "), "{text}");
    let output = run(0, ["replay", &path, "--compare", "--json"]);
    let lines = json_lines(&output.stdout);
    let names: Vec<&str> = lines.iter().map(|line| line["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["faithful", "comfort", "snap", "interpolate", "dead reckoning"]);
    let mean = |index: usize| lines[index]["error"]["mean"].as_f64().unwrap();
    assert!(mean(0) < 1.0 && mean(1) < 1.0 && mean(2) > 4.0, "snap waits for each report: {text}");
    assert_eq!(lines[1]["backward"], 0, "comfort never steps back");
    assert!(lines.iter().all(|line| line["error_delayed"].is_null()), "nothing is known of delays");
    assert!(!stdout(["replay", &path]).contains("dead reckoning"), "only with --compare");
}

#[test]
fn a_capture_of_nothing_has_an_empty_comparison_and_damage_is_reported() {
    let folder = tempdir().unwrap();
    let empty = folder.path().join("empty.pcap");
    fs::write(&empty, CaptureWriter::new(Vec::new()).unwrap().into_inner()).unwrap();
    let text = stdout(["replay", empty.to_str().unwrap(), "--compare"]);
    assert!(text.contains("; 0 reports of those that moved\n"), "{text}");
    let garbage = folder.path().join("garbage.pcap");
    fs::write(&garbage, b"this is no capture at all").unwrap();
    let error = stderr(1, ["replay", garbage.to_str().unwrap(), "--compare"]);
    assert!(error.contains("garbage.pcap: not a capture"), "{error}");
}

/// Returns the positions of the runner from the fifth second of a replay on.
fn late_positions(arguments: &[&str]) -> Vec<[f64; 3]> {
    let lines = json_lines(&run(0, arguments).stdout);
    let late = lines.iter().filter(|line| line["t"].as_f64().unwrap() > 15.0);
    let origins = late.filter_map(|line| line["origin"].as_array());
    origins.map(|origin| [0, 1, 2].map(|axis| origin[axis].as_f64().unwrap())).collect()
}

#[test]
fn slopes_are_learnt_in_a_replay_if_that_is_asked_for() {
    let folder = tempdir().unwrap();
    let path = capture(folder.path(), 6.0, 0.25);
    let error = |flags: &[&str]| {
        let arguments: Vec<&str> = ["replay", &path, "--json"].iter().chain(flags).copied().collect();
        let positions = late_positions(&arguments);
        positions.iter().map(|[_, y, z]| (z - 94.0 - 0.25 * (y - 10.0)).abs()).fold(0.0, f64::max)
    };
    let (level, learnt) = (error(&[]), error(&["--slope-from-reports"]));
    assert!(level > 1.0 && learnt < 0.2, "{learnt} m from the hill, {level} m without");
}

#[test]
fn speeds_are_learnt_in_a_replay_if_that_is_asked_for() {
    let folder = tempdir().unwrap();
    let path = capture(folder.path(), 3.0, 0.0);
    let longest = |flags: &[&str]| {
        let arguments: Vec<&str> = ["replay", &path, "--json"].iter().chain(flags).copied().collect();
        let positions = late_positions(&arguments);
        positions.windows(2).map(|pair| pair[1][1] - pair[0][1]).fold(0.0, f64::max)
    };
    let (plain, learnt) = (longest(&[]), longest(&["--speeds-from-reports"]));
    assert!(learnt < 0.8 * plain, "{learnt} m a tick instead of {plain} m");
}
