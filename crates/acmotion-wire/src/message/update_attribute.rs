//! 0x02E3: an attribute changes.

use super::{Attribute, Message};
use crate::cursor::{ReadResult, Reader, Writer};

/// An attribute of the player changes (`docs/wire.md` §6). All fields after the first byte are unaligned.
///
/// The layout of its public counterpart, 0x02E4, is not proven, so that message stays raw bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "02E3")]
pub struct PrivateUpdateAttribute {
    /// The sequence number of the update.
    pub sequence: u8,
    /// The id of the attribute, such as [`Attribute::STRENGTH`].
    pub attribute: u32,
    /// The new values of the attribute.
    pub value: Attribute,
}

impl<'a> Message<'a> for PrivateUpdateAttribute {
    const OPCODE: u32 = 0x02E3;
    const NAME: &'static str = "PrivateUpdateAttribute";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            sequence: reader.u8("seq")?,
            attribute: reader.u32("attribute")?,
            value: Attribute {
                ranks: reader.u32("ranks")?,
                start: reader.u32("start")?,
                xp_spent: reader.u32("xp_spent")?,
            },
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.sequence);
        writer.u32(self.attribute);
        writer.u32(self.value.ranks);
        writer.u32(self.value.start);
        writer.u32(self.value.xp_spent);
    }
}

#[cfg(test)]
mod tests {
    use super::PrivateUpdateAttribute;
    use crate::Attribute;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_raised_attribute_round_trips() {
        let bytes = hex("e3020000 03 03000000 0a000000 64000000 a20e0000");
        assert_eq!(bytes.len(), 21);
        let value = Attribute { ranks: 10, start: 100, xp_spent: 3746 };
        assert_s2c(&bytes, PrivateUpdateAttribute { sequence: 3, attribute: Attribute::QUICKNESS, value });
    }
}
