//! The serialised forms (feature `serde`).
#![cfg(feature = "serde")]

use std::fmt::Debug;

use acmotion_types::{
    ActionStamp, CellId, CellPosition, Cylinder, Era, Frame, Guid, Mat3, MotionCommand, Quat, Stamp, Vec3,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

#[track_caller]
fn assert_form<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, form: serde_json::Value) {
    assert_eq!(serde_json::to_value(&value).unwrap(), form);
    assert_eq!(serde_json::from_value::<T>(form).unwrap(), value);
}

#[test]
fn ids_and_stamps_are_numbers() {
    assert_form(Guid(0x5000_0001), json!(0x5000_0001));
    assert_form(CellId(0xA9B4_0015), json!(0xA9B4_0015_u32));
    assert_form(MotionCommand::WALK_FORWARD, json!(0x4500_0005));
    assert_form(Stamp(0xFFFF), json!(0xFFFF));
    assert_form(ActionStamp::new(0x7FFF), json!(0x7FFF));
}

#[test]
fn vectors_and_rotations_are_arrays_with_w_first() {
    assert_form(Vec3::new(1.0, 2.0, 3.0), json!([1.0, 2.0, 3.0]));
    assert_form(Quat::new(0.5, 1.0, 2.0, 3.0), json!([0.5, 1.0, 2.0, 3.0]));
    let columns = json!([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_form(Mat3::from_quat(Quat::IDENTITY), columns);
}

#[test]
fn frames_positions_and_sizes_are_maps() {
    let frame = Frame::new(Vec3::new(1.0, 2.0, 3.0), Quat::new(0.5, 0.0, 0.0, -1.5));
    let form = json!({"origin": [1.0, 2.0, 3.0], "rotation": [0.5, 0.0, 0.0, -1.5]});
    assert_form(frame, form.clone());
    assert_form(CellPosition::new(CellId(0x1_0001), frame), json!({"cell": 0x1_0001, "frame": form}));
    assert_form(Cylinder { radius: 0.5, height: 2.0 }, json!({"radius": 0.5, "height": 2.0}));
}

#[test]
fn eras_have_the_names_of_the_command_line() {
    assert_form(Era::EndOfRetail, json!("retail"));
    assert_form(Era::September2013, json!("2013"));
}

#[test]
fn any_float_survives_a_round_trip_to_the_bit() {
    for bits in [0x3DCC_CCCD, 0x0000_0001, 0x7F7F_FFFF, 0x8000_0000, 0x3F80_0001] {
        let value = Vec3::new(f32::from_bits(bits), 0.0, -0.1);
        let text = serde_json::to_string(&value).unwrap();
        let again: Vec3 = serde_json::from_str(&text).unwrap();
        assert_eq!(again.x.to_bits(), bits);
    }
}

#[test]
fn an_action_stamp_of_16_bits_is_rejected() {
    let error = serde_json::from_value::<ActionStamp>(json!(0x8000)).unwrap_err();
    let expected = "invalid value: integer `32768`, expected an action stamp of 15 bits, 0 to 32767";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn an_array_of_the_wrong_length_is_rejected() {
    assert!(serde_json::from_value::<Quat>(json!([1.0, 0.0, 0.0])).is_err());
    assert!(serde_json::from_value::<Vec3>(json!([1.0, 0.0, 0.0, 0.0])).is_err());
}
