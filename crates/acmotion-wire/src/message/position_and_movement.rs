//! 0xF619: the position and the movement of a body in one message.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::{MovementData, PositionPack};

/// The position and the movement of a body. Receivers apply the position first, and the movement only if the position
/// was accepted (rule D4).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "F619")]
pub struct PositionAndMovement<'a> {
    /// The object.
    pub guid: Guid,
    /// The position, with its stamps.
    pub pack: PositionPack,
    /// The movement, with its stamps.
    pub data: MovementData<'a>,
}

impl<'a> Message<'a> for PositionAndMovement<'a> {
    const OPCODE: u32 = 0xF619;
    const NAME: &'static str = "PositionAndMovement";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            guid: reader.guid("guid")?,
            pack: PositionPack::read(reader)?,
            data: MovementData::read(reader)?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        self.pack.write(writer);
        self.data.write((), writer);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, CellPosition, Frame, Guid, MotionCommand, Quat, Stamp, Vec3};

    use super::PositionAndMovement;
    use crate::testing::{assert_s2c, hex};
    use crate::*;

    #[test]
    fn three_bytes_of_padding_precede_the_movement() {
        let bytes = hex("19f60000 01000050
             34000000 1500b4a9 00002041 0000a041 0000bc42 0000003f 0000c0bf 0900 0d00 0300 0000
             0c00 0900 00 000000  00 00 3d00 03000000 3d00 0300");
        let pack = PositionPack {
            flags: PositionFlags::from_bits_retain(0x34),
            position: CellPosition::new(
                CellId(0xA9B4_0015),
                Frame::new(Vec3::new(10.0, 20.0, 94.0), Quat::new(0.5, 0.0, 0.0, -1.5)),
            ),
            velocity: None,
            placement: None,
            instance: Stamp(9),
            position_stamp: Stamp(13),
            teleport: Stamp(3),
            force_position: Stamp(0),
        };
        let state = InterpretedState {
            current_style: Some(MotionCommand::NON_COMBAT),
            forward_command: Some(MotionCommand::READY),
            ..InterpretedState::default()
        };
        let data = MovementData {
            movement_stamp: Stamp(12),
            server_control: Stamp(9),
            autonomous: false.into(),
            pad: Pad::ZERO,
            movement: Movement {
                flags: MotionFlags::empty(),
                style: MotionCommand::NON_COMBAT,
                body: MovementBody::Interpreted { state, sticky: None },
            },
        };
        assert_s2c(&bytes, PositionAndMovement { guid: Guid(0x5000_0001), pack, data });
    }
}
