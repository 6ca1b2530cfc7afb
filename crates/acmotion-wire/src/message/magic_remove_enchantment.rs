//! 0xF7B0/0x02C3: an enchantment ends.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An enchantment of the player ends (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "02C3")]
pub struct MagicRemoveEnchantment {
    /// The spell.
    pub spell: u16,
    /// The layer of the spell: the same spell can be active more than once.
    pub layer: u16,
}

impl<'a> Message<'a> for MagicRemoveEnchantment {
    const OPCODE: u32 = 0x02C3;
    const NAME: &'static str = "MagicRemoveEnchantment";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { spell: reader.u16("spell")?, layer: reader.u16("layer")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u16(self.spell);
        writer.u16(self.layer);
    }
}

#[cfg(test)]
mod tests {
    use super::MagicRemoveEnchantment;
    use crate::testing::{assert_event, hex};

    #[test]
    fn an_ended_enchantment_round_trips() {
        let bytes = hex("b0f70000 01000050 09000000 c3020000 3412 0100");
        assert_eq!(bytes.len(), 20);
        assert_event(&bytes, MagicRemoveEnchantment { spell: 0x1234, layer: 1 });
    }
}
