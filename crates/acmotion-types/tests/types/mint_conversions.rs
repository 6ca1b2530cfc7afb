//! Conversions from and to mint (feature `mint`).
#![cfg(feature = "mint")]

use acmotion_types::{Mat3, Quat, Vec3};
use mint::{ColumnMatrix3, IntoMint, Point3, Quaternion, RowMatrix3, Vector3};

const V: Vec3 = Vec3::new(1.0, -2.0, 3.5);

/// 0.7 radians about an axis that is not a coordinate axis, so that a swapped component shows.
fn rotation() -> Quat {
    let axis = Vec3::new(1.0, 2.0, -3.0).normalized().unwrap();
    Quat::from_axis_angle(axis, 0.7)
}

#[test]
fn vectors_and_points_keep_their_component_order() {
    assert_eq!(Vector3::from(V), Vector3 { x: 1.0, y: -2.0, z: 3.5 });
    assert_eq!(Point3::from(V), Point3 { x: 1.0, y: -2.0, z: 3.5 });
    assert_eq!(Vec3::from(Vector3::from(V)), V);
    assert_eq!(Vec3::from(Point3::from(V)), V);
}

#[test]
fn generic_code_finds_the_mint_type() {
    fn into_mint<T: IntoMint>(value: T) -> T::MintType {
        value.into()
    }
    assert_eq!(into_mint(V), Vector3::from(V));
    assert_eq!(into_mint(rotation()), Quaternion::from(rotation()));
    assert_eq!(into_mint(Mat3::from_quat(rotation())), ColumnMatrix3::from(Mat3::from_quat(rotation())));
}

#[test]
fn the_real_part_of_a_quaternion_is_the_scalar_part() {
    let converted = Quaternion::from(Quat::new(0.5, 1.0, 2.0, 3.0));
    assert_eq!(converted, Quaternion { s: 0.5, v: Vector3 { x: 1.0, y: 2.0, z: 3.0 } });
    assert_eq!(Quat::from(converted), Quat::new(0.5, 1.0, 2.0, 3.0));
    assert_eq!(<[f32; 4]>::from(converted), [1.0, 2.0, 3.0, 0.5]);
}

#[test]
fn matrices_keep_their_columns() {
    let matrix = Mat3::from_quat(rotation());
    let converted = ColumnMatrix3::from(matrix);
    assert_eq!(Vec3::from(converted.y), matrix[1]);
    assert_eq!(Mat3::from(converted), matrix);
}

#[test]
fn the_rows_of_a_converted_matrix_rotate_a_vector_alike() {
    let matrix = Mat3::from_quat(rotation());
    let rows = RowMatrix3::from(ColumnMatrix3::from(matrix));
    let rotated = [rows.x, rows.y, rows.z].map(|row| Vec3::from(row).dot(V));
    assert!(Vec3::from(rotated).is_close_to(matrix.apply(V)));
}
