//! Conversions from and to glam (feature `glam`).
#![cfg(feature = "glam")]

use acmotion_types::{Mat3, Quat, Vec3};

const V: Vec3 = Vec3::new(1.0, -2.0, 3.5);

/// 0.7 radians about an axis that is not a coordinate axis, so that a swapped component shows.
fn rotation() -> Quat {
    let axis = Vec3::new(1.0, 2.0, -3.0).normalized().unwrap();
    Quat::from_axis_angle(axis, 0.7)
}

#[track_caller]
fn assert_close(got: glam::Vec3, expected: Vec3) {
    assert!(got.abs_diff_eq(expected.into(), 1e-5), "got {got}, expected {expected:?}");
}

#[test]
fn vectors_keep_their_component_order() {
    assert_eq!(glam::Vec3::from(V), glam::Vec3::new(1.0, -2.0, 3.5));
    assert_eq!(glam::Vec3A::from(V), glam::Vec3A::new(1.0, -2.0, 3.5));
    assert_eq!(Vec3::from(glam::Vec3::from(V)), V);
    assert_eq!(Vec3::from(glam::Vec3A::from(V)), V);
}

#[test]
fn the_real_part_of_a_quaternion_moves_from_first_to_last() {
    let converted = glam::Quat::from(Quat::new(0.5, 1.0, 2.0, 3.0));
    assert_eq!(converted.to_array(), [1.0, 2.0, 3.0, 0.5]);
    assert_eq!(Quat::from(converted), Quat::new(0.5, 1.0, 2.0, 3.0));
    assert_eq!(glam::Quat::from(Quat::IDENTITY), glam::Quat::IDENTITY);
}

#[test]
fn matrices_keep_their_columns() {
    let matrix = Mat3::from_quat(rotation());
    let converted = glam::Mat3::from(matrix);
    assert_eq!(Vec3::from(converted.x_axis), matrix[0]);
    assert_eq!(Vec3::from(converted.z_axis), matrix[2]);
    assert_eq!(Mat3::from(converted), matrix);
}

#[test]
fn both_crates_rotate_a_vector_alike() {
    let matrix = Mat3::from_quat(rotation());
    let expected = matrix.apply(V);
    assert_close(glam::Quat::from(rotation()) * glam::Vec3::from(V), expected);
    assert_close(glam::Mat3::from(matrix) * glam::Vec3::from(V), expected);
    assert_close(glam::Mat3::from_quat(rotation().into()).transpose() * glam::Vec3::from(expected), V);
}
