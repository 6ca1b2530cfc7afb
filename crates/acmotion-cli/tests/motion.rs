//! `acmotion motion`: for a person, for a machine, and for what is not there.

mod common;

use common::{complaint, json_lines, run, text};

#[test]
fn a_swing_tells_its_length_and_its_hit() {
    let said = text(["motion", "mannequin", "0x09000001", "SwordCombat", "SlashHigh"]);
    assert!(said.contains("link 0.967 s") && said.contains("Attack: part"), "{said}");
    let lines =
        json_lines(&run(0, ["motion", "mannequin", "09000001", "swordcombat", "slashhigh", "--json"]).stdout);
    let hit = &lines[0]["attacks"][0];
    let (time, share) = (hit["time"].as_f64().unwrap(), hit["share"].as_f64().unwrap());
    assert!((time / lines[0]["link"]["seconds"].as_f64().unwrap() - share).abs() < 1e-9);
}

#[test]
fn whole_styles_and_tables_are_listed() {
    let style = text(["motion", "mannequin", "0x09000001", "NonCombat"]);
    for motion in ["RunForward", "Wave", "SwordCombat"] {
        assert!(style.contains(motion), "{style}");
    }
    let table = json_lines(&run(0, ["motion", "mannequin", "0x09000001", "--json"]).stdout);
    assert!(table.len() > 80, "{}", table.len());
}

#[test]
fn what_is_not_there_is_told() {
    let undefined = complaint(1, ["motion", "mannequin", "0x09000001", "NonCombat", "SlashHigh"]);
    assert!(undefined.contains("there is no SlashHigh in style NonCombat"), "{undefined}");
    assert!(complaint(1, ["motion", "mannequin", "0x09000001", "BowCombat"]).contains("BowCombat"));
    assert!(complaint(1, ["motion", "mannequin", "0x09FFFFFF"]).contains("no object 0x09FFFFFF"));
    assert!(complaint(2, ["motion", "mannequin", "0x09000001", "Flup"]).contains("neither the name"));
    assert!(complaint(2, ["motion", "mannequin", "0x09000001", "--speed", "NaN"]).contains("not a speed"));
}
