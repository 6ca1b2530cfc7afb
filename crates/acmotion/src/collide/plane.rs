//! Planes, and when they count as ground.

use acmotion_types::Vec3;

/// Ground whose normal has at least this z can be walked on: up to 48.38°. (The original takes the cosine of 3437.7467…
/// as if that were radians.)
pub const FLOOR_Z: f32 = f32::from_bits(0x3F2A_0751);
/// Ground whose normal has at least this z can be landed on: up to 85°.
pub const LANDING_Z: f32 = 0.087_155_7;

/// A plane: all points p with normal·p + d = 0, in the axes of a landblock.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Plane {
    /// The unit normal; it points to the free side.
    #[doc(alias = "N")]
    pub normal: Vec3,
    /// How far the landblock's origin lies on the free side.
    pub d: f32,
}

impl Plane {
    /// A plane from its parts.
    pub const fn new(normal: Vec3, d: f32) -> Self {
        Self { normal, d }
    }

    /// The plane with that normal through a point.
    pub fn through(point: Vec3, normal: Vec3) -> Self {
        Self::new(normal, -normal.dot(point))
    }

    /// How far a point lies on the free side; below zero on the other.
    #[inline]
    pub fn distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point) + self.d
    }

    /// Is it flat enough to walk on?
    #[inline]
    pub fn is_walkable(&self) -> bool {
        self.normal.z >= FLOOR_Z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_the_originals() {
        assert!((FLOOR_Z - 0.664_174_14).abs() < 1e-8);
        assert!((LANDING_Z - libm::cosf(85.0f32.to_radians())).abs() < 1e-6);
    }

    #[test]
    fn distances_have_a_sign() {
        let plane = Plane::through(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.0, 0.0, 1.0));
        assert_eq!((plane.distance(Vec3::new(9.0, 9.0, 5.0)), plane.distance(Vec3::ZERO)), (2.0, -3.0));
    }
}
