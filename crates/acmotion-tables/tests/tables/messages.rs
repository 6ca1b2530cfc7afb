//! `messages` and `sends` against what `acmotion decode --json` prints.

use std::collections::BTreeMap;

use acmotion_tables::Table;
use acmotion_types::Era;
use acmotion_wire::capture::CaptureReader;
use acmotion_wire::json::message_json;
use serde_json::{Map, Value};

use crate::support::{START, Tables, duel, export, options, pcap, scene_capture};

/// Returns the number of a hexadecimal string, or the value itself.
fn plain(value: &Value) -> Value {
    let number = value.as_str().and_then(|text| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok());
    number.map_or_else(|| value.clone(), Value::from)
}

/// Compares a field of a decoded message with a column. Returns `true` if the message has it.
fn same(row: &Map<String, Value>, column: &str, field: Option<&Value>) -> bool {
    let Some(field) = field.filter(|field| !field.is_null()) else {
        return false;
    };
    assert_eq!(row.get(column), Some(&plain(field)), "{column} of {row:?}");
    true
}

/// Columns whose values are fields of the decoded message, by their paths.
const FIELDS: [(&str, &str); 45] = [
    ("instance_seq", "/instance_seq"),
    ("position_seq", "/position_seq"),
    ("movement_seq", "/movement_seq"),
    ("state_seq", "/state_seq"),
    ("vector_seq", "/vector_seq"),
    ("teleport_seq", "/teleport_seq"),
    ("server_control_seq", "/server_control_seq"),
    ("force_position_seq", "/force_position_seq"),
    ("cell", "/position/cell"),
    ("x", "/position/origin/0"),
    ("y", "/position/origin/1"),
    ("z", "/position/origin/2"),
    ("qw", "/position/rotation/0"),
    ("qx", "/position/rotation/1"),
    ("qy", "/position/rotation/2"),
    ("qz", "/position/rotation/3"),
    ("vx", "/velocity/0"),
    ("vy", "/velocity/1"),
    ("vz", "/velocity/2"),
    ("omega_z", "/omega/2"),
    ("grounded", "/grounded"),
    ("grounded", "/contact"),
    ("physics_state", "/state"),
    ("physics_state", "/physics_state"),
    ("autonomous", "/autonomous"),
    ("movement_type", "/movement/type"),
    ("style", "/movement/style"),
    ("style", "/raw/current_style"),
    ("forward_command", "/movement/state/forward_command"),
    ("forward_speed", "/movement/state/forward_speed"),
    ("forward_command", "/raw/forward_command"),
    ("turn_command", "/movement/state/turn_command"),
    ("turn_speed", "/movement/state/turn_speed"),
    ("turn_command", "/raw/turn_command"),
    ("sidestep_command", "/raw/sidestep_command"),
    ("target", "/movement/target"),
    ("target_x", "/movement/origin/origin/0"),
    ("move_flags", "/movement/params/flags"),
    ("distance_to_object", "/movement/params/distance_to_object"),
    ("desired_heading", "/movement/params/desired_heading"),
    ("run_rate", "/movement/run_rate"),
    ("extent", "/extent"),
    ("object_name", "/name"),
    ("wcid", "/wcid"),
    ("motion_table", "/motion_table"),
];

/// Compares every message of a capture with its JSON form. Returns how often each column had a value to compare.
fn compare(capture: &[u8], tables: &Tables) -> Vec<(&'static str, usize)> {
    let rows = tables.rows(Table::Messages);
    let mut counts: Vec<(&str, usize)> = FIELDS.iter().map(|(column, _)| (*column, 0)).collect();
    let (mut reader, mut number, mut start) = (CaptureReader::from_slice(capture), 0, None);
    while let Some(message) = reader.next_message() {
        let message = message.unwrap();
        let json =
            message_json(message.time, message.direction, message.bytes, Era::default(), true).unwrap();
        let row = &rows[number];
        assert_eq!(row["message"], number);
        let start = *start.get_or_insert(message.time);
        assert_eq!(row["t"].as_f64(), Some(message.time - start));
        assert_eq!(row["time"].as_i64(), Some((message.time * 1e6).round() as i64));
        assert_eq!(row["direction"], message.direction.name());
        assert_eq!(row["is_movement"], acmotion_wire::is_movement(message.direction, message.bytes));
        assert_eq!(row["size"], json["bytes_total"]);
        assert_eq!(row["raw"], json["raw_hex"]);
        assert_eq!(row["name"], json["name"]);
        for column in ["opcode", "sub_opcode", "action_sequence", "guid"] {
            let has = same(row, column, json.get(column));
            assert!(has || !row.contains_key(column), "{column} of {row:?}");
        }
        for ((column, path), (_, count)) in FIELDS.iter().zip(&mut counts) {
            *count += usize::from(same(row, column, json["decoded"].pointer(path)));
        }
        number += 1;
    }
    assert_eq!(rows.len(), number);
    counts
}

#[test]
fn every_message_has_the_fields_of_its_json() {
    let mut seen = BTreeMap::<&str, usize>::new();
    for scene in ["laggy_duel", "melee_exchange", "chase", "sprint_and_strafe_jump", "teleport"] {
        let capture = pcap(&scene_capture(scene, 0), START);
        for (column, count) in compare(&capture, &export(&capture, &options(&[Table::Messages]))) {
            *seen.entry(column).or_default() += count;
        }
    }
    let missing: Vec<_> = seen.iter().filter(|(_, count)| **count == 0).map(|(column, _)| *column).collect();
    assert!(missing.is_empty(), "no scene has {missing:?}");
}

#[test]
fn a_clock_that_is_not_of_the_calendar_has_no_times() {
    let capture = pcap(&duel(), 3.0);
    let rows = export(&capture, &options(&[Table::Messages])).rows(Table::Messages);
    assert!(rows.iter().all(|row| !row.contains_key("time")));
    assert_eq!(rows[0]["t"], 0.0);
}

#[test]
fn sends_are_the_clients_messages_about_movement() {
    let messages = duel();
    let tables = export(&pcap(&messages, START), &options(&[Table::Messages, Table::Sends]));
    let (all, sends) = (tables.rows(Table::Messages), tables.rows(Table::Sends));
    let expected: Vec<_> =
        all.iter().filter(|row| row["direction"] == "C2S" && row["is_movement"] == true).collect();
    assert!(expected.len() > 10);
    assert_eq!(sends.len(), expected.len());
    let mut last: Option<(f64, Option<u64>)> = None;
    for (send, message) in sends.iter().zip(expected) {
        for column in
            ["message", "t", "time", "name", "action_sequence", "cell", "x", "heading", "forward_command"]
        {
            assert_eq!(send.get(column), message.get(column), "{column}");
        }
        assert_eq!(send.get("contact"), message.get("grounded"));
        let t = send["t"].as_f64().unwrap();
        let cell = send.get("cell").and_then(Value::as_u64);
        if let Some((before, old_cell)) = last {
            assert_eq!(send["since_last"].as_f64(), Some(t - before));
            if let (Some(cell), Some(old_cell)) = (cell, old_cell) {
                assert_eq!(send["new_cell"], cell != old_cell);
                assert!(send["moved"].as_f64().unwrap() < 20.0);
            }
        } else {
            assert!(!send.contains_key("since_last") && !send.contains_key("moved"));
        }
        last = Some((t, cell.or_else(|| last.and_then(|(_, cell)| cell))));
    }
    assert!(
        sends.iter().any(|send| send.get("moved").and_then(Value::as_f64).is_some_and(|moved| moved > 1.0))
    );
}

/// More rows than a group has: values of the next group do not mix with those of the last.
#[test]
fn tables_of_several_groups_are_read_in_order() {
    let mut messages = Vec::new();
    for number in 0..150_000_u32 {
        let mut bytes = vec![0x46, 0xF7, 0, 0];
        bytes.extend_from_slice(&number.to_le_bytes());
        let bytes = if number % 1_000 == 7 { vec![1, 2, 3] } else { bytes };
        messages.push((f64::from(number) / 100.0, acmotion_wire::Direction::S2C, bytes.into()));
    }
    let tables = export(&pcap(&messages, START), &options(&[Table::Messages]));
    let rows = tables.rows(Table::Messages);
    assert_eq!(rows.len(), 150_000);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row["message"], number);
        let is_short = number % 1_000 == 7;
        assert_eq!(row.get("guid"), (!is_short).then(|| Value::from(number)).as_ref(), "{row:?}");
        assert_eq!(row.contains_key("error"), is_short);
    }
    assert_eq!((tables.faults.undecodable, tables.faults.errors), (150, 0));
}
