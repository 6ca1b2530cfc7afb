//! The lists of actions in raw and interpreted states. An action is a motion that plays once.

use acmotion_types::{ActionStamp, MotionCommand};

use super::items::{Items, WireItem};
use crate::cursor::{ReadResult, Reader, Writer};

/// An action: a motion that plays once (rules E7 and E8).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "ActionNode")]
pub struct ActionItem {
    /// The motion, a 16-bit index on the wire.
    pub command: MotionCommand,
    /// The sender's sequence number of the action, 15 bits.
    pub stamp: ActionStamp,
    /// Whether the client started the action itself.
    pub autonomous: bool,
    /// The speed factor.
    pub speed: f32,
}

/// The actions of a state, oldest first. Only the first [`Actions::MAX`] are written.
pub type Actions<'a> = Items<'a, ActionItem>;

impl Actions<'_> {
    /// The maximum number of actions in a state. The count has five bits on the wire.
    pub const MAX: usize = 31;

    /// Returns the number of actions that are written.
    #[inline]
    pub(crate) fn wire_count(&self) -> u32 {
        self.len().min(Self::MAX) as u32
    }
}

const AUTONOMOUS: u16 = 0x8000;

impl WireItem for ActionItem {
    const SIZE: usize = 8;

    #[inline(always)]
    fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
        let command = reader.command_index("actions.command")?;
        let (packed, speed) = reader.group(&["actions.stamp", "actions.speed"])?;
        let autonomous = packed & AUTONOMOUS != 0;
        Ok(Self { command, stamp: ActionStamp::new(packed), autonomous, speed })
    }

    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        let packed = self.stamp.get() | if self.autonomous { AUTONOMOUS } else { 0 };
        writer.fixed((self.command.wire_index(), packed, self.speed));
    }
}
