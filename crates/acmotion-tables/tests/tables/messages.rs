//! `messages` and `sends` against what `acmotion decode --json` prints.

use std::collections::BTreeSet;

use acmotion_tables::Table;
use acmotion_types::Era;
use acmotion_wire::capture::CaptureReader;
use acmotion_wire::json::message_json;
use acmotion_wire::{GameActionBody, GameEventBody, S2C};
use serde_json::Value;

use crate::fields;
use crate::messages_common::samples;
use crate::support::{Captured, START, duel, export, options, pcap, scene_capture};

/// Compares every message of a capture with its JSON form. Returns the columns that both had, and the names of the messages.
fn compare(capture: &[u8]) -> (BTreeSet<&'static str>, BTreeSet<String>) {
    let rows = export(capture, &options(&[Table::Messages])).rows(Table::Messages);
    let (mut compared, mut names) = (BTreeSet::new(), BTreeSet::new());
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
            let field = json.get(column).filter(|field| !field.is_null()).map(fields::plain);
            assert_eq!(row.get(column), field.as_ref(), "{column} of {row:?}");
        }
        compared.extend(fields::compare(row, &json));
        names.insert(json["name"].as_str().unwrap().to_owned());
        number += 1;
    }
    assert_eq!(rows.len(), number);
    (compared, names)
}

#[test]
fn every_message_of_a_scene_has_the_fields_of_its_json() {
    for scene in ["laggy_duel", "melee_exchange", "chase", "sprint_and_strafe_jump", "teleport"] {
        let (compared, _) = compare(&pcap(&scene_capture(scene, 0), START));
        for column in ["cell", "x", "qw", "forward_command", "instance_seq"] {
            assert!(compared.contains(column), "{scene} has no {column}");
        }
    }
}

#[test]
fn every_kind_of_message_has_the_fields_of_its_json() {
    let messages: Vec<Captured> = samples()
        .into_iter()
        .enumerate()
        .map(|(number, (direction, bytes))| (number as f64 / 64.0, direction, bytes.into()))
        .collect();
    let (compared, names) = compare(&pcap(&messages, START));
    let all = [S2C::NAMES, GameEventBody::NAMES, GameActionBody::NAMES].concat();
    // The envelopes have the names of what they contain.
    let missing: Vec<_> = all
        .iter()
        .filter(|name| !names.contains(**name) && !["GameEvent", "GameAction"].contains(name))
        .collect();
    assert!(missing.is_empty(), "no sample of {missing:?}");
    let unseen: Vec<_> = fields::shared_columns().difference(&compared).copied().collect();
    assert!(unseen.is_empty(), "no sample has {unseen:?}");
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
