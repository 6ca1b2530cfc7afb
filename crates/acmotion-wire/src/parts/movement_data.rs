//! A movement with its stamps.

use acmotion_types::Stamp;

use super::movement::Movement;
use crate::cursor::{FixedSize, Pad, ReadResult, Reader, WireBool, Writer};

/// A movement with its stamps (rule E1, `docs/wire.md` §2.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MovementData<'a> {
    /// The movement stamp of the object.
    pub movement_stamp: Stamp,
    /// The server-control stamp of the object, which counts the movements imposed by the server.
    pub server_control: Stamp,
    /// Whether the moving client itself started the movement.
    pub autonomous: WireBool,
    /// The padding before the movement: one byte in an [`UpdateMotion`](crate::UpdateMotion), three in a
    /// [`PositionAndMovement`](crate::PositionAndMovement).
    pub pad: Pad,
    /// The movement.
    pub movement: Movement<'a>,
}

impl<'a> MovementData<'a> {
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let head = reader.deferred_group(&["movement_seq", "server_control_seq", "autonomous"])?;
        let pad = reader.align()?;
        let movement = Movement::read(reader)?;
        let (movement_stamp, server_control, autonomous) = head.get();
        Ok(Self { movement_stamp, server_control, autonomous: WireBool(autonomous), pad, movement })
    }

    /// Appends `head` and the movement with its stamps.
    #[inline]
    pub(crate) fn write(&self, head: impl FixedSize, writer: &mut Writer<'_>) {
        writer.fixed((head, self.movement_stamp, self.server_control, self.autonomous.0));
        writer.align(self.pad);
        self.movement.write(writer);
    }
}
