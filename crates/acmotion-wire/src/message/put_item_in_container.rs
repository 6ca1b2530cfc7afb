//! 0x0019: the player moves an item into a container.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player picks up an item or moves it into a container (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "0019")]
pub struct PutItemInContainer {
    /// The item.
    pub item: Guid,
    /// The container: the player itself, a pack or a chest.
    pub container: Guid,
    /// The slot in the container.
    pub slot: u32,
}

impl<'a> Message<'a> for PutItemInContainer {
    const OPCODE: u32 = 0x0019;
    const NAME: &'static str = "PutItemInContainer";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            item: reader.guid("item")?,
            container: reader.guid("container")?,
            slot: reader.u32("slot")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.item);
        writer.guid(self.container);
        writer.u32(self.slot);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.item)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::PutItemInContainer;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_moved_item_round_trips() {
        let bytes = hex("b1f70000 07000000 19000000 34120080 01000050 02000000");
        assert_eq!(bytes.len(), 24);
        assert_c2s(
            &bytes,
            PutItemInContainer { item: Guid(0x8000_1234), container: Guid(0x5000_0001), slot: 2 },
        );
    }
}
