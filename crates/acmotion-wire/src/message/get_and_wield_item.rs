//! 0x001A: the player wields an item.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player wields or wears an item (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "001A")]
pub struct GetAndWieldItem {
    /// The item.
    pub item: Guid,
    /// The location at which it is worn: bits, one per location.
    #[doc(alias = "EquipMask")]
    pub location: u32,
}

impl<'a> Message<'a> for GetAndWieldItem {
    const OPCODE: u32 = 0x001A;
    const NAME: &'static str = "GetAndWieldItem";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { item: reader.guid("item")?, location: reader.u32("location")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.item);
        writer.u32(self.location);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.item)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::GetAndWieldItem;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_wielded_item_round_trips() {
        let bytes = hex("b1f70000 07000000 1a000000 34120080 00001000");
        assert_eq!(bytes.len(), 20);
        assert_c2s(&bytes, GetAndWieldItem { item: Guid(0x8000_1234), location: 0x0010_0000 });
    }
}
