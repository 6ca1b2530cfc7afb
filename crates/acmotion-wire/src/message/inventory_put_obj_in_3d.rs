//! 0xF7B0/0x019A: an item is dropped.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An item of the player moves from the inventory to the ground (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "019A")]
pub struct InventoryPutObjIn3D {
    /// The item.
    pub item: Guid,
}

impl<'a> Message<'a> for InventoryPutObjIn3D {
    const OPCODE: u32 = 0x019A;
    const NAME: &'static str = "InventoryPutObjIn3D";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { item: reader.guid("item")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.item);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::InventoryPutObjIn3D;
    use crate::testing::{assert_event, hex};

    #[test]
    fn a_dropped_item_round_trips() {
        let bytes = hex("b0f70000 01000050 09000000 9a010000 34120080");
        assert_eq!(bytes.len(), 20);
        assert_event(&bytes, InventoryPutObjIn3D { item: Guid(0x8000_1234) });
    }
}
