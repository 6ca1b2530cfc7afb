//! `acmotion dat`: text, JSON, damaged files, and wrong usage.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{json_lines, run, stderr, stdout};
use acmotion_dat::{BlockSize, Dat, DatWriter, DataId, DataSet};
use serde_json::json;
use tempfile::{TempDir, tempdir};

/// Returns a folder with the mannequin, and the path of its dat file.
fn mannequin() -> (TempDir, String) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("m.dat").display().to_string();
    run(0, ["dat", "mannequin", &path]);
    (folder, path)
}

#[test]
fn the_mannequin_is_written_verified_and_shown() {
    let (_folder, path) = mannequin();
    let verified = stdout(["dat", "verify", &path]);
    assert!(verified.contains(" 0 faults"), "{verified}");
    let table = stdout(["dat", "show", &path, "0x09000001"]);
    for word in [
        "NonCombat (0x8000003D), default Ready",
        "RunForward",
        "Ready → RunForward",
        "omega (0, 0, -1.5) rad/s",
    ] {
        assert!(table.contains(word), "`{word}` is missing in\n{table}");
    }
    assert!(
        stdout(["dat", "show", &path, "02000001"])
            .contains("collision sphere: radius 0.48 m at (0, 0, 0.475)")
    );
    let info = stdout(["dat", "info", &path]);
    assert!(info.contains("portal dat file") && info.contains("MotionTable"), "{info}");
    let list = stdout(["dat", "ls", &path, "--type", "motiontable"]);
    assert!(list.contains("0x09000001  MotionTable") && !list.contains("Animation"), "{list}");
}

#[test]
fn the_town_is_written_verified_and_shown() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (portal, cells) = (path("m.dat"), path("c.dat"));
    let written = stdout(["dat", "mannequin", &portal, "--cell", &cells]);
    assert!(written.contains("c.dat: 32 objects"), "{written}");
    for file in [&portal, &cells] {
        assert!(stdout(["dat", "verify", file]).contains(" 0 faults"));
    }
    let info = stdout(["dat", "info", &cells]);
    assert!(info.contains("cell dat file") && info.contains("blocks of 256 bytes"), "{info}");
    for (id, words) in [
        ("0xA9B4FFFF", ["height bytes, north at the top", "  10   20   20   20"].as_slice()),
        ("0xA9B4FFFE", &["11 indoor cells", "building 0x01000061", "opening to 0xA9B40100, its portal 0"]),
        (
            "0xA9B40101",
            &["shape 1 of 0x0D000001", "portal 0: polygon 12 to 0xA9B40100, its portal 1", "0x01000077"],
        ),
        ("0xA9B40100", &["to the land"]),
    ] {
        let shown = stdout(["dat", "show", &cells, id]);
        assert_eq!(
            shown,
            stdout(["dat", "show", "town", id]).replace("town", &cells),
            "`town` and its file show the same"
        );
        for word in words {
            assert!(shown.contains(word), "`{word}` is missing in\n{shown}");
        }
        let json = json_lines(&run(0, ["dat", "show", "town", id, "--json"]).stdout);
        assert_eq!(json[0]["object"]["id"], id);
    }
    let region = stdout(["dat", "show", "mannequin", "0x13000000"]);
    assert!(region.contains("255 × 255 landblocks of 8 × 8 cells of 24 m"), "{region}");
    let environment = stdout(["dat", "show", "mannequin", "0x0D000001"]);
    assert!(environment.contains("shape 8:") && environment.contains("portal polygon"), "{environment}");
    assert!(stdout(["dat", "ls", "town", "--type", "EnvCell"]).contains("11 objects"));
    // If one of the files would replace other content, neither is written.
    let other = path("other.dat");
    fs::write(&other, b"mine").unwrap();
    assert!(
        stderr(1, ["dat", "mannequin", &path("new.dat"), "--cell", &other]).contains("--force replaces it")
    );
    assert!(!folder.path().join("new.dat").exists());
}

#[test]
fn an_animation_is_shown_with_its_hooks() {
    let table = json_lines(&run(0, ["dat", "show", "mannequin", "0x09000001", "--json"]).stdout);
    let cycles = table[0]["object"]["cycles"].as_array().unwrap();
    let run_cycle = cycles.iter().find(|cycle| cycle[0] == "0x003D0007").unwrap();
    let animation = run_cycle[1]["anims"][0][0].as_str().unwrap();
    let shown = stdout(["dat", "show", "mannequin", animation]);
    assert!(shown.contains("24 frames") && shown.contains("SoundTable: sound"), "{shown}");
    assert!(shown.contains("forward") && shown.contains("(0, 0.1333, 0)"), "{shown}");
    let with_parts = stdout(["dat", "show", "mannequin", animation, "--parts"]);
    assert!(with_parts.lines().count() > shown.lines().count() + 24 * 15);
}

#[test]
fn every_subcommand_prints_json_lines() {
    let (folder, path) = mannequin();
    let out = folder.path().join("object.bin").display().to_string();
    let again = folder.path().join("again.dat").display().to_string();
    for arguments in [
        vec!["dat", "info", &path, "--json"],
        vec!["dat", "ls", &path, "--json"],
        vec!["dat", "verify", &path, "--json"],
        vec!["dat", "extract", &path, "0x09000001", "--json"],
        vec!["dat", "extract", &path, "0x09000001", "--json", "-o", &out],
        vec!["dat", "mannequin", &again, "--json"],
    ] {
        assert!(!json_lines(&run(0, &arguments).stdout).is_empty(), "{arguments:?}");
    }
    for entry in json_lines(&run(0, ["dat", "ls", &path, "--json"]).stdout) {
        let shown =
            json_lines(&run(0, ["dat", "show", &path, entry["id"].as_str().unwrap(), "--json"]).stdout);
        assert_eq!((shown.len(), &shown[0]["type"]), (1, &entry["type"]));
    }
}

#[test]
fn an_object_is_extracted_to_a_file_or_to_standard_output() {
    let (folder, path) = mannequin();
    let out = folder.path().join("table.bin");
    run(0, ["dat", "extract", &path, "09000001", "-o", &out.display().to_string()]);
    let piped = run(0, ["dat", "extract", &path, "09000001"]).stdout;
    assert_eq!(fs::read(&out).unwrap(), piped);
    assert_eq!(piped[..4], 0x0900_0001u32.to_le_bytes());
}

#[test]
fn twenty_thousand_objects_are_verified_in_both_block_sizes() {
    let folder = tempdir().unwrap();
    for block_size in [BlockSize::Small, BlockSize::Large] {
        let mut writer = DatWriter::new(block_size, DataSet::Portal);
        // Animations with one frame, no parts and no hooks.
        for id in 0x0300_0000..0x0300_0000 + 20_000u32 {
            let words = [id, 0, 0, 1, 0];
            writer.add(DataId(id), words.iter().flat_map(|word| word.to_le_bytes()).collect());
        }
        let path = folder.path().join(format!("{}.dat", block_size.bytes()));
        writer.write_to(&path).unwrap();
        let verified = stdout(["dat", "verify", &path.display().to_string()]);
        assert!(verified.contains("20,001 objects decoded"), "{verified}");
        assert!(stdout(["dat", "show", &path.display().to_string(), "0x03004E1F"]).contains("1 frame"));
    }
}

/// Changes the bytes of an object in a file. `change` gets the bytes of the file and the offset of the object in them.
fn damage(path: &str, id: DataId, change: impl Fn(&mut Vec<u8>, usize)) {
    let entry = Dat::open(path).unwrap().find(id).unwrap().unwrap();
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes, entry.offset as usize + 4);
    fs::write(path, bytes).unwrap();
}

#[test]
fn verify_reports_every_damaged_object() {
    let (_folder, path) = mannequin();
    damage(&path, DataId(0x0900_0001), |file, at| file[at + 8..at + 12].copy_from_slice(&[0xFF; 4]));
    damage(&path, DataId(0x0200_0001), |file, at| file[at] ^= 1);
    let output = run(1, ["dat", "verify", &path]);
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains("0x09000001 at 0x") && report.contains("a count of 4294967295"), "{report}");
    assert!(report.contains("the object's own id is 0x02000000, expected 0x02000001"), "{report}");
    assert!(report.contains(" 2 faults"), "{report}");
    let lines = json_lines(&run(1, ["dat", "verify", &path, "--json"]).stdout);
    assert_eq!(lines.len(), 3);
    assert!(stderr(1, ["dat", "show", &path, "0x09000001"]).contains("a count of 4294967295"));
}

#[test]
fn a_landblock_without_bytes_is_reported_as_empty() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("c.dat");
    let mut writer = DatWriter::new(BlockSize::Small, DataSet::Cell);
    writer.add(DataId(0x0102_FFFF), Vec::new());
    writer.write_to(&path).unwrap();
    let path = path.display().to_string();
    let verified = stdout(["dat", "verify", &path]);
    let expected = "1 object decoded and encoded again, 0 of other types read, 1 empty landblock, 0 faults";
    assert!(verified.contains(expected), "{verified}");
    let lines = json_lines(&run(0, ["dat", "verify", &path, "--json"]).stdout);
    assert_eq!((&lines[0]["empty"], &lines[0]["faults"]), (&json!(1), &json!(0)));
    let shown = stdout(["dat", "show", &path, "0x0102FFFF"]);
    assert!(shown.contains("0 bytes") && shown.contains("empty: a landblock without terrain"), "{shown}");
    let lines = json_lines(&run(0, ["dat", "show", &path, "0x0102FFFF", "--json"]).stdout);
    assert_eq!(lines[0]["object"], json!({"id": "0x0102FFFF", "empty": true}));
    assert!(stdout(["dat", "ls", &path]).contains("  empty"));
    assert_eq!(run(0, ["dat", "extract", &path, "0x0102FFFF"]).stdout, b"");
    // Any other object without bytes is damaged.
    writer.add(DataId(0x0102_FFFE), Vec::new());
    writer.write_to(&path).unwrap();
    let report = String::from_utf8(run(1, ["dat", "verify", &path]).stdout).unwrap();
    assert!(report.contains("0x0102FFFE at 0x") && report.contains(", 1 fault"), "{report}");
}

#[test]
fn a_physics_script_is_shown_with_its_times() {
    let shown = stdout(["dat", "show", "mannequin", "0x33000002"]);
    let expected = [
        "PhysicsScript 0x33000002",
        "seconds",
        "0.250  forward    SoundTweaked: 0x0A000001, probability 0.5, priority 3, volume 0.8",
        "0.500  forward    CallPES: 0x33000001 after 0.25 s",
    ];
    for word in expected {
        assert!(shown.contains(word), "`{word}` is missing in\n{shown}");
    }
    let lines = json_lines(&run(0, ["dat", "show", "mannequin", "0x33000002", "--json"]).stdout);
    let hooks = &lines[0]["object"]["hooks"];
    assert_eq!(hooks[3], json!([0.5, 19, 1, {"script": "0x33000001", "pause": 0.25}]));
    assert_eq!(hooks[5], json!([1.5, 14, 1, 4]));
}

#[test]
fn a_damaged_free_list_is_a_remark_of_info() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("free.dat").display().to_string();
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.set_free_blocks(3);
    let mut file = writer.finish().unwrap();
    fs::write(&path, &file).unwrap();
    let info = stdout(["dat", "info", &path]);
    assert!(info.contains("  free blocks: 3\n"), "{info}");
    let lines = json_lines(&run(0, ["dat", "info", &path, "--json"]).stdout);
    assert_eq!((&lines[0]["free_blocks"], &lines[0]["free_list_error"]), (&json!(3), &json!(null)));
    // The first free block loses its mark.
    let first = file.len() - 3 * 1024;
    file[first + 3] &= 0x7F;
    fs::write(&path, &file).unwrap();
    let info = stdout(["dat", "info", &path]);
    assert!(info.contains("free blocks: 3; damaged free list: it contains a block"), "{info}");
    assert!(stdout(["dat", "verify", &path]).contains(" 0 faults"), "objects can still be read");
}

#[test]
fn a_truncated_file_is_reported_and_verified_as_far_as_possible() {
    let (_folder, path) = mannequin();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 100]).unwrap();
    let report = String::from_utf8(run(1, ["dat", "verify", &path]).stdout).unwrap();
    assert!(report.contains("truncated: the header says"), "{report}");
    fs::write(&path, &bytes[..300]).unwrap();
    assert!(
        stderr(1, ["dat", "info", &path]).contains("not a dat file: 300 bytes, the header alone has 400")
    );
}

#[test]
fn wrong_files_exit_with_1_and_wrong_usage_with_2() {
    let (folder, path) = mannequin();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").display().to_string();
    assert!(stderr(1, ["dat", "info", &own]).contains("not a dat file: the magic number"));
    let packed = folder.path().join("packed.dat").display().to_string();
    for (start, name) in [
        (&[0x1F, 0x8B, 8, 0][..], "a gzip file"),
        (&[0x28, 0xB5, 0x2F, 0xFD], "a zstd file"),
        (b"PK\x03\x04", "a zip archive"),
        (&[0xD4, 0xC3, 0xB2, 0xA1], "a capture"),
    ] {
        fs::write(&packed, [start, &[0; 500]].concat()).unwrap();
        let error = stderr(1, ["dat", "info", &packed]);
        assert!(
            error.contains(&format!("packed.dat: {name}")) && error.contains("expected a dat file"),
            "{error}"
        );
    }
    assert!(stderr(1, ["dat", "info", "no-such.dat"]).contains("no-such.dat: "));
    assert!(stderr(1, ["dat", "info", &folder.path().display().to_string()]).contains("directory"));
    assert!(stderr(1, ["dat", "show", &path, "0x09FFFFFF"]).contains("there is no object 0x09FFFFFF"));
    assert!(stderr(2, ["dat", "show", &path, "wolf"]).contains("is not an id"));
    assert!(stderr(2, ["dat", "ls", &path, "--type", "wolf"]).contains("is not an object type"));
    assert!(stderr(2, ["dat", "polish", &path]).contains("polish"));
    assert!(stderr(1, ["dat", "mannequin", &own]).contains("--force"));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let (_folder, path) = mannequin();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("acmotion"))
        .args(["dat", "show", &path, "0x09000001", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
