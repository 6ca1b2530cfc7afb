//! Conversions from and to the types of the `glam` crate.
//!
//! A quaternion has w first here and last in glam. Matrices are column-major in both.

use crate::vector::{Mat3, Quat, Vec3};

impl From<Vec3> for glam::Vec3 {
    #[inline]
    fn from(v: Vec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<glam::Vec3> for Vec3 {
    #[inline]
    fn from(v: glam::Vec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<Vec3> for glam::Vec3A {
    #[inline]
    fn from(v: Vec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<glam::Vec3A> for Vec3 {
    #[inline]
    fn from(v: glam::Vec3A) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<Quat> for glam::Quat {
    #[inline]
    fn from(q: Quat) -> Self {
        Self::from_xyzw(q.x, q.y, q.z, q.w)
    }
}

impl From<glam::Quat> for Quat {
    #[inline]
    fn from(q: glam::Quat) -> Self {
        Self::new(q.w, q.x, q.y, q.z)
    }
}

impl From<Mat3> for glam::Mat3 {
    #[inline]
    fn from(matrix: Mat3) -> Self {
        let [x, y, z] = matrix.columns();
        Self::from_cols(x.into(), y.into(), z.into())
    }
}

/// The matrix should be a rotation. It is not checked.
impl From<glam::Mat3> for Mat3 {
    #[inline]
    fn from(matrix: glam::Mat3) -> Self {
        Self::from_columns([matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3::from))
    }
}
