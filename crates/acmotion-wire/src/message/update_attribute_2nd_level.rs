//! 0x02E9: the current value of a vital changes.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The current value of one of the player's vitals changes (`docs/wire.md` §6). All fields after the first byte are
/// unaligned.
///
/// The layout of the update of all values of a vital, 0x02E7, is not proven, so that message stays raw bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "02E9")]
pub struct PrivateUpdateAttribute2ndLevel {
    /// The sequence number of the update.
    pub sequence: u8,
    /// The id of the vital, such as [`Vital::STAMINA`](crate::Vital::STAMINA).
    pub vital: u32,
    /// The current value.
    pub current: u32,
}

impl<'a> Message<'a> for PrivateUpdateAttribute2ndLevel {
    const OPCODE: u32 = 0x02E9;
    const NAME: &'static str = "PrivateUpdateAttribute2ndLevel";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { sequence: reader.u8("seq")?, vital: reader.u32("vital")?, current: reader.u32("current")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.sequence);
        writer.u32(self.vital);
        writer.u32(self.current);
    }
}

#[cfg(test)]
mod tests {
    use super::PrivateUpdateAttribute2ndLevel;
    use crate::Vital;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn used_up_stamina_round_trips() {
        let bytes = hex("e9020000 11 04000000 13000000");
        assert_eq!(bytes.len(), 13);
        let message = PrivateUpdateAttribute2ndLevel { sequence: 17, vital: Vital::STAMINA, current: 19 };
        assert_s2c(&bytes, message);
    }
}
