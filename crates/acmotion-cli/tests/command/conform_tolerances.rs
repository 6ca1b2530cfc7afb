//! `acmotion conform`: how far a number may be off.

use crate::common::{changed_case, conform};
use serde_json::{Value, json};

/// The number of a line at a JSON pointer, moved by an offset.
fn move_by(line: &mut Value, pointer: &str, offset: f64) {
    let number = line.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}"));
    *number = json!(number.as_f64().unwrap() + offset);
}

/// Requires that a case passes with a number that is off by `within` and fails with one that is off by `beyond`, either way.
#[track_caller]
fn assert_tolerance(
    family: &str,
    is_meant: impl Fn(&Value) -> bool,
    pointer: &str,
    [within, beyond]: [f64; 2],
) {
    for (offset, failed) in [(within, 0), (-within, 0), (beyond, 1), (-beyond, 1)] {
        let lines = changed_case(family, &is_meant, |line| {
            line["fragile_from"] = Value::Null;
            move_by(line, pointer, offset);
        });
        let output = conform(family, &lines);
        let counts = format!(": {} passed, {failed} failed, 0 skipped\n", lines.len() - failed);
        assert!(output.contains(&counts), "{family} {pointer} off by {offset}: {output}");
    }
}

fn first(line: &Value, pointer: &str) -> f64 {
    line.pointer(pointer).and_then(Value::as_f64).unwrap_or(f64::NAN).abs()
}

#[test]
fn rates_are_compared_relative_to_their_size_however_small() {
    let of_size = |range: std::ops::Range<f64>| {
        move |line: &Value| line["fn"] == "apply_run_to_command" && range.contains(&first(line, "/out_speed"))
    };
    assert_tolerance("commands", of_size(0.5..0.6), "/out_speed", [4e-6, 7e-6]);
    assert_tolerance("commands", of_size(3.0..5.0), "/out_speed", [2.5e-5, 6e-5]);
}

/// The points of these lines are up to 192 m from the origin of their landblock.
#[test]
fn positions_of_collision_families_are_compared_absolutely() {
    let outside = |line: &Value| line["kind"] == "outside" && first(line, "/p_out/0") > 100.0;
    assert_tolerance("terrain", outside, "/p_out/0", [8e-4, 1.2e-3]);
    let ground = |line: &Value| line["kind"] == "ground" && first(line, "/v/0/1") > 100.0;
    assert_tolerance("terrain", ground, "/v/0/1", [8e-4, 1.2e-3]);
    let tree = |line: &Value| line["fn"] == "tree" && first(line, "/out/walkable_center/0") > 1.0;
    assert_tolerance("bsp", tree, "/out/walkable_center/0", [2.5e-4, 3.5e-4]);
    let part = |line: &Value| line["fn"] == "part" && first(line, "/out/walkable_center/0") > 1.0;
    assert_tolerance("bsp", part, "/out/walkable_center/0", [2.5e-4, 3.5e-4]);
    let geom = |line: &Value| line["kind"] == "walk" && line["out"][0].get("cp").is_some();
    assert_tolerance("transition", geom, "/out/0/p/0", [2.5e-4, 3.5e-4]);
}

#[test]
fn rotations_after_a_tick_are_compared_within_a_ten_thousandth() {
    let turns = |line: &Value| line["kind"] == "move" && first(line, "/out/0/q/0") > 0.2;
    assert_tolerance("transition", turns, "/out/0/q/0", [8e-5, 1.5e-4]);
}

#[test]
fn offsets_are_compared_relative_to_their_length() {
    let long = |line: &Value| line["fn"] == "heading_to" && first(line, "/distance") > 100.0;
    assert_tolerance("heading", long, "/distance", [8e-3, 3e-2]);
    // However short, up to the rounding of coordinates.
    let short = |line: &Value| line["kind"] == "constraint";
    assert_tolerance("interpolation", short, "/offset0", [2.5e-5, 1e-2]);
}

/// The tolerance is the same however long the updates are. Only in `sequence`, updates that no body makes up for widen it.
#[test]
fn frame_numbers_are_compared_within_a_fixed_tolerance() {
    let step_longer_than = |seconds: f64| {
        move |line: &Value| {
            let steps = line["steps"].as_array().map_or(&[][..], Vec::as_slice);
            let seconds_of = |step: &Value| step["dt"].as_f64().unwrap_or(0.0).abs();
            steps.len() > 3
                && steps[3].pointer("/seq/frame").is_some_and(Value::is_number)
                && seconds_of(&steps[3]) > seconds
                && steps[..3].iter().all(|step| seconds_of(step) <= 1.5)
        }
    };
    for family in ["motion_table", "motion_table_manager", "sequence"] {
        assert_tolerance(family, step_longer_than(0.01), "/steps/3/seq/frame", [2.5e-5, 8e-5]);
        assert_tolerance(family, step_longer_than(0.3), "/steps/3/seq/frame", [2.5e-5, 8e-5]);
    }
    assert_tolerance("sequence", step_longer_than(2.0), "/steps/2/seq/frame", [4e-5, 6e-5]);
    assert_tolerance("sequence", step_longer_than(2.0), "/steps/3/seq/frame", [4e-4, 6e-4]);
}
