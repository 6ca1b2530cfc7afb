//! Planes, and the slopes that can be walked or landed on (`docs/collision.md` 0.1).

use acmotion_types::Vec3;

/// The minimum z of the normal of walkable ground: slopes up to 48.38°. (The original takes the cosine of 3437.7467… as if
/// that were radians.)
pub const FLOOR_Z: f32 = f32::from_bits(0x3F2A_0751);
/// The minimum z of the normal of ground that can be landed on: slopes up to 85°.
pub const LANDING_Z: f32 = 0.087_155_7;

/// A plane: all points p with normal·p + d = 0, usually in the axes of a landblock.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plane {
    /// The unit normal. It points to the front, the free side.
    #[doc(alias = "N")]
    pub normal: Vec3,
    /// The signed distance of the origin of the axes from the plane, in metres; positive in front.
    pub d: f32,
}

impl Plane {
    /// Creates a plane from its normal and distance.
    pub const fn new(normal: Vec3, d: f32) -> Self {
        Self { normal, d }
    }

    /// Creates the plane with a unit normal through a point.
    pub fn through(point: Vec3, normal: Vec3) -> Self {
        Self::new(normal, -normal.dot(point))
    }

    /// Returns the signed distance of a point from the plane, in metres; negative behind it.
    #[inline]
    pub fn distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point) + self.d
    }

    /// Returns `true` if the plane is flat enough to walk on.
    #[inline]
    pub fn is_walkable(&self) -> bool {
        self.normal.z >= FLOOR_Z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_limits_match_the_original() {
        assert!((FLOOR_Z - 0.664_174_14).abs() < 1e-8);
        assert!((LANDING_Z - libm::cosf(85.0f32.to_radians())).abs() < 1e-6);
    }

    #[test]
    fn distances_are_signed() {
        let plane = Plane::through(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.0, 0.0, 1.0));
        assert_eq!((plane.distance(Vec3::new(9.0, 9.0, 5.0)), plane.distance(Vec3::ZERO)), (2.0, -3.0));
    }
}
