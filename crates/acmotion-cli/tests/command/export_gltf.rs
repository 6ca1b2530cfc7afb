//! `acmotion export gltf`: files and their sidecars, and bad input. What is in the files is tested in acmotion-gltf, and by
//! other programs in `.ci/gltf`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::common::{json_lines, run, stderr, stdout};

/// Returns the JSON of a .glb file.
fn document(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap();
    assert_eq!(&bytes[..4], b"glTF");
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

fn sidecar(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path.with_extension("json")).unwrap()).unwrap()
}

fn export<'a>(path: &'a Path, arguments: &[&'a str]) -> Vec<&'a str> {
    [&["export", "gltf"], arguments, &["-o", path.to_str().unwrap()]].concat()
}

#[test]
fn a_walking_figure_is_one_command_away() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("walk.glb");
    let text = stdout(export(&path, &["mannequin", "0x02000001", "--motion", "NonCombat", "WalkForward"]));
    assert!(text.contains("walk.glb: 1 motion, 0 held things, "), "{text}");
    let (glb, sidecar) = (document(&path), sidecar(&path));
    assert_eq!(glb["extras"], sidecar);
    assert_eq!(glb["animations"][0]["name"], "NonCombat WalkForward");
    assert_eq!(sidecar["interpolation"], "step");
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn options_reach_the_file() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("slash.glb");
    let arguments = [
        "mannequin",
        "0x02000001",
        "--motion",
        "SwordCombat",
        "SlashHigh",
        "--motion",
        "NonCombat",
        "RunForward",
        "--smooth",
        "--in-place",
        "--scale",
        "1.5",
        "--part",
        "link",
        "--hold",
        "0x02000004",
        "--hold",
        "0x02000007@3",
        "--poses",
        "--json",
    ];
    let lines = json_lines(&run(0, export(&path, &arguments)).stdout);
    assert_eq!((&lines[0]["animations"], &lines[0]["missing"]), (&json!(2), &json!([])));
    let sidecar = sidecar(&path);
    assert_eq!(sidecar["interpolation"], "linear");
    assert_eq!(sidecar["root_motion"], "in place");
    assert_eq!(sidecar["scale"], 1.5);
    assert_eq!(sidecar["held"][1]["location"], 3);
    let slash = &sidecar["animations"][0];
    assert!(
        slash["attacks"][0]["time"].as_f64().unwrap() > 0.0 && slash["poses"].as_array().unwrap().len() > 5
    );
    assert_eq!(slash["seconds"].as_f64().unwrap() as f32, slash["link_seconds"].as_f64().unwrap() as f32);
    let all = folder.path().join("door.glb");
    stdout(export(&all, &["mannequin", "0x02000003", "--all"]));
    // It opens and it closes.
    assert_eq!(document(&all)["animations"].as_array().unwrap().len(), 2);
}

#[test]
fn a_landblock_is_named_by_its_number_or_an_id_in_it() {
    let folder = tempdir().unwrap();
    let [short, long] = ["short.glb", "long.glb"].map(|name| folder.path().join(name));
    let text = stdout(export(&short, &["town", "0xA9B4"]));
    assert!(text.contains(" buildings and objects, 11 rooms, "), "{text}");
    for option in ["--out", "--output"] {
        stdout(["export", "gltf", "town", "A9B4FFFF", "--dat", "mannequin", option, long.to_str().unwrap()]);
    }
    assert_eq!(fs::read(&short).unwrap(), fs::read(&long).unwrap());
    assert_eq!(sidecar(&short)["landblock"], "0xA9B4");
}

#[test]
fn a_failed_export_leaves_no_file_behind() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.glb");
    let human = ["mannequin", "0x02000001"];
    for (code, arguments, expected) in [
        (2, [&human[..], &["--motion", "NonCombat", "WalkForwards"]].concat(), "did you mean WalkForward?"),
        (2, [&human[..], &["--motion", "NonCombat"]].concat(), "2 values required"),
        (2, [&human[..], &["--hold", "0x02000004@x"]].concat(), "`x` is not a holding location"),
        (
            1,
            [&human[..], &["--motion", "NonCombat", "SlashHigh"]].concat(),
            "mannequin: motion table 0x09000001: there is no SlashHigh in style NonCombat; it is in SwordCombat",
        ),
        (1, [&human[..], &["--hold", "0x02000004@77"]].concat(), "no holding location 77"),
        (1, [&human[..], &["--hold", "0x02000099"]].concat(), "0x02000099"),
        (2, [&human[..], &["--scale", "0"]].concat(), "`0` is not a scale; expected a number above 0"),
        (2, [&human[..], &["--scale", "-1"]].concat(), "`-1` is not a scale"),
        (2, [&human[..], &["--scale", "big"]].concat(), "`big` is not a scale"),
        (
            1,
            [&human[..], &["--motion", "NonCombat", "WalkForward", "--speed", "1e-7"]].concat(),
            "lasts more than 3600 s",
        ),
        (1, vec!["mannequin", "0x02000099"], "0x02000099"),
        (1, vec!["mannequin", "0x09000001"], "0x09000001"),
        (1, vec!["mannequin", "0x02000004", "--all"], "has no default motion table"),
        (1, vec!["town", "0x0101"], "there is no landblock 0x0101"),
        (1, vec!["town", "0xA9B4", "--all"], "landblocks have no motions and no figure for --all;"),
        (
            1,
            vec![
                "town",
                "0xA9B4",
                "--smooth",
                "--scale",
                "3",
                "--poses",
                "--in-place",
                "--part",
                "link",
                "--table",
                "0x09000001",
                "--from",
                "Ready",
                "--speed",
                "2",
            ],
            "for --table, --from, --speed, --part, --smooth, --in-place, --scale, --poses;",
        ),
        (1, vec!["missing.dat", "0x02000001"], "missing.dat"),
    ] {
        let errors = stderr(code, export(&path, &arguments));
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{arguments:?}");
    }
    // A file that is there stays as it is, and one that cannot be written is named.
    fs::write(&path, "old").unwrap();
    stderr(1, export(&path, &["mannequin", "0x02000099"]));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    let nowhere = folder.path().join("no/such/x.glb");
    assert!(stderr(1, export(&nowhere, &human)).contains("x.glb"));
    for name in ["x.json", "x.gltf", "x"] {
        let error = stderr(1, export(&folder.path().join(name), &human));
        assert!(error.contains(&format!("{name}: expected the name of a .glb file")), "{error}");
    }
}
