//! Conversions of [`Matrix`] from and to the matrices of the `glam` crate, which store columns.

use crate::pose::Matrix;

impl From<Matrix> for glam::Affine3A {
    #[inline]
    fn from(matrix: Matrix) -> Self {
        Self::from_mat4(matrix.into())
    }
}

impl From<Matrix> for glam::Mat4 {
    #[inline]
    fn from(Matrix { rows: [x, y, z] }: Matrix) -> Self {
        Self::from_cols_array_2d(&[x, y, z, [0.0, 0.0, 0.0, 1.0]]).transpose()
    }
}

/// Drops the last row, which is (0, 0, 0, 1) in every affine transformation.
impl From<glam::Mat4> for Matrix {
    #[inline]
    fn from(matrix: glam::Mat4) -> Self {
        let [x, y, z, _] = matrix.transpose().to_cols_array_2d();
        Self { rows: [x, y, z] }
    }
}

impl From<glam::Affine3A> for Matrix {
    #[inline]
    fn from(affine: glam::Affine3A) -> Self {
        glam::Mat4::from(affine).into()
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Frame, Vec3};

    use super::*;

    #[test]
    fn points_are_transformed_alike_and_the_way_back_is_exact() {
        let mut frame = Frame::from_origin(Vec3::new(1.0, 2.0, 3.0));
        frame.set_heading(30.0);
        let matrix = Matrix::from_frame(&frame);
        let point = Vec3::new(-4.0, 5.0, 0.5);
        let expected = matrix.apply(point);
        let by_mat4 = Vec3::from(glam::Mat4::from(matrix).transform_point3(point.into()));
        let by_affine = Vec3::from(glam::Affine3A::from(matrix).transform_point3(point.into()));
        assert!((by_mat4 - expected).length() < 1e-6 && (by_affine - expected).length() < 1e-6);
        assert_eq!(Matrix::from(glam::Mat4::from(matrix)), matrix);
        assert_eq!(Matrix::from(glam::Affine3A::from(matrix)), matrix);
    }
}
