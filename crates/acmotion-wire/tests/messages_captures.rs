//! Compares recorded messages with their published decoding. The recordings are not part of the project: they are in
//! the folder named by `ACMOTION_CAPTURES`, and the tests are skipped if the variable is not set.

mod messages_common;

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use acmotion_wire::json::message_json;
use acmotion_wire::{Direction, Era};
use messages_common::{hex, reencode};
use serde_json::Value;

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("ACMOTION_CAPTURES").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: ACMOTION_CAPTURES is not set");
    }
    folder
}

fn lines(path: &Path) -> Vec<Value> {
    let text = read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asserts that the object equals the expected one, including the order of its fields, and that the message encodes to
/// the same bytes. Both objects go through the same parser, because it may miss the last bit of a float.
#[track_caller]
fn assert_line(direction: Direction, time: f64, bytes: &[u8], expected: &Value) {
    let got = message_json(time, direction, bytes, Era::default(), false).unwrap().to_string();
    let got: Value = serde_json::from_str(&got).unwrap();
    assert_eq!(got.to_string(), expected.to_string());
    assert_eq!(reencode(direction, bytes, Era::default()).unwrap(), bytes, "{expected}");
}

#[test]
fn recordings_decode_as_published_and_round_trip() {
    let Some(folder) = folder() else { return };
    let mut files = 0;
    for entry in folder.read_dir().unwrap() {
        let decoded = entry.unwrap().path();
        let Some(name) = decoded.file_name().and_then(|name| name.to_str()?.strip_suffix(".decoded.jsonl"))
        else {
            continue;
        };
        let recorded = lines(&folder.join(format!("{name}.jsonl")));
        let expected = lines(&decoded);
        assert_eq!(recorded.len(), expected.len(), "{name}");
        for (message, expected) in recorded.iter().zip(&expected) {
            let direction = if message["dir"] == "s2c" { Direction::S2C } else { Direction::C2S };
            let bytes = hex(message["hex"].as_str().unwrap());
            assert_line(direction, message["t"].as_f64().unwrap(), &bytes, expected);
        }
        files += 1;
    }
    assert!(files >= 2, "retail_player and synthetic must be in the folder");
}

#[test]
fn the_login_decodes_as_published_and_round_trips() {
    let Some(folder) = folder() else { return };
    let expected = lines(&folder.join("entergameworld.jsonl"));
    for line in &expected {
        let direction = if line["direction"] == "S2C" { Direction::S2C } else { Direction::C2S };
        let bytes = hex(line["raw_hex"].as_str().unwrap());
        assert_line(direction, line["time"].as_f64().unwrap(), &bytes, line);
    }
    assert_eq!(expected.len(), 142);
}
