//! 0xF751: the player enters portal space.

use acmotion_types::Stamp;

use super::Message;
use crate::cursor::{Pad, ReadResult, Reader, Writer};

/// The player enters portal space (rule D11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F751")]
pub struct PlayerTeleport {
    /// The teleport stamp of the player.
    pub teleport: Stamp,
    /// The two padding bytes at the end.
    pub pad: Pad,
}

impl<'a> Message<'a> for PlayerTeleport {
    const OPCODE: u32 = 0xF751;
    const NAME: &'static str = "PlayerTeleport";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { teleport: reader.stamp("teleport_seq")?, pad: reader.align()? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.stamp(self.teleport);
        writer.align(self.pad);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Stamp;

    use super::PlayerTeleport;
    use crate::Pad;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_teleport_round_trips() {
        assert_s2c(&hex("51f70000 0400 0000"), PlayerTeleport { teleport: Stamp(4), pad: Pad::ZERO });
    }
}
