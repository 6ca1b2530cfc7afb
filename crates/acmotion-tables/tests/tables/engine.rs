//! `entities`, `reports`, `states` and `events` against a replay that is followed step by step.

use std::collections::{BTreeMap, BTreeSet};

use acmotion::json::{is_listed, named_event, state};
use acmotion::{EventKind, MotionEvent};
use acmotion_sim::replay::{Step, report_error};
use acmotion_tables::Table;
use serde_json::{Map, Value};

use crate::support::{Captured, START, duel, export, options, out_of_range, pcap, replay, scene_capture};

type Row = Map<String, Value>;

/// What happens in a replay of messages.
#[derive(Default)]
struct Followed {
    events: Vec<Value>,
    /// Time, state and whether anything but the frame changed since the last one of the same entity.
    states: Vec<(f64, Value, bool)>,
    reports: Vec<(f64, u32, &'static str, Option<f32>)>,
    snaps: usize,
}

fn follow(messages: &[Captured]) -> Followed {
    let (mut replay, mut followed) = (replay(), Followed::default());
    let mut last = BTreeMap::<String, Value>::new();
    let mut own = BTreeSet::new();
    let mut run = |replay: &mut acmotion_sim::Replay| {
        while let Some(step) = replay.step() {
            let world = replay.world();
            match step {
                Step::Event(event) if is_listed(&event) => {
                    if let EventKind::Motion(MotionEvent::Teleported { .. }) = event.kind
                        && let Some(report) = followed.reports.last_mut()
                        && (report.0, report.1) == (event.time, event.guid.0)
                    {
                        report.3 = None;
                    }
                    followed.snaps +=
                        usize::from(matches!(event.kind, EventKind::Motion(MotionEvent::Snapped { .. })));
                    if let EventKind::Deleted(_) = event.kind {
                        last.remove(&event.guid.to_string());
                    }
                    followed.events.push(named_event(&event, world.library()).1);
                }
                Step::Tick { time, .. } => {
                    for resident in world.entities() {
                        let now = state(time, resident, world.library());
                        let mut key = now.clone();
                        key["t"] = Value::Null;
                        key["frame"] = Value::Null;
                        // The body of an object in no cell is not part of the JSON form.
                        key["in_cell"] = resident.body().is_in_cell().into();
                        let guid = resident.guid().to_string();
                        let has_changed = last.get(&guid) != Some(&key);
                        last.insert(guid, key);
                        followed.states.push((time, now, has_changed));
                    }
                }
                Step::Report { time, guid, position, shown } => {
                    let shown = shown.filter(|_| !own.contains(&guid));
                    let error = shown.map(|shown| report_error(&shown, &position));
                    followed.reports.push((time, guid.0, "server", error));
                }
                Step::OwnReport { time, guid, position, shown } => {
                    own.insert(guid);
                    let error = shown.map(|shown| report_error(&shown, &position));
                    followed.reports.push((time, guid.0, "client", error));
                }
                _ => {}
            }
        }
    };
    for (time, direction, bytes) in messages {
        replay.receive(START + time, *direction, bytes);
        run(&mut replay);
    }
    replay.finish();
    run(&mut replay);
    followed
}

/// Returns the seconds of a row on the clock of the replay.
fn time(row: &Row, first: f64) -> f64 {
    row["t"].as_f64().unwrap() + START + first
}

fn id(value: &Value) -> u64 {
    u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

/// Messages as a capture has them: times in whole microseconds.
fn rounded(messages: Vec<Captured>) -> Vec<Captured> {
    let round = |time: f64| ((START + time) * 1e6).round() / 1e6 - START;
    messages.into_iter().map(|(time, direction, bytes)| (round(time), direction, bytes)).collect()
}

#[test]
fn events_are_those_of_the_replay() {
    for messages in [rounded(duel()), rounded(scene_capture("melee_exchange", 0))] {
        let followed = follow(&messages);
        let tables = export(&pcap(&messages, START), &options(&[Table::Events]));
        let rows = tables.rows(Table::Events);
        assert_eq!(rows.len(), followed.events.len());
        for (row, event) in rows.iter().zip(&followed.events) {
            assert!((time(row, messages[0].0) - event["t"].as_f64().unwrap()).abs() < 1e-5);
            assert_eq!(row["guid"], id(&event["guid"]));
            assert_eq!(row["event"], event["event"]);
            for (column, field) in [("success", "success"), ("hook", "hook"), ("frame", "frame")] {
                assert_eq!(row.get(column), event.get(field), "{event}");
            }
            assert_eq!(row.get("motion").and_then(Value::as_u64), event.get("motion").map(id));
            assert_eq!(row.get("animation").and_then(Value::as_u64), event.get("animation").map(id));
            if let Some(distance) = event.get("distance") {
                assert_eq!(row["distance"], *distance);
            }
            if let Some(payload) = row.get("payload") {
                let payload: Value = serde_json::from_str(payload.as_str().unwrap()).unwrap();
                assert_eq!(payload, event["payload"]);
            }
            let detail = event.get("reason").or_else(|| event.get("what")).or_else(|| event.get("how"));
            if let Some(detail) = detail {
                assert_eq!(row["detail"], *detail);
            }
        }
        let names: BTreeSet<&str> = rows.iter().map(|row| row["event"].as_str().unwrap()).collect();
        assert!(
            names.contains("hook") && names.contains("motion_done") && names.contains("created"),
            "{names:?}"
        );
        assert!(rows.iter().any(|row| row.contains_key("message") && row["event"] == "created"));
        assert!(rows.iter().any(|row| !row.contains_key("message") && row["event"] == "hook"));
    }
    let rows = export(&pcap(&scene_capture("melee_exchange", 0), START), &options(&[Table::Events]));
    let attacks =
        rows.rows(Table::Events).into_iter().filter(|row| row.get("hook") == Some(&"Attack".into()));
    assert!(attacks.map(|row| row["payload"].clone()).all(|cone| cone.as_str().unwrap().contains("radius")));
}

/// Compares a row with the JSON form of a state.
fn assert_state(row: &Row, at: f64, state: &Value, first: f64) {
    assert!((time(row, first) - at).abs() < 1e-5);
    for (column, path) in
        [("guid", "/guid"), ("cell", "/cell"), ("style", "/style"), ("substate", "/substate")]
    {
        assert_eq!(row[column], id(state.pointer(path).unwrap()), "{column}");
    }
    for (column, path) in [
        ("x", "/origin/0"),
        ("y", "/origin/1"),
        ("z", "/origin/2"),
        ("heading", "/heading"),
        ("qw", "/rotation/0"),
        ("qz", "/rotation/3"),
        ("vz", "/velocity/2"),
        ("shown_vx", "/shown_velocity/0"),
        ("contact", "/contact"),
        ("on_walkable", "/on_walkable"),
        ("substate_speed", "/substate_speed"),
        ("frame", "/frame"),
        ("interpolation_nodes", "/interpolation/nodes"),
        ("interpolation_fails", "/interpolation/fails"),
        ("pending", "/pending"),
    ] {
        assert_eq!(row[column], *state.pointer(path).unwrap(), "{column}");
    }
    for (column, path) in [("constraint_offset", "/constraint/offset"), ("moveto", "/moveto")] {
        assert_eq!(row.get(column), state.pointer(path).filter(|value| !value.is_null()), "{column}");
    }
    assert_eq!(
        row.get("animation").and_then(Value::as_u64),
        Some(&state["animation"]).filter(|id| !id.is_null()).map(id)
    );
    let (modifiers, actions) = (state["modifiers"].as_array().unwrap(), state["actions"].as_array().unwrap());
    assert_eq!(
        (row["modifiers"].as_u64(), row["actions"].as_u64()),
        (Some(modifiers.len() as u64), Some(actions.len() as u64))
    );
    assert_eq!(row.get("modifier").and_then(Value::as_u64), modifiers.first().map(|first| id(&first[0])));
    assert_eq!(row.get("action").and_then(Value::as_u64), actions.first().map(|first| id(&first[0])));
}

#[test]
fn states_are_those_of_the_replay_and_without_what_did_not_change() {
    for messages in [rounded(duel()), rounded(scene_capture("melee_exchange", 0))] {
        let followed = follow(&messages);
        let capture = pcap(&messages, START);
        let mut every_tick = options(&[Table::States]);
        every_tick.every_tick = true;
        let all = export(&capture, &every_tick).rows(Table::States);
        assert_eq!(all.len(), followed.states.len());
        for (row, (at, state, _)) in all.iter().zip(&followed.states) {
            assert_state(row, *at, state, messages[0].0);
        }
        let changed = export(&capture, &options(&[Table::States])).rows(Table::States);
        let expected: Vec<_> = followed.states.iter().filter(|(.., has_changed)| *has_changed).collect();
        assert_eq!(changed.len(), expected.len());
        assert!(
            changed.len() * 10 < all.len() * 9 && changed.len() > 100,
            "{} of {}",
            changed.len(),
            all.len()
        );
        for (row, (at, state, _)) in changed.iter().zip(expected) {
            assert_state(row, *at, state, messages[0].0);
        }
    }
}

#[test]
fn reports_have_the_errors_of_the_replay() {
    for messages in [rounded(duel()), rounded(out_of_range()), rounded(scene_capture("teleport", 0))] {
        let followed = follow(&messages);
        let tables =
            export(&pcap(&messages, START), &options(&[Table::Messages, Table::Reports, Table::Entities]));
        let (rows, all) = (tables.rows(Table::Reports), tables.rows(Table::Messages));
        assert_eq!(rows.len(), followed.reports.len());
        assert!(rows.len() > 5);
        let mut last = BTreeMap::new();
        for (row, (at, guid, source, error)) in rows.iter().zip(&followed.reports) {
            assert!((time(row, messages[0].0) - at).abs() < 1e-5);
            assert_eq!(
                (row["guid"].as_u64(), row["source"].as_str()),
                (Some(u64::from(*guid)), Some(*source))
            );
            assert_eq!(row.get("error").and_then(Value::as_f64), error.map(f64::from), "{row:?}");
            assert_eq!(row.contains_key("heading_error"), error.is_some());
            // The position is that of the message.
            let message = &all[row["message"].as_u64().unwrap() as usize];
            for column in ["cell", "x", "y", "z", "heading"] {
                assert_eq!(row[column], message[column]);
            }
            let t = row["t"].as_f64().unwrap();
            let before = last.insert((*guid, *source), t);
            let age = row.get("age").and_then(Value::as_f64);
            assert!(age.is_none() || age == before.map(|before| t - before), "{row:?}");
        }
        let entities = tables.rows(Table::Entities);
        let sum =
            |column: &str| entities.iter().map(|row| row[column].as_i64().unwrap()).sum::<i64>() as usize;
        assert_eq!((sum("reports"), sum("snaps")), (rows.len(), followed.snaps));
    }
}

/// The player is teleported over 78 m, and killed, which takes it elsewhere, too.
#[test]
fn no_speed_spans_a_teleport() {
    let messages = rounded(scene_capture("teleport", 0));
    let tables = export(&pcap(&messages, START), &options(&[Table::Reports]));
    let reports = tables.rows(Table::Reports);
    let speed = |row: &Row| row.get("speed").and_then(Value::as_f64);
    for source in ["server", "client"] {
        let of_it = || reports.iter().filter(|row| row["source"] == source);
        assert!(of_it().filter(|row| speed(row) > Some(2.0)).count() > 2, "{source}: it runs");
        assert!(of_it().all(|row| speed(row).is_none_or(|speed| speed < 12.0)), "{source}: {reports:#?}");
        // The first one has nothing to be compared with.
        assert!(of_it().skip(1).any(|row| speed(row).is_none()), "{source}");
        assert!(of_it().skip(1).all(|row| row.contains_key("age")));
    }
}

#[test]
fn snaps_belong_to_the_reports_of_their_entities() {
    let messages = rounded(out_of_range());
    let tables = export(&pcap(&messages, START), &options(&[Table::Events, Table::Reports]));
    let snaps: Vec<Row> =
        tables.rows(Table::Events).into_iter().filter(|row| row["event"] == "snap").collect();
    assert!(!snaps.is_empty());
    let reports = tables.rows(Table::Reports);
    let snapped = reports.iter().filter(|row| row["snap"] == true).count();
    assert!(snapped > 0 && snapped <= snaps.len(), "{snapped} of {}", snaps.len());
    for snap in &snaps {
        let of_it = |row: &&Row| row["guid"] == snap["guid"] && row["t"].as_f64() >= snap["t"].as_f64();
        let next = reports.iter().find(of_it).unwrap();
        assert_eq!(next["snap"], true, "{snap:?}");
    }
}

#[test]
fn entities_live_from_their_creation_to_their_removal() {
    let messages = rounded(duel());
    let tables = export(&pcap(&messages, START), &options(&[Table::Entities, Table::States]));
    let entities = tables.rows(Table::Entities);
    let names: BTreeSet<&str> = entities.iter().filter_map(|row| row.get("name")?.as_str()).collect();
    assert!(names.len() >= 2, "{names:?}");
    assert_eq!(entities.iter().filter(|row| row["is_player"] == true).count(), 1);
    for row in &entities {
        assert_eq!(row["stand_in"], "nothing", "{row:?}");
        assert!(row["created"].as_i64().unwrap() >= (START * 1e6) as i64);
        let end = row.get("deleted_t").and_then(Value::as_f64).unwrap_or(f64::MAX);
        assert!(row["created_t"].as_f64().unwrap() <= end);
    }
    let moved = entities.iter().filter(|row| row["moved"].as_f64().unwrap() > 2.0).count();
    assert!(moved >= 1, "{entities:?}");
    // A reported object that is never created has a humanoid as a stand-in.
    let reports: Vec<Captured> =
        messages.iter().filter(|(_, _, bytes)| bytes.starts_with(&[0x48, 0xF7, 0, 0])).cloned().collect();
    let tables = export(&pcap(&reports, START), &options(&[Table::Entities]));
    assert!(tables.rows(Table::Entities).iter().all(|row| row["stand_in"] == "all"));
}

/// Gaps of more than an hour are shortened for the engine, but the tables keep to the capture's clock.
#[test]
fn times_are_those_of_the_capture_after_a_long_gap() {
    let mut messages = rounded(duel());
    let half = messages.len() / 2;
    messages[half..].iter_mut().for_each(|message| message.0 += 86_400.0);
    let tables =
        export(&pcap(&messages, START), &options(&[Table::Messages, Table::Reports, Table::Captures]));
    let all = tables.rows(Table::Messages);
    for report in tables.rows(Table::Reports) {
        let message = &all[report["message"].as_u64().unwrap() as usize];
        let late = report["t"].as_f64().unwrap() - message["t"].as_f64().unwrap();
        assert!((0.0..0.05).contains(&late), "{late} s after its message");
    }
    let capture = &tables.rows(Table::Captures)[0];
    assert!(capture["problems"].as_str().unwrap().contains("shortened to an hour"), "{capture:?}");
}
