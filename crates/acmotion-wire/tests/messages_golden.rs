//! Every vector of the family `wire`, both ways: the message built from the fields is what the bytes decode to, and
//! encodes to the bytes.

mod messages_common;

use acmotion_wire::*;
use messages_common::{golden_cases, golden_message, hex32};
use serde_json::Value;

fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn vector(value: &Value) -> Vec3 {
    Vec3::new(float(&value[0]), float(&value[1]), float(&value[2]))
}

fn quat(value: &Value) -> Quat {
    Quat::new(float(&value[0]), float(&value[1]), float(&value[2]), float(&value[3]))
}

fn short(value: &Value) -> u16 {
    u16::try_from(value.as_u64().unwrap()).unwrap()
}

fn stamp(value: &Value) -> Stamp {
    Stamp(short(value))
}

fn guid(value: &Value) -> Guid {
    Guid(hex32(value))
}

fn command(value: &Value) -> MotionCommand {
    MotionCommand(hex32(value))
}

/// A command that went over the wire in 16 bits: a bare 0 comes back as the table's first entry (rule E6).
fn short_command(value: &Value) -> MotionCommand {
    match command(value) {
        MotionCommand::NONE => MotionCommand::INVALID,
        other => other,
    }
}

fn position(value: &Value) -> CellPosition {
    CellPosition::new(CellId(hex32(&value["cell"])), Frame::new(vector(&value["o"]), quat(&value["q_wxyz"])))
}

fn echoed(case: &Value) -> EchoedStamps {
    EchoedStamps {
        instance: stamp(&case["instance"]),
        server_control: stamp(&case["server_control"]),
        teleport: stamp(&case["teleport"]),
        force_position: stamp(&case["force_position"]),
    }
}

/// The actions of an interpreted state; their stamps are drawn from the sender's counter as they are written.
fn drawn_actions(case: &Value) -> Vec<ActionItem> {
    let items = case["state"]["commands"].as_array().into_iter().flatten();
    let mut counter = ActionStamp::new(short(&case["seq_before"]["motion"]));
    let mut draw = || {
        counter = counter.next();
        counter
    };
    items
        .map(|item| ActionItem {
            command: short_command(&item[0]),
            stamp: draw(),
            autonomous: item[2].as_bool().unwrap(),
            speed: float(&item[1]),
        })
        .collect()
}

fn interpreted<'a>(case: &Value, actions: &'a [ActionItem]) -> InterpretedState<'a> {
    let state = &case["state"];
    let has = |bit: u64| state["flags"].as_u64().unwrap() & bit != 0;
    InterpretedState {
        current_style: has(0x01).then(|| short_command(&case["style"])),
        forward_command: has(0x02).then(|| short_command(&state["fwd"])),
        sidestep_command: has(0x08).then(|| short_command(&state["side"])),
        turn_command: has(0x20).then(|| short_command(&state["turn"])),
        forward_speed: has(0x04).then(|| float(&state["fwd_speed"])),
        sidestep_speed: has(0x10).then(|| float(&state["side_speed"])),
        turn_speed: has(0x40).then(|| float(&state["turn_speed"])),
        actions: Actions::new(actions),
        unknown_bits: 0,
        pad: Pad::ZERO,
    }
}

fn move_to_params(value: &Value) -> MoveToParams {
    MoveToParams {
        flags: MoveFlags::from_bits_retain(hex32(&value["flags"])),
        distance_to_object: float(&value["distance_to_object"]),
        min_distance: float(&value["min_distance"]),
        fail_distance: float(&value["fail_distance"]),
        speed: float(&value["speed"]),
        walk_run_threshold: float(&value["walk_run_threshold"]),
        desired_heading: float(&value["desired_heading"]),
    }
}

fn turn_to_params(value: &Value) -> TurnToParams {
    TurnToParams {
        flags: MoveFlags::from_bits_retain(hex32(&value["flags"])),
        speed: float(&value["speed"]),
        desired_heading: float(&value["desired_heading"]),
    }
}

fn origin(value: &Value) -> Origin {
    Origin { cell: CellId(hex32(&value["cell"])), point: vector(&value["o"]) }
}

fn movement_body<'a>(case: &Value, actions: &'a [ActionItem]) -> MovementBody<'a> {
    match case["movement_type"].as_u64().unwrap() {
        0 => MovementBody::Interpreted {
            state: interpreted(case, actions),
            sticky: case.get("sticky").map(guid),
        },
        6 => MovementBody::MoveToObject {
            target: guid(&case["target"]),
            origin: origin(&case["origin"]),
            params: move_to_params(&case["params"]),
            run_rate: float(&case["run_rate"]),
        },
        7 => MovementBody::MoveToPosition {
            origin: origin(&case["origin"]),
            params: move_to_params(&case["params"]),
            run_rate: float(&case["run_rate"]),
        },
        8 => MovementBody::TurnToObject {
            target: guid(&case["target"]),
            heading: float(&case["object_desired_heading"]),
            params: turn_to_params(&case["params"]),
        },
        9 => MovementBody::TurnToHeading { params: turn_to_params(&case["params"]) },
        other => panic!("movement type {other}"),
    }
}

fn update_motion<'a>(case: &Value, actions: &'a [ActionItem]) -> UpdateMotion<'a> {
    let before = &case["seq_before"];
    let autonomous = case["autonomous"].as_bool().unwrap();
    let control = stamp(&before["server_control"]);
    UpdateMotion {
        guid: guid(&case["guid"]),
        instance: stamp(&before["instance"]),
        data: MovementData {
            movement_stamp: stamp(&before["movement"]).next(),
            server_control: if autonomous { control } else { control.next() },
            autonomous: autonomous.into(),
            pad: Pad::ZERO,
            movement: Movement {
                flags: MotionFlags::from_bits_retain(case["motion_flags"].as_u64().unwrap() as u8),
                style: command(&case["style"]),
                body: movement_body(case, actions),
            },
        },
    }
}

fn update_position(case: &Value) -> UpdatePosition {
    let frame = Frame::new(vector(&case["o"]), quat(&case["q_wxyz"]));
    UpdatePosition {
        guid: guid(&case["guid"]),
        pack: PositionPack {
            flags: PositionFlags::from_bits_retain(hex32(&case["flags"])),
            position: CellPosition::new(CellId(hex32(&case["cell"])), frame),
            velocity: case["velocity"].is_array().then(|| vector(&case["velocity"])),
            placement: case["placement"].as_u64().map(|placement| placement as u32),
            instance: stamp(&case["instance"]),
            position_stamp: stamp(&case["position"]),
            teleport: stamp(&case["teleport"]),
            force_position: stamp(&case["force_position"]),
        },
    }
}

fn vector_update(case: &Value) -> VectorUpdate {
    VectorUpdate {
        guid: guid(&case["guid"]),
        velocity: vector(&case["velocity"]),
        omega: vector(&case["omega"]),
        instance: stamp(&case["seq_before"]["instance"]),
        vector: stamp(&case["seq_before"]["vector"]).next(),
    }
}

/// The actions of a raw state: index, stamp, autonomous, speed.
fn sent_actions(case: &Value) -> Vec<ActionItem> {
    let items = case["commands_sent"].as_array().into_iter().flatten();
    items
        .map(|item| ActionItem {
            command: Era::EndOfRetail.expand(short(&item[0])).unwrap(),
            stamp: ActionStamp::new(short(&item[1])),
            autonomous: item[2].as_bool().unwrap(),
            speed: float(&item[3]),
        })
        .collect()
}

fn move_to_state<'a>(case: &Value, actions: &'a [ActionItem]) -> MoveToState<'a> {
    let flags = hex32(&case["flags"]);
    let has = |bit: u32| flags & bit != 0;
    let key = |name: &str| HoldKey(case[name].as_u64().unwrap() as u32);
    let raw = RawMotionState {
        current_hold_key: has(0x001).then(|| key("hold")),
        current_style: has(0x002).then(|| command(&case["style"])),
        forward_command: has(0x004).then(|| command(&case["fwd"])),
        forward_hold_key: has(0x008).then(|| key("fwd_hold")),
        forward_speed: has(0x010).then(|| float(&case["fwd_speed"])),
        sidestep_command: has(0x020).then(|| command(&case["side"])),
        sidestep_hold_key: has(0x040).then(|| key("side_hold")),
        sidestep_speed: has(0x080).then(|| float(&case["side_speed"])),
        turn_command: has(0x100).then(|| command(&case["turn"])),
        turn_hold_key: has(0x200).then(|| key("turn_hold")),
        turn_speed: has(0x400).then(|| float(&case["turn_speed"])),
        actions: Actions::new(actions),
        unknown_bits: 0,
    };
    let mut contact = ContactFlags::empty();
    contact.set(ContactFlags::CONTACT, case["contact"].as_bool().unwrap());
    contact.set(ContactFlags::STANDING_LONG_JUMP, case["standing_long_jump"].as_bool().unwrap());
    MoveToState { raw, position: position(&case["position"]), stamps: echoed(case), contact, pad: Pad::ZERO }
}

fn autonomous_position(case: &Value) -> AutonomousPosition {
    AutonomousPosition {
        position: position(&case["position"]),
        stamps: echoed(case),
        contact: case["contact"].as_bool().unwrap().into(),
        pad: Pad::ZERO,
    }
}

fn jump(case: &Value) -> Jump {
    Jump {
        extent: float(&case["extent"]),
        velocity: vector(&case["velocity"]),
        position: Some(position(&case["position"])),
        stamps: echoed(case),
        tail: None,
    }
}

#[track_caller]
fn assert_s2c<'a>(bytes: &'a [u8], expected: impl Into<S2C<'a>>, case: &Value) {
    let expected = expected.into();
    assert_eq!(decode_s2c(bytes, Era::EndOfRetail), Ok(expected), "{case}");
    let mut encoded = Vec::new();
    expected.encode(&mut encoded);
    assert_eq!(encoded, bytes, "{case}");
}

#[track_caller]
fn assert_c2s<'a>(bytes: &'a [u8], action: impl Into<Action<'a>>, case: &Value) {
    let expected = C2S::from(GameAction { sequence: 7, action: action.into() });
    assert_eq!(decode_c2s(bytes, Era::EndOfRetail), Ok(expected), "{case}");
    let mut encoded = Vec::new();
    expected.encode(&mut encoded);
    assert_eq!(encoded, bytes, "{case}");
}

#[test]
fn every_vector_both_ways() {
    let cases = golden_cases();
    for case in &cases {
        let (_, bytes) = golden_message(case);
        match case["msg"].as_str().unwrap() {
            "UpdateMotion" => assert_s2c(&bytes, update_motion(case, &drawn_actions(case)), case),
            "UpdatePosition" => assert_s2c(&bytes, update_position(case), case),
            "VectorUpdate" => assert_s2c(&bytes, vector_update(case), case),
            "MoveToState" => assert_c2s(&bytes, move_to_state(case, &sent_actions(case)), case),
            "AutonomousPosition" => assert_c2s(&bytes, autonomous_position(case), case),
            "Jump" => assert_c2s(&bytes, jump(case), case),
            other => panic!("unknown message {other}"),
        }
    }
    assert_eq!(cases.len(), 1590);
}
