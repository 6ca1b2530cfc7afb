//! A position without a rotation.

use acmotion_types::{CellId, Vec3};

use crate::cursor::{ReadResult, Reader};

/// A position without a rotation: a cell and a point in its landblock, 16 bytes (`docs/wire.md` §1.5).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Origin {
    /// The cell.
    pub cell: CellId,
    /// The point relative to the landblock, in metres.
    pub point: Vec3,
}

impl Origin {
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
        let (cell, point) = reader.group(&["movement.origin.cell", "movement.origin.origin"])?;
        Ok(Self { cell, point })
    }

    /// Returns the fields in wire order.
    #[inline]
    pub(crate) fn fields(&self) -> (CellId, Vec3) {
        (self.cell, self.point)
    }
}
