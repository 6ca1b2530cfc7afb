//! Actions: motions that play once, listed in raw and interpreted states.

use acmotion_types::{ActionStamp, MotionCommand};

use super::items::{Item, Items};
use crate::cursor::{Read, Reader, Writer};

/// One action (rules E7 and E8): a motion that plays once.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "ActionNode")]
pub struct ActionItem {
    /// What to do; 16 bits on the wire.
    pub command: MotionCommand,
    /// The sender's count of actions, 15 bits.
    pub stamp: ActionStamp,
    /// Was it the client's own doing?
    pub autonomous: bool,
    /// How fast.
    pub speed: f32,
}

/// The actions of a state, oldest first. On the wire there is room for [`Actions::MAX`]; later ones are not written.
pub type Actions<'a> = Items<'a, ActionItem>;

impl Actions<'_> {
    /// The most that fit: their count has five bits.
    pub const MAX: usize = 31;

    /// The count as it is written.
    #[inline]
    pub(crate) fn wire_count(&self) -> u32 {
        self.len().min(Self::MAX) as u32
    }
}

const AUTONOMOUS: u16 = 0x8000;

impl Item for ActionItem {
    const SIZE: usize = 8;

    #[inline(always)]
    fn read(reader: &mut Reader<'_>) -> Read<Self> {
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
