//! `acmotion conform`: which fields of the collision families are compared, and what happens to files with nonsense in them.

use crate::common::{conform, is_definition, vectors_of as lines_of};
use serde_json::{Value, json};

/// Runs the line of a family at an index, changed, after the definitions before it. Requires a failure at `path`.
fn assert_fails_at(family: &str, lines: &[Value], index: usize, changed: Value, path: &str) {
    let mut kept: Vec<_> = lines[..index].iter().filter(|line| is_definition(line)).cloned().collect();
    kept.push(changed);
    let output = conform(family, &kept);
    let failure = format!(" 1 failed, 0 skipped\n  line {}: {path}: expected ", kept.len());
    assert!(output.contains(&failure), "{family} {path}: {output}");
}

/// Changes the first line of a family for which `is_meant` returns `true`, and requires a failure at `path`.
fn assert_compared(
    family: &str,
    path: &str,
    is_meant: impl Fn(&Value) -> bool,
    change: impl FnOnce(&mut Value),
) {
    let lines = lines_of(family);
    let index = lines.iter().position(|line| is_meant(line) && line.get("fragile").is_none()).unwrap();
    let mut changed = lines[index].clone();
    change(&mut changed);
    assert_fails_at(family, &lines, index, changed, path);
}

/// Changes the first tick of a family for which `is_meant` returns `true` and that is compared, and requires a failure at a
/// field of it.
fn assert_tick_compared(
    family: &str,
    field: &str,
    is_meant: impl Fn(&Value) -> bool,
    change: impl FnOnce(&mut Value),
) {
    let lines = lines_of(family);
    let tick_of = |line: &Value| {
        let compared = line["fragile_from"].as_u64().unwrap_or(u64::MAX);
        let tick = line["out"].as_array()?.iter().position(&is_meant)?;
        (compared > tick as u64).then_some(tick)
    };
    let mut found = lines.iter().enumerate().filter_map(|(index, line)| Some((index, tick_of(line)?)));
    let (index, tick) = found.next().unwrap();
    let mut changed = lines[index].clone();
    change(&mut changed["out"][tick]);
    assert_fails_at(family, &lines, index, changed, &format!("out[{tick}].{field}"));
}

#[test]
fn ticks_that_are_not_swept_are_compared_whole() {
    let has = |tick: &Value, name: &str| tick.get(name).is_some();
    let is_idle = |tick: &Value| tick["op"] == "not_swept" && has(tick, "cp") && has(tick, "s");
    let check = |field: &str, value: Value| {
        let name = field.to_owned();
        assert_tick_compared("transition", field, is_idle, |tick| tick[name] = value);
    };
    check("op", Value::Null);
    check("t", json!(128));
    check("cp", Value::Null);
    check("s", Value::Null);
    check("c", json!("0x7F7F0002"));
    check("cc", json!("0x7F7F0002"));
}

#[test]
fn sub_steps_and_failure_of_a_tick_are_compared() {
    let fails = |tick: &Value| tick["fail"] == true && tick.get("n").is_some();
    assert_tick_compared("transition", "n", fails, |tick| tick["n"] = json!([7, 0]));
    assert_tick_compared("transition", "fail", fails, |tick| tick["fail"] = json!(false));
    let is_swept = |tick: &Value| tick.get("op").is_none() && tick.get("lost").is_none();
    assert_tick_compared("terrain", "n", is_swept, |tick| tick["n"] = json!([9, 9]));
}

#[test]
fn results_of_placements_and_cameras_are_compared() {
    let is_refused = |tick: &Value| tick["err"] == 4;
    assert_tick_compared("placement", "err", is_refused, |tick| tick["err"] = json!(2));
    assert_tick_compared("placement", "fail", is_refused, |tick| tick["fail"] = json!(false));
    assert_tick_compared("placement", "p.x", is_refused, |tick| tick["p"][0] = json!(1.0));
    assert_tick_compared("indoor", "lost", |tick| tick["lost"] == true, |tick| tick["lost"] = json!(false));
    assert_tick_compared("camera", "t", |_| true, |tick| tick["t"] = json!(1));
    assert_tick_compared("camera", "fail", |_| true, |tick| tick["fail"] = json!(true));
}

#[test]
fn definitions_are_compared_with_their_bytes() {
    let is_geom = |line: &Value| line["kind"] == "geom";
    assert_compared("bsp", "closed", is_geom, |line| {
        line["closed"] = json!(!line["closed"].as_bool().unwrap());
    });
    assert_compared("bsp", "tree.sphere", is_geom, |line| line["tree"]["sphere"][3] = json!(1.0));
    assert_compared("bsp", "tree.polys", is_geom, |line| line["tree"]["neg"]["polys"] = json!([0, 0]));
    let is_layout = |line: &Value| line["kind"] == "layout";
    assert_compared("indoor", "poly", is_layout, |line| {
        line["rooms"][0]["portals"][0]["poly"][0][0] = json!(99.0);
    });
    assert_compared("indoor", "other_portal", is_layout, |line| {
        line["rooms"][0]["portals"][0]["other_portal"] = json!(3);
    });
    let is_cell_tree = |line: &Value| line["fn"] == "cell_tree";
    assert_compared("bsp", "planes", is_cell_tree, |line| line["in"]["planes"][0][3] = json!(17.0));
    let is_ground = |line: &Value| line["kind"] == "ground" && line["found"] == true;
    assert_compared("terrain", "z", is_ground, |line| line["z"] = json!(17.0));
}

#[test]
fn cases_with_absurd_counts_are_failures() {
    let lines = lines_of("transition");
    let definitions: Vec<_> = lines.iter().filter(|line| is_definition(line)).cloned().collect();
    let case = lines.iter().find(|line| line["kind"] == "walk").unwrap();
    let fails_with = |change: &dyn Fn(&mut Value), reason: &str| {
        let mut changed = case.clone();
        change(&mut changed);
        let mut file = definitions.clone();
        file.push(changed);
        let output = conform("transition", &file);
        assert!(output.contains(reason), "{reason}: {output}");
    };
    for times in [u64::MAX, 100_001] {
        fails_with(
            &|case| case["steps"][0]["times"] = json!(times),
            "steps: expected at most 100000 ticks, got more",
        );
    }
    fails_with(
        &|case| case["objects"] = json!(vec![json!({}); 1_001]),
        "objects: expected at most 1000 objects, got 1001",
    );
    fails_with(&|case| case["start"]["fsf"] = json!(4), "fsf: expected 0 to 3, got 4");
    fails_with(
        &|case| case["terrain"] = json!(77),
        "terrain: expected a definition on an earlier line, got none",
    );
    fails_with(&|case| case["mover"]["scale"] = json!(-1.0), "scale is not finite or out of range");
    fails_with(
        &|case| case["steps"][0]["d"] = json!(["NaN", 0, 0]),
        "out[0].op: expected None, got Some(\"not_swept\")",
    );

    for count in [256, 70_000] {
        let corners = json!({"fn": "hits_sphere", "in": {"v": vec![[0, 0, 0]; count], "center": [0, 0, 0], "radius": 1}, "out": {}});
        let output = conform("primitives", &[corners]);
        assert!(output.contains(&format!("v: expected at most 255 corners, got {count}")), "{output}");
    }
    let split = json!({"kind": "split", "block": "0x12345", "sw_ne": []});
    assert!(conform("terrain", &[split]).contains("block: expected 16 bits, got 0x12345"));
}

#[test]
fn a_case_that_lacks_a_field_never_panics() {
    for family in ["transition", "placement", "camera", "indoor", "terrain", "bsp", "primitives", "body"] {
        let lines = lines_of(family);
        let mut file: Vec<_> = lines.iter().filter(|line| is_definition(line)).cloned().collect();
        let mut kinds = Vec::new();
        for case in lines.iter().filter(|line| !is_definition(line)) {
            let kind = (case["kind"].clone(), case["fn"].clone());
            if kinds.contains(&kind) {
                continue;
            }
            kinds.push(kind);
            file.extend(without_each_field(case));
        }
        let output = conform(family, &file);
        assert!(output.contains("a field in the vector, got none"), "{output}");
    }
}

/// Returns copies of a value, each without one of the fields of its objects, at any depth.
fn without_each_field(value: &Value) -> Vec<Value> {
    let mut copies = Vec::new();
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let mut copy = fields.clone();
                copy.remove(name);
                copies.push(Value::Object(copy));
                copies.extend(without_each_field(field).into_iter().map(|field| {
                    let mut copy = fields.clone();
                    copy.insert(name.clone(), field);
                    Value::Object(copy)
                }));
            }
        }
        Value::Array(elements) => {
            if let Some(first) = elements.first() {
                copies.extend(without_each_field(first).into_iter().map(|first| {
                    let mut copy = elements.clone();
                    copy[0] = first;
                    Value::Array(copy)
                }));
            }
        }
        _ => {}
    }
    copies
}
