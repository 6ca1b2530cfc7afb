//! A movement with its stamps.

use acmotion_types::Stamp;

use super::movement::Movement;
use crate::cursor::{Fixed, Pad, Read, Reader, WireBool, Writer};

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
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'a>) -> Read<Self> {
        let head = reader.later(&["movement_seq", "server_control_seq", "autonomous"])?;
        let pad = reader.align()?;
        let movement = Movement::read(reader)?;
        let (movement_stamp, server_control, autonomous) = head.get();
        Ok(Self { movement_stamp, server_control, autonomous: WireBool(autonomous), pad, movement })
    }

    /// Appends it behind the fields of `before`.
    #[inline]
    pub(crate) fn write(&self, before: impl Fixed, writer: &mut Writer<'_>) {
        writer.fixed((before, self.movement_stamp, self.server_control, self.autonomous.0));
        writer.align(self.pad);
        self.movement.write(writer);
    }
}
