//! Moving a body by an offset: the frame mathematics that every body needs in every tick.
//!
//! It computes the same as [`Frame::combine`], but in place. A frame returned by value is written number by number and then
//! read in wider pieces, and the store-to-load stall costs more than all the arithmetic.

use acmotion_types::{Frame, Mat3, Quat, Vec3};

/// Moves a body by an offset in its own axes, like [`Frame::combine`] (rule A6) but faster. For valid frames the result is
/// the same to the bit.
#[inline]
pub fn move_by(body: &mut Frame, offset: &Frame) {
    if are_upright(body.rotation, offset.rotation) {
        move_upright(body, offset);
    } else {
        body.origin += Mat3::from_quat(body.rotation).apply(offset.origin);
        turn_by(&mut body.rotation, offset.rotation);
    }
}

/// Turns a rotation by another in its own axes and normalises it. If the result cannot be normalised, the rotation stays
/// unchanged (rules A3, A6).
#[inline]
pub(crate) fn turn_by(rotation: &mut Quat, turn: Quat) {
    let Quat { w, x, y, z } = *rotation * turn;
    if let Some(factor) = scale_to_one(w * w + x * x + y * y + z * z) {
        rotation.w = w * factor;
        rotation.x = x * factor;
        rotation.y = y * factor;
        rotation.z = z * factor;
    }
}

/// [`move_by`] for a body that is upright and turns about the vertical, as nearly all do: the same sums without the terms
/// that are zero.
#[inline]
fn move_upright(body: &mut Frame, offset: &Frame) {
    let (Quat { w, z, .. }, Vec3 { x: right, y: forward, z: up }) = (body.rotation, offset.origin);
    let z2 = z + z;
    let (cos, sin) = (1.0 - z * z2, w * z2);
    body.origin.x += cos * right - sin * forward;
    body.origin.y += sin * right + cos * forward;
    body.origin.z += up;
    let turn = offset.rotation;
    let (turned_w, turned_z) = (w * turn.w - z * turn.z, w * turn.z + z * turn.w);
    if let Some(factor) = scale_to_one(turned_w * turned_w + turned_z * turned_z) {
        body.rotation.w = turned_w * factor;
        body.rotation.z = turned_z * factor;
    }
}

/// Returns `true` if both rotations are about the vertical only.
#[inline]
fn are_upright(a: Quat, b: Quat) -> bool {
    let bits = a.x.to_bits() | a.y.to_bits() | b.x.to_bits() | b.y.to_bits();
    bits << 1 == 0
}

/// Returns the factor that normalises a quaternion, given the square of its length, or `None` if that is too small, too
/// large or NaN.
#[inline]
fn scale_to_one(square: f32) -> Option<f32> {
    (square > f32::MIN_POSITIVE && square < f32::MAX).then(|| 1.0 / square.sqrt())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moved_by(mut body: Frame, offset: &Frame) -> Frame {
        move_by(&mut body, offset);
        body
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        [-100.0f32..100.0, -100.0f32..100.0, -100.0f32..100.0].prop_map(Vec3::from)
    }

    /// Generates frames, half of them upright.
    fn frame() -> impl Strategy<Value = Frame> {
        let up = Vec3::new(0.0, 0.0, 1.0);
        (vector(), prop_oneof![Just(up), vector()], -7.0f32..7.0).prop_map(move |(origin, axis, angle)| {
            let mut frame = Frame::from_origin(origin);
            frame.set_rotation(Quat::from_axis_angle(axis.normalized().unwrap_or(up), angle));
            frame
        })
    }

    proptest! {
        #[test]
        fn the_result_equals_combine_to_the_bit(body in frame(), offset in frame()) {
            prop_assert_eq!(moved_by(body, &offset), body.combine(&offset));
        }
    }

    #[test]
    fn a_turn_that_cannot_be_normalised_is_ignored() {
        let body = Frame::from_origin(Vec3::new(1.0, 2.0, 3.0));
        for broken in [Quat::new(0.0, 0.0, 0.0, 0.0), Quat::new(f32::NAN, 0.0, 0.0, 1.0)] {
            let offset = Frame::new(Vec3::ZERO, broken);
            assert_eq!(moved_by(body, &offset), body.combine(&offset));
            assert_eq!(moved_by(body, &offset), body);
        }
    }
}
