//! `acmotion diff`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{acmotion, json_lines, run, stderr, stdout};
use serde_json::Value;
use tempfile::TempDir;

/// Writes the result of a scenario of the repository, and returns its path.
fn result(folder: &TempDir) -> PathBuf {
    let scene = format!("{}/../../scenes/teleport.toml", env!("CARGO_MANIFEST_DIR"));
    let path = folder.path().join("a.jsonl");
    fs::write(&path, stdout(["simulate", &scene, "--json"])).unwrap();
    path
}

/// Writes a copy of a result in which `change` was applied to every line.
fn changed(result: &Path, change: impl Fn(&mut Value)) -> PathBuf {
    let path = result.with_file_name("b.jsonl");
    let mut lines = json_lines(&fs::read(result).unwrap());
    lines.iter_mut().for_each(change);
    fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    path
}

fn arguments<'a>(a: &'a Path, b: &'a Path) -> [&'a str; 3] {
    ["diff", a.to_str().unwrap(), b.to_str().unwrap()]
}

#[test]
fn a_result_does_not_differ_from_itself() {
    let folder = TempDir::new().unwrap();
    let a = result(&folder);
    let text = stdout(arguments(&a, &a));
    assert!(text.contains("No difference in "), "{text}");
}

#[test]
fn the_first_difference_is_named_with_both_values() {
    let folder = TempDir::new().unwrap();
    let a = result(&folder);
    let first_after = 2.0;
    let b = changed(&a, |line| {
        if line["t"].as_f64() >= Some(first_after) && line.get("substate").is_some() {
            line["substate"] = "0x44000007".into();
        }
    });
    let text = String::from_utf8(run(1, arguments(&a, &b)).stdout).unwrap();
    assert!(text.contains("The first difference is at 2.0"), "{text}");
    assert!(text.contains("substate: ") && text.contains("RunForward (0x44000007) in B"), "{text}");

    let output = run(1, arguments(&a, &b).into_iter().chain(["--json"]));
    let lines = json_lines(&output.stdout);
    assert_eq!(lines[0]["same"], false);
    assert_eq!(lines[1]["first"]["fields"][0]["field"], "substate");
    assert_eq!(lines.len() as u64, 1 + lines[0]["different"].as_u64().unwrap());

    let ignored = arguments(&a, &b).into_iter().chain(["--ignore", "substate"]);
    assert!(stdout(ignored).contains("No difference in "));
}

#[test]
fn positions_within_the_tolerance_are_the_same() {
    let folder = TempDir::new().unwrap();
    let a = result(&folder);
    let b = changed(&a, |line| {
        if let Some(z) = line.get("origin").and_then(|origin| origin[2].as_f64()) {
            line["origin"][2] = (z + 0.25).into();
        }
    });
    let text = String::from_utf8(run(1, arguments(&a, &b)).stdout).unwrap();
    assert!(text.contains("0.250 m apart then"), "{text}");
    assert!(stdout(arguments(&a, &b).into_iter().chain(["--tolerance", "0.3"])).contains("No difference"));
}

#[test]
fn results_are_read_as_shells_write_them() {
    let folder = TempDir::new().unwrap();
    let a = result(&folder);
    let text = fs::read_to_string(&a).unwrap();
    let utf16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let packed = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for bytes in [utf16, [b"\xEF\xBB\xBF", text.as_bytes()].concat(), packed] {
        let b = folder.path().join("b.jsonl");
        fs::write(&b, bytes).unwrap();
        let text = stdout(arguments(&a, &b));
        assert!(text.contains("No difference in ") && !text.contains("unreadable"), "{text}");
    }
}

#[test]
fn a_result_of_changes_only_is_told_from_one_that_differs() {
    let folder = TempDir::new().unwrap();
    let capture = format!("{}/../../captures/laggy_duel.pcap", env!("CARGO_MANIFEST_DIR"));
    let [all, changes] = ["all.jsonl", "changes.jsonl"].map(|name| folder.path().join(name));
    stdout(["replay", &capture, "--json", "--out", all.to_str().unwrap()]);
    stdout(["replay", &capture, "--json", "--changes", "--out", changes.to_str().unwrap()]);
    let hint = |a: &Path, b: &Path| {
        let text = String::from_utf8(run(1, arguments(a, b)).stdout).unwrap();
        text.lines().find(|line| line.starts_with("Where both have a state they agree")).map(String::from)
    };
    let missing = |path: &Path| {
        json_lines(&fs::read(path).unwrap()).iter().filter(|line| line["event"].is_null()).count()
    };
    let expected = missing(&all) - missing(&changes);
    for (hint, side) in [(hint(&changes, &all), "A"), (hint(&all, &changes), "B")] {
        let hint = hint.unwrap();
        assert!(hint.contains(&format!("but {side} lacks {expected} states")), "{hint}");
    }
    assert!(stdout(arguments(&changes, &changes)).contains("No difference"));
    let other = changed(&all, |line| line["pending"] = 7.into());
    assert_eq!(hint(&changes, &other), None);
}

#[test]
fn one_result_can_come_from_standard_input() {
    let folder = TempDir::new().unwrap();
    let a = result(&folder);
    let output =
        acmotion(["diff", a.to_str().unwrap(), "-"]).write_stdin(fs::read(&a).unwrap()).output().unwrap();
    assert!(output.status.success());
    assert!(stderr(1, ["diff", "-", "-"]).contains("only one of the two"));
}

#[test]
fn bad_input_is_an_error_that_names_the_file() {
    let folder = TempDir::new().unwrap();
    let a = result(&folder);
    let missing = folder.path().join("missing.jsonl");
    assert!(stderr(1, arguments(&a, &missing)).contains("missing.jsonl"));
    let wrong = folder.path().join("wrong.bin");
    fs::write(&wrong, [0u8; 4096]).unwrap();
    let error = stderr(1, arguments(&wrong, &a));
    assert!(error.contains("wrong.bin: no line has the state of an entity"), "{error}");
    // A gzip file that ends too early.
    fs::write(&wrong, [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1]).unwrap();
    assert!(stderr(1, arguments(&wrong, &a)).contains("wrong.bin"));
    run(2, arguments(&a, &a).into_iter().chain(["--tolerance", "-1"]));
}
