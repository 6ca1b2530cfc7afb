//! `acmotion bench` measures what it says, without asking for memory.

mod common;

use common::{json_lines, run, text};

#[test]
fn figures_for_a_machine() {
    let figures = json_lines(&run(0, ["bench", "--entities", "50", "--seconds", "0.01", "--json"]).stdout);
    for what in [
        "sequence",
        "pose",
        "pose alone, batched",
        "pose alone, one at a time",
        "town",
        "decode UpdateMotion",
    ] {
        let figure = figures.iter().find(|figure| figure["what"] == what).expect(what);
        assert!(figure["ns"].as_f64().is_some_and(|ns| ns > 0.0), "{figure}");
        assert!(figure["runs"].as_u64().is_some_and(|runs| runs >= 7), "{figure}");
        assert_eq!(figure["allocations"], 0.0, "{figure}");
    }
}

#[test]
fn figures_for_a_person() {
    let said = text(["bench", "--entities", "50", "--seconds", "0.01"]);
    assert!(said.starts_with("what") && said.contains("sequence") && said.contains("bytes each"), "{said}");
}

#[test]
fn wrong_usage() {
    run(2, ["bench", "--entities", "0"]);
    run(2, ["bench", "--seconds", "NaN"]);
}
