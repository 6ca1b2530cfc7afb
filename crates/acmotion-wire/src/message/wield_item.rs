//! 0xF7B0/0x0023: an item is wielded.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player wields or wears an item (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "0023")]
pub struct WieldItem {
    /// The item.
    pub item: Guid,
    /// The location at which it is worn: bits, one per location.
    #[doc(alias = "EquipMask")]
    pub location: u32,
}

impl<'a> Message<'a> for WieldItem {
    const OPCODE: u32 = 0x0023;
    const NAME: &'static str = "WieldItem";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { item: reader.guid("item")?, location: reader.u32("location")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.item);
        writer.u32(self.location);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::WieldItem;
    use crate::testing::{assert_event, hex};

    #[test]
    fn a_wielded_item_round_trips() {
        let bytes = hex("b0f70000 01000050 09000000 23000000 34120080 00001000");
        assert_eq!(bytes.len(), 24);
        assert_event(&bytes, WieldItem { item: Guid(0x8000_1234), location: 0x0010_0000 });
    }
}
