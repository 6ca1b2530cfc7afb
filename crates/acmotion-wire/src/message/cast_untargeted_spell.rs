//! 0x0048: the player casts a spell without a target.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player casts a spell that has no target (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "0048")]
pub struct CastUntargetedSpell {
    /// The spell.
    pub spell: u32,
}

impl<'a> Message<'a> for CastUntargetedSpell {
    const OPCODE: u32 = 0x0048;
    const NAME: &'static str = "CastUntargetedSpell";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { spell: reader.u32("spell")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.spell);
    }
}

#[cfg(test)]
mod tests {
    use super::CastUntargetedSpell;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_spell_without_a_target_round_trips() {
        let bytes = hex("b1f70000 07000000 48000000 34120000");
        assert_eq!(bytes.len(), 16);
        assert_c2s(&bytes, CastUntargetedSpell { spell: 0x1234 });
    }
}
