//! `acmotion decode`: files, standard input, single messages, filters, bad input.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use acmotion_types::{Guid, MotionCommand, Stamp};
use acmotion_wire::capture::CaptureWriter;
use acmotion_wire::{
    Actions, Direction, InterpretedState, MotionFlags, Movement, MovementBody, MovementData, Pad,
    PlayerCreate, S2C, UpdateMotion,
};
use common::{complaint, json_lines, run, text};
use serde_json::Value;
use tempfile::tempdir;

/// Somebody runs and turns right.
fn running(guid: u32) -> Vec<u8> {
    let state = InterpretedState {
        forward_command: Some(MotionCommand::RUN_FORWARD),
        forward_speed: Some(1.98),
        turn_command: Some(MotionCommand::TURN_RIGHT),
        ..InterpretedState::default()
    };
    assert_eq!(state.actions, Actions::EMPTY);
    let movement = Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state, sticky: None },
    };
    let data = MovementData {
        movement_stamp: Stamp(3),
        server_control: Stamp(1),
        autonomous: true.into(),
        pad: Pad::ZERO,
        movement,
    };
    let mut bytes = Vec::new();
    S2C::from(UpdateMotion { guid: Guid(guid), instance: Stamp(1), data }).encode(&mut bytes);
    bytes
}

fn player() -> Vec<u8> {
    let mut bytes = Vec::new();
    S2C::from(PlayerCreate { guid: Guid(0x5000_0001) }).encode(&mut bytes);
    bytes
}

/// A capture of three messages: the player's own, two that run, and one that is not about movement.
fn capture() -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    writer.message(10.0, Direction::S2C, &player()).unwrap();
    writer.message(11.5, Direction::S2C, &running(0x5000_0002)).unwrap();
    writer.message(12.0, Direction::S2C, &[0x77, 0x77, 0, 0, 1, 2, 3, 4]).unwrap();
    writer.message(13.0, Direction::S2C, &running(0x5000_0003)).unwrap();
    writer.into_inner()
}

fn written(bytes: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("some.pcap");
    fs::write(&path, bytes).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn messages_are_told_in_words() {
    let (_folder, path) = written(&capture());
    let output = run(0, ["decode", &path]);
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[0].contains("10.000  S2C  0x50000001") && lines[0].contains("is the player"));
    assert!(lines[1].contains("runs forward ×1.98, turning right"), "{said}");
    let summary = String::from_utf8(output.stderr).unwrap();
    assert!(summary.contains("4 messages (4 S2C, 0 C2S)"), "{summary}");
    assert!(summary.contains("3 shown, about 3 objects: 2 UpdateMotion, 1 PlayerCreate"), "{summary}");
}

#[test]
fn filters_choose() {
    let (_folder, path) = written(&capture());
    let count = |arguments: &[&str]| {
        let arguments = ["decode", path.as_str()].into_iter().chain(arguments.iter().copied());
        text(arguments).lines().count()
    };
    assert_eq!(count(&["--all"]), 4);
    assert_eq!(count(&["--guid", "0x50000002"]), 1);
    assert_eq!(count(&["--guid", "0x50000002", "--guid", "50000003"]), 2);
    assert_eq!(count(&["--opcode", "0xF74C"]), 2);
    assert_eq!(count(&["--opcode", "playercreate"]), 1);
    assert_eq!(count(&["--from", "11"]), 2);
    assert_eq!(count(&["--from", "11", "--to", "12"]), 1);
    assert_eq!(count(&["--from", "+3"]), 1);
    assert!(complaint(2, ["decode", &path, "--from", "noon"]).contains("is not a time"));
    assert!(complaint(2, ["decode", &path, "--guid", "Ash"]).contains("hexadecimal"));
}

#[test]
fn json_is_one_object_a_message() {
    let (_folder, path) = written(&capture());
    let objects = json_lines(&run(0, ["decode", "--json", "--all", &path]).stdout);
    let names: Vec<_> = objects.iter().map(|object| object["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["PlayerCreate", "UpdateMotion", "Unknown", "UpdateMotion"]);
    assert_eq!(objects[1]["decoded"]["movement"]["state"]["forward_command"], "0x44000007");
    assert_eq!(objects[2]["decoded"], Value::Null);
}

#[test]
fn one_message_is_decoded_from_hexadecimal() {
    assert!(text(["decode", "--hex", "46F7000001000050"]).contains("is the player"));
    let objects = json_lines(&run(0, ["decode", "--json", "--hex", "46 F7 00 00 01 00 00 50"]).stdout);
    assert_eq!(objects[0]["decoded"]["guid"], "0x50000001");
    let cut = json_lines(&run(1, ["decode", "--json", "--hex", "46F70000010000"]).stdout);
    assert_eq!((&cut[0]["error"]["needed"], &cut[0]["error"]["had"]), (&4.into(), &3.into()));
    let long = String::from_utf8(run(1, ["decode", "--hex", "46F700000100005000"]).stdout).unwrap();
    assert!(long.contains("cannot be decoded"), "{long}");
    assert!(complaint(1, ["decode", "--hex", "4"]).contains("an even number is expected"));
    assert!(complaint(1, ["decode", "--hex", "zz"]).contains("not a hexadecimal digit"));
    complaint(2, ["decode"]);
    complaint(2, ["decode", "some.pcap", "--hex", "00"]);
}

/// `tcpdump -U -w - | acmotion decode -`: a line comes out while the pipe is still open.
#[test]
fn a_live_capture_is_printed_as_it_comes() {
    let bytes = capture();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("acmotion"))
        .args(["decode", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // All but the last record's end: two messages are complete.
    let (now, later) = bytes.split_at(bytes.len() - 10);
    stdin.write_all(now).unwrap();
    stdin.flush().unwrap();
    assert!(lines.next().unwrap().unwrap().contains("is the player"));
    assert!(lines.next().unwrap().unwrap().contains("0x50000002"));
    stdin.write_all(later).unwrap();
    drop(stdin);
    assert!(lines.next().unwrap().unwrap().contains("0x50000003"));
    assert!(child.wait().unwrap().success());
}

#[test]
fn bad_captures_are_told_and_what_was_read_is_kept() {
    let bytes = capture();
    let (_folder, path) = written(&bytes[..bytes.len() - 10]);
    let output = run(1, ["decode", &path]);
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cut off at the end"), "{said}");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").display().to_string();
    assert!(complaint(1, ["decode", &own]).contains("Cargo.toml"));
    assert!(complaint(1, ["decode", "no-such.pcap"]).contains("no-such.pcap"));
    let (_folder, empty) = written(b"");
    run(1, ["decode", &empty]);
}

/// Every capture and recording, field for field; they are not part of the project.
#[test]
fn captures_decode_to_the_contract() {
    let Some(folder) = std::env::var_os("ACMOTION_CAPTURES").map(PathBuf::from) else {
        println!("skipped: ACMOTION_CAPTURES is not set");
        return;
    };
    let mut pairs = vec![(folder.join("entergameworld.pcap"), folder.join("entergameworld.jsonl"))];
    for entry in fs::read_dir(&folder).unwrap() {
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
