//! 0x0036: the player uses an object.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player uses an object, such as a door (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "0036")]
pub struct Use {
    /// The object.
    pub object: Guid,
}

impl<'a> Message<'a> for Use {
    const OPCODE: u32 = 0x0036;
    const NAME: &'static str = "Use";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { object: reader.guid("object")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.object);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.object)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::Use;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_use_round_trips() {
        let bytes = hex("b1f70000 07000000 36000000 34120080");
        assert_eq!(bytes.len(), 16);
        assert_c2s(&bytes, Use { object: Guid(0x8000_1234) });
    }
}
