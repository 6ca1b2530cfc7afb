//! Conversions of [`Matrix`] from and to the interchange types of the `mint` crate.

use mint::{ColumnMatrix3x4, IntoMint, RowMatrix3x4, Vector3, Vector4};

use crate::pose::Matrix;

impl From<Matrix> for RowMatrix3x4<f32> {
    #[inline]
    fn from(Matrix { rows: [x, y, z] }: Matrix) -> Self {
        Self { x: Vector4::from(x), y: Vector4::from(y), z: Vector4::from(z) }
    }
}

impl From<RowMatrix3x4<f32>> for Matrix {
    #[inline]
    fn from(matrix: RowMatrix3x4<f32>) -> Self {
        Self { rows: [matrix.x.into(), matrix.y.into(), matrix.z.into()] }
    }
}

impl From<Matrix> for ColumnMatrix3x4<f32> {
    #[inline]
    fn from(Matrix { rows }: Matrix) -> Self {
        let column = |i: usize| Vector3 { x: rows[0][i], y: rows[1][i], z: rows[2][i] };
        Self { x: column(0), y: column(1), z: column(2), w: column(3) }
    }
}

impl From<ColumnMatrix3x4<f32>> for Matrix {
    #[inline]
    fn from(ColumnMatrix3x4 { x, y, z, w }: ColumnMatrix3x4<f32>) -> Self {
        Self { rows: [[x.x, y.x, z.x, w.x], [x.y, y.y, z.y, w.y], [x.z, y.z, z.z, w.z]] }
    }
}

impl IntoMint for Matrix {
    type MintType = RowMatrix3x4<f32>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_rows_and_columns_are_transposed() {
        let matrix = Matrix { rows: [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]] };
        let (rows, columns): (RowMatrix3x4<f32>, ColumnMatrix3x4<f32>) = (matrix.into(), matrix.into());
        assert_eq!((rows.x.w, rows.z.x), (4.0, 9.0));
        assert_eq!((columns.w.x, columns.x.z), (4.0, 9.0));
        assert_eq!((Matrix::from(rows), Matrix::from(columns)), (matrix, matrix));
    }
}
