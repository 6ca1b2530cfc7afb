//! Moving a body by an offset: the frame mathematics that every body needs in every tick.
//!
//! It is the same as [`Frame::combine`] but works in place: a frame handed back whole is written number by number and
//! read in wider pieces, for which the processor has to wait longer than for all the rest.

use acmotion_types::{Frame, Mat3, Quat, Vec3};

/// Moves a body by an offset in its own axes: [`Frame::combine`] (rule A6), only faster. For frames that are sound the
/// result is the same bit for bit.
#[inline]
pub fn move_by(place: &mut Frame, offset: &Frame) {
    if are_upright(place.rotation, offset.rotation) {
        move_upright(place, offset);
    } else {
        place.origin += Mat3::from_quat(place.rotation).apply(offset.origin);
        turn_by(&mut place.rotation, offset.rotation);
    }
}

/// Turns a rotation by another in its own axes and normalises it; if that cannot be, it stays as it was (rules A3, A6).
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

/// [`move_by`] for a body that stands upright and turns about the vertical, as nearly all do: the same sums without the
/// terms that are zero.
#[inline]
fn move_upright(place: &mut Frame, offset: &Frame) {
    let (Quat { w, z, .. }, Vec3 { x: right, y: forward, z: up }) = (place.rotation, offset.origin);
    let z2 = z + z;
    let (cos, sin) = (1.0 - z * z2, w * z2);
    place.origin.x += cos * right - sin * forward;
    place.origin.y += sin * right + cos * forward;
    place.origin.z += up;
    let turn = offset.rotation;
    let (turned_w, turned_z) = (w * turn.w - z * turn.z, w * turn.z + z * turn.w);
    if let Some(factor) = scale_to_one(turned_w * turned_w + turned_z * turned_z) {
        place.rotation.w = turned_w * factor;
        place.rotation.z = turned_z * factor;
    }
}

/// Do both turn about the vertical only?
#[inline]
fn are_upright(a: Quat, b: Quat) -> bool {
    let bits = a.x.to_bits() | a.y.to_bits() | b.x.to_bits() | b.y.to_bits();
    bits << 1 == 0
}

/// By what a quaternion of that square of the length has to be multiplied to have length one; none if it is too small,
/// too big or not a number.
#[inline]
fn scale_to_one(square: f32) -> Option<f32> {
    (square > f32::MIN_POSITIVE && square < f32::MAX).then(|| 1.0 / square.sqrt())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moved_by(mut place: Frame, offset: &Frame) -> Frame {
        move_by(&mut place, offset);
        place
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        [-100.0f32..100.0, -100.0f32..100.0, -100.0f32..100.0].prop_map(Vec3::from)
    }

    /// Half of them upright.
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
        fn is_combine_bit_for_bit(place in frame(), offset in frame()) {
            prop_assert_eq!(moved_by(place, &offset), place.combine(&offset));
        }
    }

    #[test]
    fn a_turn_that_is_none_is_ignored() {
        let place = Frame::from_origin(Vec3::new(1.0, 2.0, 3.0));
        for broken in [Quat::new(0.0, 0.0, 0.0, 0.0), Quat::new(f32::NAN, 0.0, 0.0, 1.0)] {
            let offset = Frame::new(Vec3::ZERO, broken);
            assert_eq!(moved_by(place, &offset), place.combine(&offset));
            assert_eq!(moved_by(place, &offset), place);
        }
    }
}
