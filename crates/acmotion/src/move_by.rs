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
    let tilt = rotation.x.to_bits() | rotation.y.to_bits() | turn.x.to_bits() | turn.y.to_bits();
    if tilt == 0 && turn.w > 0.0 {
        let (w, z) = turned_upright(*rotation, turn);
        if let Some(factor) = scale_to_one(w * w + z * z) {
            (rotation.w, rotation.z) = (w * factor, z * factor);
        }
    } else {
        turn_in_full(rotation, turn);
    }
}

#[inline(never)]
fn turn_in_full(rotation: &mut Quat, turn: Quat) {
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

/// Returns the same as [`Frame::combine`], to the bit: even the signs of zeros are the same. Takes fewer instructions if
/// both frames are upright.
#[inline]
pub(crate) fn combined(body: &Frame, offset: &Frame) -> Frame {
    combined_upright(body, offset).unwrap_or_else(|| combined_in_full(body, offset))
}

/// Squares of lengths whose inverse square root is 1 in single precision.
const UNIT_SQUARES: std::ops::RangeInclusive<f32> = 1.0..=1.0 + f32::EPSILON;

/// Returns `true` if [`Frame::combine`] with the identity leaves the rotation of a frame as it is, to the bit: if it is
/// about the vertical, of length 1 as far as that can be told, and without a −0.
#[inline]
pub(crate) fn is_settled(Quat { w, x, y, z }: Quat) -> bool {
    let is_negative_zero = |number: f32| number.to_bits() == (-0.0f32).to_bits();
    let is_upright = x.to_bits() | y.to_bits() == 0;
    is_upright && UNIT_SQUARES.contains(&(w * w + z * z)) && !is_negative_zero(w) && !is_negative_zero(z)
}

#[inline(never)]
fn combined_in_full(body: &Frame, offset: &Frame) -> Frame {
    body.combine(offset)
}

/// Returns `None` where one of the terms left out here could make a difference. All of them are products with the zeros of
/// the rotations about x and y. Such a product changes a sum only if that is −0, or if the other factor is not finite.
#[inline]
fn combined_upright(body: &Frame, offset: &Frame) -> Option<Frame> {
    let (Quat { x, y, .. }, turn, from) = (body.rotation, offset.rotation, body.origin);
    let tilt = x.to_bits() | y.to_bits() | turn.x.to_bits() | turn.y.to_bits();
    let is_negative_zero = |number: f32| number.to_bits() == (-0.0f32).to_bits();
    let has_negative_zero = is_negative_zero(from.x) | is_negative_zero(from.y) | is_negative_zero(from.z);
    if tilt != 0 || has_negative_zero || turn.w <= 0.0 {
        return None;
    }
    let origin = moved_upright(body, offset.origin);
    let (w, z) = turned_upright(body.rotation, turn);
    let square = w * w + z * z;
    // Far from 1, it may be impossible to normalise the rotation.
    let is_usual = (0.5..2.0).contains(&square) && (origin.x + origin.y + origin.z).is_finite();
    let factor = 1.0 / square.sqrt();
    is_usual.then(|| Frame::new(origin, Quat::new(w * factor, 0.0, 0.0, z * factor)))
}

/// Returns w and z of a product of rotations whose x and y are 0; so are those of the product, if `turn.w` is above 0.
#[inline(always)]
fn turned_upright(Quat { w, z, .. }: Quat, turn: Quat) -> (f32, f32) {
    // Without the zero, two products of −0 would not give 0.
    (w * turn.w - z * turn.z, w * turn.z + 0.0 + z * turn.w)
}

/// Returns where an offset in its own axes leads an upright body that is finite and has no coordinate of −0.
#[inline(always)]
pub(crate) fn moved_upright(body: &Frame, offset: Vec3) -> Vec3 {
    let (Quat { w, z, .. }, Vec3 { x: right, y: forward, z: up }) = (body.rotation, offset);
    let z2 = z + z;
    let (cos, sin) = (1.0 - z * z2, w * z2);
    body.origin + Vec3::new(cos * right - sin * forward, sin * right + cos * forward, up)
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

    fn bits(frame: &Frame) -> [u32; 7] {
        let (Vec3 { x, y, z }, turn) = (frame.origin, frame.rotation);
        [x, y, z, turn.w, turn.x, turn.y, turn.z].map(f32::to_bits)
    }

    /// Mostly the numbers of a body that stands or walks upright, but anything can be among them.
    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            12 => Just(0.0),
            4 => Just(-0.0),
            4 => prop_oneof![Just(1.0), Just(-1.0)],
            8 => -2.0f32..2.0,
            1 => prop_oneof![
                Just(f32::NAN),
                Just(f32::INFINITY),
                Just(f32::NEG_INFINITY),
                Just(f32::MAX),
                Just(f32::MIN_POSITIVE),
                Just(1e-40),
            ],
        ]
    }

    fn any_frame() -> impl Strategy<Value = Frame> {
        let turn = prop_oneof![
            Just([1.0, 0.0, 0.0, 0.0]).boxed(),
            (-7.0f32..7.0).prop_map(|angle| [libm::cosf(angle), 0.0, 0.0, libm::sinf(angle)]).boxed(),
            (number(), number()).prop_map(|(w, z)| [w, 0.0, 0.0, z]).boxed(),
            [number(), number(), number(), number()].boxed(),
        ];
        ([number(), number(), number()], turn)
            .prop_map(|(origin, turn)| Frame::new(origin.into(), turn.into()))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn combined_frames_have_the_bits_of_combine(body in any_frame(), offset in any_frame()) {
            let (short, full) = (combined(&body, &offset), body.combine(&offset));
            let is_same = |(a, b): (u32, u32)| a == b || (f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan());
            prop_assert!(bits(&short).into_iter().zip(bits(&full)).all(is_same), "{short:?} {full:?}");
            let (mut turned, mut turned_in_full) = (body.rotation, body.rotation);
            turn_by(&mut turned, offset.rotation);
            turn_in_full(&mut turned_in_full, offset.rotation);
            let [turned, in_full] = [turned, turned_in_full].map(|turn| bits(&Frame::new(Vec3::ZERO, turn)));
            prop_assert!(turned.into_iter().zip(in_full).all(is_same), "{turned:?} {in_full:?}");
            // As combining again and again does, until nothing changes any more.
            let mut rotation = body.rotation;
            for _ in 0..3 {
                let next = Frame::new(body.origin, rotation).combine(&Frame::IDENTITY).rotation;
                if is_settled(rotation) {
                    let [before, after] = [rotation, next].map(|turn| bits(&Frame::new(Vec3::ZERO, turn)));
                    prop_assert_eq!(before, after, "{:?}", rotation);
                }
                rotation = next;
            }
        }
    }

    #[test]
    fn headings_settle() {
        let turned = |degrees: f32| {
            let mut frame = Frame::IDENTITY;
            frame.set_heading(degrees);
            combined(&frame, &Frame::IDENTITY).rotation
        };
        let settled = (0..3600).filter(|tenth| is_settled(turned(*tenth as f32 * 0.1))).count();
        assert!(settled > 2_700, "{settled} of 3,600");
        let tilted = Quat::from_axis_angle(Vec3::new(1.0, 0.0, 0.0), 0.1);
        assert!(!is_settled(tilted) && !is_settled(Quat::new(1.0, 0.0, 0.0, -0.0)));
    }

    #[test]
    fn upright_frames_take_the_short_way() {
        let body =
            Frame::new(Vec3::new(10.0, 20.0, 0.0), Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), 0.3));
        assert!(combined_upright(&body, &Frame::IDENTITY).is_some());
        assert!(combined_upright(&body, &Frame::from_origin(Vec3::new(0.0, 0.1, 0.0))).is_some());
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
