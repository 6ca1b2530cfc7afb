//! Positions and part matrices of all bodies, written into arrays of numpy.

use acmotion::types::{CellId, CellPosition};
use acmotion::{Matrix, PartPoses, PresentedBody, View};
use numpy::{PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The number of floats of a matrix: three rows of four.
const MATRIX_FLOATS: usize = size_of::<Matrix>() / size_of::<f32>();

/// The arrays of the Python class `Bodies`.
pub(crate) struct Arrays<'py> {
    pub(crate) guids: PyReadwriteArray1<'py, u32>,
    pub(crate) cells: PyReadwriteArray1<'py, u32>,
    pub(crate) origins: PyReadwriteArray2<'py, f32>,
    pub(crate) rotations: PyReadwriteArray2<'py, f32>,
    pub(crate) first: PyReadwriteArray1<'py, u32>,
    pub(crate) count: PyReadwriteArray1<'py, u32>,
    pub(crate) matrices: PyReadwriteArray3<'py, f32>,
}

/// The contents of the arrays.
pub(crate) struct Slices<'a> {
    guids: &'a mut [u32],
    cells: &'a mut [u32],
    origins: &'a mut [f32],
    rotations: &'a mut [f32],
    first: &'a mut [u32],
    count: &'a mut [u32],
    matrices: &'a mut [Matrix],
}

impl Arrays<'_> {
    /// Returns the contents of the arrays, which must be contiguous and fit together.
    pub(crate) fn slices(&mut self) -> PyResult<Slices<'_>> {
        fn contiguous<T, E>(slice: Result<T, E>) -> PyResult<T> {
            slice.map_err(|_| PyValueError::new_err("the arrays must be contiguous, in C order"))
        }
        let slices = Slices {
            guids: contiguous(self.guids.as_slice_mut())?,
            cells: contiguous(self.cells.as_slice_mut())?,
            origins: contiguous(self.origins.as_slice_mut())?,
            rotations: contiguous(self.rotations.as_slice_mut())?,
            first: contiguous(self.first.as_slice_mut())?,
            count: contiguous(self.count.as_slice_mut())?,
            matrices: as_matrices(contiguous(self.matrices.as_slice_mut())?),
        };
        let len = slices.guids.len();
        let fits = slices.cells.len() == len
            && slices.first.len() == len
            && slices.count.len() == len
            && slices.origins.len() == 3 * len
            && slices.rotations.len() == 4 * len;
        if fits { Ok(slices) } else { Err(PyValueError::new_err("the arrays must have a row for each body")) }
    }
}

/// Returns floats as the matrices that they are. Those after the last whole matrix are left out.
#[expect(unsafe_code, reason = "a copy of all matrices would take longer than computing them")]
fn as_matrices(floats: &mut [f32]) -> &mut [Matrix] {
    const { assert!(align_of::<Matrix>() == align_of::<f32>() && MATRIX_FLOATS == 12) };
    let len = floats.len() / MATRIX_FLOATS;
    // SAFETY: a matrix is `repr(C)` and consists of twelve floats and nothing else, so that it has the same alignment and
    // any bits are valid; `len` of them lie within the slice, which stays borrowed for as long as the result.
    unsafe { std::slice::from_raw_parts_mut(floats.as_mut_ptr().cast::<Matrix>(), len) }
}

/// What is shown of a world.
#[derive(Clone, Copy)]
pub(crate) struct Show {
    /// The cell in whose landblock's axes the matrices are; if `None`, that of the player or the first entity.
    pub(crate) origin: Option<CellId>,
    /// The time at which it is shown; if `None`, that of the last tick.
    pub(crate) now: Option<f64>,
    pub(crate) poses: PartPoses,
    pub(crate) within: Option<(CellPosition, f32)>,
}

/// How much was written, and how much there is.
pub(crate) struct Written {
    pub(crate) bodies: usize,
    pub(crate) matrices: usize,
    pub(crate) needed_bodies: usize,
    pub(crate) needed_matrices: usize,
    pub(crate) origin: CellId,
}

/// Writes all bodies that are drawn.
pub(crate) fn show(
    world: &acmotion::World,
    show: &Show,
    scratch: &mut Vec<PresentedBody>,
    out: Slices<'_>,
) -> Written {
    let first_cell = || world.entities().next().map(|resident| resident.position().cell);
    let own_cell = || world.player_position().map(|position| position.cell);
    let origin = show.origin.or_else(own_cell).or_else(first_cell).unwrap_or_default();
    let share = show.now.map_or(1.0, |now| world.presentation_share(now));
    let view = View { share, origin, poses: show.poses, within: show.within };
    let batch = world.present_all(&view, out.matrices, scratch);
    let rows = out.guids.iter_mut().zip(out.cells).zip(out.first).zip(out.count);
    let frames = out.origins.as_chunks_mut::<3>().0.iter_mut().zip(out.rotations.as_chunks_mut::<4>().0);
    for ((body, (((guid, cell), first), count)), (place, rotation)) in scratch.iter().zip(rows).zip(frames) {
        let CellPosition { cell: own, frame } = body.position;
        (*guid, *cell, *first, *count) = (body.guid.0, own.0, body.first, body.count);
        *place = frame.origin.into();
        *rotation = frame.rotation.into();
    }
    let is_all = batch.missing == 0;
    Written {
        bodies: scratch.len(),
        matrices: batch.written,
        needed_bodies: if is_all { scratch.len() } else { world.entities().len() },
        needed_matrices: batch.written + batch.missing,
        origin,
    }
}
