//! `acmotion replay`: the summary, the JSON contract, and the page.

use std::fs;
use std::time::Duration;

use crate::common::{acmotion, json_lines, run, stderr, stdout};
use acmotion_dat::{BlockSize, DatWriter, DataSet};
use acmotion_types::{CellId, CellPosition, Frame, Guid, MotionCommand, Stamp, Vec3};
use acmotion_wire::capture::CaptureWriter;
use acmotion_wire::{
    AutonomousPosition, C2S, ContactFlags, Direction, EchoedStamps, GameAction, GameActionBody, HoldKey,
    InterpretedState, MotionFlags, MoveToState, Movement, MovementBody, MovementData, Pad, PositionPack,
    RawMotionState, S2C, UpdateMotion, UpdatePosition,
};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

const RUNNER: Guid = Guid(0x5000_0002);

fn position(y: f32, stamp: u16) -> Vec<u8> {
    let frame = Frame::from_origin(Vec3::new(50.0, y, 94.0));
    position_at(CellPosition::new(CellId(0xA9B4_0011), frame), stamp)
}

pub(crate) fn position_at(position: CellPosition, stamp: u16) -> Vec<u8> {
    let pack = PositionPack { position_stamp: Stamp(stamp), ..PositionPack::grounded(position) };
    S2C::from(UpdatePosition { guid: RUNNER, pack }).to_bytes()
}

pub(crate) fn motion(forward: MotionCommand, speed: f32, stamp: u16) -> Vec<u8> {
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
    S2C::from(UpdateMotion { guid: RUNNER, instance: Stamp(0), data }).to_bytes()
}

/// An object that is never created is reported, runs for two seconds and stops.
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
fn the_summary_counts_entities_that_moved() {
    let (_folder, path) = capture();
    let summary = stdout(["replay", &path]);
    assert!(summary.contains("1 entity, which moved or was reported"), "{summary}");
    assert!(summary.contains("1 entity never created"), "{summary}");
    assert!(summary.contains("0x50000002"), "{summary}");
}

#[test]
fn json_has_a_line_for_each_state_and_event() {
    let (_folder, path) = capture();
    let lines = json_lines(&run(0, ["replay", "--json", &path]).stdout);
    let (events, states): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("event").is_some());
    assert!(states.len() > 100, "expected five seconds of 30 ticks");
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
    assert!(states.iter().any(|state| state["substate"] == "0x44000007"), "the object runs");
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    for name in ["created", "hook", "motion_done"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(!names.contains(&"snap"), "{names:?}");
    // Two seconds at 6 m/s, starting and stopping included (docs/recorded.md), corrected by the last report.
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
fn the_page_loads_nothing() {
    let (folder, path) = capture();
    let page = folder.path().join("run.html");
    run(0, ["replay", &path, "--report", &page.display().to_string()]);
    let html = fs::read_to_string(page).unwrap();
    assert!(html.contains("0x50000002") && html.contains("const DATA = {"));
    for url in ["http://", "https://", "src=", "@import"] {
        assert!(!html.contains(url), "{url}");
    }
}

/// `<!--<script>` would hide the end of the script that has the data.
#[test]
fn hostile_21_a_name_with_markup_does_not_break_the_page() {
    let folder = tempdir().unwrap();
    let capture = folder.path().join("<!--<script>.jsonl").display().to_string();
    fs::write(&capture, r#"{"t":1,"dir":"s2c","hex":"4bf700001d000050104440006a000300"}"#).unwrap();
    let page = folder.path().join("page.html");
    run(0, ["replay", &capture, "--report", &page.display().to_string()]);
    let html = fs::read_to_string(page).unwrap();
    assert!(!html.contains("<!--<script>") && html.contains("\\u003c!--\\u003cscript>"), "{html}");
}

#[test]
fn errors_name_the_input_and_the_reason() {
    let (folder, path) = capture();
    assert!(stderr(1, ["replay", "no-such.pcap"]).contains("no-such.pcap"));
    assert!(stderr(1, ["replay", &path, "--dat", &path]).contains("a capture, expected a dat file"));
    assert!(stderr(2, ["replay", &path, "--self", "me"]).contains("hexadecimal"));
    let bytes = fs::read(&path).unwrap();
    let cut = folder.path().join("cut.pcap").display().to_string();
    fs::write(&cut, &bytes[..bytes.len() - 7]).unwrap();
    let output = run(1, ["replay", &cut]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("0x50000002"), "what could be read is shown");
}

/// Runs JSON Lines from standard input. Returns the exit code and what was printed, standard error last.
fn replay_lines(lines: &str) -> (Option<i32>, String) {
    let output = acmotion(["replay", "-"]).write_stdin(lines).timeout(TIMEOUT).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// Far more than any of these captures needs, on a slow machine too.
const TIMEOUT: Duration = Duration::from_secs(60);

#[test]
fn hostile_01_a_huge_time_ends_at_once_with_an_answer() {
    let line = r#"{"t":5e15,"dir":"s2c","hex":"4bf700001d000050104440006a000300"}"#;
    let (code, output) = replay_lines(line);
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("the first time is 5e15 s"), "{output}");
    assert!(output.contains("counted from the first message"), "{output}");
}

#[test]
fn times_that_go_back_and_long_gaps_are_reported_once() {
    let hex: String = position(10.0, 1).iter().map(|byte| format!("{byte:02x}")).collect();
    let lines: String = [10.0, 9.0, 8.0, 1e6, 1e300, -1e300]
        .map(|time| format!("{{\"t\":{time:e},\"dir\":\"s2c\",\"hex\":\"{hex}\"}}\n"))
        .concat();
    let (code, output) = replay_lines(&lines);
    assert_eq!(code, Some(0), "{output}");
    for sentence in [
        "3 times are not finite or go back: the time of the message before is used instead",
        "2 silences of more than ten minutes were skipped",
        "2 gaps of more than an hour were shortened to an hour",
    ] {
        assert_eq!(output.matches(sentence).count(), 1, "{sentence}: {output}");
    }
}

#[test]
fn hostile_21_a_message_that_cannot_be_read_is_named_with_its_reason() {
    let lines = "{\"t\":1,\"dir\":\"s2c\",\"hex\":\"4bf700001d000050104440006a000300\"}\n\
                 {\"t\":2,\"dir\":\"s2c\",\"hex\":\"4bf700001d0000501044\"}\n";
    let (code, output) = replay_lines(lines);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("1 message could not be read: message 2 (S2C, 10 bytes, at 2.0"), "{output}");
    assert!(output.contains("0xF74B: state at byte 8"), "{output}");
}

/// The packets of a pcap file in a pcapng whose interface declares whole seconds (`if_tsresol` 0), though the times
/// are microseconds since 1970.
fn with_second_resolution(pcap: &[u8]) -> Vec<u8> {
    let words = |list: &[u32]| list.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let mut file = words(&[0x0A0D_0D0A, 28, 0x1A2B_3C4D, 1, u32::MAX, u32::MAX, 28]);
    // Ethernet, no limit; option 9 (one byte, 0), end of options.
    file.extend(words(&[1, 32, 1, 0, 9 | 1 << 16, 0, 0, 32]));
    let word = |at: usize| u32::from_le_bytes(pcap[at..at + 4].try_into().unwrap());
    let mut at = 24;
    while at < pcap.len() {
        let (seconds, micros, len) = (word(at), word(at + 4), word(at + 8));
        let ticks = u64::from(seconds) * 1_000_000 + u64::from(micros);
        let data = &pcap[at + 16..at + 16 + len as usize];
        let total = 32 + len.next_multiple_of(4);
        file.extend(words(&[6, total, 0, (ticks >> 32) as u32, ticks as u32, len, len]));
        file.extend(data);
        file.resize(file.len().next_multiple_of(4), 0);
        file.extend(words(&[total]));
        at += 16 + len as usize;
    }
    file
}

#[test]
fn hostile_11_a_pcapng_with_microseconds_as_seconds_ends_at_once() {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    for number in 0..40_u16 {
        let time = 1_766_693_906.25 + f64::from(number) / 8.0;
        writer.message(time, Direction::S2C, &position(10.0 + f32::from(number) / 10.0, 1 + number)).unwrap();
    }
    let folder = tempdir().unwrap();
    let path = folder.path().join("seconds.pcapng").display().to_string();
    fs::write(&path, with_second_resolution(&writer.into_inner())).unwrap();
    let output = acmotion(["replay", &path]).timeout(TIMEOUT).output().unwrap();
    let summary = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{summary}");
    assert!(summary.contains("1.76669390625e15 s"), "{summary}");
    assert!(summary.contains("39 gaps of more than an hour were shortened to an hour"), "{summary}");
}

fn last_origin(arguments: &[&str]) -> [f64; 3] {
    let lines = json_lines(&run(0, arguments).stdout);
    let last = lines.iter().rfind(|line| line.get("event").is_none()).unwrap();
    [0, 1, 2].map(|axis| last["origin"][axis].as_f64().unwrap())
}

/// An object that runs at a wall of the town stops there, one that runs up its ramp rises. Elsewhere, and high above the
/// houses of the town, a cell file makes no difference.
#[test]
fn a_cell_file_adds_its_land() {
    let town = acmotion_dat::mannequin::town::landmarks();
    let folder = tempdir().unwrap();
    let path = folder.path().join("town.pcap").display().to_string();
    let run_from = |position: CellPosition| {
        let mut writer = CaptureWriter::new(Vec::new()).unwrap();
        writer.message(10.0, Direction::S2C, &position_at(position, 1)).unwrap();
        writer.message(11.0, Direction::S2C, &motion(MotionCommand::RUN_FORWARD, 1.0, 2)).unwrap();
        writer.message(13.0, Direction::S2C, &motion(MotionCommand::READY, 1.0, 3)).unwrap();
        fs::write(&path, writer.into_inner()).unwrap();
        let start = position.frame.origin;
        let moved = |end: [f64; 3]| (end[1] - f64::from(start.y), end[2] - f64::from(start.z));
        let with = moved(last_origin(&["replay", "--json", "--cell", "town", &path]));
        (with, moved(last_origin(&["replay", "--json", &path])))
    };
    let ((north, _), (without, _)) = run_from(town.wall);
    assert!((0.5..1.8).contains(&north) && without > 7.0, "{north}, {without}");
    let ((_, up), (_, without)) = run_from(town.ramp_foot);
    assert!((1.9..2.1).contains(&up) && without.abs() < 0.01, "{up}, {without}");
    let elsewhere = CellPosition::at(CellId(0x1010_0011), Vec3::new(50.0, 10.0, 94.0));
    let above = CellPosition::at(CellId(0xA9B4_0011), Vec3::new(50.0, 10.0, 94.0));
    for position in [elsewhere, above] {
        let (with, without) = run_from(position);
        assert_eq!(with, without);
    }
    let gone = folder.path().join("gone.dat").display().to_string();
    let error = stderr(1, ["replay", "--cell", &gone, &path]);
    assert!(error.contains("gone.dat"), "{error}");
    let empty = folder.path().join("empty.dat").display().to_string();
    DatWriter::new(BlockSize::Large, DataSet::Portal).write_to(&empty).unwrap();
    let error = stderr(1, ["replay", "--dat", &empty, "--cell", "town", &path]);
    assert!(error.contains("empty.dat: --cell needs the region"), "{error}");
}

fn own_message(action: GameActionBody<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    C2S::from(GameAction { sequence: 1, action }).encode(&mut bytes);
    bytes
}

/// The local player stands, presses the run key for a second, and reports where it is: the table compares it with what its
/// own client sent, and not with the server's echo of that.
#[test]
fn the_local_player_is_compared_with_its_own_positions() {
    let at = |y| CellPosition::new(CellId(0xA9B4_0011), Frame::from_origin(Vec3::new(50.0, y, 94.0)));
    let stamps = EchoedStamps {
        instance: Stamp(1),
        teleport: Stamp(1),
        force_position: Stamp(1),
        ..EchoedStamps::default()
    };
    let standing = |y| {
        let (position, contact, pad) = (at(y), true.into(), Pad::ZERO);
        own_message(GameActionBody::AutonomousPosition(AutonomousPosition { position, stamps, contact, pad }))
    };
    let run_key = RawMotionState {
        current_hold_key: Some(HoldKey::RUN),
        forward_command: Some(MotionCommand::WALK_FORWARD),
        ..RawMotionState::default()
    };
    let keys = |y, raw| {
        let (position, contact, pad) = (at(y), ContactFlags::CONTACT, Pad::ZERO);
        own_message(GameActionBody::MoveToState(MoveToState { raw, position, stamps, contact, pad }))
    };
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    for (time, direction, bytes) in [
        (10.0, Direction::C2S, standing(2.0)),
        (11.0, Direction::C2S, keys(2.0, run_key)),
        (12.0, Direction::C2S, keys(5.0, RawMotionState::default())),
        (12.2, Direction::S2C, position(2.0, 7)),
        (13.5, Direction::C2S, standing(5.5)),
    ] {
        writer.message(time, direction, &bytes).unwrap();
    }
    let folder = tempdir().unwrap();
    let path = folder.path().join("own.pcap").display().to_string();
    fs::write(&path, writer.into_inner()).unwrap();
    let summary = stdout(["replay", &path, "--self", "0x50000002"]);
    assert!(summary.contains("1 entity, which moved or was reported"), "{summary}");
    assert!(summary.contains("1 entity never created"), "{summary}");
    let row = summary.lines().find(|line| line.starts_with("0x50000002")).unwrap();
    let row: Vec<&str> = row.split_whitespace().collect();
    // Moved, reports; then the distances of three of the five: the first is where the stand-in appears, and the server's
    // echo, which is 3 m behind, does not count. At run rate 1 the run covers 3.4 m, and the glide after it 0.79 m.
    assert_eq!(row[3], "5", "{summary}");
    let metres: Vec<f64> =
        row.windows(2).filter(|pair| pair[1] == "m").map(|pair| pair[0].parse().unwrap()).collect();
    let [moved, median, _, most] = metres[..] else { panic!("{summary}") };
    assert!((3.5..4.5).contains(&moved) && median > 0.2 && most < 0.6, "{summary}");
    // Without a player that is known, nothing is placed.
    assert!(stdout(["replay", &path]).contains("1 entity"), "the server has reported one");
}

#[test]
fn changes_leave_out_lines_in_which_only_time_and_frame_differ() {
    let capture = format!("{}/../../captures/laggy_duel.pcap", env!("CARGO_MANIFEST_DIR"));
    let all = json_lines(&run(0, ["replay", &capture, "--json"]).stdout);
    let changes = json_lines(&run(0, ["replay", &capture, "--json", "--changes"]).stdout);
    let mut last = std::collections::HashMap::new();
    let expected: Vec<Value> = all
        .iter()
        .filter(|line| {
            if line.get("event").is_some() {
                return true;
            }
            let mut state = (*line).clone();
            state["t"].take();
            state["frame"].take();
            last.insert(line["guid"].to_string(), state.clone()) != Some(state)
        })
        .cloned()
        .collect();
    assert_eq!(changes, expected);
    assert!(changes.len() < all.len() * 3 / 4, "{} of {} lines", changes.len(), all.len());
    assert!(stderr(2, ["replay", &capture, "--changes"]).contains("--json"));
}

#[test]
fn nothing_is_printed_after_the_error_that_a_file_is_no_capture() {
    let output = run(1, ["replay", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("not a capture") && errors.lines().count() == 1, "{errors}");
}
