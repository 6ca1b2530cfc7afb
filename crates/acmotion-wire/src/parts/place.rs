//! A place without a direction.

use acmotion_types::{CellId, Vec3};

use crate::cursor::{Reader, Writer};
use crate::error::DecodeError;

/// A cell and a point in its landblock, 16 bytes (`docs/wire.md` §1.5).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Origin {
    /// The cell.
    pub cell: CellId,
    /// The point.
    pub point: Vec3,
}

impl Origin {
    #[inline]
    pub(crate) fn read(reader: &mut Reader<'_>, field: &'static str) -> Result<Self, DecodeError> {
        Ok(Self { cell: CellId(reader.u32(field)?), point: reader.vec3(field)? })
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.cell.0);
        writer.vec3(self.point);
    }
}
