//! `acmotion conform`: what of a line is left out, and words that no line of the project happens to have.

use crate::common::{changed_case, conform, is_definition, json_lines, run, vectors_of};
use serde_json::{Value, json};

fn families() -> Vec<String> {
    let lines = json_lines(&run(0, ["conform", "--list", "--json"]).stdout);
    lines.iter().filter_map(|line| line["family"].as_str()).map(String::from).collect()
}

/// Requires the counts of the last file that was run.
#[track_caller]
fn assert_counts(output: &str, passed: usize, failed: usize, skipped: usize) {
    let counts = format!(": {passed} passed, {failed} failed, {skipped} skipped\n");
    assert!(output.contains(&counts), "not{counts}{output}");
}

/// Runs the last of some lines, and requires that it passes, or that it is skipped, after the definitions before it.
#[track_caller]
fn assert_passes(family: &str, lines: &[Value]) {
    assert_counts(&conform(family, lines), lines.len(), 0, 0);
}

#[track_caller]
fn assert_skipped(family: &str, lines: &[Value]) {
    assert_counts(&conform(family, lines), lines.len() - 1, 0, 1);
}

#[track_caller]
fn assert_fails(family: &str, lines: &[Value], difference: &str) {
    let output = conform(family, lines);
    assert_counts(&output, lines.len() - 1, 1, 0);
    assert!(output.contains(difference), "{output}");
}

/// Each case has nothing but its mark, so that whatever reads it fails.
#[test]
fn lines_with_a_mark_are_left_out_in_every_family() {
    for family in families() {
        let marks =
            [json!({ "tags": ["open"] }), json!({ "fragile": true }), json!({ "threw": "an exception" })];
        assert_counts(&conform(&family, &marks), 0, 0, marks.len());
        let notes = [
            json!({ "tags": ["re_modify_multi"], "fragile": false, "threw": false, "ace_tags": ["ring_pi"] }),
        ];
        assert_counts(&conform(&family, &notes), 0, 1, 0);
    }
}

/// Of a case with steps, `open_from` and the like leave out the steps from an index on, and a tag those from its step on.
#[test]
fn steps_that_are_left_out_may_hold_anything() {
    for (family, list) in [
        ("body", "steps"),
        ("body", "path"),
        ("clock", "frames"),
        ("interp_state", "steps"),
        ("interpolation", "steps"),
        ("motion_table", "steps"),
        ("motion_table_manager", "steps"),
        ("moveto", "ticks"),
        ("sends", "frames"),
        ("sends", "steps"),
        ("sequence", "steps"),
        ("sequence_directed", "steps"),
        ("target", "steps"),
    ] {
        let has_two = |line: &Value| line[list].as_array().is_some_and(|list| list.len() > 1);
        let is_clean = |line: &Value| {
            let marks = ["open_from", "fragile_from", "delta_rounding_from", "tags"];
            marks.iter().all(|mark| line.get(mark).is_none()) && line[list][0].get("tags").is_none()
        };
        let changed = |change: &dyn Fn(&mut Value)| {
            changed_case(
                family,
                |line| has_two(line) && is_clean(line),
                |line| {
                    line[list][1] = json!({});
                    change(line);
                },
            )
        };
        assert_fails(family, &changed(&|_| {}), &format!(": {list}[1]"));
        assert_passes(family, &changed(&|line| line["open_from"] = json!(1)));
        assert_passes(family, &changed(&|line| line["fragile_from"] = json!(1)));
        assert_passes(
            family,
            &changed(&|line| (line["open_from"], line["tags"]) = (json!(1), json!(["open"]))),
        );
        assert_passes(family, &changed(&|line| line[list][1] = json!({ "tags": ["open"] })));
        assert_skipped(family, &changed(&|line| line["open_from"] = json!(0)));
        assert_fails(family, &changed(&|line| line["open_from"] = json!(-1)), &format!(": {list}[1]"));
        assert_fails(family, &changed(&|line| line[list] = json!([])), "expected at least one element");
    }
}

#[test]
fn ticks_of_a_sweep_that_are_left_out_may_hold_anything() {
    let changed = |change: &dyn Fn(&mut Value)| {
        let has_two = |line: &Value| line["out"].as_array().is_some_and(|out| out.len() > 1);
        changed_case(
            "transition",
            |line| has_two(line) && line.get("fragile_from").is_none(),
            |line| {
                line["out"][1] = json!({});
                change(line);
            },
        )
    };
    assert_fails("transition", &changed(&|_| {}), ": out[1]");
    assert_passes("transition", &changed(&|line| line["fragile_from"] = json!(1)));
    assert_passes("transition", &changed(&|line| line["out"][1] = json!({ "threw": true })));
    assert_skipped("transition", &changed(&|line| line["fragile_from"] = json!(0)));
    assert_fails("transition", &changed(&|line| line["out"] = json!([])), "expected at least one element");
    assert_fails(
        "transition",
        &changed(&|line| line["out"] = json!([{ "p": [0, 0, 0] }])),
        "out: expected 1, got",
    );
    let ends = |mark: &'static str| {
        changed(&move |line: &mut Value| {
            let out = line["out"].as_array_mut().unwrap();
            out.truncate(1);
            out.push(json!({ mark: true }));
        })
    };
    assert_passes("transition", &ends("threw"));
}

/// The vectors of the keyboard are older than rule R8. Whatever they say after a step that was open is not compared.
#[test]
fn nothing_of_a_keyboard_case_is_compared_after_an_open_step() {
    let is_open = |line: &Value| {
        let steps = line["steps"].as_array();
        steps.is_some_and(|steps| steps.iter().any(|step| step.get("tags").is_some()))
    };
    let lines = changed_case("sends", is_open, |line| {
        let steps = line["steps"].as_array_mut().unwrap();
        let open = steps.iter().position(|step| step.get("tags").is_some()).unwrap();
        assert!(open > 0);
        for step in &mut steps[open..] {
            step["lists"] = json!("nonsense");
        }
    });
    assert_passes("sends", &lines);
}

/// A key that only switches something is reported unless the player stands still. Where the vector leaves that open, the engine's
/// player tells it: it stands as long as no key is held.
#[test]
fn whether_the_player_stands_still_is_told_by_the_engine() {
    let depends = |step: &Value| step["sends_move_to_state"] == "if_not_standing_still";
    for moves in [false, true] {
        let holds = |step: &Value| step["lists"].as_array().unwrap().iter().any(|list| *list != json!([]));
        let find = |line: &Value| {
            let steps = line["steps"].as_array().map_or(&[][..], Vec::as_slice);
            let is_meant =
                |step: &Value| depends(step) && holds(step) == moves && step["transient_state"] == false;
            let index = steps.iter().position(is_meant)?;
            steps[..index].iter().all(|step| step.get("tags").is_none()).then_some(index)
        };
        let change = |sends: bool| {
            changed_case(
                "sends",
                |line| find(line).is_some(),
                |line| {
                    let index = find(line).unwrap();
                    line["steps"][index]["sends_move_to_state"] = json!(sends);
                    line["open_from"] = json!(index + 1);
                },
            )
        };
        assert_passes("sends", &change(moves));
        assert_fails("sends", &change(!moves), "sends_move_to_state: expected");
    }
}

/// Words of the vectors' description that the project's own lines do not have.
#[test]
fn every_word_that_a_vector_may_have_is_understood() {
    // The server has control, and a key that it has not seen go down is released.
    let step = json!({
        "cmd": "0x45000005", "start": false, "pre": [], "result": "removed_only", "applied": "0x00000000",
        "sends_move_to_state": false, "transient_state": false, "lists": [[], [], []],
    });
    assert_passes("sends", &[json!({ "kind": "keys", "controlled_by_server": true, "steps": [step] })]);

    let none = |line: &Value| line["fn"] == "speeds" && line["weenie"] == "null";
    assert_passes("commands", &changed_case("commands", none, |line| line["weenie"] = Value::Null));
    let jumps = |line: &Value| line["fn"] == "motion_allows_jump";
    let ids_only = |line: &mut Value| {
        let open: Vec<_> = line["open"].as_array().unwrap().iter().map(|entry| entry[0].clone()).collect();
        line["result"] = json!(open.iter().map(|id| json!([id, 1234])).collect::<Vec<_>>());
        line["open"] = json!(open);
    };
    assert_passes("commands", &changed_case("commands", jumps, ids_only));

    for (name, short) in [
        ("update_position", "position"),
        ("update_motion", "motion"),
        ("vector_update", "vector"),
        ("set_state", "state"),
    ] {
        let lines = changed_case("gate", |line| line["msg"] == name, |line| line["msg"] = json!(short));
        assert_passes("gate", &lines);
    }

    let in_rooms = |line: &Value| line["world"].is_string();
    let lines = changed_case("indoor", in_rooms, |line| {
        let number: u64 = line["world"].as_str().unwrap().strip_prefix("layout_").unwrap().parse().unwrap();
        line["world"] = json!(number);
    });
    assert_passes("indoor", &lines);

    let subtracts = |line: &Value| {
        let steps = line["steps"].as_array().map_or(&[][..], Vec::as_slice);
        steps.iter().any(|step| step["subtract"] == true)
    };
    let lines = changed_case("sequence", subtracts, |line| {
        for step in line["steps"].as_array_mut().unwrap() {
            if step["subtract"] == true {
                step["op"] = json!("subtract");
            }
        }
    });
    assert_passes("sequence", &lines);

    let is_place = |line: &Value| line["kind"] == "place" && line["objects"] == json!([]);
    for weenie in ["creature", "player", "player_pk"] {
        let lines = changed_case("placement", is_place, |line| line["mover"]["weenie"] = json!(weenie));
        assert_passes("placement", &lines);
    }
}

/// An animation that a step calls missing does not exist for it, whatever earlier lines define, and another id must be defined.
#[test]
fn a_missing_animation_is_left_out_of_the_sequence() {
    let is_missing = |step: &Value| step["op"] == "append" && step["missing"] == true;
    let has_missing = |line: &Value| {
        let steps = line["steps"].as_array().map_or(&[][..], Vec::as_slice);
        steps.iter().any(is_missing)
    };
    let changed = |change: &dyn Fn(&mut Value)| {
        changed_case("sequence", has_missing, |line| {
            line["steps"].as_array_mut().unwrap().iter_mut().filter(|step| is_missing(step)).for_each(change);
        })
    };
    assert_passes("sequence", &changed(&|_| {}));
    assert_fails("sequence", &changed(&|step| step["missing"] = json!(false)), "seq.anims");
    let unknown = changed(&|step| (step["missing"], step["anim"]) = (json!(false), json!("0x03FFFFFF")));
    assert_fails("sequence", &unknown, "anim: expected the id of an animation on an earlier line");
}

/// Every case of a family that runs definitions at all is there with them.
#[test]
fn definitions_are_cases_that_pass() {
    let lines = vectors_of("bsp");
    let definitions: Vec<_> = lines.iter().filter(|line| is_definition(line)).cloned().collect();
    assert_counts(&conform("bsp", &definitions), definitions.len(), 0, 0);
}
