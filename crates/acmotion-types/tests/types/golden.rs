//! Compares the mathematics with the conformance vectors in `tests/golden/` (rules A4–A15, D2, O6).

use std::f32::consts::FRAC_1_SQRT_2;
use std::io::Read;

use acmotion_types::{ActionStamp, CellId, CellPosition, Cylinder, Frame, Quat, Stamp, Vec3};
use serde_json::Value;

fn cases(family: &str, function: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/golden/{family}.dev.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let parse = |line| serde_json::from_str::<Value>(line).unwrap();
    text.lines().map(parse).filter(|case| case["fn"] == function && case.get("tags").is_none()).collect()
}

fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn vector(value: &Value) -> Vec3 {
    Vec3::new(float(&value[0]), float(&value[1]), float(&value[2]))
}

fn quat(value: &Value) -> Quat {
    Quat::new(float(&value[0]), float(&value[1]), float(&value[2]), float(&value[3]))
}

fn cell(value: &Value) -> CellId {
    CellId(u32::from_str_radix(&value.as_str().unwrap()[2..], 16).unwrap())
}

#[track_caller]
fn near(got: f32, expected: f32, case: &Value) {
    let tolerance = 1e-4 * expected.abs().max(1.0);
    assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected} in {case}");
}

#[track_caller]
fn near_vector(got: Vec3, expected: &Value, case: &Value) {
    let expected = vector(expected);
    near(got.x, expected.x, case);
    near(got.y, expected.y, case);
    near(got.z, expected.z, case);
}

#[track_caller]
fn near_quat(got: Quat, expected: &Value, case: &Value) {
    let expected = quat(expected);
    let sign = if got.dot(expected) < 0.0 { -1.0 } else { 1.0 };
    let (got, expected): ([f32; 4], [f32; 4]) = (got.into(), expected.into());
    for (got, expected) in got.into_iter().zip(expected) {
        assert!((got * sign - expected).abs() <= 1e-4, "got {got}, expected {expected} in {case}");
    }
}

#[track_caller]
fn near_heading(got: f32, expected: &Value, case: &Value) {
    let expected = float(expected);
    let apart = (got - expected + 540.0).rem_euclid(360.0) - 180.0;
    assert!((0.0..360.0).contains(&got));
    assert!(apart.abs() <= 0.02, "got {got}, expected {expected} in {case}");
}

#[test]
fn stamp_comparisons_match_the_vectors() {
    let short = cases("stamps", "newer16");
    let action = cases("stamps", "newer15");
    assert!(short.len() > 400 && action.len() > 300);
    let number = |value: &Value| value.as_u64().unwrap() as u16;
    for case in short {
        let newer = Stamp(number(&case["new"])).is_newer_than(Stamp(number(&case["old"])));
        assert_eq!(newer, case["newer"].as_bool().unwrap(), "{case}");
    }
    for case in action {
        let server = ActionStamp::new(number(&case["server"]));
        let newer = ActionStamp::new(number(&case["action"])).is_newer_than(server);
        assert_eq!(newer, case["newer"].as_bool().unwrap(), "{case}");
    }
    assert_eq!(ActionStamp::new(0x7FFF).next().get(), 0);
    assert_eq!(Stamp(0xFFFF).next(), Stamp(0));
}

#[test]
fn headings_match_the_vectors() {
    let set = cases("heading", "set_heading");
    assert_eq!(set.len(), 200);
    for case in &set {
        let mut frame = Frame::new(Vec3::ZERO, quat(&case["q_in"]));
        frame.set_heading(float(&case["heading"]));
        near_quat(frame.rotation, &case["q"], case);
        near_heading(frame.heading(), &case["get_heading"], case);
        near_vector(frame.forward(), &case["forward"], case);
    }
    for case in &cases("heading", "set_vector_heading") {
        let mut frame = Frame::new(Vec3::ZERO, quat(&case["q_in"]));
        frame.set_vector_heading(vector(&case["dir"]));
        near_quat(frame.rotation, &case["q"], case);
    }
    for case in &cases("heading", "get_heading") {
        near_heading(Frame::new(Vec3::ZERO, quat(&case["q"])).heading(), &case["heading"], case);
    }
}

#[test]
fn set_heading_produces_the_signs_of_rule_a5() {
    let mut frame = Frame::IDENTITY;
    frame.set_heading(270.0);
    assert!(frame.rotation.is_close_to(Quat::new(-FRAC_1_SQRT_2, 0.0, 0.0, -FRAC_1_SQRT_2)));
}

#[test]
fn offsets_and_distances_across_landblocks_match_the_vectors() {
    for case in &cases("heading", "heading_to") {
        let one = CellPosition::at(cell(&case["cell1"]), vector(&case["p1"]));
        let two = CellPosition::at(cell(&case["cell2"]), vector(&case["p2"]));
        near_vector(one.offset_to(&two), &case["offset"], case);
        near(one.distance_to(&two), float(&case["distance"]), case);
        near_heading(one.heading_to(&two), &case["heading"], case);
    }
    let full = cases("moveto_helpers", "position");
    assert!(full.len() > 300);
    for case in &full {
        let one = CellPosition::at(cell(&case["cell1"]), vector(&case["p1"]));
        let two = CellPosition::at(cell(&case["cell2"]), vector(&case["p2"]));
        near_vector(one.offset_to(&two), &case["offset"], case);
        near_heading(one.heading_to(&two), &case["heading_to"], case);
        let size = |n| Cylinder {
            radius: float(&case[format!("radius{n}")]),
            height: float(&case[format!("height{n}")]),
        };
        let (own, others) = (size(1), size(2));
        near(one.cylinder_distance(own, &two, others), float(&case["cylinder_distance"]), case);
        near(one.cylinder_distance_no_z(own, &two, others), float(&case["cylinder_distance_no_z"]), case);
    }
}

#[test]
fn outdoor_adjustments_match_the_vectors() {
    let all = cases("heading", "adjust_to_outside");
    assert_eq!(all.len(), 160);
    for case in &all {
        let origin = Vec3::new(float(&case["x"]), float(&case["y"]), 0.0);
        let adjusted = CellPosition::at(cell(&case["cell"]), origin).adjusted_to_outside();
        assert_eq!(adjusted.is_some(), case["ok"].as_bool().unwrap(), "{case}");
        if let Some(adjusted) = adjusted {
            assert_eq!(adjusted.cell, cell(&case["cell_out"]), "{case}");
            near(adjusted.frame.origin.x, float(&case["x_out"]), case);
            near(adjusted.frame.origin.y, float(&case["y_out"]), case);
        }
    }
}

#[test]
fn frame_transformations_match_the_vectors() {
    let all = cases("moveto_helpers", "frame");
    assert_eq!(all.len(), 300);
    for case in &all {
        let a = Frame::new(vector(&case["a_o"]), quat(&case["a_q"]));
        let b = Frame::new(vector(&case["b_o"]), quat(&case["b_q"]));
        let v = vector(&case["v"]);
        let check = |frame: Frame, name: &str| {
            near_vector(frame.origin, &case[format!("{name}_o")], case);
            near_quat(frame.rotation, &case[format!("{name}_q")], case);
        };
        check(a.combine(&b), "combine");
        check(a.subtract1(&b), "subtract1");
        check(a.subtract2(&b), "subtract2");
        near_vector(a.local_to_global(v), &case["local_to_global"], case);
        near_vector(a.global_to_local(v), &case["global_to_local"], case);
        near_heading(a.heading(), &case["heading"], case);

        let mut turned = a;
        turned.rotate_local(Vec3::new(0.0, 0.0, float(&case["rotate_z_local"])));
        near_quat(turned.rotation, &case["rotate_q"], case);
        let by = vector(&case["rotvec"]);
        turned = a;
        turned.rotate_local(by);
        near_quat(turned.rotation, &case["rotate_local_q"], case);
        turned = a;
        turned.rotate_global(by);
        near_quat(turned.rotation, &case["grotate_q"], case);
        let between = Frame::interpolate(&a, &b, float(&case["t"]));
        near_vector(between.origin, &case["interp_o"], case);
        near_quat(between.rotation, &case["interp_q"], case);
    }
}
