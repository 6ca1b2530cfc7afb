//! Where every part of a body is: retail's pose (rule H14).
//!
//! It shows the frame at the whole part of the frame number and nothing in between; parts hang directly on the body, not
//! on each other. For movement between key frames and between ticks see [`smooth`](crate::smooth).

use std::hint::black_box;

use acmotion_types::{Frame, Mat3, Vec3};

use crate::library::Library;
use crate::sequence::Sequence;

/// A rotation and a translation, three rows of four: out = rows · (x, y, z, 1).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C)]
pub struct Matrix {
    /// Each row: the row of the rotation matrix, then the component of the origin.
    pub rows: [[f32; 4]; 3],
}

impl Matrix {
    /// Changes nothing.
    pub const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// The matrix of a frame.
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

    /// Where it puts the origin.
    pub fn origin(&self) -> Vec3 {
        Vec3::new(self.rows[0][3], self.rows[1][3], self.rows[2][3])
    }

    /// Where it puts a point.
    pub fn apply(&self, point: Vec3) -> Vec3 {
        let row = |row: &[f32; 4]| row[0] * point.x + row[1] * point.y + row[2] * point.z + row[3];
        Vec3::new(row(&self.rows[0]), row(&self.rows[1]), row(&self.rows[2]))
    }
}

/// A body to be posed.
#[derive(Clone, Copy, Debug)]
pub struct PoseInput<'a> {
    /// What it plays.
    pub sequence: &'a Sequence,
    /// Where it is.
    pub frame: &'a Frame,
    /// Its size: the origins of its parts are multiplied by it.
    pub scale: Vec3,
}

impl PoseInput<'_> {
    /// The place and orientation of each part, computed as the original does. Writes as many as both the frame and
    /// `out` have, leaves the others as they were, and says how many it wrote.
    #[doc(alias = "UpdateParts")]
    pub fn frames(&self, library: &Library, out: &mut [Frame]) -> usize {
        let Some((clip, frame)) = self.sequence.shown(library) else { return 0 };
        let parts = library.clip(clip).animation().pose(frame);
        for (out, part) in out.iter_mut().zip(parts) {
            *out = self.frame.combine_scaled(part, self.scale);
        }
        out.len().min(parts.len())
    }

    /// The same as matrices, which is several times faster: they are multiplied as such, so the last bits differ from
    /// those of [`frames`](Self::frames).
    #[inline]
    pub fn matrices(&self, library: &Library, out: &mut [Matrix]) -> usize {
        let Some((clip, frame)) = self.sequence.shown(library) else { return 0 };
        let parts = library.clip(clip).frame_matrices(frame);
        let place = Place::new(self.frame, self.scale);
        for (out, part) in out.iter_mut().zip(parts) {
            *out = place.of(part);
            // A row is four numbers and one vector register. Without this the compiler works on four parts at a time
            // instead, and takes three times as long to gather them.
            black_box(());
        }
        out.len().min(parts.len())
    }
}

/// Poses many bodies, one after the other, `stride` matrices each. The matrices of parts that a body's frame does not
/// have are left as they were.
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

/// Where a body is, spread out so that a part takes nine multiplications and nine additions of four numbers each.
struct Place {
    /// For row `i` and the part's row `k`: the rotation's element, and in the last lane that times the scale.
    factors: [[[f32; 4]; 3]; 3],
    /// For row `i`: the origin in the last lane.
    origin: [[f32; 4]; 3],
}

impl Place {
    #[inline]
    fn new(place: &Frame, scale: Vec3) -> Self {
        let m = Mat3::from_quat(place.rotation);
        let row =
            |x: f32, y: f32, z: f32| [[x, x, x, x * scale.x], [y, y, y, y * scale.y], [z, z, z, z * scale.z]];
        let o = place.origin;
        Self {
            factors: [row(m[0].x, m[1].x, m[2].x), row(m[0].y, m[1].y, m[2].y), row(m[0].z, m[1].z, m[2].z)],
            origin: [[0.0, 0.0, 0.0, o.x], [0.0, 0.0, 0.0, o.y], [0.0, 0.0, 0.0, o.z]],
        }
    }

    #[inline]
    fn of(&self, part: &Matrix) -> Matrix {
        let row = |i: usize| {
            let [x, y, z] = &self.factors[i];
            let mut out = [0.0; 4];
            for lane in 0..4 {
                out[lane] = x[lane] * part.rows[0][lane]
                    + y[lane] * part.rows[1][lane]
                    + z[lane] * part.rows[2][lane]
                    + self.origin[i][lane];
            }
            out
        };
        Matrix { rows: [row(0), row(1), row(2)] }
    }
}
