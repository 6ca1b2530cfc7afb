//! `acmotion simulate`: the table, the JSON contract, the page, and errors in scenarios.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::{json_lines, run, stderr, stdout};
use acmotion_dat::{Dat, mannequin};
use serde_json::Value;
use tempfile::tempdir;

fn scenario(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"));
    path.display().to_string()
}

#[test]
fn the_table_has_a_row_for_each_entity_and_view() {
    let output = stdout(["simulate", &scenario("walk_and_turn")]);
    assert!(output.starts_with("Walk and turn: 16 s, seed 1,"), "{output}");
    let watcher = output.lines().find(|line| line.contains("Watcher")).unwrap();
    assert!(
        watcher.starts_with("Asha") && watcher.contains("200 ms") && watcher.contains(" m "),
        "{watcher}"
    );
    assert!(output.contains("from the truth at the same time"), "{output}");
}

#[test]
fn every_line_names_its_view() {
    let lines = json_lines(&run(0, ["simulate", "--json", &scenario("chase")]).stdout);
    let (events, states): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("event").is_some());
    assert!(states.len() > 24 * 30 * 3, "expected three views of 30 ticks a second");
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
        assert!(time >= last, "lines are in the order of time: {line}");
        last = time;
    }
    let names: BTreeSet<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    for name in ["created", "hook", "motion_done", "sent", "received", "moveto", "summary"] {
        assert!(names.contains(name), "{names:?}");
    }
}

#[test]
fn sent_messages_have_their_bytes() {
    let lines = json_lines(&run(0, ["simulate", "--json", &scenario("walk_and_turn")]).stdout);
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
    let lines = json_lines(&run(0, ["simulate", "--json", &scenario("laggy_duel")]).stdout);
    let summaries: Vec<&Value> = lines.iter().rev().take_while(|line| line["event"] == "summary").collect();
    assert_eq!(summaries.len(), 4, "each player in the view of the server and of the other");
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
fn the_page_loads_nothing() {
    let folder = tempdir().unwrap();
    let page = folder.path().join("chase.html");
    stdout(["simulate", &scenario("chase"), "--report", page.to_str().unwrap()]);
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
    for url in ["http://", "https://", "src=", "@import"] {
        assert!(!page.contains(url), "{url}");
    }
    assert!(!page.contains("/*DATA*/") && !page.contains("/*SCRIPT*/") && !page.contains("/*STYLE*/"));
}

/// Through the house, along the wall, off the ledge and up the ramp.
#[test]
fn a_walk_through_the_town_is_never_inside_something_solid() {
    let folder = tempdir().unwrap();
    let page = folder.path().join("house.html");
    let house = scenario("through_the_house");
    let result = run(0, ["simulate", "--json", &house, "--report", page.to_str().unwrap()]);
    let output = String::from_utf8_lossy(&result.stderr);
    assert!(output.contains("Tilda: in solids: 0 of 3,"), "{output}");
    let lines = json_lines(&result.stdout);
    let summary = lines.last().unwrap();
    assert_eq!(summary["in_solids"]["inside"], 0, "{summary}");
    assert!(summary["in_solids"]["ticks"].as_u64().unwrap() > 3_000, "{summary}");

    // The player reaches every part of the walk.
    let truth = lines.iter().filter(|line| line["view"] == "self Tilda" && line.get("event").is_none());
    let positions: Vec<[f64; 3]> =
        truth.map(|line| [0, 1, 2].map(|axis| line["origin"][axis].as_f64().unwrap())).collect();
    let ticks_in = |low: [f64; 3], high: [f64; 3]| {
        positions
            .iter()
            .filter(|position| (0..3).all(|axis| (low[axis]..high[axis]).contains(&position[axis])))
            .count()
    };
    for (place, low, high, ticks) in [
        ("the loft", [107.0, 110.0, 13.3], [109.0, 113.0, 13.5], 30),
        ("the cellar", [108.0, 103.0, 6.9], [110.0, 106.0, 7.1], 30),
        ("along the wall", [66.0, 103.1, 9.9], [70.0, 103.3, 10.1], 8),
        ("on the ledge", [54.0, 100.0, 11.3], [58.0, 104.0, 11.5], 30),
        ("in the air behind it", [54.0, 104.5, 10.1], [58.0, 113.0, 11.4], 3),
        ("on the ramp", [68.5, 84.5, 10.2], [71.5, 90.0, 11.9], 5),
        ("on its platform", [68.5, 91.0, 11.9], [71.5, 94.5, 12.1], 30),
    ] {
        assert!(ticks_in(low, high) >= ticks, "{place}: {} ticks", ticks_in(low, high));
    }

    let page = fs::read_to_string(page).unwrap();
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    for part in ["id=\"height\"", "\"walls\":[[", "\"floors\":[[", "\"rounds\":[[", "\"solids\":{"] {
        assert!(page.contains(part), "{part}");
    }
    let summaries = json_lines(&run(0, ["simulate", "--json", &scenario("chase")]).stdout);
    assert_eq!(summaries.last().unwrap()["in_solids"], Value::Null, "a plane has no solids");
}

#[test]
fn errors_name_the_file_and_the_line() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    fs::write(&path, "seconds = 5\n[[player]]\nname = 'A'\nat = [1, 1]\nhat = 'red'\n").unwrap();
    let path = path.to_str().unwrap();
    let output = stderr(1, ["simulate", path]);
    assert!(
        output.contains("bad.toml") && output.contains("line 5") && output.contains("unknown field `hat`"),
        "{output}"
    );
    let output = stderr(1, ["simulate", "nowhere.toml"]);
    assert!(output.contains("nowhere.toml"), "{output}");
    stderr(2, ["simulate"]);
}

#[test]
fn a_cell_file_replaces_the_ground() {
    let slope = scenario("sprint_and_strafe_jump");
    let output = stdout(["simulate", &slope, "--cell", "town"]);
    assert!(output.contains("Near"), "{output}");
    assert_ne!(output, stdout(["simulate", &slope]), "another ground gives other paths");
    let output = stderr(1, ["simulate", &scenario("walk_and_turn"), "--cell", "nowhere.dat"]);
    assert!(output.contains("nowhere.dat"), "{output}");
    let output = stderr(1, ["simulate", &scenario("walk_and_turn"), "--cell", "mannequin"]);
    assert!(output.contains("mannequin: there is no land in it"), "{output}");
}

/// The simulation runs with the humanoid's motion table instead.
#[test]
fn hostile_20_an_unreadable_motion_table_is_reported() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("damaged.dat").display().to_string();
    let mut file = mannequin::dat_file().to_vec();
    let dat = Dat::from_bytes(mannequin::dat_file()).unwrap();
    let entry = dat.find(mannequin::HUMAN_TABLE).unwrap().unwrap();
    let count = entry.offset as usize + 4 + 8;
    file[count..count + 4].copy_from_slice(&[0xFF; 4]);
    fs::write(&path, file).unwrap();
    let output = run(0, ["simulate", &scenario("walk_and_turn"), "--dat", &path]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error.lines().count(), 1, "{error}");
    for part in ["damaged.dat", "0x09000001", "the humanoid's motion table is used instead"] {
        assert!(error.contains(part), "{error}");
    }
    let output = run(0, ["simulate", &scenario("walk_and_turn"), "--dat", "mannequin"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_acmotion"))
        .args(["simulate", "--json", &scenario("chase")])
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

/// The capture in captures/ shows what a capture is like, and lets commands be tried without the game.
#[test]
fn the_shipped_capture_is_what_its_scenario_gives() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("duel.pcap");
    let notes = stderr(0, ["simulate", &scenario("laggy_duel"), "--pcap", path.to_str().unwrap()]);
    assert!(notes.contains(" messages in "), "{notes}");
    let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../captures/laggy_duel.pcap");
    assert!(fs::read(&path).unwrap() == fs::read(kept).unwrap(), "write captures/laggy_duel.pcap again");
    let decoded = stdout(["decode", path.to_str().unwrap()]);
    assert!(decoded.contains("  C2S  ") && decoded.contains("  S2C  "), "both directions");
}

#[test]
fn the_client_of_a_capture_can_be_chosen() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("watcher.pcap");
    let out = path.to_str().unwrap();
    run(0, ["simulate", &scenario("walk_and_turn"), "--pcap", out, "--client", "Watcher"]);
    assert!(!stdout(["decode", out]).contains("  C2S  MoveToState"), "an observer does not move");
    let error = stderr(1, ["simulate", &scenario("walk_and_turn"), "--pcap", out, "--client", "Nobody"]);
    assert!(error.contains("no client `Nobody`; clients are Asha, Watcher"), "{error}");
    assert!(stderr(2, ["simulate", &scenario("walk_and_turn"), "--client", "Asha"]).contains("--pcap"));
    let error = stderr(1, ["simulate", &scenario("walk_and_turn"), "--pcap", "walk.pcapng"]);
    assert!(error.contains("walk.pcapng: expected the name of a .pcap file"), "{error}");
}

/// An option that another one needs is also refused beside what excludes that.
#[test]
fn options_without_what_they_belong_to_are_wrong() {
    let scene = scenario("walk_and_turn");
    for options in [
        &["--announce"][..],
        &["--announce", "--dat", "mannequin"],
        &["--announce", "--check"],
        &["--cheat", "speed"],
        &["--cheat", "speed", "--cell", "town"],
        &["--cheat", "speed", "--compare"],
        &["--client", "Asha", "--compare"],
        &["--seeds", "2"],
        &["--seeds", "2", "--dat", "mannequin"],
        &[&scene],
        &[&scene, "--dat", "mannequin"],
        &[&scene, "--check"],
    ] {
        stderr(2, [&["simulate", &scene], options].concat());
    }
}

#[test]
fn what_is_no_scenario_is_named() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.toml");
    let gzip = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0];
    for (bytes, name) in [(&gzip[..], "a gzip file"), (b"\xD4\xC3\xB2\xA1\x02\0\x04\0", "a capture")] {
        fs::write(&path, bytes).unwrap();
        for options in [&[][..], &["--compare"]] {
            let error = stderr(1, [&["simulate", path.to_str().unwrap()], options].concat());
            assert!(error.contains(&format!("a.toml: {name}")), "{error}");
            assert!(error.contains("expected a scenario (a TOML file)"), "{error}");
        }
    }
    let text = fs::read_to_string(scenario("teleport")).unwrap();
    let utf16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(&path, utf16).unwrap();
    stdout(["simulate", path.to_str().unwrap()]);
}
