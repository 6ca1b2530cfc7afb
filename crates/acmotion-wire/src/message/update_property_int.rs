//! 0x02CD and 0x02CE: an integer property changes.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An integer property of the player changes (`docs/wire.md` §6). All fields after the first byte are unaligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "02CD")]
pub struct PrivateUpdatePropertyInt {
    /// The sequence number of the update.
    pub sequence: u8,
    /// The property.
    pub property: u32,
    /// The new value.
    pub value: i32,
}

impl PrivateUpdatePropertyInt {
    /// The property that holds the burden, the weight carried.
    #[doc(alias = "EncumbranceVal")]
    pub const BURDEN: u32 = 5;
}

impl<'a> Message<'a> for PrivateUpdatePropertyInt {
    const OPCODE: u32 = 0x02CD;
    const NAME: &'static str = "PrivateUpdatePropertyInt";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            sequence: reader.u8("seq")?,
            property: reader.u32("property")?,
            value: reader.i32("value")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.sequence);
        writer.u32(self.property);
        writer.i32(self.value);
    }
}

/// An integer property of any object changes (`docs/wire.md` §6). All fields after the first byte are unaligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "02CE")]
pub struct PublicUpdatePropertyInt {
    /// The sequence number of the update.
    pub sequence: u8,
    /// The object.
    pub guid: Guid,
    /// The property.
    pub property: u32,
    /// The new value.
    pub value: i32,
}

impl<'a> Message<'a> for PublicUpdatePropertyInt {
    const OPCODE: u32 = 0x02CE;
    const NAME: &'static str = "PublicUpdatePropertyInt";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            sequence: reader.u8("seq")?,
            guid: reader.guid("guid")?,
            property: reader.u32("property")?,
            value: reader.i32("value")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.sequence);
        writer.guid(self.guid);
        writer.u32(self.property);
        writer.i32(self.value);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::{PrivateUpdatePropertyInt, PublicUpdatePropertyInt};
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_change_of_burden_round_trips() {
        let bytes = hex("cd020000 07 05000000 35770000");
        assert_eq!(bytes.len(), 13);
        let property = PrivateUpdatePropertyInt::BURDEN;
        assert_s2c(&bytes, PrivateUpdatePropertyInt { sequence: 7, property, value: 30_517 });
    }

    #[test]
    fn a_public_change_to_a_negative_value_round_trips() {
        let bytes = hex("ce020000 ff 34120080 19000000 feffffff");
        assert_eq!(bytes.len(), 17);
        let guid = Guid(0x8000_1234);
        assert_s2c(&bytes, PublicUpdatePropertyInt { sequence: 255, guid, property: 25, value: -2 });
    }
}
