//! Conversions between the engine's values and those of the page.

use acmotion::dat::DataId;
use acmotion::types::{BLOCK_LENGTH, CellId, CellPosition, Frame, MotionCommand, Vec3};

use crate::protocol::api::FrameRow;

/// Parses a motion command, given by its name or its hexadecimal id.
pub(crate) fn parse_command(text: &str) -> Result<MotionCommand, String> {
    MotionCommand::from_name(text)
        .or_else(|| text.parse::<DataId>().ok().map(|id| MotionCommand(id.0)))
        .ok_or_else(|| format!("`{text}` is neither the name of a motion nor a hexadecimal id"))
}

pub(crate) fn vector(v: Vec3) -> [f32; 3] {
    v.into()
}

pub(crate) fn frame_row(frame: &Frame) -> FrameRow {
    let (o, q) = (frame.origin, frame.rotation);
    [o.x, o.y, o.z, q.w, q.x, q.y, q.z]
}

/// The landblock whose south-west corner is the origin of the page's scene.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Origin(u16);

impl Origin {
    /// The landblock of a cell.
    pub(crate) fn of(cell: CellId) -> Self {
        Self(cell.block())
    }

    /// The landblock with this number.
    pub(crate) const fn of_block(block: u16) -> Self {
        Self(block)
    }

    /// Returns the number of the landblock, such as `0xA9B4`.
    pub(crate) fn text(self) -> String {
        format!("0x{:04X}", self.0)
    }

    /// Converts a position to the scene's coordinates.
    pub(crate) fn scene_position(self, position: &CellPosition) -> Vec3 {
        self.corner(position.cell) + position.frame.origin
    }

    /// Returns the landblock as a cell without a number.
    pub(crate) fn cell(self) -> CellId {
        CellId(u32::from(self.0) << 16)
    }

    /// Returns the south-west corner of a cell's landblock in the scene's coordinates.
    pub(crate) fn corner(self, cell: CellId) -> Vec3 {
        let own = self.cell();
        let metres = |a: u8, b: u8| f32::from(i16::from(a) - i16::from(b)) * BLOCK_LENGTH;
        Vec3::new(metres(cell.block_x(), own.block_x()), metres(cell.block_y(), own.block_y()), 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scene_positions_are_relative_to_the_corner_of_the_origin() {
        let origin = Origin::of(CellId(0xA9B4_0001));
        let position = CellPosition::at(CellId(0xAAB3_0100), Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(origin.scene_position(&position), Vec3::new(193.0, -190.0, 3.0));
    }
}
