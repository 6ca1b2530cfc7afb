//! The frames of a body's parts, as retail shows them (rule H14).
//!
//! The pose is that of the integer part of the frame number, without interpolation. Parts are placed relative to the body,
//! not to each other. For movement between key frames and between ticks see [`smooth`](crate::smooth).

use std::hint::black_box;

use acmotion_types::{Frame, Mat3, Vec3};

use crate::library::{ClipId, Library};
use crate::sequence::Sequence;

/// A rotation and a translation as three rows of four numbers: out = rows · (x, y, z, 1).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Matrix {
    /// Each row is a row of the rotation matrix, followed by a component of the origin.
    pub rows: [[f32; 4]; 3],
}

impl Matrix {
    /// The identity.
    pub const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// Returns the matrix of a frame.
    pub fn from_frame(frame: &Frame) -> Self {
        let (m, o) = (frame.matrix(), frame.origin);
        Self {
            rows: [
                [m[0].x, m[1].x, m[2].x, o.x],
                [m[0].y, m[1].y, m[2].y, o.y],
                [m[0].z, m[1].z, m[2].z, o.z],
            ],
        }
    }

    /// Returns the translation.
    pub fn origin(&self) -> Vec3 {
        Vec3::new(self.rows[0][3], self.rows[1][3], self.rows[2][3])
    }

    /// Transforms a point.
    pub fn apply(&self, point: Vec3) -> Vec3 {
        let row = |row: &[f32; 4]| row[0] * point.x + row[1] * point.y + row[2] * point.z + row[3];
        Vec3::new(row(&self.rows[0]), row(&self.rows[1]), row(&self.rows[2]))
    }
}

/// A body to be posed.
#[derive(Clone, Copy, Debug)]
pub struct PoseInput<'a> {
    /// The sequence that it plays.
    pub sequence: &'a Sequence,
    /// The frame of the body.
    pub frame: &'a Frame,
    /// The scale, by which the origins of the parts are multiplied.
    pub scale: Vec3,
}

impl PoseInput<'_> {
    /// Computes the frame of each part as the original does. Writes as many as both the pose and `out` have, leaves the
    /// rest of `out` unchanged, and returns the number written.
    #[doc(alias = "UpdateParts")]
    pub fn frames(&self, library: &Library, out: &mut [Frame]) -> usize {
        let Some((clip, frame)) = self.sequence.shown(library) else { return 0 };
        let parts = library.clip(clip).animation().pose(frame);
        for (out, part) in out.iter_mut().zip(parts) {
            *out = self.frame.combine_scaled(part, self.scale);
        }
        out.len().min(parts.len())
    }

    /// Computes the frame of one part, as [`frames`](Self::frames) does. `None` if the pose does not have that part.
    pub fn part_frame(&self, library: &Library, part: usize) -> Option<Frame> {
        let (clip, frame) = self.sequence.shown(library)?;
        let part = library.clip(clip).animation().pose(frame).get(part)?;
        Some(self.frame.combine_scaled(part, self.scale))
    }

    /// Computes the matrix of each part, like [`frames`](Self::frames) but several times faster. The product is one of
    /// matrices, so the last bits differ.
    #[inline]
    pub fn matrices(&self, library: &Library, out: &mut [Matrix]) -> usize {
        let Some(shown) = self.sequence.shown(library) else { return 0 };
        pose_matrices(library, shown, self.frame, self.scale, out)
    }
}

/// Computes the matrix of each part of a body that shows a frame of a clip, as [`PoseInput::matrices`] does.
#[inline]
pub(crate) fn pose_matrices(
    library: &Library,
    (clip, frame): (ClipId, usize),
    body: &Frame,
    scale: Vec3,
    out: &mut [Matrix],
) -> usize {
    let parts = library.clip(clip).frame_matrices(frame);
    let body = BodyTransform::new(body, scale);
    for (out, part) in out.iter_mut().zip(parts) {
        *out = body.apply(part);
        // A row is four numbers, one vector register. Without this barrier the compiler vectorises over four parts
        // instead, and gathering their numbers makes a pose take twice as long (bench `crowd`).
        black_box(());
    }
    out.len().min(parts.len())
}

/// Computes the part matrices of many bodies, `stride` matrices for each. The matrices of parts that a body's pose does not
/// have are left unchanged.
pub fn pose_all<'a>(
    library: &Library,
    bodies: impl IntoIterator<Item = PoseInput<'a>>,
    stride: usize,
    out: &mut [Matrix],
) {
    if stride == 0 {
        return;
    }
    for (body, out) in bodies.into_iter().zip(out.chunks_mut(stride)) {
        body.matrices(library, out);
    }
}

/// The transform of a body, laid out so that a part takes nine multiplications and nine additions of four numbers each.
struct BodyTransform {
    /// For row `i` and the part's row `k`: the element of the rotation; in the last lane it is multiplied by the scale.
    factors: [[[f32; 4]; 3]; 3],
    /// For row `i`: the origin's component in the last lane.
    origin: [[f32; 4]; 3],
}

impl BodyTransform {
    #[inline]
    fn new(frame: &Frame, scale: Vec3) -> Self {
        let m = Mat3::from_quat(frame.rotation);
        let row =
            |x: f32, y: f32, z: f32| [[x, x, x, x * scale.x], [y, y, y, y * scale.y], [z, z, z, z * scale.z]];
        let o = frame.origin;
        Self {
            factors: [row(m[0].x, m[1].x, m[2].x), row(m[0].y, m[1].y, m[2].y), row(m[0].z, m[1].z, m[2].z)],
            origin: [[0.0, 0.0, 0.0, o.x], [0.0, 0.0, 0.0, o.y], [0.0, 0.0, 0.0, o.z]],
        }
    }

    #[inline(always)]
    fn apply(&self, part: &Matrix) -> Matrix {
        Matrix { rows: [self.row(0, part), self.row(1, part), self.row(2, part)] }
    }

    #[inline(always)]
    fn row(&self, row: usize, part: &Matrix) -> [f32; 4] {
        lanes::multiply_add(&self.factors[row], &part.rows, &self.origin[row])
    }
}

/// Four numbers at a time, where the compiler does not find that by itself.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lanes {
    use std::arch::wasm32::{f32x4, f32x4_add, f32x4_extract_lane, f32x4_mul, v128};

    #[inline(always)]
    fn load([a, b, c, d]: &[f32; 4]) -> v128 {
        f32x4(*a, *b, *c, *d)
    }

    #[inline(always)]
    fn product(a: &[f32; 4], b: &[f32; 4]) -> v128 {
        f32x4_mul(load(a), load(b))
    }

    /// Returns `x · a + y · b + z · c + origin` in each lane.
    #[inline(always)]
    pub(super) fn multiply_add(
        [x, y, z]: &[[f32; 4]; 3],
        [a, b, c]: &[[f32; 4]; 3],
        origin: &[f32; 4],
    ) -> [f32; 4] {
        let sum = f32x4_add(f32x4_add(f32x4_add(product(x, a), product(y, b)), product(z, c)), load(origin));
        [
            f32x4_extract_lane::<0>(sum),
            f32x4_extract_lane::<1>(sum),
            f32x4_extract_lane::<2>(sum),
            f32x4_extract_lane::<3>(sum),
        ]
    }
}

/// Four numbers at a time.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod lanes {
    /// Returns `x · a + y · b + z · c + origin` in each lane.
    #[inline(always)]
    pub(super) fn multiply_add(
        [x, y, z]: &[[f32; 4]; 3],
        [a, b, c]: &[[f32; 4]; 3],
        origin: &[f32; 4],
    ) -> [f32; 4] {
        let lane = |i: usize| x[i] * a[i] + y[i] * b[i] + z[i] * c[i] + origin[i];
        // Not a loop: where code is built for size, that would stay one.
        [lane(0), lane(1), lane(2), lane(3)]
    }
}
