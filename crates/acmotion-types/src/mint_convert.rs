//! Conversions from and to the interchange types of the `mint` crate.
//!
//! A quaternion's w is the scalar part `s` in mint. Matrices are column-major.

use mint::{ColumnMatrix3, IntoMint, Point3, Quaternion, Vector3};

use crate::vector::{Mat3, Quat, Vec3};

impl From<Vec3> for Vector3<f32> {
    #[inline]
    fn from(v: Vec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl From<Vector3<f32>> for Vec3 {
    #[inline]
    fn from(v: Vector3<f32>) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<Vec3> for Point3<f32> {
    #[inline]
    fn from(v: Vec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl From<Point3<f32>> for Vec3 {
    #[inline]
    fn from(point: Point3<f32>) -> Self {
        Self::new(point.x, point.y, point.z)
    }
}

impl IntoMint for Vec3 {
    type MintType = Vector3<f32>;
}

impl From<Quat> for Quaternion<f32> {
    #[inline]
    fn from(q: Quat) -> Self {
        Self { v: Vector3 { x: q.x, y: q.y, z: q.z }, s: q.w }
    }
}

impl From<Quaternion<f32>> for Quat {
    #[inline]
    fn from(q: Quaternion<f32>) -> Self {
        Self::new(q.s, q.v.x, q.v.y, q.v.z)
    }
}

impl IntoMint for Quat {
    type MintType = Quaternion<f32>;
}

impl From<Mat3> for ColumnMatrix3<f32> {
    #[inline]
    fn from(matrix: Mat3) -> Self {
        let [x, y, z] = matrix.columns();
        Self { x: x.into(), y: y.into(), z: z.into() }
    }
}

/// The matrix should be a rotation. It is not checked.
impl From<ColumnMatrix3<f32>> for Mat3 {
    #[inline]
    fn from(matrix: ColumnMatrix3<f32>) -> Self {
        Self::from_columns([matrix.x, matrix.y, matrix.z].map(Vec3::from))
    }
}

impl IntoMint for Mat3 {
    type MintType = ColumnMatrix3<f32>;
}
