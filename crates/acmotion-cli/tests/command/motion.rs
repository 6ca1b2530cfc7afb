//! `acmotion motion`: text, JSON, and errors.

use std::fs;

use crate::common::{json_lines, run, stderr, stdout};
use acmotion_dat::{Dat, DataId};
use tempfile::tempdir;

#[test]
fn a_swing_has_its_duration_and_its_attack_hook() {
    let timing = stdout(["motion", "mannequin", "0x09000001", "SwordCombat", "SlashHigh"]);
    assert!(timing.contains("link 0.967 s") && timing.contains("Attack: part"), "{timing}");
    let lines =
        json_lines(&run(0, ["motion", "mannequin", "09000001", "swordcombat", "slashhigh", "--json"]).stdout);
    let hit = &lines[0]["attacks"][0];
    let (time, share) = (hit["time"].as_f64().unwrap(), hit["share"].as_f64().unwrap());
    assert!((time / lines[0]["link"]["seconds"].as_f64().unwrap() - share).abs() < 1e-9);
}

#[test]
fn a_style_or_a_table_is_listed_if_no_motion_is_given() {
    let style = stdout(["motion", "mannequin", "0x09000001", "NonCombat"]);
    for motion in ["RunForward", "Wave", "SwordCombat"] {
        assert!(style.contains(motion), "{style}");
    }
    let table = json_lines(&run(0, ["motion", "mannequin", "0x09000001", "--json"]).stdout);
    assert!(table.len() > 80, "{}", table.len());
}

#[test]
fn undefined_motions_and_wrong_arguments_are_errors() {
    let undefined = stderr(1, ["motion", "mannequin", "0x09000001", "NonCombat", "SlashHigh"]);
    let expected = "motion table 0x09000001: there is no SlashHigh in style NonCombat; it is in SwordCombat";
    assert!(undefined.contains(expected), "{undefined}");
    for style in ["CrossbowCombat", "Ready"] {
        let undefined = stderr(1, ["motion", "mannequin", "0x09000001", style]);
        let expected = format!("there is no style {style}; styles are ");
        assert!(undefined.contains(&expected) && undefined.contains("NonCombat"), "{undefined}");
    }
    let undefined = stderr(1, ["motion", "mannequin", "0x09000001", "NonCombat", "WalkBackwards"]);
    assert!(undefined.contains("in style NonCombat, nor in another one; did you mean Walk"), "{undefined}");
    assert!(stderr(1, ["motion", "mannequin", "0x09FFFFFF"]).contains("no object 0x09FFFFFF"));
    assert!(stderr(2, ["motion", "mannequin", "0x09000001", "Flup"]).contains("neither the name"));
    assert!(stderr(2, ["motion", "mannequin", "0x09000001", "--speed", "NaN"]).contains("not a speed"));
}

#[test]
fn hostile_21_a_damaged_table_is_reported_once() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("m.dat").display().to_string();
    run(0, ["dat", "mannequin", &path]);
    let entry = Dat::open(&path).unwrap().find(DataId(0x0900_0001)).unwrap().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // The count of style defaults, after the next block's offset, the id and the default style.
    let count = entry.offset as usize + 12;
    bytes[count..count + 4].copy_from_slice(&[0xFF; 4]);
    fs::write(&path, bytes).unwrap();
    let error = stderr(1, ["motion", &path, "0x09000001"]);
    assert_eq!(error.matches("a count of 4294967295").count(), 1, "{error}");
}

#[test]
fn extreme_speeds_are_printed_with_an_exponent() {
    for speed in ["3e38", "1e-40"] {
        let timing =
            stdout(["motion", "mannequin", "0x09000001", "NonCombat", "RunForward", "--speed", speed]);
        assert!(timing.lines().all(|line| line.chars().count() < 160), "{timing}");
        assert!(timing.contains(&format!("at speed {speed}")), "{timing}");
    }
}

#[test]
fn a_mistyped_name_gets_a_suggestion() {
    let error = stderr(2, ["motion", "mannequin", "0x09000001", "SwordCombt", "SlashHigh"]);
    assert!(error.contains("did you mean SwordCombat?"), "{error}");
    let error = stderr(2, ["motion", "mannequin", "0x09000001", "SwordCombat", "slashhihg"]);
    assert!(error.contains("did you mean SlashHigh?"), "{error}");
    let error = stderr(2, ["motion", "mannequin", "0x09000001", "Wlak"]);
    assert!(
        error.contains("`Wlak` is neither the name of a style nor") && !error.contains("mean"),
        "{error}"
    );
    let error = stderr(2, ["motion", "mannequin", "0x09000001", "NonCombat", "Wlak"]);
    assert!(error.contains("did you mean Walk"), "{error}");
}
