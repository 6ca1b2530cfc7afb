//! 0xF7B0/0x0022: an item moves into a container.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An item moves into a container of the player, or into its pack (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "0022")]
pub struct InventoryPutObjInContainer {
    /// The item.
    pub item: Guid,
    /// The container: the player itself or a pack.
    pub container: Guid,
    /// The slot in the container.
    pub slot: u32,
    /// The kind of item. 0 for ordinary items; others were not studied.
    pub kind: u32,
}

impl<'a> Message<'a> for InventoryPutObjInContainer {
    const OPCODE: u32 = 0x0022;
    const NAME: &'static str = "InventoryPutObjInContainer";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            item: reader.guid("item")?,
            container: reader.guid("container")?,
            slot: reader.u32("slot")?,
            kind: reader.u32("kind")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.item);
        writer.guid(self.container);
        writer.u32(self.slot);
        writer.u32(self.kind);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::InventoryPutObjInContainer;
    use crate::testing::{assert_event, hex};

    #[test]
    fn an_item_put_into_a_pack_round_trips() {
        let bytes = hex("b0f70000 01000050 09000000 22000000 34120080 01000050 02000000 01000000");
        assert_eq!(bytes.len(), 32);
        assert_event(
            &bytes,
            InventoryPutObjInContainer {
                item: Guid(0x8000_1234),
                container: Guid(0x5000_0001),
                slot: 2,
                kind: 1,
            },
        );
    }
}
