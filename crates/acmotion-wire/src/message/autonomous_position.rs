//! 0xF753: the player's position.

use acmotion_types::CellPosition;

use super::Message;
use crate::cursor::{Pad, ReadResult, Reader, WireBool, Writer};
use crate::parts::EchoedStamps;

/// The player's position. The client sends it at most once a second while moving (rule K7).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F753")]
pub struct AutonomousPosition {
    /// The position.
    pub position: CellPosition,
    /// The latest stamps the client has accepted.
    pub stamps: EchoedStamps,
    /// Whether the body stands on walkable ground.
    pub contact: WireBool,
    /// The three padding bytes at the end.
    pub pad: Pad,
}

impl<'a> Message<'a> for AutonomousPosition {
    const OPCODE: u32 = 0xF753;
    const NAME: &'static str = "AutonomousPosition";

    #[inline]
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            position: reader.position("position")?,
            stamps: EchoedStamps::read(reader)?,
            contact: WireBool(reader.u8("contact")?),
            pad: reader.align()?,
        })
    }

    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.position(self.position);
        self.stamps.write(writer);
        writer.u8(self.contact.0);
        writer.align(self.pad);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, CellPosition, Frame, Quat, Stamp, Vec3};

    use super::AutonomousPosition;
    use crate::testing::{assert_c2s, hex};
    use crate::{EchoedStamps, Pad};

    #[test]
    fn an_autonomous_position_round_trips() {
        let bytes = hex(
            "b1f70000 07000000 53f70000
             1500b4a9 00002041 0000a041 0000bc42 0000003f 00000000 00000000 0000c0bf 0900 0500 0300 0100 01 000000",
        );
        let message = AutonomousPosition {
            position: CellPosition::new(
                CellId(0xA9B4_0015),
                Frame::new(Vec3::new(10.0, 20.0, 94.0), Quat::new(0.5, 0.0, 0.0, -1.5)),
            ),
            stamps: EchoedStamps {
                instance: Stamp(9),
                server_control: Stamp(5),
                teleport: Stamp(3),
                force_position: Stamp(1),
            },
            contact: true.into(),
            pad: Pad::ZERO,
        };
        assert_c2s(&bytes, message);
    }
}
