//! 0xF748: the position of a body.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::PositionPack;

/// The new position of a body (rules D5–D7, `docs/wire.md` §2.1).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "F748")]
#[doc(alias = "HandleReceivedPosition")]
pub struct UpdatePosition {
    /// The object.
    pub guid: Guid,
    /// The position, with its stamps.
    pub pack: PositionPack,
}

impl<'a> Message<'a> for UpdatePosition {
    const OPCODE: u32 = 0xF748;
    const NAME: &'static str = "UpdatePosition";

    #[inline(always)]
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { guid: reader.guid("guid")?, pack: PositionPack::read(reader)? })
    }

    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        self.pack.write(writer);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, CellPosition, Era, Frame, Guid, Quat, Stamp, Vec3};

    use super::UpdatePosition;
    use crate::testing::{assert_s2c, hex};
    use crate::{PositionFlags, PositionPack, S2C, decode_s2c};

    fn at(flags: u32, rotation: Quat) -> UpdatePosition {
        UpdatePosition {
            guid: Guid(0x8000_1234),
            pack: PositionPack {
                flags: PositionFlags::from_bits_retain(flags),
                position: CellPosition::new(
                    CellId(0xA9B4_0015),
                    Frame::new(Vec3::new(10.0, 20.0, 94.0), rotation),
                ),
                velocity: None,
                placement: None,
                instance: Stamp(1),
                position_stamp: Stamp(0xFFFF),
                teleport: Stamp(2),
                force_position: Stamp(3),
            },
        }
    }

    #[test]
    fn a_grounded_position_with_w_z_and_placement_round_trips() {
        let bytes =
            hex("48f70000 34120080 36000000 1500b4a9 00002041 0000a041 0000bc42 0000003f 0000c0bf 65000000
             0100 ffff 0200 0300");
        assert_eq!(bytes.len(), 48);
        let mut message = at(0x36, Quat::new(0.5, 0.0, 0.0, -1.5));
        message.pack.placement = Some(0x65);
        assert_s2c(&bytes, message);
        assert!(message.pack.is_grounded());
    }

    #[test]
    fn a_position_has_36_bytes_without_and_68_with_all_optional_fields() {
        let everything = hex("48f70000 34120080 03000000 1500b4a9 00002041 0000a041 0000bc42
             0000003f 0000003f 0000003f 00000000  0000c03f 00000040 0000c0bf  65000000  0100 ffff 0200 0300");
        assert_eq!(everything.len(), 68);
        let mut message = at(3, Quat::new(0.5, 0.5, 0.5, 0.0));
        message.pack.placement = Some(0x65);
        message.pack.velocity = Some(Vec3::new(1.5, 2.0, -1.5));
        assert_s2c(&everything, message);

        let nothing =
            hex("48f70000 34120080 78000000 1500b4a9 00002041 0000a041 0000bc42 0100 ffff 0200 0300");
        assert_eq!(nothing.len(), 36);
        assert_s2c(&nothing, at(0x78, Quat::new(0.0, 0.0, 0.0, 0.0)));
    }

    #[test]
    fn fields_override_flags_when_encoding() {
        let mut message = at(0x7D, Quat::new(1.0, 0.0, -0.0, 0.0));
        message.pack.placement = Some(1);
        assert_eq!(message.pack.wire_flags().bits(), 0x76);
        let mut bytes = Vec::new();
        S2C::from(message).encode(&mut bytes);
        message.pack.flags = PositionFlags::from_bits_retain(0x76);
        assert_eq!(decode_s2c(&bytes, Era::default()), Ok(message.into()));
        assert_eq!(message.pack.compact().flags.bits(), 0x76);
    }
}
