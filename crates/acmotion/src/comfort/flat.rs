//! Vectors over the ground, and turns about the vertical axis.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

use acmotion_types::{Quat, Vec3};

/// A vector over the ground: east and north, or right and forward in a body's own axes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Flat {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Flat {
    pub(crate) const ZERO: Self = Self { x: 0.0, y: 0.0 };

    pub(crate) fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    pub(crate) fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// Returns the vector with its length limited.
    pub(crate) fn limited(self, most: f32) -> Self {
        let length = self.length();
        if length > most { self * (most / length) } else { self }
    }

    /// Returns the vector at a height.
    pub(crate) fn at(self, z: f32) -> Vec3 {
        Vec3::new(self.x, self.y, z)
    }
}

impl From<Vec3> for Flat {
    fn from(Vec3 { x, y, .. }: Vec3) -> Self {
        Self { x, y }
    }
}

impl Add for Flat {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Flat {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<f32> for Flat {
    type Output = Self;
    fn mul(self, factor: f32) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

impl AddAssign for Flat {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Flat {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// The maximum tilt of a body that counts as upright: the greatest x and y of its rotation.
const MAX_TILT: f32 = 0.01;
/// The angle, in radians, up to which a series gives sine and cosine to single precision.
const SMALL_ANGLE: f32 = 0.3;

/// A turn about the vertical axis, counter-clockwise, as its cosine and sine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Yaw {
    cos: f32,
    sin: f32,
}

impl Yaw {
    pub(crate) const NONE: Self = Self { cos: 1.0, sin: 0.0 };

    /// Returns the turn of a rotation; `None` if it is not upright.
    pub(crate) fn of(Quat { w, x, y, z }: Quat) -> Option<Self> {
        let is_upright = x.abs() <= MAX_TILT && y.abs() <= MAX_TILT;
        is_upright.then(|| Self { cos: w * w - z * z, sin: 2.0 * w * z }.normalized())
    }

    /// Returns the turn that makes a body face a direction; none if it has no length.
    pub(crate) fn towards(direction: Flat) -> Self {
        Self { cos: direction.y, sin: -direction.x }.normalized()
    }

    fn normalized(self) -> Self {
        let square = self.cos * self.cos + self.sin * self.sin;
        if !(square > 1e-12 && square.is_finite()) {
            return Self::NONE;
        }
        let factor = 1.0 / square.sqrt();
        Self { cos: self.cos * factor, sin: self.sin * factor }
    }

    /// Turns by an angle in radians.
    pub(crate) fn turned(self, angle: f32) -> Self {
        if angle == 0.0 || !angle.is_finite() {
            return self;
        }
        let (sin, cos) = if angle.abs() < SMALL_ANGLE {
            let square = angle * angle;
            let sin = angle * (1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0)));
            (sin, 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0))))
        } else {
            libm::sincosf(angle)
        };
        Self { cos: self.cos * cos - self.sin * sin, sin: self.sin * cos + self.cos * sin }.normalized()
    }

    /// Returns the angle to another turn, in radians within −π..=π.
    pub(crate) fn angle_to(self, other: Self) -> f32 {
        let cos = self.cos * other.cos + self.sin * other.sin;
        let sin = self.cos * other.sin - self.sin * other.cos;
        if sin == 0.0 && cos > 0.0 { 0.0 } else { libm::atan2f(sin, cos) }
    }

    /// Turns a vector.
    pub(crate) fn apply(self, Flat { x, y }: Flat) -> Flat {
        Flat { x: x * self.cos - y * self.sin, y: x * self.sin + y * self.cos }
    }

    /// Turns a vector back.
    pub(crate) fn undo(self, v: Flat) -> Flat {
        Self { sin: -self.sin, ..self }.apply(v)
    }

    /// Returns the turn as a rotation.
    pub(crate) fn rotation(self) -> Quat {
        let [w, z] = [1.0 + self.cos, 1.0 - self.cos].map(|square| (0.5 * square).max(0.0).sqrt());
        Quat::new(w, 0.0, 0.0, if self.sin < 0.0 { -z } else { z })
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Frame;

    use super::*;

    #[test]
    fn a_turn_is_that_of_its_rotation() {
        for heading in (0..360).step_by(7) {
            let mut frame = Frame::IDENTITY;
            frame.set_heading(heading as f32);
            let yaw = Yaw::of(frame.rotation).expect("it is upright");
            let forward = frame.forward();
            let turned = yaw.apply(Flat { x: 0.0, y: 1.0 });
            assert!((turned - Flat::from(forward)).length() < 1e-5, "{heading}");
            assert!((yaw.undo(turned) - Flat { x: 0.0, y: 1.0 }).length() < 1e-5, "{heading}");
            assert!(Yaw::towards(turned).angle_to(yaw).abs() < 1e-4, "{heading}");
            let back = Frame::new(Vec3::ZERO, yaw.rotation());
            assert!((back.forward() - forward).length() < 1e-3, "{heading}");
        }
    }

    #[test]
    fn turns_add_up() {
        for angle in [-3.0_f32, -0.31, -0.29, -0.01, 0.0, 0.2, 0.3, 1.0, 3.1] {
            let turned = Yaw::NONE.turned(angle);
            assert!((Yaw::NONE.angle_to(turned) - angle).abs() < 1e-5, "{angle}");
            assert!((turned.angle_to(turned.turned(0.25)) - 0.25).abs() < 1e-5, "{angle}");
        }
        assert_eq!(Yaw::NONE.turned(f32::NAN), Yaw::NONE);
        assert_eq!(Yaw::of(Quat::new(0.7, 0.7, 0.0, 0.0)), None, "it lies");
    }

    #[test]
    fn vectors_are_added_scaled_and_limited() {
        let (a, b) = (Flat { x: 3.0, y: 4.0 }, Flat { x: 1.0, y: 10.0 });
        assert_eq!((a + b, a - b, a * 2.0), (Flat { x: 4.0, y: 14.0 }, Flat { x: 2.0, y: -6.0 }, a + a));
        assert_eq!((a.dot(b), a.length(), a.at(7.0)), (43.0, 5.0, Vec3::new(3.0, 4.0, 7.0)));
        assert_eq!((a.limited(2.5), a.limited(5.0), a.limited(9.0)), (a * 0.5, a, a));
        let mut sum = a;
        sum += b;
        assert_eq!(sum, a + b);
        sum -= a;
        assert_eq!(sum, b);
    }

    #[test]
    fn a_direction_without_length_is_no_turn() {
        assert_eq!(Yaw::towards(Flat::ZERO), Yaw::NONE);
        assert_eq!(Yaw::towards(Flat { x: f32::INFINITY, y: 0.0 }), Yaw::NONE);
        // However long it is: 3 m to the west are a quarter turn to the left.
        let west = Yaw::NONE.angle_to(Yaw::towards(Flat { x: -3.0, y: 0.0 }));
        assert!((west - std::f32::consts::FRAC_PI_2).abs() < 1e-6, "{west}");
    }

    #[test]
    fn the_opposite_direction_is_half_a_turn_away() {
        let back = Yaw { cos: -1.0, sin: 0.0 };
        assert!((Yaw::NONE.angle_to(back).abs() - std::f32::consts::PI).abs() < 1e-6);
        assert_eq!((back.angle_to(back), Yaw::NONE.angle_to(Yaw::NONE)), (0.0, 0.0));
    }

    #[test]
    fn small_turns_are_exact_to_single_precision() {
        for angle in [-0.299_f32, -0.1, 0.2, 0.299] {
            let Yaw { cos, sin } = Yaw::NONE.turned(angle);
            let (expected_sin, expected_cos) = libm::sincosf(angle);
            assert!((sin - expected_sin).abs() < 2.5e-7, "sine of {angle}: {sin}");
            assert!((cos - expected_cos).abs() < 1.3e-7, "cosine of {angle}: {cos}");
        }
    }

    #[test]
    fn a_turn_by_no_number_changes_nothing() {
        let turned = Yaw::NONE.turned(1.0);
        assert_eq!([f32::NAN, f32::INFINITY, 0.0].map(|angle| turned.turned(angle)), [turned; 3]);
    }
}
