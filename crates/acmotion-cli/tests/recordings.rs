//! `acmotion decode` and `acmotion replay` on recordings of the game. Ignored unless `ACMOTION_CAPTURES` names their
//! folder.

#[path = "command/common/mod.rs"]
mod common;

use std::fs;
use std::path::Path;

use acmotion_test_recordings::recording_tests;
use common::{json_lines, run, stdout};
use serde_json::Value;

recording_tests! {
    recordings_decode_to_their_expected_json,
    a_recorded_run_is_followed_without_a_snap,
    every_recording_runs_through_without_a_snap,
    recorded_players_move_by_their_own_messages,
}

/// Compares every recording with its decoded form, field by field.
fn recordings_decode_to_their_expected_json(folder: &Path) {
    let mut pairs = vec![(folder.join("entergameworld.pcap"), folder.join("entergameworld.jsonl"))];
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(stem) = name.strip_suffix(".decoded.jsonl") {
            pairs.push((folder.join(format!("{stem}.jsonl")), folder.join(&name)));
        }
    }
    assert!(pairs.len() > 5);
    for (capture, decoded) in pairs {
        let got = json_lines(&run(0, ["decode", "--json", &capture.display().to_string()]).stdout);
        let expected = json_lines(&fs::read(&decoded).unwrap());
        assert_eq!(got.len(), expected.len(), "{}", capture.display());
        for (got, expected) in got.iter().zip(&expected) {
            assert_eq!(got, expected, "{}", capture.display());
        }
    }
}

fn events(folder: &Path, recording: &str, player: Option<&str>) -> Vec<Value> {
    let path = folder.join(recording).display().to_string();
    let mut arguments = vec!["replay", "--json", &path];
    arguments.extend(player.iter().flat_map(|player| ["--self", player]));
    let lines = json_lines(&run(0, arguments).stdout);
    lines.into_iter().filter(|line| line.get("event").is_some()).collect()
}

fn count(events: &[Value], name: &str) -> usize {
    events.iter().filter(|event| event["event"] == name).count()
}

/// A human with the mannequin's kinematics. The one teleport is where the recording has it.
fn a_recorded_run_is_followed_without_a_snap(folder: &Path) {
    let events = events(folder, "player_runs_house.jsonl", None);
    assert_eq!((count(&events, "snap"), count(&events, "teleport")), (0, 1));
    let teleport = events.iter().find(|event| event["event"] == "teleport").unwrap();
    assert!((teleport["t"].as_f64().unwrap() - 815.359).abs() < 0.05);
    let summary = stdout(["replay", &folder.join("player_runs_house.jsonl").display().to_string()]);
    let [_, median, p95] = distances(&summary, "0x5000001E");
    assert!(median <= 0.5 && p95 < 2.0, "{summary}");
}

/// The distances, in metres, in the row of an entity: how far it moved, the median error and that of 95 % of the reports.
fn distances(summary: &str, entity: &str) -> [f64; 3] {
    let row = summary.lines().find(|line| line.starts_with(entity)).expect("the entity has a row");
    let cells: Vec<_> = row.split_whitespace().collect();
    let mut metres = cells.windows(2).filter(|pair| pair[1] == "m").map(|pair| pair[0].parse().unwrap());
    [(); 3].map(|()| metres.next().expect("a distance"))
}

fn every_recording_runs_through_without_a_snap(folder: &Path) {
    for (recording, player) in [
        ("entergameworld.pcap", None),
        ("retail_player.jsonl", Some("0x50000002")),
        ("melee_chickens.jsonl", Some("0x50000013")),
        ("banderling_chase.jsonl", Some("0x5000001D")),
        ("player_jumps_remote_view.jsonl", None),
        ("synthetic.jsonl", None),
    ] {
        let events = events(folder, recording, player);
        assert!(!events.is_empty(), "{recording}");
        if recording != "synthetic.jsonl" {
            assert_eq!(count(&events, "snap"), 0, "{recording}");
        }
        // None of them was recorded in the mannequin's town, so its land makes no difference.
        let path = folder.join(recording).display().to_string();
        assert_eq!(stdout(["replay", &path, "--cell", "town"]), stdout(["replay", &path]), "{recording}");
    }
}

/// Local players move by what their own clients sent, between positions a second apart. The first run of `retail_player` is
/// at an unknown rate, because the recording has no description of the player and no echo.
fn recorded_players_move_by_their_own_messages(folder: &Path) {
    for (recording, player, median, p95) in [
        ("retail_player.jsonl", "0x50000002", 0.05, 0.5),
        ("melee_chickens.jsonl", "0x50000013", 0.2, 2.5),
        ("banderling_chase.jsonl", "0x5000001D", 0.05, 0.5),
    ] {
        let path = folder.join(recording).display().to_string();
        let summary = stdout(["replay", &path, "--self", player]);
        let [_, own_median, own_p95] = distances(&summary, player);
        assert!(own_median <= median && own_p95 <= p95, "{recording}: {summary}");
    }
}
