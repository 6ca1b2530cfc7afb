//! Properties that hold for every frame and every position.

use acmotion_types::{CellId, CellPosition, Frame, Quat, Vec3};
use proptest::prelude::*;

fn vector() -> impl Strategy<Value = Vec3> {
    [-200.0f32..200.0, -200.0f32..200.0, -50.0f32..50.0].prop_map(Vec3::from)
}

fn frame() -> impl Strategy<Value = Frame> {
    let axis = [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0].prop_map(Vec3::from);
    (vector(), axis, -3.0f32..3.0).prop_filter_map("the axis is too short", |(origin, axis, angle)| {
        Some(Frame::new(origin, Quat::from_axis_angle(axis.normalized()?, angle)))
    })
}

fn nearly_equal(a: &Frame, b: &Frame) -> bool {
    let turn = a.rotation.dot(b.rotation).abs();
    (a.origin - b.origin).length() < 2e-3 && (turn - 1.0).abs() < 1e-5
}

proptest! {
    #[test]
    fn subtract1_undoes_combine(a in frame(), b in frame()) {
        prop_assert!(nearly_equal(&a.combine(&b).subtract1(&b), &a));
    }

    #[test]
    fn combine_undoes_subtract2(a in frame(), b in frame()) {
        prop_assert!(nearly_equal(&b.combine(&a.subtract2(&b)), &a));
    }

    #[test]
    fn global_to_local_undoes_local_to_global(a in frame(), p in vector()) {
        prop_assert!((a.global_to_local(a.local_to_global(p)) - p).length() < 2e-3);
    }

    #[test]
    fn adjusting_to_outside_is_idempotent(x in -400.0f32..400.0, y in -400.0f32..400.0, block in 0x0303_u32..0xFBFB) {
        let start = CellPosition::at(CellId(block << 16 | 1), Vec3::new(x, y, 0.0));
        if let Some(once) = start.adjusted_to_outside() {
            prop_assert!(once.cell.is_outdoor());
            prop_assert!((start.offset_to(&once)).length() < 1e-3);
            let twice = once.adjusted_to_outside();
            prop_assert_eq!(twice.map(|p| p.frame), Some(once.frame));
        }
    }

    #[test]
    fn a_frame_stays_valid_whatever_bits_it_is_given(bits in any::<[u32; 11]>()) {
        let float = |i: usize| f32::from_bits(bits[i]);
        let mut frame = Frame::IDENTITY;
        frame.set_rotation(Quat::new(float(0), float(1), float(2), float(3)));
        frame.rotate_local(Vec3::new(float(4), float(5), float(6)));
        frame.rotate_global(Vec3::new(float(4), float(5), float(6)));
        frame.set_heading(float(7));
        frame.set_vector_heading(Vec3::new(float(8), float(9), float(10)));
        prop_assert!(frame.is_valid());
    }
}

#[test]
fn a_rotation_that_cannot_be_normalised_is_ignored() {
    let mut frame = Frame::IDENTITY;
    for bad in [Quat::new(0.0, 0.0, 0.0, 0.0), Quat::new(f32::NAN, 0.0, 0.0, 1.0)] {
        assert!(!frame.set_rotation(bad));
        assert_eq!(frame, Frame::IDENTITY);
    }
    assert!(frame.set_rotation(Quat::new(2.0, 0.0, 0.0, 0.0)));
    assert_eq!(frame, Frame::IDENTITY);
}

#[test]
fn interpolation_has_the_weights_of_rule_a9() {
    let between = Quat::interpolate(Quat::IDENTITY, Quat::new(0.0, 0.0, 0.0, 1.0), 0.25);
    assert!((between.w - 0.9239).abs() < 1e-4 && (between.z - 0.3827).abs() < 1e-4);
    // The shorter arc: the sign of the target is flipped first.
    let flipped = Quat::new(-0.8, 0.0, 0.0, -0.6);
    let halfway = Quat::interpolate(Quat::IDENTITY, flipped, 0.5);
    assert!(halfway.w > 0.0 && halfway.z > 0.0);
    // With t outside [0, 1] a spherical weight leaves its range, and linear weights are used instead.
    let beyond = Quat::interpolate(Quat::IDENTITY, Quat::new(0.0, 0.0, 0.0, 1.0), 1.5);
    assert!((beyond.w + 0.5).abs() < 1e-6 && (beyond.z - 1.5).abs() < 1e-6);
}

#[test]
fn a_position_off_the_map_cannot_be_adjusted_to_outside() {
    for far in [3.0e38, -3.0e38, f32::INFINITY, f32::NAN] {
        let position = CellPosition::at(CellId(0xFEFE_0001), Vec3::new(far, 1.0, 0.0));
        assert_eq!(position.adjusted_to_outside(), None);
    }
}
