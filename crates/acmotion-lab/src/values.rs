//! Values as the page reads them: ids, commands, places, frames.

use acmotion::dat::DataId;
use acmotion::types::{CellId, CellPosition, Frame, MotionCommand, Vec3};
use serde_json::{Value, json};

/// Metres from a landblock to the next.
const BLOCK: f32 = 192.0;

/// A command with its name, if it has one.
pub(crate) fn command(command: MotionCommand) -> Value {
    json!({ "id": format!("0x{:08X}", command.0), "name": command.name() })
}

/// A command by name or hexadecimal id.
pub(crate) fn parse_command(text: &str) -> Result<MotionCommand, String> {
    MotionCommand::from_name(text)
        .or_else(|| text.parse::<DataId>().ok().map(|id| MotionCommand(id.0)))
        .ok_or_else(|| format!("`{text}` is neither the name of a motion nor a hexadecimal id"))
}

/// An id; 0 is none.
pub(crate) fn id_or_none(id: DataId) -> Option<String> {
    (id.0 != 0).then(|| id.to_string())
}

pub(crate) fn vector(v: Vec3) -> [f32; 3] {
    v.into()
}

/// Origin and rotation in one row: x, y, z, w, x, y, z.
pub(crate) fn frame(frame: &Frame) -> [f32; 7] {
    let (o, q) = (frame.origin, frame.rotation);
    [o.x, o.y, o.z, q.w, q.x, q.y, q.z]
}

/// The landblock whose south-west corner is the middle of the page's world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Origin(u16);

impl Origin {
    /// The landblock of a cell.
    pub(crate) fn of(cell: CellId) -> Self {
        Self(cell.block())
    }

    /// That of a number.
    pub(crate) fn of_block(block: u16) -> Self {
        Self(block)
    }

    pub(crate) fn text(self) -> String {
        format!("0x{:04X}", self.0)
    }

    /// Where a place is, from the corner.
    pub(crate) fn place(self, position: &CellPosition) -> Vec3 {
        self.corner(position.cell) + position.frame.origin
    }

    /// Where the corner of a cell's landblock is.
    pub(crate) fn corner(self, cell: CellId) -> Vec3 {
        let own = CellId(u32::from(self.0) << 16);
        let blocks = |a: u8, b: u8| f32::from(i16::from(a) - i16::from(b)) * BLOCK;
        Vec3::new(blocks(cell.block_x(), own.block_x()), blocks(cell.block_y(), own.block_y()), 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_the_corner_of_a_landblock() {
        let origin = Origin::of(CellId(0xA9B4_0001));
        let there = CellPosition::at(CellId(0xAAB3_0100), Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(origin.place(&there), Vec3::new(193.0, -190.0, 3.0));
    }
}
