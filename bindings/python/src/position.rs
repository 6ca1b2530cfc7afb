//! Positions.

use acmotion::types::{CellId, CellPosition, Frame, Quat, Vec3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{Triple, triple};

/// A cell and a frame in the axes of its landblock: metres east, north and up from its south-west corner.
///
/// The heading is in degrees, clockwise from north; `rotation` is a quaternion (w, x, y, z) and takes its place.
#[pyclass(frozen, eq, module = "acmotion", from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Position(pub(crate) CellPosition);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (cell, x, y, z, heading = 0.0, *, rotation = None))]
    fn new(
        cell: u32,
        x: f32,
        y: f32,
        z: f32,
        heading: f32,
        rotation: Option<(f32, f32, f32, f32)>,
    ) -> PyResult<Self> {
        let mut frame = Frame::from_origin(Vec3::new(x, y, z));
        match rotation {
            Some((w, x, y, z)) => {
                if !frame.set_rotation(Quat { w, x, y, z }) {
                    return Err(PyValueError::new_err(format!("({w}, {x}, {y}, {z}) is not a rotation")));
                }
            }
            None if heading == 0.0 => {}
            None => frame.set_heading(heading),
        }
        Ok(Self(CellPosition::new(CellId(cell), frame)))
    }

    /// The id of the cell.
    #[getter]
    fn cell(&self) -> u32 {
        self.0.cell.0
    }

    /// Metres east of the south-west corner of the landblock.
    #[getter]
    fn x(&self) -> f32 {
        self.0.frame.origin.x
    }

    /// Metres north of the south-west corner of the landblock.
    #[getter]
    fn y(&self) -> f32 {
        self.0.frame.origin.y
    }

    /// The height in metres.
    #[getter]
    fn z(&self) -> f32 {
        self.0.frame.origin.z
    }

    /// The three coordinates.
    #[getter]
    fn origin(&self) -> Triple {
        triple(self.0.frame.origin)
    }

    /// The rotation as a quaternion: w, x, y, z.
    #[getter]
    fn rotation(&self) -> (f32, f32, f32, f32) {
        let Quat { w, x, y, z } = self.0.frame.rotation;
        (w, x, y, z)
    }

    /// The heading in degrees, clockwise from north.
    #[getter]
    fn heading(&self) -> f32 {
        self.0.frame.heading()
    }

    /// Returns the distance to another position in metres, across landblocks.
    fn distance_to(&self, other: &Self) -> f32 {
        self.0.distance_to(&other.0)
    }

    /// Returns the way to another position in metres: east, north and up.
    fn offset_to(&self, other: &Self) -> Triple {
        triple(self.0.offset_to(&other.0))
    }

    /// Returns the heading to another position in degrees.
    fn heading_to(&self, other: &Self) -> f32 {
        self.0.heading_to(&other.0)
    }

    /// Returns a position that lies some metres to the east, to the north and up, in the same cell's axes.
    #[pyo3(signature = (x = 0.0, y = 0.0, z = 0.0))]
    fn moved(&self, x: f32, y: f32, z: f32) -> Self {
        let mut position = self.0;
        position.frame.origin += Vec3::new(x, y, z);
        Self(position)
    }

    /// Returns the position in the land cell that contains it, on whichever landblock that is; `None` off the map, and in a
    /// room.
    fn outdoors(&self) -> Option<Self> {
        if self.0.cell.is_room() {
            return None;
        }
        self.0.adjusted_to_outside().map(Self)
    }

    fn __hash__(&self) -> u64 {
        let (x, y, z) = self.origin();
        let (w, i, j, k) = self.rotation();
        // Equal numbers have equal bits, but for the two zeros.
        let bits = |value: f32| u64::from((value + 0.0).to_bits());
        [x, y, z, w, i, j, k].into_iter().fold(u64::from(self.cell()), |hash, value| {
            (hash.rotate_left(7) ^ bits(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        })
    }

    fn __repr__(&self) -> String {
        let (x, y, z) = self.origin();
        format!("Position({}, {x:.3}, {y:.3}, {z:.3}, heading={:.1})", self.0.cell, self.heading())
    }
}
