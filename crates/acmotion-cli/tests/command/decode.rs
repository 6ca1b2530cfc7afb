//! `acmotion decode`: files, standard input, single messages, filters, and bad input.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{acmotion, json_lines, run, stderr, stdout};
use acmotion_types::{Guid, MotionCommand, Stamp};
use acmotion_wire::capture::CaptureWriter;
use acmotion_wire::{
    Actions, AttackHeight, C2S, CreateObject, Direction, GameAction, InterpretedState, ModelData,
    MotionFlags, Movement, MovementBody, MovementData, ObjectDesc, Pad, PhysicsDesc, PlayerCreate,
    PrivateUpdatePropertyInt, S2C, TargetedMeleeAttack, UpdateMotion, WeenieDesc,
};
use serde_json::Value;
use tempfile::tempdir;

/// Returns a message in which an object runs forward and turns right.
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

/// Returns the message that names the local player.
fn player_create() -> Vec<u8> {
    let mut bytes = Vec::new();
    S2C::from(PlayerCreate { guid: Guid(0x5000_0001) }).encode(&mut bytes);
    bytes
}

/// Returns a capture of four messages: `PlayerCreate`, two objects that run, and one that is not about movement.
fn capture() -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    writer.message(10.0, Direction::S2C, &player_create()).unwrap();
    writer.message(11.5, Direction::S2C, &running(0x5000_0002)).unwrap();
    writer.message(12.0, Direction::S2C, &[0x77, 0x77, 0, 0, 1, 2, 3, 4]).unwrap();
    writer.message(13.0, Direction::S2C, &running(0x5000_0003)).unwrap();
    writer.into_inner()
}

/// Writes a capture to a file. Returns its folder and its path.
fn write_capture(bytes: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("some.pcap");
    fs::write(&path, bytes).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn messages_about_movement_are_described_in_text() {
    let (_folder, path) = write_capture(&capture());
    let output = run(0, ["decode", &path]);
    let described = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = described.lines().collect();
    assert_eq!(lines.len(), 3, "{described}");
    assert!(lines[0].contains("10.000  S2C  0x50000001") && lines[0].contains("is the player"));
    assert!(lines[1].contains("runs forward ×1.98, turning right"), "{described}");
    let summary = String::from_utf8(output.stderr).unwrap();
    assert!(summary.contains("4 messages (4 S2C, 0 C2S)"), "{summary}");
    assert!(summary.contains("3 shown, 3 objects: 2 UpdateMotion, 1 PlayerCreate"), "{summary}");
}

#[test]
fn filters_select_messages() {
    let (_folder, path) = write_capture(&capture());
    let count = |arguments: &[&str]| {
        let arguments = ["decode", path.as_str()].into_iter().chain(arguments.iter().copied());
        stdout(arguments).lines().count()
    };
    assert_eq!(count(&["--all"]), 4);
    assert_eq!(count(&["--guid", "0x50000002"]), 1);
    assert_eq!(count(&["--guid", "0x50000002", "--guid", "50000003"]), 2);
    assert_eq!(count(&["--opcode", "0xF74C"]), 2);
    assert_eq!(count(&["--opcode", "playercreate"]), 1);
    assert_eq!(count(&["--opcode", "Unknown", "--all"]), 1);
    assert_eq!(count(&["--opcode", "GameEvent"]), 0);
    let error = stderr(2, ["decode", &path, "--opcode", "UpdatePositon"]);
    assert!(error.contains("did you mean UpdatePosition?"), "{error}");
    assert_eq!(count(&["--from", "11"]), 2);
    assert_eq!(count(&["--from", "11", "--to", "12"]), 1);
    assert_eq!(count(&["--from", "+3"]), 1);
    assert!(stderr(2, ["decode", &path, "--from", "noon"]).contains("is not a time"));
    for time in ["nan", "+nan", "inf", "-inf"] {
        assert!(stderr(2, ["decode", &path, "--from", time]).contains("is not a finite time"), "{time}");
        assert!(stderr(2, ["decode", &path, "--to", time]).contains("is not a finite time"), "{time}");
    }
    assert!(stderr(2, ["decode", &path, "--guid", "Ash"]).contains("hexadecimal"));

    assert_eq!(count(&["--filter", "opcode=UpdateMotion"]), 2);
    assert_eq!(count(&["--filter", "opcode=UpdateMotion, guid=0x50000003"]), 1);
    assert_eq!(count(&["--filter", "from=+1,to=+2.5"]), 1);
    assert_eq!(count(&["--filter", "guid=0x50000002", "--filter", "guid=0x50000001"]), 2);
    assert_eq!(count(&["--filter", "to=12", "--guid", "0x50000003"]), 0, "all conditions count");
    let error = stderr(2, ["decode", &path, "--filter", "opcode=UpdateMtion"]);
    assert!(error.contains("did you mean UpdateMotion?"), "{error}");
    assert!(stderr(2, ["decode", &path, "--filter", "time=3"]).contains("expected guid=GUID, opcode=OPCODE"));
}

#[test]
fn json_has_one_object_per_message() {
    let (_folder, path) = write_capture(&capture());
    let objects = json_lines(&run(0, ["decode", "--json", "--all", &path]).stdout);
    let names: Vec<_> = objects.iter().map(|object| object["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["PlayerCreate", "UpdateMotion", "Unknown", "UpdateMotion"]);
    assert_eq!(objects[1]["decoded"]["movement"]["state"]["forward_command"], "0x44000007");
    assert_eq!(objects[2]["decoded"], Value::Null);
}

#[test]
fn a_single_message_is_decoded_from_hexadecimal() {
    assert!(stdout(["decode", "--hex", "46F7000001000050"]).contains("is the player"));
    let objects = json_lines(&run(0, ["decode", "--json", "--hex", "46 F7 00 00 01 00 00 50"]).stdout);
    assert_eq!(objects[0]["decoded"]["guid"], "0x50000001");
    let cut = json_lines(&run(1, ["decode", "--json", "--hex", "46F70000010000"]).stdout);
    assert_eq!((&cut[0]["error"]["needed"], &cut[0]["error"]["had"]), (&4.into(), &3.into()));
    let long = String::from_utf8(run(1, ["decode", "--hex", "46F700000100005000"]).stdout).unwrap();
    assert!(long.contains("cannot be decoded"), "{long}");
    assert!(stderr(1, ["decode", "--hex", "4"]).contains("an even number is expected"));
    assert!(stderr(1, ["decode", "--hex", "zz"]).contains("not a hexadecimal digit"));
    stderr(2, ["decode"]);
    stderr(2, ["decode", "some.pcap", "--hex", "00"]);
    assert!(stderr(2, ["decode", "some.pcap", "--c2s"]).contains("--c2s"), "it says nothing about a file");
}

/// `tcpdump -U -w - | acmotion decode -`: lines are printed while the pipe is still open.
#[test]
fn messages_of_a_live_capture_are_printed_as_they_arrive() {
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
    // Without the end of the last record, two messages about movement are complete.
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
fn messages_before_damage_are_printed() {
    let bytes = capture();
    let (_folder, path) = write_capture(&bytes[..bytes.len() - 10]);
    let output = run(1, ["decode", &path]);
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("cut off at the end"), "{notes}");
}

#[test]
fn files_that_are_not_captures_are_reported_in_one_line() {
    let only_line = |path: &str| {
        let output = run(1, ["decode", path]);
        assert!(output.stdout.is_empty(), "{path}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").display().to_string();
    assert!(only_line(&own).contains("Cargo.toml: not a capture"));
    assert!(only_line("no-such.pcap").contains("no-such.pcap: No such file"));
    let (_folder, empty) = write_capture(b"");
    assert!(only_line(&empty).contains("the capture is empty"));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(b"# no capture\n").unwrap();
    let (_folder, packed) = write_capture(&gzip.finish().unwrap());
    assert!(only_line(&packed).contains("some.pcap: not a capture"));
}

/// Returns a message that creates an object with a name.
fn creation(guid: u32, name: &[u8]) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_plain(name, 35, &mut weenie);
    let weenie = WeenieDesc::decode(&weenie).unwrap();
    let (guid, model, physics) = (Guid(guid), ModelData::PLAIN, PhysicsDesc::default());
    S2C::from(CreateObject(ObjectDesc { guid, model, physics, weenie })).to_bytes()
}

#[test]
fn objects_keep_the_names_that_they_got_before_the_time_that_is_printed() {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    writer.message(10.0, Direction::S2C, &creation(0x5000_0002, b"Swift")).unwrap();
    writer.message(12.0, Direction::S2C, &running(0x5000_0002)).unwrap();
    let (_folder, path) = write_capture(&writer.into_inner());
    for filter in [&["--from", "+1"][..], &["--opcode", "UpdateMotion"]] {
        let described = stdout([&["decode", &path], filter].concat());
        assert_eq!(described.lines().count(), 1, "{described}");
        assert!(described.contains("0x50000002 Swift "), "{described}");
    }
}

#[test]
fn hostile_19_control_characters_in_names_are_escaped() {
    let bytes = creation(0x8000_0001, b"\x1B]0;title\x07\nDrudge");
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    writer.message(10.0, Direction::S2C, &bytes).unwrap();
    let (_folder, path) = write_capture(&writer.into_inner());
    let described = stdout(["decode", &path]);
    assert_eq!(described.lines().count(), 1, "{described}");
    assert!(described.contains(r"\u{1b}]0;title\u{7}\nDrudge"), "{described}");
}

/// Returns a capture of a run, a change of burden, and a melee attack.
fn capture_with_combat() -> Vec<u8> {
    let burden =
        PrivateUpdatePropertyInt { sequence: 1, property: PrivateUpdatePropertyInt::BURDEN, value: 30_517 };
    let attack = TargetedMeleeAttack { target: Guid(0x5000_0002), height: AttackHeight::MEDIUM, power: 0.75 };
    let (mut server, mut client) = (Vec::new(), Vec::new());
    S2C::from(burden).encode(&mut server);
    C2S::from(GameAction { sequence: 1, action: attack.into() }).encode(&mut client);
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    writer.message(10.0, Direction::S2C, &running(0x5000_0002)).unwrap();
    writer.message(11.0, Direction::S2C, &server).unwrap();
    writer.message(12.0, Direction::C2S, &client).unwrap();
    // A change of burden that is cut off.
    writer.message(13.0, Direction::S2C, &server[..10]).unwrap();
    writer.into_inner()
}

#[test]
fn messages_about_the_character_are_printed_only_with_all() {
    let (_folder, path) = write_capture(&capture_with_combat());
    let lines = json_lines(&run(0, ["decode", "--json", &path]).stdout);
    assert_eq!(lines.len(), 1, "a message that is not about movement is no error either");
    assert_eq!(lines[0]["name"], "UpdateMotion");
    assert_eq!(stdout(["decode", &path]).lines().count(), 1);

    let lines = json_lines(&run(1, ["decode", "--json", "--all", &path]).stdout);
    let names: Vec<_> = lines.iter().map(|line| line["name"].as_str().unwrap()).collect();
    let burden = "PrivateUpdatePropertyInt";
    assert_eq!(names, ["UpdateMotion", burden, "TargetedMeleeAttack", burden]);
    assert_eq!(lines[1]["decoded"]["value"], 30_517);
    assert_eq!(lines[2]["guid"], "0x50000002");
    assert_eq!(lines[3]["error"]["offset"], 9);
    let described = String::from_utf8(run(1, ["decode", "--all", &path]).stdout).unwrap();
    let described: Vec<_> = described.lines().collect();
    assert!(described[1].ends_with("PrivateUpdatePropertyInt burden 30517"), "{}", described[1]);
    assert!(described[2].ends_with("is attacked at medium height, power 0.75"), "{}", described[2]);
    assert!(described[3].contains("cannot be decoded"), "{}", described[3]);
}

/// Every type, with --hex, which needs no --all.
#[test]
fn single_messages_about_the_character_are_described() {
    let server = |digits: &str| stdout(["decode", "--hex", digits]);
    let event = |digits: &str| server(&format!("b0f70000 01000050 09000000 {digits}"));
    let action = |digits: &str| stdout(["decode", "--c2s", "--hex", &format!("b1f70000 07000000 {digits}")]);
    let enchantment = |kind: &str, key: &str, value: &str| {
        event(&format!(
            "c2020000 0200 0100 1300 0000 64000000 0000000000000000 0000000000209c40 34120080
             00000000 008026c4 0000000000000000 {kind} {key} {value}"
        ))
    };
    let expected = [
        (server("ce020000 07 34120080 19000000 feffffff"), "property 25: -2"),
        (server("e3020000 03 03000000 0a000000 64000000 a20e0000"), "quickness: 100 + 10 ranks"),
        (server("e9020000 11 04000000 13000000"), "stamina 19"),
        (
            enchantment("10900002", "18000000", "0000a041"),
            "spell 2 (layer 1): skill 24 +20 for 1800 s, cast by 0x80001234",
        ),
        (
            enchantment("01500000", "03000000", "0000003f"),
            "spell 2 (layer 1): quickness ×0.5 for 1800 s, cast by 0x80001234",
        ),
        (
            enchantment("00000001", "00000000", "00000000"),
            "spell 2 (layer 1): cooldown for 1800 s, cast by 0x80001234",
        ),
        (event("c3020000 0200 0100"), "spell 2 (layer 1) ends"),
        (event("c7010000 00000000"), "the use is over"),
        (event("a7010000 36000000"), "the attack is over: error 0x36"),
        (event("b8010000"), "an attack begins"),
        (event("22000000 78560080 34120080 02000000 00000000"), "0x80005678 moves into 0x80001234, slot 2"),
        (event("23000000 78560080 00001000"), "wields 0x80005678 at location 0x100000"),
        (event("9a010000 78560080"), "drops 0x80005678"),
        (action("08000000 34120080 09000000 0000403f"), "is attacked at height 9, power 0.75"),
        (
            action("0a000000 34120080 01000000 0000803e"),
            "is the target of a missile at high height, accuracy 0.25",
        ),
        (action("48000000 23000000"), "casts spell 35"),
        (action("4a000000 34120080 23000000"), "is the target of spell 35"),
        (action("36000000 34120080"), "is used"),
        (action("35000000 78560080 34120080"), "is the target of 0x80005678"),
        (action("19000000 78560080 34120080 02000000"), "is put into 0x80001234, slot 2"),
        (action("1a000000 78560080 00001000"), "is wielded at location 0x100000"),
        (action("1b000000 78560080"), "is dropped"),
        (action("b7010000"), "stops attacking"),
    ];
    for (got, expected) in expected {
        assert!(got.trim_end().ends_with(expected), "{got} should end with {expected}");
    }
}

#[test]
fn hostile_21_extreme_numbers_are_printed_with_an_exponent() {
    let (_folder, path) = write_capture(b"{\"t\":1e300,\"dir\":\"s2c\",\"hex\":\"46F7000001000050\"}\n");
    let described = stdout(["decode", &path]);
    assert!(described.len() < 120, "{described}");
    // VectorUpdate with a velocity of 3e38 m/s.
    let described = stdout([
        "decode",
        "--hex",
        "4EF7000001000050 99B4617F 00000000 00000000 000000000000000000000000 01000100",
    ]);
    assert!(described.contains("velocity (3.0") && described.len() < 120, "{described}");
}

#[test]
fn few_of_many_damaged_lines_are_listed() {
    let good = r#"{"t":1,"dir":"s2c","hex":"46F7000001000050"}"#;
    for (bad, more) in
        [(10, None), (11, Some("1 more unreadable part\n")), (3_010, Some("3,000 more unreadable parts\n"))]
    {
        let (_folder, path) =
            write_capture(format!("{good}\n{}{good}\n", "no message\n".repeat(bad)).as_bytes());
        for command in ["decode", "replay"] {
            let said = stderr(1, [command, &path]);
            assert_eq!(said.matches("expected an object").count(), 10, "{said}");
            assert!(said.contains("some.pcap: line 11, column 1: expected an object"), "{said}");
            match more {
                Some(more) => assert!(said.contains(&format!("some.pcap: {more}")), "{said}"),
                None => assert!(!said.contains("more unreadable"), "{said}"),
            }
        }
    }
}

/// Text as Windows PowerShell writes it.
fn utf16(text: &str) -> Vec<u8> {
    "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn json_lines_are_read_as_shells_write_them() {
    let (_folder, path) = write_capture(&capture());
    let text = stdout(["decode", "--json", "--all", &path]);
    let expected = stdout(["decode", "--all", &path]);
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    let packed = zstd::encode_all(&utf16(&text)[..], 3).unwrap();
    for bytes in [text.clone().into_bytes(), marked, utf16(&text), packed] {
        let (_folder, path) = write_capture(&bytes);
        assert_eq!(stdout(["decode", "--all", &path]), expected);
        let output = acmotion(["decode", "--all", "-"]).write_stdin(bytes).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}

#[test]
fn captures_are_unpacked_and_those_of_folders_are_named() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&capture()).unwrap();
    fs::write(path("a.pcap.gz"), gzip.finish().unwrap()).unwrap();
    fs::create_dir(path("more")).unwrap();
    fs::write(path("more/b.pcap.zst"), zstd::encode_all(&capture()[..], 3).unwrap()).unwrap();
    fs::write(path("more/notes.txt"), "no capture").unwrap();
    fs::write(path("z.jsonl"), "{\"t\":1,\"dir\":\"s2c\",\"hex\":\"46F7000001000050\"}\n").unwrap();
    let names = ["a.pcap.gz", "more/b.pcap.zst", "z.jsonl"].map(path);

    let (_other, plain) = write_capture(&capture());
    let one = stdout(["decode", &plain]);
    assert_eq!(stdout(["decode", &names[1]]), one);
    let [root] = [folder.path().display().to_string()];
    let text = stdout(["decode", &root]);
    let last = stdout(["decode", &names[2]]);
    assert_eq!(text, format!("{}:\n{one}{}:\n{one}{}:\n{last}", names[0], names[1], names[2]));
    assert_eq!(
        stdout(["decode", &names[0], &names[2]]),
        format!("{}:\n{one}{}:\n{last}", names[0], names[2])
    );

    let lines = json_lines(&run(0, ["decode", "--json", &root]).stdout);
    let files: Vec<_> = lines.iter().map(|line| line["file"].as_str().unwrap()).collect();
    assert_eq!(files, [&names[0], &names[0], &names[0], &names[1], &names[1], &names[1], &names[2]]);
    let single = json_lines(&run(0, ["decode", "--json", &names[0]]).stdout);
    for (line, single) in lines.iter().zip(&single) {
        let mut line = line.clone();
        line.as_object_mut().unwrap().shift_remove("file").unwrap();
        assert_eq!(line, *single, "nothing else is different");
    }
    // One that cannot be read does not stop the others.
    fs::write(path("c.pcap"), "no capture").unwrap();
    let output = run(1, ["decode", &root]);
    assert!(String::from_utf8(output.stdout).unwrap().ends_with(&last));
    assert!(String::from_utf8(output.stderr).unwrap().contains("c.pcap: not a capture"));
}

#[test]
fn what_is_printed_can_go_to_a_file() {
    let (folder, path) = write_capture(&capture());
    let out = folder.path().join("out.jsonl").display().to_string();
    for options in [&["--json"][..], &[]] {
        let expected = stdout([&["decode", &path], options].concat());
        assert_eq!(stdout([&["decode", &path, "--out", &out], options].concat()), "");
        assert_eq!(fs::read_to_string(&out).unwrap(), expected);
    }
    // Nothing takes the place of a file if there is nothing to print.
    let before = fs::read(&out).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").display().to_string();
    stderr(1, ["decode", &own, "-o", &out]);
    assert_eq!(fs::read(&out).unwrap(), before);
    // What could be read is kept.
    let cut = folder.path().join("cut.pcap").display().to_string();
    fs::write(&cut, &capture()[..capture().len() - 10]).unwrap();
    stderr(1, ["decode", &cut, "-o", &out]);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 2);
    // A file can be replaced by what is made of it.
    let lines = stdout(["decode", "--json", &path]);
    fs::write(&out, &lines).unwrap();
    assert_eq!(stdout(["decode", "--json", "--guid", "0x50000002", &out, "-o", &out]), "");
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{}\n", lines.lines().nth(1).unwrap()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left behind");
    assert!(stderr(1, ["decode", &path, "-o", "no/such/folder/x"]).contains("no/such/folder/x"));
    stderr(2, ["decode", &path, "-o", &out, "--annotate", "x.pcapng"]);
}
