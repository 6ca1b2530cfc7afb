//! Vectors, quaternions and rotation matrices in single precision, as in the original client.
//!
//! Transcendental functions come from `libm`, so that results are bit-identical on every platform.

use std::ops::{Add, AddAssign, Index, Mul, MulAssign, Neg, Sub, SubAssign};

/// The original client's only epsilon. It is used everywhere, including animation.
#[doc(alias = "F_EPSILON")]
pub const EPS: f32 = 0.000_2;

/// A vector in metres, metres a second or radians a second. +X is right, +Y forward, +Z up (rule A2).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "[f32; 3]", into = "[f32; 3]")
)]
pub struct Vec3 {
    /// The component to the right (east).
    pub x: f32,
    /// The component forward (north).
    pub y: f32,
    /// The component upwards.
    pub z: f32,
}

impl Vec3 {
    /// The zero vector.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// The vector with 1 in every component: the neutral scale.
    pub const ONE: Self = Self::new(1.0, 1.0, 1.0);

    /// Creates a vector from its components.
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    /// Returns the dot product.
    #[inline]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Returns the cross product.
    #[inline]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// Returns the square of the length.
    #[inline]
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// Returns the length.
    #[inline(always)]
    pub fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    /// Returns the component-wise product.
    #[inline]
    pub fn scaled_by(self, scale: Self) -> Self {
        Self::new(self.x * scale.x, self.y * scale.y, self.z * scale.z)
    }

    /// Returns the unit vector in the same direction, or `None` if the vector is shorter than [`EPS`] (rule A17).
    #[doc(alias = "normalize_check_small")]
    #[inline(always)]
    pub fn normalized(self) -> Option<Self> {
        let length = self.length();
        if length < EPS { None } else { Some(self * (1.0 / length)) }
    }

    /// Returns the compass heading of the vector in degrees, within [0, 360): 0 is north, 90 is east (rule A4).
    ///
    /// ```
    /// use acmotion_types::Vec3;
    ///
    /// assert_eq!(Vec3::new(1.0, 1.0, 0.0).heading(), 45.0);
    /// assert_eq!(Vec3::new(-1.0, 0.0, 5.0).heading(), 270.0);
    /// ```
    #[doc(alias = "get_heading")]
    pub fn heading(self) -> f32 {
        let degrees = libm::atan2(f64::from(self.y), f64::from(self.x)).to_degrees();
        let heading = libm::fmod(450.0 - degrees, 360.0) as f32;
        if heading >= 360.0 { 0.0 } else { heading }
    }

    /// Returns `true` if every component is finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// Returns `true` if any component is NaN.
    #[inline]
    pub fn is_nan(self) -> bool {
        self.x.is_nan() || self.y.is_nan() || self.z.is_nan()
    }

    /// Returns `true` if every component differs from the other's by at most [`EPS`] (rule A17).
    #[inline(always)]
    pub fn is_close_to(self, other: Self) -> bool {
        let d = self - other;
        d.x.abs() <= EPS && d.y.abs() <= EPS && d.z.abs() <= EPS
    }
}

impl Add for Vec3 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vec3 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Neg for Vec3 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f32> for Vec3 {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f32) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Vec3 {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign<f32> for Vec3 {
    #[inline]
    fn mul_assign(&mut self, factor: f32) {
        *self = *self * factor;
    }
}

impl From<[f32; 3]> for Vec3 {
    #[inline]
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self { x, y, z }
    }
}

impl From<Vec3> for [f32; 3] {
    #[inline]
    fn from(v: Vec3) -> Self {
        [v.x, v.y, v.z]
    }
}

/// A rotation as a quaternion. w comes first in memory, on the wire and on disk (rule A1).
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "[f32; 4]", into = "[f32; 4]")
)]
pub struct Quat {
    /// The real part.
    pub w: f32,
    /// The x component of the imaginary part.
    pub x: f32,
    /// The y component of the imaginary part.
    pub y: f32,
    /// The z component of the imaginary part.
    pub z: f32,
}

impl Default for Quat {
    #[inline]
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Quat {
    /// The identity rotation.
    pub const IDENTITY: Self = Self::new(1.0, 0.0, 0.0, 0.0);

    /// Creates a quaternion from its components, w first.
    pub const fn new(w: f32, x: f32, y: f32, z: f32) -> Self {
        Self { w, x, y, z }
    }

    /// Creates the rotation by `angle` radians about a unit axis.
    #[inline]
    pub fn from_axis_angle(axis: Vec3, angle: f32) -> Self {
        let (sin, cos) = libm::sincosf(angle * 0.5);
        Self::new(cos, axis.x * sin, axis.y * sin, axis.z * sin)
    }

    /// Returns the dot product of all four components.
    #[inline]
    pub fn dot(self, other: Self) -> f32 {
        self.w * other.w + self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Returns the conjugate, which is the inverse rotation of a unit quaternion.
    #[inline]
    pub fn conjugate(self) -> Self {
        Self::new(self.w, -self.x, -self.y, -self.z)
    }

    /// Returns the quaternion scaled to length 1. The result for a zero quaternion is NaN in every component.
    #[inline]
    pub fn normalized(self) -> Self {
        let inverse = 1.0 / self.dot(self).sqrt();
        Self::new(self.w * inverse, self.x * inverse, self.y * inverse, self.z * inverse)
    }

    /// Returns `true` if any component is NaN.
    #[inline]
    pub fn is_nan(self) -> bool {
        self.w.is_nan() || self.x.is_nan() || self.y.is_nan() || self.z.is_nan()
    }

    /// Returns `true` if every component differs from the other's by less than [`EPS`]. q and −q differ (rule A17).
    #[inline]
    pub fn is_close_to(self, other: Self) -> bool {
        let close = |a: f32, b: f32| (a - b).abs() < EPS;
        close(self.w, other.w) && close(self.x, other.x) && close(self.y, other.y) && close(self.z, other.z)
    }

    /// Interpolates from `from` (t = 0) to `to` (t = 1) along the shorter arc, as the original client does (rule A9).
    /// The weights are linear if the two are closer than [`EPS`] or a spherical weight falls outside [0, 1]. The result
    /// is not normalised; [`Frame::set_rotation`](crate::Frame::set_rotation) does that.
    #[doc(alias = "slerp")]
    #[doc(alias = "interpolate_rotation")]
    pub fn interpolate(from: Self, to: Self, t: f32) -> Self {
        let mut cos = from.dot(to);
        let mut sign = 1.0;
        if cos < 0.0 {
            cos = -cos;
            sign = -1.0;
        }
        let linear = (1.0 - t, t);
        let (a, b) = if 1.0 - cos <= EPS {
            linear
        } else {
            let angle = libm::acosf(cos);
            let scale = 1.0 / libm::sinf(angle);
            let weights = (libm::sinf((1.0 - t) * angle) * scale, libm::sinf(t * angle) * scale);
            let in_range = |weight: f32| (0.0..=1.0).contains(&weight);
            if in_range(weights.0) && in_range(weights.1) { weights } else { linear }
        };
        let b = b * sign;
        Self::new(from.w * a + to.w * b, from.x * a + to.x * b, from.y * a + to.y * b, from.z * a + to.z * b)
    }
}

/// The Hamilton product. The right factor is applied first, in the local space of the left one (rule A6).
impl Mul for Quat {
    type Output = Self;
    #[inline]
    fn mul(self, r: Self) -> Self {
        Self::new(
            self.w * r.w - self.x * r.x - self.y * r.y - self.z * r.z,
            self.w * r.x + self.x * r.w + self.y * r.z - self.z * r.y,
            self.w * r.y - self.x * r.z + self.y * r.w + self.z * r.x,
            self.w * r.z + self.x * r.y - self.y * r.x + self.z * r.w,
        )
    }
}

impl From<[f32; 4]> for Quat {
    /// Converts from the order w, x, y, z.
    #[inline]
    fn from([w, x, y, z]: [f32; 4]) -> Self {
        Self { w, x, y, z }
    }
}

impl From<Quat> for [f32; 4] {
    /// Converts to the order w, x, y, z.
    #[inline]
    fn from(q: Quat) -> Self {
        [q.w, q.x, q.y, q.z]
    }
}

/// A rotation as a matrix. Its columns are the local X, Y and Z axes in the parent's axes (rule A2).
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[doc(alias = "m_fl2gv")]
pub struct Mat3 {
    columns: [Vec3; 3],
}

impl Mat3 {
    /// Creates a matrix from its columns, which should be orthogonal unit vectors. They are not checked.
    pub const fn from_columns(columns: [Vec3; 3]) -> Self {
        Self { columns }
    }

    /// Returns the columns: the local X, Y and Z axes in the parent's axes.
    pub const fn columns(&self) -> [Vec3; 3] {
        self.columns
    }

    /// Converts a quaternion to a matrix (rule A2).
    #[inline]
    pub fn from_quat(q: Quat) -> Self {
        let (x2, y2, z2) = (q.x + q.x, q.y + q.y, q.z + q.z);
        let (xx, yy, zz) = (q.x * x2, q.y * y2, q.z * z2);
        let (xy, xz, yz) = (q.x * y2, q.x * z2, q.y * z2);
        let (wx, wy, wz) = (q.w * x2, q.w * y2, q.w * z2);
        Self {
            columns: [
                Vec3::new(1.0 - yy - zz, xy + wz, xz - wy),
                Vec3::new(xy - wz, 1.0 - xx - zz, yz + wx),
                Vec3::new(xz + wy, yz - wx, 1.0 - xx - yy),
            ],
        }
    }

    /// Transforms a vector from local to global axes: M·v.
    #[inline]
    pub fn apply(&self, v: Vec3) -> Vec3 {
        self.columns[0] * v.x + self.columns[1] * v.y + self.columns[2] * v.z
    }

    /// Transforms a vector from global to local axes: Mᵀ·v.
    #[inline]
    pub fn apply_transposed(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.columns[0].dot(v), self.columns[1].dot(v), self.columns[2].dot(v))
    }
}

/// Returns a column: the local X (0), Y (1) or Z (2) axis in the parent's axes. Other indices panic.
impl Index<usize> for Mat3 {
    type Output = Vec3;
    #[inline]
    fn index(&self, column: usize) -> &Vec3 {
        &self.columns[column]
    }
}
