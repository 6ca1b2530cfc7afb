//! `acmotion replay`: the summary, the JSON contract, the page; and the recordings, where they are at hand.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use acmotion_types::{CellId, CellPosition, Frame, Guid, MotionCommand, Stamp, Vec3};
use acmotion_wire::capture::CaptureWriter;
use acmotion_wire::{
    Direction, InterpretedState, MotionFlags, Movement, MovementBody, MovementData, Pad, PositionFlags,
    PositionPack, S2C, UpdateMotion, UpdatePosition,
};
use common::{complaint, json_lines, run, text};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

const RUNNER: Guid = Guid(0x5000_0002);

fn position(y: f32, stamp: u16) -> Vec<u8> {
    let frame = Frame::from_origin(Vec3::new(50.0, y, 94.0));
    position_at(CellPosition::new(CellId(0xA9B4_0011), frame), stamp)
}

fn position_at(position: CellPosition, stamp: u16) -> Vec<u8> {
    let pack = PositionPack {
        flags: PositionFlags::GROUNDED,
        position,
        velocity: None,
        placement: None,
        instance: Stamp(1),
        position_stamp: Stamp(stamp),
        teleport: Stamp(1),
        force_position: Stamp(1),
    };
    encoded(UpdatePosition { guid: RUNNER, pack }.into())
}

fn motion(forward: MotionCommand, speed: f32, stamp: u16) -> Vec<u8> {
    let state = InterpretedState {
        forward_command: Some(forward),
        forward_speed: Some(speed),
        ..InterpretedState::default()
    };
    let movement = Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state, sticky: None },
    };
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(1),
        autonomous: true.into(),
        pad: Pad::ZERO,
        movement,
    };
    encoded(UpdateMotion { guid: RUNNER, instance: Stamp(1), data }.into())
}

fn encoded(message: S2C<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.encode(&mut bytes);
    bytes
}

/// Somebody who was never created is reported, runs for two seconds and stops.
fn capture() -> (TempDir, String) {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    writer.message(10.0, Direction::S2C, &position(10.0, 1)).unwrap();
    writer.message(11.0, Direction::S2C, &motion(MotionCommand::RUN_FORWARD, 1.5, 2)).unwrap();
    writer.message(13.0, Direction::S2C, &motion(MotionCommand::READY, 1.0, 3)).unwrap();
    writer.message(14.0, Direction::S2C, &position(22.2, 2)).unwrap();
    let folder = tempdir().unwrap();
    let path = folder.path().join("run.pcap");
    fs::write(&path, writer.into_inner()).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn the_summary_says_who_moved() {
    let (_folder, path) = capture();
    let said = text(["replay", &path]);
    assert!(said.contains("1 entities, 1 of them moved"), "{said}");
    assert!(said.contains("1 never created"), "{said}");
    assert!(said.contains("0x50000002"), "{said}");
}

#[test]
fn states_and_events_come_as_json() {
    let (_folder, path) = capture();
    let lines = json_lines(&run(0, ["replay", "--json", &path]).stdout);
    let (events, states): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("event").is_some());
    assert!(states.len() > 100, "five seconds at 30 ticks a second");
    for field in [
        "t",
        "guid",
        "cell",
        "origin",
        "heading",
        "rotation",
        "velocity",
        "contact",
        "on_walkable",
        "style",
        "substate",
        "substate_speed",
        "modifiers",
        "actions",
        "animation",
        "frame",
        "interpolation",
        "constraint",
        "moveto",
        "pending",
    ] {
        assert!(states.iter().all(|state| state.get(field).is_some()), "{field}");
    }
    assert!(states.iter().any(|state| state["substate"] == "0x44000007"), "it runs");
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    for name in ["created", "hook", "motion_done"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(!names.contains(&"snap"), "{names:?}");
    // Two seconds at 6 m/s, the start-up and the glide (docs/recorded.md), corrected by the last report.
    let last = states.last().unwrap()["origin"][1].as_f64().unwrap();
    assert!((last - 22.2).abs() < 0.1, "{last}");
}

#[test]
fn the_same_capture_gives_the_same_bytes() {
    let (_folder, path) = capture();
    let once = run(0, ["replay", "--json", &path]).stdout;
    assert_eq!(once, run(0, ["replay", "--json", &path]).stdout);
}

#[test]
fn the_page_stands_alone() {
    let (folder, path) = capture();
    let page = folder.path().join("run.html");
    run(0, ["replay", &path, "--report", &page.display().to_string()]);
    let html = fs::read_to_string(page).unwrap();
    assert!(html.contains("0x50000002") && html.contains("const DATA = {"));
    for outside in ["http://", "https://", "src=", "@import"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn bad_input_is_told() {
    let (folder, path) = capture();
    assert!(complaint(1, ["replay", "no-such.pcap"]).contains("no-such.pcap"));
    assert!(complaint(1, ["replay", &path, "--dat", &path]).contains("not a dat file"));
    assert!(complaint(2, ["replay", &path, "--self", "me"]).contains("hexadecimal"));
    let bytes = fs::read(&path).unwrap();
    let cut = folder.path().join("cut.pcap").display().to_string();
    fs::write(&cut, &bytes[..bytes.len() - 7]).unwrap();
    let output = run(1, ["replay", &cut]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("0x50000002"), "what was read is shown");
}

fn last_origin(arguments: &[&str]) -> [f64; 3] {
    let lines = json_lines(&run(0, arguments).stdout);
    let last = lines.iter().rfind(|line| line.get("event").is_none()).unwrap();
    [0, 1, 2].map(|axis| last["origin"][axis].as_f64().unwrap())
}

/// A cell file brings its land: who runs at a wall of the town stops there, who runs up its ramp rises. Elsewhere, and high
/// above where no house of the town reaches, everything is as without.
#[test]
fn a_cell_file_brings_its_land() {
    let town = acmotion_dat::mannequin::town::places();
    let folder = tempdir().unwrap();
    let path = folder.path().join("town.pcap").display().to_string();
    let run_from = |place: CellPosition| {
        let mut writer = CaptureWriter::new(Vec::new()).unwrap();
        writer.message(10.0, Direction::S2C, &position_at(place, 1)).unwrap();
        writer.message(11.0, Direction::S2C, &motion(MotionCommand::RUN_FORWARD, 1.0, 2)).unwrap();
        writer.message(13.0, Direction::S2C, &motion(MotionCommand::READY, 1.0, 3)).unwrap();
        fs::write(&path, writer.into_inner()).unwrap();
        let start = place.frame.origin;
        let way = |end: [f64; 3]| (end[1] - f64::from(start.y), end[2] - f64::from(start.z));
        let with = way(last_origin(&["replay", "--json", "--cell", "town", &path]));
        (with, way(last_origin(&["replay", "--json", &path])))
    };
    let ((north, _), (without, _)) = run_from(town.wall);
    assert!((0.5..1.8).contains(&north) && without > 7.0, "{north}, {without}");
    let ((_, up), (_, without)) = run_from(town.ramp_foot);
    assert!((1.9..2.1).contains(&up) && without.abs() < 0.01, "{up}, {without}");
    let elsewhere = CellPosition::at(CellId(0x1010_0011), Vec3::new(50.0, 10.0, 94.0));
    let above = CellPosition::at(CellId(0xA9B4_0011), Vec3::new(50.0, 10.0, 94.0));
    for place in [elsewhere, above] {
        let (with, without) = run_from(place);
        assert_eq!(with, without);
    }
    let gone = folder.path().join("gone.dat").display().to_string();
    let complained = complaint(1, ["replay", "--cell", &gone, &path]);
    assert!(complained.contains("gone.dat"), "{complained}");
}

fn recordings() -> Option<PathBuf> {
    let folder = std::env::var_os("ACMOTION_CAPTURES").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: ACMOTION_CAPTURES is not set");
    }
    folder
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

/// A human of the mannequin's own kinematics is followed without a snap; the one teleport is where the stream has it.
#[test]
fn a_recorded_run_is_followed() {
    let Some(folder) = recordings() else { return };
    let happened = events(&folder, "player_runs_house.jsonl", None);
    assert_eq!((count(&happened, "snap"), count(&happened, "teleport")), (0, 1));
    let teleport = happened.iter().find(|event| event["event"] == "teleport").unwrap();
    assert!((teleport["t"].as_f64().unwrap() - 815.359).abs() < 0.05);
    let said = text(["replay", &folder.join("player_runs_house.jsonl").display().to_string()]);
    let row: Vec<_> = said.lines().last().unwrap().split_whitespace().collect();
    let metres: Vec<f64> =
        row.windows(2).filter(|pair| pair[1] == "m").map(|pair| pair[0].parse().unwrap()).collect();
    let (median, most_of_them) = (metres[1], metres[2]);
    assert!(median <= 0.5 && most_of_them < 2.0, "{said}");
}

/// Every recording runs through, and nobody is snapped.
#[test]
fn every_recording_runs_through() {
    let Some(folder) = recordings() else { return };
    for (recording, player) in [
        ("entergameworld.pcap", None),
        ("retail_player.jsonl", Some("0x50000002")),
        ("melee_chickens.jsonl", Some("0x50000013")),
        ("banderling_chase.jsonl", Some("0x5000001D")),
        ("player_jumps_remote_view.jsonl", None),
        ("synthetic.jsonl", None),
    ] {
        let happened = events(&folder, recording, player);
        assert!(!happened.is_empty(), "{recording}");
        if recording != "synthetic.jsonl" {
            assert_eq!(count(&happened, "snap"), 0, "{recording}");
        }
        // None of them was made in the mannequin's town, so that makes no difference.
        let path = folder.join(recording).display().to_string();
        assert_eq!(text(["replay", &path, "--cell", "town"]), text(["replay", &path]), "{recording}");
    }
}
