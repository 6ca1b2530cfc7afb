//! A movement with its stamps.

use acmotion_types::Stamp;

use super::movement::Movement;
use crate::cursor::{Pad, Reader, WireBool, Writer};
use crate::error::DecodeError;

/// A movement with its stamps (rule E1, `docs/wire.md` §2.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MovementData<'a> {
    /// The count of movements.
    pub movement_stamp: Stamp,
    /// The count of movements that the server imposed.
    pub server_control: Stamp,
    /// Did the moving client itself begin it?
    pub autonomous: WireBool,
    /// The bytes up to the movement: one in an [`UpdateMotion`](crate::UpdateMotion), three in a
    /// [`PositionAndMovement`](crate::PositionAndMovement).
    pub pad: Pad,
    /// The movement.
    pub movement: Movement<'a>,
}

impl<'a> MovementData<'a> {
    #[inline]
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, DecodeError> {
        Ok(Self {
            movement_stamp: reader.stamp("movement_seq")?,
            server_control: reader.stamp("server_control_seq")?,
            autonomous: WireBool(reader.u8("autonomous")?),
            pad: reader.align()?,
            movement: Movement::read(reader)?,
        })
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.stamp(self.movement_stamp);
        writer.stamp(self.server_control);
        writer.u8(self.autonomous.0);
        writer.align(self.pad);
        self.movement.write(writer);
    }
}
