//! 0x001B: the player drops an item.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player drops an item (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "001B")]
pub struct DropItem {
    /// The item.
    pub item: Guid,
}

impl<'a> Message<'a> for DropItem {
    const OPCODE: u32 = 0x001B;
    const NAME: &'static str = "DropItem";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { item: reader.guid("item")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.item);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.item)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::DropItem;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_dropped_item_round_trips() {
        let bytes = hex("b1f70000 07000000 1b000000 34120080");
        assert_eq!(bytes.len(), 16);
        assert_c2s(&bytes, DropItem { item: Guid(0x8000_1234) });
    }
}
