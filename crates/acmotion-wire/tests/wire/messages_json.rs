//! The JSON form of every message, as printed by `decode --json`.

use crate::messages_common::{extra_samples, hex};
use acmotion_wire::json::message_json;
use acmotion_wire::{Direction, Era};
use serde_json::{Value, json};

fn line(direction: Direction, digits: &str) -> Value {
    let digits = digits.split_whitespace().collect::<String>();
    message_json(1.5, direction, &hex(&digits), Era::default(), false).unwrap()
}

fn server(digits: &str) -> Value {
    line(Direction::S2C, digits)["decoded"].clone()
}

fn client(digits: &str) -> Value {
    line(Direction::C2S, digits)["decoded"].clone()
}

#[test]
fn a_line_has_all_fields_in_order() {
    let expected = json!({
        "time": 1.5, "direction": "S2C", "opcode": "0xF74B", "name": "SetState", "guid": "0x50000001",
        "decoded": {"guid": "0x50000001", "state": "0x00400408", "instance_seq": 9, "state_seq": 3},
        "bytes_total": 16, "bytes_consumed": 16, "raw_hex": "4bf70000010000500804400009000300",
    });
    let got = line(Direction::S2C, "4bf70000 01000050 08044000 0900 0300");
    assert_eq!(got.to_string(), expected.to_string());

    let expected = json!({
        "time": 1.5, "direction": "C2S", "opcode": "0xF7B1", "action_sequence": 7, "sub_opcode": "0x0053",
        "name": "ChangeCombatMode", "guid": null, "decoded": {"mode": 2},
        "bytes_total": 16, "bytes_consumed": 16, "raw_hex": "b1f70000070000005300000002000000",
    });
    let got = line(Direction::C2S, "b1f70000 07000000 53000000 02000000");
    assert_eq!(got.to_string(), expected.to_string());
}

#[test]
fn states_contain_only_the_fields_that_were_sent() {
    let full = server(
        "4cf70000 01000050 0900 0201 0300 01 00   00 03 3e00  ff000000
         0000 0000 0f00 0d00  00000040 0000003f 0000c0bf  8700 0580 0000803f  34120080",
    );
    let expected = json!({
        "guid": "0x50000001", "instance_seq": 9, "movement_seq": 258, "server_control_seq": 3, "autonomous": true,
        "movement": {
            "type": 0, "standing_long_jump": true, "style": "0x8000003E",
            "state": {
                "current_style": null, "forward_command": "0x80000000", "sidestep_command": "0x6500000F",
                "turn_command": "0x6500000D", "forward_speed": 2.0, "sidestep_speed": 0.5, "turn_speed": -1.5,
                "actions": [{"command": "0x13000087", "stamp": 5, "autonomous": true, "speed": 1.0}],
            },
            "sticky_object": "0x80001234",
        },
    });
    assert_eq!(full.to_string(), expected.to_string());
    let empty = server("4cf70000 01000050 0900 0201 0300 00 00   00 00 0000 00000000");
    assert_eq!(
        empty["movement"],
        json!({"type": 0, "standing_long_jump": false, "style": null, "state": {"actions": []}})
    );
}

#[test]
fn move_to_and_turn_to_orders_have_their_parameters() {
    let cell_and_point = "1500b4a9 00002041 0000a041 0000bc42";
    let params = "0fee0100 9a99193f 00000000 ffff7f7f 0000803f 00007041 0000b442";
    let origin = json!({"cell": "0xA9B40015", "origin": [10.0, 20.0, 94.0]});
    let expected_params = json!({
        "flags": "0x0001EE0F", "distance_to_object": f64::from(0.6_f32), "min_distance": 0.0,
        "fail_distance": f64::from(f32::MAX), "speed": 1.0, "walk_run_threshold": 15.0, "desired_heading": 90.0,
    });
    let head = "4cf70000 01000050 0900 0201 0300 00 00";
    let object = server(&format!("{head} 06 01 3d00 34120080 {cell_and_point} {params} 0000c03f"));
    assert_eq!(
        object["movement"],
        json!({
            "type": 6, "standing_long_jump": false, "style": "0x8000003D", "target": "0x80001234", "run_rate": 1.5,
            "origin": origin, "params": expected_params, "sticky_flag": true,
        })
    );
    let position = server(&format!("{head} 07 00 3d00 {cell_and_point} {params} 0000c03f"));
    assert_eq!(
        position["movement"],
        json!({
            "type": 7, "standing_long_jump": false, "style": "0x8000003D", "run_rate": 1.5, "origin": origin,
            "params": expected_params,
        })
    );
    let turn = json!({"flags": "0x0001EE0F", "speed": 1.0, "desired_heading": 90.0});
    let object = server(&format!("{head} 08 00 3d00 34120080 00003443 0fee0100 0000803f 0000b442"));
    assert_eq!(
        object["movement"],
        json!({
            "type": 8, "standing_long_jump": false, "style": "0x8000003D", "target": "0x80001234", "heading": 180.0,
            "params": turn,
        })
    );
    let heading = server(&format!("{head} 09 02 3d00 0fee0100 0000803f 0000b442"));
    assert_eq!(
        heading["movement"],
        json!({"type": 9, "standing_long_jump": true, "style": "0x8000003D", "params": turn})
    );
}

#[test]
fn non_finite_floats_are_strings() {
    let got = server(
        "48f70000 34120080 27000000 1500b4a9 0000c07f 0000807f 000080ff 0000003f 00000080 0000c0bf
         0000803f 00000000 00000080  65000000  0100 ffff 0200 0300",
    );
    let expected = json!({
        "guid": "0x80001234", "flags": "0x00000027",
        "position": {
            "cell": "0xA9B40015", "origin": ["NaN", "Infinity", "-Infinity"], "rotation": [0.5, -0.0, 0.0, -1.5],
        },
        "velocity": [1.0, 0.0, -0.0], "placement": 101, "grounded": true,
        "instance_seq": 1, "position_seq": 65535, "teleport_seq": 2, "force_position_seq": 3,
    });
    assert_eq!(got.to_string(), expected.to_string());
}

#[test]
fn short_jumps_name_their_form() {
    let head = "b1f70000 07000000 1bf60000  0000003f  00000000 0000803f 00002041";
    let position = "1500b4a9 00002041 0000a041 0000bc42 0000803f 00000000 00000000 00000000";
    let full = client(&format!("{head} {position} 0900 0500 0300 0100"));
    assert_eq!(full["position"]["cell"], "0xA9B40015");
    assert!(full.get("form").is_none());
    let short = client(&format!("{head} 0900 0500 0300 0100"));
    let expected = json!({
        "extent": 0.5, "velocity": [0.0, 1.0, 10.0], "position": null,
        "instance_seq": 9, "server_control_seq": 5, "teleport_seq": 3, "force_position_seq": 1, "form": "short",
    });
    assert_eq!(short, expected);
    let tailed = client(&format!("{head} 0900 0500 0300 0100 34120080 07000000"));
    assert_eq!(tailed["form"], "short_with_tail");
    assert_eq!(tailed["tail"], json!(["0x80001234", "0x00000007"]));
}

#[test]
fn raw_states_contain_only_the_fields_that_were_sent() {
    let got = client(
        "b1f70000 07000000 1cf60000  05000000 02000000 05000045
         1500b4a9 00002041 0000a041 0000bc42 0000803f 00000000 00000000 00000000 0900 0500 0300 0100 03 000000",
    );
    let expected = json!({
        "raw": {"forward_command": "0x45000005", "current_hold_key": 2, "actions": []},
        "position": {"cell": "0xA9B40015", "origin": [10.0, 20.0, 94.0], "rotation": [1.0, 0.0, 0.0, 0.0]},
        "instance_seq": 9, "server_control_seq": 5, "teleport_seq": 3, "force_position_seq": 1,
        "contact": true, "standing_long_jump": true,
    });
    assert_eq!(got.to_string(), expected.to_string());
}

#[test]
fn a_message_that_cannot_be_decoded_has_an_error_instead() {
    let got = line(Direction::C2S, "b1f70000 07000000 52f70000 0100");
    let what = "0xF752: level at byte 12 needs 4 bytes, but the message has only 2 there";
    assert_eq!(got["error"], json!({"what": what, "offset": 12, "needed": 4, "had": 2}));
    assert!(got.get("decoded").is_none());
    assert_eq!((&got["name"], &got["action_sequence"]), (&json!("AutonomyLevel"), &json!(7)));
    assert_eq!((&got["bytes_total"], &got["bytes_consumed"]), (&json!(14), &json!(12)));

    let got = line(Direction::S2C, "4cf7");
    assert_eq!((&got["opcode"], &got["name"]), (&Value::Null, &json!("Unknown")));
}

#[test]
fn other_messages_are_included_only_on_request() {
    let chat = hex("b0f7000001000050010000008b02000001020304");
    assert_eq!(message_json(0.0, Direction::S2C, &chat, Era::default(), false), None);
    let got = message_json(0.0, Direction::S2C, &chat, Era::default(), true).unwrap();
    assert_eq!((&got["sub_opcode"], &got["decoded"]), (&json!("0x028B"), &Value::Null));
    assert_eq!((&got["name"], &got["guid"]), (&json!("Unknown"), &json!("0x50000001")));
    assert_eq!((&got["bytes_total"], &got["bytes_consumed"]), (&json!(20), &json!(16)));
}

#[test]
fn every_type_of_message_has_a_name_and_a_form() {
    let mut names = Vec::new();
    for (direction, bytes) in extra_samples() {
        let got = message_json(0.0, direction, &bytes, Era::default(), true).unwrap();
        assert!(got["decoded"].is_object(), "{got}");
        assert_eq!(got["bytes_consumed"], got["bytes_total"]);
        names.push(got["name"].as_str().unwrap().to_owned());
    }
    names.dedup();
    let expected = [
        "CreateObject",
        "UpdateObject",
        "PositionAndMovement",
        "SetState",
        "PlayerCreate",
        "DeleteObject",
        "ParentEvent",
        "PickupEvent",
        "ObjDescEvent",
        "Sound",
        "PlayerTeleport",
        "PlayScriptId",
        "PlayScriptType",
        "PrivateUpdateSkill",
        "PublicUpdateSkill",
        "PrivateUpdateSkillLevel",
        "PublicUpdateSkillLevel",
        "PrivateUpdatePropertyInt",
        "PublicUpdatePropertyInt",
        "PrivateUpdateAttribute",
        "PrivateUpdateAttribute2ndLevel",
        "PlayerDescription",
        "MagicUpdateEnchantment",
        "MagicRemoveEnchantment",
        "UseDone",
        "AttackDone",
        "CombatCommenceAttack",
        "InventoryPutObjInContainer",
        "WieldItem",
        "InventoryPutObjIn3D",
        "Jump",
        "AutonomyLevel",
        "DoMovementCommand",
        "StopMovementCommand",
        "TurnTo",
        "JumpNonAutonomous",
        "ChangeCombatMode",
        "TargetedMeleeAttack",
        "TargetedMissileAttack",
        "CastUntargetedSpell",
        "CastTargetedSpell",
        "Use",
        "UseWithTarget",
        "PutItemInContainer",
        "GetAndWieldItem",
        "DropItem",
        "CancelAttack",
    ];
    assert_eq!(names, expected);
}

/// Returns the decoded form of a message that is printed only on request.
fn on_request(direction: Direction, digits: &str) -> Value {
    let bytes = hex(&digits.split_whitespace().collect::<String>());
    assert_eq!(message_json(0.0, direction, &bytes, Era::default(), false), None, "{digits}");
    let cut = &bytes[..bytes.len() - 1];
    if cut.len() > 16 {
        assert_eq!(
            message_json(0.0, direction, cut, Era::default(), false),
            None,
            "{digits} without its last byte"
        );
        let error = message_json(0.0, direction, cut, Era::default(), true).unwrap();
        assert!(error["error"].is_object(), "{error}");
    }
    message_json(0.0, direction, &bytes, Era::default(), true).unwrap()["decoded"].clone()
}

#[test]
fn updates_of_the_character_are_included_only_on_request() {
    let server = |digits: &str| on_request(Direction::S2C, digits);
    assert_eq!(server("cd020000 07 05000000 35770000"), json!({"seq": 7, "property": 5, "value": 30517}));
    assert_eq!(
        server("ce020000 07 34120080 19000000 feffffff"),
        json!({"seq": 7, "guid": "0x80001234", "property": 25, "value": -2})
    );
    assert_eq!(
        server("e3020000 03 03000000 0a000000 64000000 a20e0000"),
        json!({"seq": 3, "attribute": 3, "ranks": 10, "start": 100, "xp_spent": 3746})
    );
    assert_eq!(server("e9020000 11 04000000 13000000"), json!({"seq": 17, "vital": 4, "current": 19}));
}

#[test]
fn events_are_included_only_on_request() {
    let event = |digits: &str| on_request(Direction::S2C, &format!("b0f70000 01000050 09000000 {digits}"));
    let body = "c2020000 0200 0100 1300 0100 64000000 0000000000408fc0 0000000000209c40 34120080
        0000003f 008026c4 0000000000000840 10900002 18000000 0000a041";
    let mut expected = json!({
        "spell": 2, "layer": 1, "category": 19, "power": 100, "start": -1000.0, "duration": 1800.0,
        "caster": "0x80001234", "degrade_modifier": 0.5, "degrade_limit": -666.0, "last_degraded": 3.0,
        "stat_mod": "0x02009010", "stat_key": 24, "stat_value": 20.0, "spell_set": 7,
    });
    assert_eq!(event(&format!("{body} 07000000")).to_string(), expected.to_string());
    expected.as_object_mut().unwrap().remove("spell_set");
    assert_eq!(event(&body.replace("1300 0100", "1300 0000")), expected);
    assert_eq!(event("c3020000 0200 0100"), json!({"spell": 2, "layer": 1}));
    assert_eq!(event("c7010000 00000000"), json!({"error": 0}));
    assert_eq!(event("a7010000 36000000"), json!({"error": 0x36}));
    assert_eq!(event("b8010000"), json!({}));
    assert_eq!(
        event("22000000 78560080 34120080 02000000 01000000"),
        json!({"item": "0x80005678", "container": "0x80001234", "slot": 2, "kind": 1})
    );
    let wielded = json!({"item": "0x80005678", "location": "0x00100000"});
    assert_eq!(event("23000000 78560080 00001000"), wielded);
    assert_eq!(event("9a010000 78560080"), json!({"item": "0x80005678"}));
}

#[test]
fn combat_and_item_actions_are_included_only_on_request() {
    let action = |digits: &str| on_request(Direction::C2S, &format!("b1f70000 07000000 {digits}"));
    let expected = json!({"target": "0x80001234", "height": 2, "power": 0.75});
    assert_eq!(action("08000000 34120080 02000000 0000403f"), expected);
    let expected = json!({"target": "0x80001234", "height": 1, "accuracy": 0.25});
    assert_eq!(action("0a000000 34120080 01000000 0000803e"), expected);
    assert_eq!(action("48000000 23000000"), json!({"spell": 35}));
    assert_eq!(action("4a000000 34120080 23000000"), json!({"target": "0x80001234", "spell": 35}));
    assert_eq!(action("36000000 34120080"), json!({"object": "0x80001234"}));
    assert_eq!(action("35000000 78560080 34120080"), json!({"tool": "0x80005678", "target": "0x80001234"}));
    let expected = json!({"item": "0x80005678", "container": "0x80001234", "slot": 2});
    assert_eq!(action("19000000 78560080 34120080 02000000"), expected);
    let expected = json!({"item": "0x80005678", "location": "0x00100000"});
    assert_eq!(action("1a000000 78560080 00001000"), expected);
    assert_eq!(action("1b000000 78560080"), json!({"item": "0x80005678"}));
    assert_eq!(action("b7010000"), json!({}));
}

#[test]
fn objects_and_the_player_description_have_their_fields() {
    let by_name = |name: &str| {
        let lines = extra_samples()
            .into_iter()
            .filter_map(|(direction, bytes)| message_json(0.0, direction, &bytes, Era::default(), false));
        lines.filter(|line| line["name"] == name).map(|line| line["decoded"].clone()).collect::<Vec<_>>()
    };
    let [creature, attached] = &by_name("CreateObject")[..] else { panic!("expected two objects") };
    let stamps = json!({
        "position": 0, "movement": 0, "state": 0, "vector": 0, "teleport": 0, "server_control": 0,
        "force_position": 0, "visual_desc": 0, "instance": 0,
    });
    let expected = json!({
        "guid": "0x80001234", "name": "Drudge Prowler", "wcid": 35,
        "physics_flags": "0x00018083", "physics_state": "0x00000400",
        "movement": {
            "type": 0, "standing_long_jump": false, "style": "0x8000003D",
            "state": {"forward_command": "0x41000003", "actions": []},
        },
        "movement_autonomous": false,
        "position": {"cell": "0xA9B40015", "origin": [10.0, 20.0, 94.0], "rotation": [1.0, 0.0, 0.0, 0.0]},
        "motion_table": "0x09000001", "setup": "0x02000001", "scale": 1.5, "timestamps": stamps,
    });
    assert_eq!(creature.to_string(), expected.to_string());
    let expected = json!({
        "guid": "0x80001234", "name": "Drudge Prowler", "wcid": 35,
        "physics_flags": "0x00067B7C", "physics_state": "0x00000000", "placement": 101,
        "sound_table": "0x20000005", "physics_script_table": "0x34000017",
        "parent": {"guid": "0x50000001", "location": 2},
        "children": [{"guid": "0x80001111", "location": 1}, {"guid": "0x80002222", "location": 3}],
        "friction": 0.75, "elasticity": f64::from(0.05_f32), "translucency": 0.5,
        "velocity": [1.0, 0.0, 0.0], "acceleration": [0.0, 0.0, 0.0], "omega": [0.0, 0.0, 1.0],
        "default_script": "0x33000010", "default_script_intensity": 2.0, "timestamps": stamps,
    });
    assert_eq!(attached.to_string(), expected.to_string());
    let expected = json!({
        "attributes": {
            "strength": {"ranks": 10, "start": 30}, "stamina": {"ranks": 4, "start": 5, "current": 30},
        },
        "run": {"ranks": 120, "init_level": 10, "advancement_class": 3},
        "jump": {"ranks": 75, "init_level": 5, "advancement_class": 2},
        "burden": 30517,
    });
    assert_eq!(by_name("PlayerDescription")[0].to_string(), expected.to_string());
}

#[test]
fn the_enchantments_of_the_player_are_included_only_on_request() {
    let is_description = |line: &Value| line["name"] == "PlayerDescription";
    let description = |all: bool| {
        let lines = extra_samples()
            .into_iter()
            .filter_map(|(direction, bytes)| message_json(0.0, direction, &bytes, Era::default(), all));
        lines.filter(is_description).map(|line| line["decoded"].clone()).next().unwrap()
    };
    assert_eq!(description(false).get("enchantments"), None);
    let all = description(true);
    let registry = &all["enchantments"];
    assert_eq!((&registry["multiplicative"], &registry["cooldowns"]), (&json!([]), &json!([])));
    assert_eq!((&registry["additive"][0]["spell"], &registry["vitae"]["spell"]), (&json!(2), &json!(2)));
}
